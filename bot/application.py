"""The running bot, put together: what use-cases work with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.health import Health
from bot.jobs import Jobs
from bot.metrics import Metrics
from bot.readiness import Readiness
from config.schema import Settings
from handlers.boards import Boards
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.incidents.desk import IncidentDesk
from handlers.pace import Windows
from handlers.tickets.comebacks import Comebacks
from handlers.tickets.desk import TicketDesk
from memory.acts import ActBox
from memory.audit_log import AuditLog
from memory.chat_model import ChatModel, ModelRole
from memory.fact_ports import FactReading, FactWriting
from memory.feedback import FeedbackBox
from memory.followers import Followers
from memory.holds import Holds
from memory.incidents import IncidentBox
from memory.index_ports import Encoder, KeyIndex
from memory.inspection import Inspection
from memory.knowledge.shelf import Shelf
from memory.knowledge.sync import Sync
from memory.lines import Lines
from memory.mailbox import Mailbox
from memory.membership import Membership
from memory.personal import Personal
from memory.ports import Clock, Leases, Ledger, Reading, Writing
from memory.recall.contradictions import Contradictions
from memory.recall.pipeline import Recall
from memory.remember.flush import Flush
from memory.text.redact import Redactor
from memory.tickets import TicketReading, TicketWriting
from memory.tracker import Deliveries
from memory.upkeep.rollback import Rollback
from memory.vault import Vault

Models = Mapping[ModelRole, ChatModel]


class Store(Protocol):
    """The words with everything that is kept beside them."""

    @property
    def reading(self) -> Reading: ...

    @property
    def writing(self) -> Writing: ...

    @property
    def mailbox(self) -> Mailbox: ...

    @property
    def membership(self) -> Membership: ...

    @property
    def leases(self) -> Leases: ...

    @property
    def ledger(self) -> Ledger: ...

    @property
    def facts(self) -> FactReading: ...

    @property
    def fact_writing(self) -> FactWriting: ...

    @property
    def personal(self) -> Personal: ...

    @property
    def feedback(self) -> FeedbackBox: ...

    @property
    def tickets(self) -> TicketReading: ...

    @property
    def ticket_writing(self) -> TicketWriting: ...

    @property
    def lines(self) -> Lines: ...

    @property
    def deliveries(self) -> Deliveries: ...

    @property
    def followers(self) -> Followers: ...

    @property
    def vault(self) -> Vault: ...

    @property
    def acts(self) -> ActBox: ...

    @property
    def redactor(self) -> Redactor: ...

    @property
    def shelf(self) -> Shelf: ...

    @property
    def incidents(self) -> IncidentBox: ...

    @property
    def audit(self) -> AuditLog: ...

    @property
    def holds(self) -> Holds: ...

    @property
    def inspection(self) -> Inspection: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What became of the newest version of the configuration file: its problems, where it was not taken over, and the
    settings in the last one that was which only count after a restart."""

    problems: tuple[str, ...] = ()
    needs_restart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the settings decide. It is exchanged as a whole; what began with one ends with it."""

    settings: Settings
    recall: Recall
    desk: Desk
    tickets: TicketDesk
    comebacks: Comebacks
    incidents: IncidentDesk
    models: Models
    flush: Flush
    file: FileState = FileState()


class Current:
    """What is decided now: the one reference that changes with the configuration."""

    def __init__(self, decided: Decided) -> None:
        self.decided = decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Built by `bot.wiring.build`, open as long as its context is. Settings, recall and desk are those of the moment in
    which they are asked for: whoever keeps one keeps what was decided then."""

    current: Current
    data: Path
    clock: Clock
    store: Store
    index: KeyIndex
    encoder: Encoder
    claims: Claims
    windows: Windows
    readiness: Readiness
    jobs: Jobs
    metrics: Metrics
    health: Health
    boards: Boards
    sync: Sync
    contradictions: Contradictions
    rollback: Rollback

    @property
    def settings(self) -> Settings:
        return self.current.decided.settings

    @property
    def recall(self) -> Recall:
        return self.current.decided.recall

    @property
    def desk(self) -> Desk:
        return self.current.decided.desk

    @property
    def tickets(self) -> TicketDesk:
        return self.current.decided.tickets

    @property
    def comebacks(self) -> Comebacks:
        return self.current.decided.comebacks

    @property
    def incidents(self) -> IncidentDesk:
        return self.current.decided.incidents

    @property
    def flush(self) -> Flush:
        return self.current.decided.flush

    @property
    def models(self) -> Models:
        return self.current.decided.models
