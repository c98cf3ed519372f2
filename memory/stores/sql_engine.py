"""One database, SQLite or PostgreSQL: how to reach it, how to read, how to write, and what its failures mean."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from enum import IntEnum
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import URL, Connection, Engine, Executable, Row, Table, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from memory.errors import ConfigInvalid, StoreUnavailable
from memory.stores.sql_sqlite import SqliteConnection

#: Marks the SQLite files that are ours, in their header ("hdsk").
APPLICATION_ID = 0x6864736B


class Turnstile(IntEnum):
    """What transactions on PostgreSQL wait for one another at; migrating has the number before these. Whoever passes
    more than one does so in this order."""

    #: Something is made from the words.
    DERIVING = APPLICATION_ID + 1
    #: What was said comes to belong to a ticket: nobody says anything meanwhile.
    OPENING = APPLICATION_ID + 2
    #: The rows of tickets are worked out from the turns that are there.
    INDEXING = APPLICATION_ID + 3
    #: Signs become an incident, or somebody says what it is.
    INCIDENTS = APPLICATION_ID + 4
    #: An entry is put behind the last one of the audit log.
    AUDITING = APPLICATION_ID + 5


_Id = TypeVar("_Id", bound=Hashable)

AnyInsert: TypeAlias = sqlite.Insert | postgresql.Insert
#: By the name of the dialect.
INSERTS: dict[str, Callable[[Table], AnyInsert]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_CONNECTIONS = 5
_STATEMENT_SECONDS = 120
#: Between two tries to bring a file into WAL mode.
_AGAIN_SECONDS = 0.02
#: Ids in one IN list; both databases take some 32,000 parameters in a statement.
_IDS_AT_ONCE = 5_000

_LOCKED = "The ticket database stayed locked by another process; end that process, or raise `store.busy_seconds`."
_FULL = "The disk of the ticket database is full; make space, nothing that was acknowledged is lost."
_DAMAGED = (
    "The file of the ticket database is damaged; move it away and run `helpdesk restore` with a backup, or set "
    "HELPDESK_DATA to another folder."
)


class Database:
    """An open database. `rows` and `change` do one statement, `reading` and `writing` hand out connections for several;
    every failure there is a StoreUnavailable."""

    def __init__(self, engine: AsyncEngine, busy_seconds: float) -> None:
        self.engine = engine
        self.dialect = engine.dialect.name
        self._busy_seconds = busy_seconds
        # SQLite has one writer: within the process they queue here in order, instead of polling the file's lock.
        self._turnstile = asyncio.Semaphore(1 if self.dialect == "sqlite" else _CONNECTIONS)
        self._readers = engine.execution_options(**_READS[self.dialect])
        self._writers = engine.execution_options(writes=True)
        self._lookers = engine.execution_options(**_LOOKS[self.dialect])

    async def rows(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        """What one statement reads. `values` are those of its parameters that have no value yet."""
        with unavailable():
            return await greenlet_spawn(_rows, self._readers.sync_engine, statement, values)

    async def change(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Sequence[Row[Any]]:
        """Write with one statement, which is a transaction by itself: durable when this returns. The rows that it
        returns, if it returns any."""
        with unavailable():
            async with self._place():
                return await greenlet_spawn(_rows, self._readers.sync_engine, statement, values)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection on which each statement sees what was committed before it."""
        with unavailable():
            async with self._readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """A connection on which every statement sees what was committed before the first one. Nobody waits for it."""
        with unavailable():
            async with self._lookers.connect() as connection:
                if self.dialect == "sqlite":
                    await connection.execute(text("BEGIN"))
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: durable when the block ends, undone when it raises."""
        with unavailable():
            async with self._place(), self._writers.begin() as connection:
                yield connection

    @asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """A writer's place in the queue."""
        async with asyncio.timeout(self._busy_seconds):
            await self._turnstile.acquire()
        try:
            yield
        finally:
            self._turnstile.release()

    @asynccontextmanager
    async def deriving(self) -> AsyncIterator[AsyncConnection]:
        """As `writing`, for what is made from the words: one at a time, so that none waits for another in a circle and
        none writes about what another is deleting."""
        async with self.writing() as connection:
            await self.alone(connection, Turnstile.DERIVING)
            yield connection

    async def alone(self, connection: AsyncConnection, at: Turnstile) -> None:
        """Wait until nobody else is past this turnstile, and be the only one until the transaction ends. On SQLite
        every writer is."""
        if self.dialect == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:at)"), {"at": at})

    async def beside_others(self, connection: AsyncConnection, at: Turnstile) -> None:
        """Wait only for one who is past it alone."""
        if self.dialect == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock_shared(:at)"), {"at": at})

    async def log_ahead(self) -> None:
        """Bring a SQLite file into WAL mode, in which it stays. Where another connection is at work on a new file,
        SQLite refuses that at once, without the wait that it has for every other lock; so the waiting is done here."""
        with unavailable():
            async with asyncio.timeout(self._busy_seconds):
                while True:
                    try:
                        async with self.engine.connect() as connection:
                            await connection.execute(text("PRAGMA journal_mode = WAL"))
                            return
                    except OperationalError as error:
                        if remedy(error) != _LOCKED:
                            raise
                    await asyncio.sleep(_AGAIN_SECONDS)

    async def scrub(self) -> None:
        """Empty SQLite's write-ahead log: what was deleted stands in no file any more."""
        if self.dialect == "sqlite":
            async with self.reading() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))

    def insert(self, table: Table) -> AnyInsert:
        """An INSERT that knows ON CONFLICT, in this database's dialect."""
        return INSERTS[self.dialect](table)

    async def close(self) -> None:
        await self.engine.dispose()


