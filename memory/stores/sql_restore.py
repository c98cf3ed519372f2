"""A backup into a database, in one transaction: whoever is killed leaves the database as it was before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Table, func, insert, inspect, select, text
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.audit_log import AuditEntry, AuditKind
from memory.errors import BackupUnusable, StoreFilled, StoreInUse, StoreNewer, UnderHold
from memory.remember.reports import Progress, Watcher
from memory.stores.archive import Archive, Manifest, Part, newer
from memory.stores.sql_audit import append_in
from memory.stores.sql_backup import PAGE, Shape, shapes
from memory.stores.sql_engine import Database, address, connect
from memory.stores.sql_erasures import CarriedOver, Erasures, carry_over, erasures_in, follows
from memory.stores.sql_schema import VERSION_TABLE, approach, begin, known_revisions, migrate, tables_of
from memory.stores.sql_writing import reopen
from memory.stores.tables import ReplyState, leases, redaction_keys, turns
from memory.stores.tables_holds import holds

#: What a database that nobody has said anything to has rows in.
_UNSAID = frozenset((redaction_keys.name, leases.name))
_LOOK_SECONDS = 0.1

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class There:
    """What a database holds: `rows` of whatever kind, `messages` among them, and the conversations under hold by the
    names under which they were put there."""

    rows: int = 0
    messages: int = 0
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What a restore may destroy: what the database holds, and what is under legal hold there; and who says so."""

    replace: bool = False
    despite_hold: bool = False
    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did. `carried`: what was erased since, as far as the database before knew of it; it `knew` of all
    if it was what had become of the one of the backup. `waiting` messages are owed a reply, and get it when the bot
    runs."""

    knew: bool
    carried: CarriedOver
    waiting: int


def check(archive: Archive, watcher: Watcher) -> None:
    """Read all of the backup, and compare it with its digests. Raises BackupUnusable, and BackupNewer for a schema that
    this program does not know."""
    manifest = archive.manifest
    if manifest.revision not in known_revisions():
        raise newer(manifest.program)
    done = 0
    for part in manifest.tables:
        for page in _pages(archive.lines(part)):
            done += len(page)
            watcher(Progress(done=done, total=manifest.rows))


async def look(url: str, *, busy_seconds: float) -> There:
    """What the database at `url` holds; where there is none, none is made. Raises StoreForeign, StoreNewer and
    StoreUnavailable."""
    place = address(url)
    if place.get_backend_name() == "sqlite" and not await asyncio.to_thread(Path(str(place.database)).exists):
        return There()
    database = connect(place, busy_seconds)
    try:
        await approach(database)
        async with database.writing() as connection:
            await _begun(connection)
            return await connection.run_sync(_there)
    finally:
        await database.close()


async def restore(
    url: str, archive: Archive, *, busy_seconds: float, allowed: Allowed, now: datetime, watcher: Watcher
) -> Restored:
    """Put the backup into the database at `url`; nobody else may have it open. Its index has to be written anew.

    Raises StoreFilled and UnderHold for what is not `allowed`, StoreInUse, BackupUnusable, and what `look` raises; then
    the database is as it was.
    """
    database = connect(address(url), busy_seconds)
    try:
        await approach(database)
        await _alone(database, busy_seconds)
        async with database.writing() as connection:
            done = await _restored(database, connection, archive, allowed=allowed, now=now, watcher=watcher)
        # What was replaced is to be read in no file.
        await database.scrub()
    finally:
        await database.close()
    return done


async def _restored(
    database: Database,
    connection: AsyncConnection,
    archive: Archive,
    *,
    allowed: Allowed,
    now: datetime,
    watcher: Watcher,
) -> Restored:
    manifest = archive.manifest
    before = await _cleared(connection, manifest, allowed) if await _begun(connection) else _NOTHING_KNOWN
    await connection.run_sync(migrate, manifest.revision)
    await _load(connection, archive, watcher)
    if manifest.revision != known_revisions()[-1]:
        await connection.run_sync(migrate)
    carried = await carry_over(database, connection, before.erasures, now)
    await reopen(connection, now)
    await append_in(database, connection, _entry(manifest, carried, allowed.person, now))
    owed = select(func.count()).select_from(turns).where(turns.c.reply == ReplyState.DUE)
    return Restored(knew=before.follows, carried=carried, waiting=await connection.scalar(owed) or 0)


def _entry(manifest: Manifest, carried: CarriedOver, person: str | None, now: datetime) -> AuditEntry:
    counts = {"rows": manifest.rows, "erased": carried.messages, "forgotten": carried.people}
    about = (manifest.made_at.isoformat(),)
    return AuditEntry(kind=AuditKind.RESTORED, at=now, person=person, about=about, counts=counts)


# --- what is there before ---------------------------------------------------------------------------------------------


async def _begun(connection: AsyncConnection) -> bool:
    """Whether there are tables of ours. Raises StoreForeign and StoreNewer."""
    try:
        return await connection.run_sync(begin) is not None
    except StoreNewer as error:
        raise StoreNewer(
            "The database was written by a newer version of this program; restore with that version, or into an empty "
            "database."
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """What the database that is replaced knew, and whether it is what became of the one of the backup."""

    erasures: Erasures
    follows: bool


_NOTHING_KNOWN = _Before(erasures=Erasures(withdrawn={}, kept=(), emptied={}), follows=False)


async def _cleared(connection: AsyncConnection, manifest: Manifest, allowed: Allowed) -> _Before:
    """Take our tables away. Raises StoreFilled and UnderHold."""
    _refuse(await connection.run_sync(_there), allowed)
    await connection.run_sync(migrate)
    known = _Before(erasures=await erasures_in(connection), follows=await follows(connection, manifest.audited))
    await connection.run_sync(_drop)
    return known


def _there(connection: Connection) -> There:
    found = {table.name: table for table in tables_of(connection)}
    counts = {name: _count(connection, table) for name, table in found.items() if name not in _UNSAID}
    held = connection.execute(select(holds.c.name).order_by(holds.c.name)).scalars() if holds.name in found else ()
    return There(rows=sum(counts.values()), messages=counts.get(turns.name, 0), holds=tuple(held))


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _refuse(there: There, allowed: Allowed) -> None:
    if there.rows and not allowed.replace:
        raise StoreFilled(
            f"The database is not empty ({there.messages:,} messages); only with --replace does the backup take the "
            "place of what it holds."
        )
    if there.holds and not allowed.despite_hold:
        raise UnderHold(
            f"{', '.join(there.holds)} is under legal hold in the database that would be replaced; back that up, and "
            "say --despite-hold to destroy it there."
        )


async def _alone(database: Database, seconds: float) -> None:
    """Wait until nobody else has the database open, on whatever machine. SQLite's file has one owner by itself."""
    if database.dialect != "postgresql":
        return
    others = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND application_name = 'helpdesk' AND pid <> pg_backend_pid()"
    )
    give_up = time.monotonic() + seconds
    while (await database.rows(others))[0][0]:
        if time.monotonic() > give_up:
            raise StoreInUse
        await asyncio.sleep(_LOOK_SECONDS)


