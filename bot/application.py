"""The running bot, put together: what use-cases work with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.health import Health
from bot.jobs import Jobs
from bot.metrics import Metrics
from bot.readiness import Readiness
from config.schema import Settings
from handlers.conversation import Desk
from handlers.tickets.desk import TicketDesk
from memory.fact_ports import FactReading, FactWriting
from memory.feedback import FeedbackBox
from memory.index_ports import KeyIndex
from memory.knowledge.shelf import Shelf
from memory.knowledge.sync import Sync
from memory.mailbox import Mailbox
from memory.personal import Personal
from memory.ports import Clock, Leases, Ledger, Reading, Writing
from memory.recall.contradictions import Contradictions
from memory.recall.pipeline import Recall
from memory.tickets import TicketReading, TicketWriting
from memory.upkeep.rollback import Rollback
from memory.vault import Vault


class Store(Protocol):
    """The words with everything that is kept beside them."""

    @property
    def reading(self) -> Reading: ...

    @property
    def writing(self) -> Writing: ...

    @property
    def mailbox(self) -> Mailbox: ...

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
    def vault(self) -> Vault: ...

    @property
    def shelf(self) -> Shelf: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Built by `bot.wiring.build`, open as long as its context is."""

    settings: Settings
    data: Path
    clock: Clock
    store: Store
    index: KeyIndex
    recall: Recall
    desk: Desk
    tickets: TicketDesk
    readiness: Readiness
    jobs: Jobs
    metrics: Metrics
    health: Health
    sync: Sync
    contradictions: Contradictions
    rollback: Rollback
