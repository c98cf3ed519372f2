"""What a statement costs on the way to SQLite and back: over aiosqlite as it is, and over the connection of our own.

    python -m bench.statements [--times 300] [--json]

Both are asked in turn for the same thing in the same database, so that whatever else the machine does counts for both.
The figures are medians in milliseconds of processor time (both threads; so a busy machine counts little), and the ratio
of ours to the other. Waiting for the disk is in none of them.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import click
from sqlalchemy import Connection, event, func, select
from sqlalchemy.ext.asyncio import create_async_engine

from bench.acknowledgement import turn
from memory.model import Viewer
from memory.stores.sql import open_store
from memory.stores.sql_engine import Database, address
from memory.stores.sql_reading import SqlReading
from memory.stores.tables import leases, turns

_TURNS = 60
_BUSY_SECONDS = 60.0
_WARM_UP = 20
_VIEWER = Viewer(user="user-0")
_NOW = datetime(2100, 1, 1, tzinfo=UTC)

Ask = Callable[[Database], Awaitable[object]]


def asked(ids: list[str]) -> Mapping[str, Ask]:
    """What is asked of each database."""
    return {
        "one_number": lambda database: database.rows(select(func.count()).where(turns.c.id == ids[0])),
        "one_turn": lambda database: SqlReading(database).turns(ids[:1], _VIEWER, _NOW),
        "sixty_turns": lambda database: SqlReading(database).turns(ids, _VIEWER, _NOW),
        "transaction": _written,
    }


async def _written(database: Database) -> None:
    """Two rows in one transaction."""
    async with database.writing() as connection:
        for name in ("a", "b"):
            again = database.insert(leases).values(name=name, holder="h", until=_NOW)
            await connection.execute(again.on_conflict_do_update(index_elements=["name"], set_={"until": _NOW}))


@asynccontextmanager
async def as_it_is(url: str) -> AsyncIterator[Database]:
    """The database over aiosqlite's own connection, prepared like ours."""
    engine = create_async_engine(address(url), pool_size=1, max_overflow=0)

    def prepare(connection: object, _record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]

    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", begin)
    database = Database(engine, _BUSY_SECONDS)
    try:
        yield database
    finally:
        await database.close()


async def measure(folder: Path, times: int) -> dict[str, float]:
    """For each thing that is asked its milliseconds over both, and their ratio."""
    url = f"sqlite:///{folder / 'statements.db'}"
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(url, busy_seconds=_BUSY_SECONDS, clock=_clock))
        said = [turn(0, number) for number in range(_TURNS)]
        await store.writing.record(said)
        plain = await stack.enter_async_context(as_it_is(url))
        figures: dict[str, float] = {}
        for name, ask in asked([one.id for one in said]).items():
            own, other = await _medians(ask, (store.database, plain), times)
            figures |= {f"{name}_ms": own, f"{name}_as_it_is_ms": other, f"{name}_ratio": own / other}
    return {name: round(value, 3) for name, value in figures.items()}


def _clock() -> datetime:
    return _NOW - timedelta(days=1)


async def _medians(ask: Ask, databases: tuple[Database, Database], times: int) -> list[float]:
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(_WARM_UP + times):
        for database, of_one in zip(databases, spent, strict=True):
            start = time.process_time()
            await ask(database)
            of_one.append((time.process_time() - start) * 1000)
    return [median(of_one[_WARM_UP:]) for of_one in spent]


@click.command(help=__doc__)
@click.option("--times", default=300, help="How often each is asked of both.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(times: int, as_json: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="helpdesk-bench-") as folder:
        figures = asyncio.run(measure(Path(folder), times))
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:25} {value:9.3f}")


if __name__ == "__main__":
    main()
