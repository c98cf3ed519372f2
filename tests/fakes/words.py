"""The stores of words, each opened small, and what to put into them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from memory.acts import ActBox
from memory.audit_log import AuditLog
from memory.fact_ports import FactReading, FactWriting
from memory.feedback import FeedbackBox
from memory.followers import Followers
from memory.holds import Holds
from memory.incidents import IncidentBox
from memory.inspection import Inspection
from memory.knowledge.shelf import Shelf
from memory.lines import Lines
from memory.mailbox import Mailbox
from memory.membership import Membership
from memory.model import Episode, Note, Turn
from memory.personal import Personal
from memory.ports import Leases, Ledger, Reading, Retry, Writing
from memory.scope import narrowest
from memory.stores.in_memory_words import InMemoryStore
from memory.stores.sql import SqlStore, open_store
from memory.stores.tables import metadata
from memory.text.redact import Redactor
from memory.tickets import TicketReading, TicketWriting
from memory.tracker import Deliveries
from memory.vault import Vault
from tests.fakes import postgres
from tests.fakes.turns import NOON, turn

BACKENDS = ("in-memory", "sqlite", "postgresql")


class Store(Protocol):
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
    def vault(self) -> Vault: ...
    @property
    def acts(self) -> ActBox: ...
    @property
    def redactor(self) -> Redactor: ...
    @property
    def shelf(self) -> Shelf: ...
    @property
    def audit(self) -> AuditLog: ...
    @property
    def holds(self) -> Holds: ...
    @property
    def inspection(self) -> Inspection: ...
    @property
    def tickets(self) -> TicketReading: ...
    @property
    def ticket_writing(self) -> TicketWriting: ...
    @property
    def incidents(self) -> IncidentBox: ...
    @property
    def lines(self) -> Lines: ...
    @property
    def followers(self) -> Followers: ...
    @property
    def deliveries(self) -> Deliveries: ...


class Watch:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)


@asynccontextmanager
async def opened(backend: str, folder: Path, watch: Watch, *, tracked: bool = False) -> AsyncIterator[Store]:
    """An empty store of this kind, of which an outside tracker hears if `tracked`; checks in the end that it gave back
    every connection."""
    if backend == "in-memory":
        yield InMemoryStore(clock=watch, tracked=tracked)
        return
    async with (
        place(backend, folder) as url,
        open_store(url, busy_seconds=10, clock=watch, tracked=tracked) as store,
    ):
        yield store
        # What a question cost is written behind its answer.
        await store.ledger.settle()
        assert checked_out(store) == 0


@asynccontextmanager
async def place(backend: str, folder: Path) -> AsyncIterator[str]:
    """The address of a new database, empty but migrated."""
    if backend == "sqlite":
        file = folder / "helpdesk.db"
        file.write_bytes(await _migrated_file(folder))
        yield f"sqlite:///{file}"
        return
    postgres.require()
    url = await _migrated_database()
    await postgres.empty(url, list(metadata.tables))
    yield url


#: Migrated once in this process; the file is copied and the database emptied for each test.
_MIGRATED: dict[str, bytes] = {}


async def _migrated_file(folder: Path) -> bytes:
    if "sqlite" not in _MIGRATED:
        file = folder / "template.db"
        async with open_store(f"sqlite:///{file}", busy_seconds=10, clock=Watch()):
            pass
        _MIGRATED["sqlite"] = file.read_bytes()
    return _MIGRATED["sqlite"]


async def _migrated_database() -> str:
    if "postgresql" not in _MIGRATED:
        url = await postgres.lasting()
        async with open_store(url, busy_seconds=10, clock=Watch()):
            pass
        _MIGRATED["postgresql"] = url.encode()
    return _MIGRATED["postgresql"].decode()


def checked_out(store: SqlStore) -> int:
    """How many connections are in somebody's hands."""
    return int(store.database.engine.pool.checkedout())  # type: ignore[attr-defined]


def episode(name: str, turns: Sequence[Turn], *, tokens: int = 10) -> Episode:
    return Episode(
        id=name,
        conversation=turns[0].conversation,
        ticket=turns[0].ticket,
        turns=tuple(turns),
        scope=narrowest(turns),
        tokens=tokens,
    )


def note(of: str, version: int = 1, summary: str = "summary") -> Note:
    return Note(
        episode=of,
        version=version,
        fingerprint="words",
        summary=summary,
        keywords=("vpn", "接続"),
        tags=("network",),
        context="context",
        entities=("E-4711",),
        made_by="rules",
        made_at=NOON,
    )


def retry(of: str, minutes: float = 0, attempts: int = 1) -> Retry:
    return Retry(episode=of, error="no reply", attempts=attempts, next_at=NOON + timedelta(minutes=minutes))


async def flushed(store: Store, *cut: Episode) -> None:
    """As a flush leaves them: recorded, cut, no longer pending."""
    for part in cut:
        await store.writing.record(part.turns)
        await store.writing.store_episodes(part.conversation.id, [part])
        await store.writing.mark_flushed([part])


def one_turn(name: str, *, days: float = 0) -> Episode:
    """An episode of its own thread that consists of one turn."""
    return episode(name, [turn(1, thread=name, ticket=name, minutes=days * 1440)])
