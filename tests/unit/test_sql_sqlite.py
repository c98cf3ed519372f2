"""How often a statement goes to the thread of its SQLite connection, and what is left when it is cut off."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from memory.errors import StoreUnavailable
from memory.model import Viewer
from memory.stores.sql import SqlStore, open_store
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import Watch, checked_out, place

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=1)
LEASE = "INSERT INTO leases VALUES (:name, 'b', '2026-01-01 00:00:00.000000')"
#: Takes some tenths of a second.
SLOW = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000) SELECT count(*) FROM n"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    async with place("sqlite", tmp_path) as url, open_store(url, busy_seconds=5, clock=Watch()) as store:
        # The first statement opens the connection.
        await store.writing.record([turn(1)])
        yield store
        assert checked_out(store) == 0


@pytest.fixture
def visits(store: SqlStore, caplog: pytest.LogCaptureFixture) -> Callable[[], int]:
    """How often a thread was asked for something, as aiosqlite itself tells."""
    caplog.set_level(logging.DEBUG, logger="aiosqlite")
    caplog.clear()
    return lambda: sum(record.getMessage().startswith("executing") for record in caplog.records)


def leased(store: SqlStore) -> list[str]:
    """What another process finds."""
    with closing(sqlite3.connect(str(store.database.engine.url.database), timeout=5)) as other:
        other.execute("BEGIN IMMEDIATE")
        return [name for [name] in other.execute("SELECT name FROM leases ORDER BY name")]


async def test_a_read_goes_to_the_thread_once(store: SqlStore, visits: Callable[[], int]) -> None:
    assert await store.reading.recent(conversation().id, AGENT, LATER, 5) == [turn(1)]
    assert visits() == 1


async def test_a_statement_that_writes_goes_to_the_thread_once_and_is_durable(
    store: SqlStore, visits: Callable[[], int]
) -> None:
    assert await store.leases.acquire("a", "b", NOON, 60)
    assert visits() == 1
    assert leased(store) == ["a"]


async def test_a_statement_that_writes_waits_for_the_lock_of_another_process(store: SqlStore) -> None:
    with closing(sqlite3.connect(str(store.database.engine.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute(LEASE, {"name": "theirs"})
        writing = asyncio.create_task(store.leases.acquire("ours", "b", NOON, 60))
        await asyncio.sleep(0.1)
        assert not writing.done()
        other.execute("COMMIT")
        assert await writing
    assert leased(store) == ["ours", "theirs"]


async def test_a_transaction_goes_to_the_thread_once_a_statement_and_once_to_commit(
    store: SqlStore, visits: Callable[[], int]
) -> None:
    async with store.database.writing() as connection:
        await connection.execute(text(LEASE), {"name": "a"})
        await connection.execute(text(LEASE), {"name": "c"})
        assert visits() == 2
        # The other process looks without the lock, which is taken.
        with closing(sqlite3.connect(str(store.database.engine.url.database), timeout=0)) as other:
            assert other.execute("SELECT count(*) FROM leases").fetchall() == [(0,)]
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
    assert visits() == 3
    assert leased(store) == ["a", "c"]


async def test_a_transaction_without_a_statement_is_none(store: SqlStore, visits: Callable[[], int]) -> None:
    async with store.database.writing():
        assert leased(store) == []
    assert visits() == 0
    # Nor does the next user of the connection begin one.
    await store.reading.recent(conversation().id, AGENT, LATER, 5)
    assert leased(store) == []


async def test_many_rows_at_once_go_to_the_thread_once(store: SqlStore, visits: Callable[[], int]) -> None:
    async with store.database.writing() as connection:
        many = await connection.execute(text(LEASE), [{"name": name} for name in "abc"])
        assert many.rowcount == 3
    assert visits() == 2
    assert leased(store) == ["a", "b", "c"]


async def test_a_statement_that_fails_takes_what_was_before_it_along(store: SqlStore) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        await _write_then_fail(store)
    assert isinstance(getattr(caught.value.__cause__, "orig", None), sqlite3.OperationalError)
    assert leased(store) == []
    assert await store.leases.acquire("c", "b", NOON, 60)
    assert leased(store) == ["c"]


async def _write_then_fail(store: SqlStore) -> None:
    async with store.database.writing() as connection:
        await connection.execute(text(LEASE), {"name": "a"})
        await connection.execute(text("SELECT nothing FROM nowhere"))


async def test_a_transaction_that_is_cancelled_while_a_statement_runs_is_undone(store: SqlStore) -> None:
    begun = asyncio.Event()

    async def work() -> None:
        async with store.database.writing() as connection:
            await connection.execute(text(LEASE), {"name": "a"})
            begun.set()
            await connection.execute(text(SLOW))

    working = asyncio.create_task(work())
    await begun.wait()
    await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert leased(store) == []
    assert await store.leases.acquire("c", "b", NOON, 60)
    assert leased(store) == ["c"]


async def test_a_write_that_is_cancelled_leaves_neither_a_lock_nor_a_transaction(store: SqlStore) -> None:
    """Whether it was done is not known, as for every commit whose answer nobody waits for."""
    writes = [asyncio.create_task(store.leases.acquire(str(n), "b", NOON, 60)) for n in range(20)]
    await asyncio.sleep(0.001)
    for write in writes:
        write.cancel()
    await asyncio.wait(writes)
    assert set(leased(store)) <= {str(n) for n in range(20)}
    assert await store.leases.acquire("last", "b", NOON, 60)
    assert "last" in leased(store)