#: One statement needs no transaction around it; SQLite is in this mode by itself until a BEGIN.
_READS: dict[str, dict[str, Any]] = {"sqlite": {}, "postgresql": {"isolation_level": "AUTOCOMMIT"}}
#: SQLite is in this mode by itself from a BEGIN on.
_LOOKS: dict[str, dict[str, Any]] = {
    "sqlite": {},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}


def address(url: str) -> URL:
    """The address with the driver this program uses. Raises ConfigInvalid for one that it cannot use."""
    try:
        plain = make_url(url)
    except ArgumentError as error:
        raise ConfigInvalid("`store.url` is no database address; write sqlite:///file or postgresql://…") from error
    driver = _DRIVERS.get(plain.get_backend_name())
    if driver is None:
        raise ConfigInvalid(f"`store.url` names {plain.get_backend_name()!r}; use sqlite:///file or postgresql://…")
    if driver == _DRIVERS["sqlite"] and plain.database in (None, "", ":memory:"):
        raise ConfigInvalid("`store.url` names no file; write sqlite:///path/to/file")
    return _asyncpg_names(plain.set(drivername=driver))


def _asyncpg_names(url: URL) -> URL:
    """`sslmode` is what PostgreSQL's own tools call it."""
    mode = url.query.get("sslmode")
    return url if mode is None else url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})


def connect(url: URL, busy_seconds: float) -> Database:
    """A database at an `address`; nothing is opened yet."""
    options = _sqlite_options(busy_seconds) if url.get_backend_name() == "sqlite" else _postgres_options(busy_seconds)
    engine = create_async_engine(
        url, hide_parameters=True, pool_size=_CONNECTIONS, max_overflow=0, pool_timeout=busy_seconds, **options
    )
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return Database(engine, busy_seconds)


def _sqlite_options(busy_seconds: float) -> dict[str, Any]:
    return {"connect_args": {"timeout": busy_seconds, "async_creator_fn": SqliteConnection}}


def _postgres_options(busy_seconds: float) -> dict[str, Any]:
    limits = {"application_name": "helpdesk", "lock_timeout": str(round(busy_seconds * 1000))}
    arguments = {"timeout": busy_seconds, "command_timeout": _STATEMENT_SECONDS, "server_settings": limits}
    return {"connect_args": arguments, "pool_pre_ping": True}


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """FULL makes a commit durable in WAL mode; deleted words are overwritten in the file."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a transaction that first reads could not get it later without starting over."""
    if connection.get_execution_options().get("writes"):
        driver: Any = connection.connection.driver_connection
        driver.begin_writing()


def _rows(engine: Engine, statement: Executable, values: Mapping[str, Any] | None) -> Sequence[Row[Any]]:
    """One statement on a connection without a transaction around it."""
    with engine.connect() as connection:
        result = connection.execute(statement, values)
        return result.all() if result.returns_rows else ()


@contextmanager
def unavailable() -> Iterator[None]:
    """Failures of the database as StoreUnavailable."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreUnavailable(remedy(error)) from error


def remedy(error: BaseException) -> str | None:
    """What to do, where the general advice of StoreUnavailable would mislead."""
    cause = getattr(error, "orig", error)
    name = getattr(cause, "sqlite_errorname", "") or str(cause)
    if isinstance(error, TimeoutError) or "locked" in name or "BUSY" in name:
        return _LOCKED
    if "CORRUPT" in name:
        return _DAMAGED
    # SQLite says of its first file on a full disk only that it could not be made so long.
    return _FULL if "full" in name.lower() or "SHMSIZE" in name else None


def parts(ids: Sequence[_Id]) -> Iterator[Sequence[_Id]]:
    """The ids without repeats, in lists that fit into one statement."""
    once = list(dict.fromkeys(ids))
    for start in range(0, len(once), _IDS_AT_ONCE):
        yield once[start : start + _IDS_AT_ONCE]
