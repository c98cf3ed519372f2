"""Everything that a database holds, as it is at one moment, into a file; whoever uses it meanwhile goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Connection,
    Double,
    LargeBinary,
    Row,
    Select,
    Table,
    Text,
    column,
    func,
    literal,
    select,
    table,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.expression import TableClause
from sqlalchemy.types import TypeEngine

from memory.errors import StoreUnavailable
from memory.remember.reports import Progress, Watcher
from memory.stores.archive import FORMAT, ArchiveWriter, Kind, Manifest, Part, writing
from memory.stores.sql_engine import address, connect
from memory.stores.sql_schema import revision_of, tables_of
from memory.stores.tables import Moment, leases
from memory.stores.tables_audit import audit

#: Rows that are read and written together.
PAGE = 1_000
#: Who is at work just now: nobody is, in another database.
LEFT_OUT = frozenset((leases.name,))

#: What a column is read and written as. The lists and numbers by name that some texts are stay the texts that they are.
TYPES: Mapping[Kind, TypeEngine[Any]] = {
    Kind.TEXT: Text(),
    Kind.INTEGER: BigInteger(),
    Kind.NUMBER: Double(),
    Kind.FLAG: Boolean(),
    Kind.MOMENT: Moment(),
    Kind.BYTES: LargeBinary(),
}
_KINDS: Mapping[type, Kind] = {
    str: Kind.TEXT,
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    bool: Kind.FLAG,
    datetime: Kind.MOMENT,
    bytes: Kind.BYTES,
}

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A table as a backup knows it. `key` are the columns by which its rows are in order."""

    name: str
    columns: Mapping[str, Kind]
    key: tuple[str, ...]

    @property
    def plain(self) -> TableClause:
        return table(self.name, *(column(name, TYPES[kind]) for name, kind in self.columns.items()))


def shapes(connection: Connection) -> list[Shape]:
    """The tables that a backup has, whatever the revision of this database."""
    return [_shape(one) for one in tables_of(connection) if one.name not in LEFT_OUT]


def _shape(found: Table) -> Shape:
    return Shape(
        name=found.name,
        columns={each.name: _KINDS[each.type.python_type] for each in found.columns},
        key=tuple(each.name for each in found.primary_key),
    )


async def back_up(
    url: str, path: Path, *, busy_seconds: float, program: str, now: datetime, watcher: Watcher
) -> Manifest:
    """Write a backup of the database at `url` to `path`, which gets its name when it is whole.

    `program` is this program's version. Raises BackupFailed and StoreUnavailable; nothing is left of the file then.
    """
    database = connect(address(url), busy_seconds)
    try:
        async with database.snapshot() as connection, _archive(path) as (archive, aside):
            revision = await connection.run_sync(revision_of)
            if revision is None:
                raise StoreUnavailable
            parts = await _tables(connection, archive, aside, watcher)
            manifest = Manifest(
                format=FORMAT,
                program=program,
                revision=revision,
                database=database.dialect,
                made_at=now,
                audited=await _audited(connection, parts),
                tables=tuple(parts),
            )
            await aside(partial(archive.seal, manifest))
        # What was erased meanwhile was still read here, and so could not leave the log.
        await database.scrub()
    finally:
        await database.close()
    return manifest


class _Aside:
    """Has the work with the file done in a thread, one piece after the other, while the event loop goes on."""

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._thread = thread

    async def __call__(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


@asynccontextmanager
async def _archive(path: Path) -> AsyncIterator[tuple[ArchiveWriter, _Aside]]:
    # The thread ends before the file is put away: whoever is cancelled may have left it at work.
    with writing(path) as archive, ThreadPoolExecutor(1, "backup") as thread:
        yield archive, _Aside(thread)


async def _tables(connection: AsyncConnection, archive: ArchiveWriter, aside: _Aside, watcher: Watcher) -> list[Part]:
    found = await connection.run_sync(shapes)
    total = sum([await _count(connection, shape) for shape in found])
    parts, done = [], 0
    for shape in found:
        part = await aside(partial(archive.table, shape.name, shape.columns))
        async for page in _pages(connection, shape):
            await aside(partial(part.add, page))
            done += len(page)
            watcher(Progress(done=done, total=total))
        parts.append(await aside(part.close))
    return parts


async def _audited(connection: AsyncConnection, parts: Sequence[Part]) -> str | None:
    """The last entry of the audit log. Before there was one, none was written."""
    if not any(part.name == audit.name and part.rows for part in parts):
        return None
    number, digest = (
        await connection.execute(select(audit.c.number, audit.c.digest).order_by(audit.c.number.desc()).limit(1))
    ).one()
    return f"{number}:{digest}"


async def _count(connection: AsyncConnection, shape: Shape) -> int:
    return int(await connection.scalar(select(func.count()).select_from(shape.plain)) or 0)


async def _pages(connection: AsyncConnection, shape: Shape) -> AsyncIterator[Sequence[Row[Any]]]:
    """The rows by key, a page at a time: neither database has to hold more than that, nor this process."""
    plain = shape.plain
    key = [plain.c[name] for name in shape.key]
    places = [list(shape.columns).index(name) for name in shape.key]
    ordered: Select[Any] = select(plain).order_by(*key).limit(PAGE)
    page = (await connection.execute(ordered)).all()
    while page:
        yield page
        last = [literal(page[-1][place], each.type) for place, each in zip(places, key, strict=True)]
        page = (await connection.execute(ordered.where(tuple_(*key) > tuple_(*last)))).all()