def _drop(connection: Connection) -> None:
    """Our tables, each before those that it refers to."""
    for table in reversed(tables_of(connection)):
        table.drop(connection)
    connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))


# --- what comes in their place ----------------------------------------------------------------------------------------


async def _load(connection: AsyncConnection, archive: Archive, watcher: Watcher) -> None:
    """The rows into the empty tables of their revision."""
    wanted = {shape.name: shape for shape in await connection.run_sync(shapes)}
    tables = archive.manifest.tables
    if {part.name: dict(part.columns) for part in tables} != {name: dict(one.columns) for name, one in wanted.items()}:
        raise BackupUnusable("The backup does not have the tables of its revision; nothing was changed.")
    done = 0
    for part in tables:
        for page in _pages(archive.rows(part)):
            try:
                await connection.execute(insert(wanted[part.name].plain), page)
            except (IntegrityError, DataError) as error:
                raise BackupUnusable(
                    f"The rows of table {part.name} in the backup do not fit together; nothing was changed."
                ) from error
            done += len(page)
            watcher(Progress(done=done, total=archive.manifest.rows))
        await connection.run_sync(_count_on, wanted[part.name], part)


def _count_on(connection: Connection, shape: Shape, part: Part) -> None:
    """PostgreSQL goes on counting behind the rows that came with their numbers."""
    if connection.dialect.name != "postgresql" or not part.rows:
        return
    for found in inspect(connection).get_columns(shape.name):
        if "nextval" in str(found["default"] or ""):
            name = found["name"]
            sequence = func.pg_get_serial_sequence(shape.name, name)
            connection.execute(select(func.setval(sequence, func.max(shape.plain.c[name]))))


def _pages(items: Iterator[_Item]) -> Iterator[Sequence[_Item]]:
    while page := list(islice(items, PAGE)):
        yield page
