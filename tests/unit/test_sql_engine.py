"""What happens when the database is locked, full, gone or asked too much."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from memory.errors import StoreUnavailable
from memory.model import Episode, Viewer
from memory.ports import Recorded
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_engine import parts
from tests.fakes import postgres
from tests.fakes.turns import NOON, conversation, ticket_turns, turn
from tests.fakes.words import Watch, checked_out, episode, place

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=1)


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with place("sqlite", tmp_path) as url:
        yield url


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    async with open_store(url, busy_seconds=0.2, clock=Watch()) as store:
        yield store
        assert checked_out(store) == 0


def other_connection(store: SqlStore) -> sqlite3.Connection:
    return sqlite3.connect(str(store.database.engine.url.database), isolation_level=None)


async def test_a_locked_database_is_said_plainly_and_works_again_afterwards(store: SqlStore) -> None:
    with closing(other_connection(store)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked"):
            await store.writing.record([turn(1)])
        assert await store.reading.recent(conversation().id, AGENT, LATER, 5) == []
        other.execute("ROLLBACK")
    assert await store.writing.record([turn(1)]) == Recorded(new=1)


async def test_writers_within_the_process_queue_for_a_limited_time(store: SqlStore) -> None:
    async with store.database.writing():
        with pytest.raises(StoreUnavailable, match="locked"):
            await store.writing.pin(["A"], True)
    await store.writing.pin(["A"], True)


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
async def test_a_snapshot_stays_as_it_was_and_holds_up_nobody(backend: str, tmp_path: Path) -> None:
    count = text("SELECT count(*) FROM turns")
    async with place(backend, tmp_path) as url, open_store(url, busy_seconds=5, clock=Watch()) as store:
        await store.writing.record([turn(1)])
        async with store.database.snapshot() as snapshot:
            assert await snapshot.scalar(count) == 1
            assert await store.writing.record([turn(2)]) == Recorded(new=1)
            assert await snapshot.scalar(count) == 1
        async with store.database.reading() as connection:
            assert await connection.scalar(count) == 2
        assert checked_out(store) == 0


async def test_a_full_disk_loses_nothing_and_is_said_plainly(store: SqlStore) -> None:
    await store.writing.record([turn(1)])
    await store.database.engine.dispose()
    event.listen(store.database.engine.sync_engine, "connect", _small_disk)
    with pytest.raises(StoreUnavailable, match="disk"):
        await store.writing.record([turn(2, "x" * 500_000)])
    assert await store.reading.recent(conversation().id, AGENT, LATER, 5) == [turn(1)]


def _small_disk(connection: Any, _record: object) -> None:
    """Let the file grow by a few pages only."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA max_page_count = 50")
    cursor.close()


async def test_a_write_that_raises_half_way_leaves_nothing_behind(store: SqlStore) -> None:
    with pytest.raises(ZeroDivisionError):
        await _write_half(store)
    assert await store.leases.acquire("a", "c", NOON - timedelta(days=999), 1)


async def _write_half(store: SqlStore) -> None:
    async with store.database.writing() as connection:
        await connection.execute(text("INSERT INTO leases VALUES ('a', 'b', '2026-01-01 00:00:00.000000')"))
        raise ZeroDivisionError


async def test_a_cancelled_read_gives_its_connection_back(store: SqlStore) -> None:
    await store.writing.record(ticket_turns(50))
    reads = [asyncio.create_task(store.reading.recent(conversation().id, AGENT, LATER, 50)) for _ in range(20)]
    await asyncio.sleep(0.001)
    for read in reads:
        read.cancel()
    await asyncio.wait(reads)
    assert len(await store.reading.recent(conversation().id, AGENT, LATER, 50)) == 50
    assert checked_out(store) == 0


async def test_words_are_not_in_the_errors(store: SqlStore) -> None:
    with closing(other_connection(store)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable) as caught:
            await store.writing.record([turn(1, "my password is hunter2")])
        other.execute("ROLLBACK")
    chain: list[BaseException | None] = [caught.value, caught.value.__cause__]
    assert not any("hunter2" in str(error) for error in chain)
    assert chain[1] is not None


async def test_a_postgresql_that_went_away_and_came_back_is_found_again() -> None:
    postgres.require()
    async with postgres.database() as url, open_store(url, busy_seconds=5, clock=Watch()) as store:
        await store.writing.record([turn(1)])
        async with store.database.reading() as victim:
            with pytest.raises(StoreUnavailable):
                async with store.database.reading() as killer:
                    await killer.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
            await victim.execute(text("SELECT 1"))
        assert await store.writing.record([turn(1)]) == Recorded(repeated=1)
        assert checked_out(store) == 0


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
async def test_two_that_record_the_same_turns_at_once_count_each_once(backend: str, tmp_path: Path) -> None:
    said = [turn(n) for n in range(40)]
    async with (
        place(backend, tmp_path) as url,
        open_store(url, busy_seconds=10, clock=Watch()) as one,
        open_store(url, busy_seconds=10, clock=Watch()) as other,
    ):
        outcomes = await asyncio.gather(
            *(one.writing.record([each]) for each in said),
            *(other.writing.record([each]) for each in reversed(said)),
        )
        assert sum(outcome.new for outcome in outcomes) == 40
        assert sum(outcome.repeated for outcome in outcomes) == 40
        assert (await one.writing.counts())["turns"] == 40


async def test_a_turn_that_is_erased_while_it_is_recorded_again_is_new() -> None:
    postgres.require()
    async with postgres.database() as url, open_store(url, busy_seconds=10, clock=Watch()) as store:
        await store.writing.record([turn(1)])
        async with store.database.writing() as erasing:
            await erasing.execute(text("SELECT id FROM turns FOR UPDATE"))
            recording = asyncio.create_task(store.writing.record([turn(1), turn(2)]))
            await _until_somebody_waits(store)
            await erasing.execute(text("DELETE FROM turns"))
        assert await recording == Recorded(new=2)
        assert (await store.writing.counts())["turns"] == 2


async def _cut(store: SqlStore, cut: Episode) -> None:
    await store.writing.store_episodes(cut.conversation.id, [cut])


async def _marked(store: SqlStore, cut: Episode) -> None:
    await store.writing.mark_flushed([cut])


@pytest.mark.parametrize("act", [_cut, _marked])
async def test_a_flush_locks_turns_as_they_came_as_recording_does(
    act: Callable[[SqlStore, Episode], Coroutine[object, object, None]],
) -> None:
    """The turn that came first was said last: whoever waits for it holds no lock on the other."""
    postgres.require()
    late, early = turn(1, minutes=9), turn(2, minutes=1)
    cut = episode("A", [early, late])
    async with postgres.database() as url, open_store(url, busy_seconds=10, clock=Watch()) as store:
        await store.writing.record([late])
        await store.writing.record([early])
        async with store.database.writing() as recording:
            await recording.execute(text("SELECT id FROM turns WHERE id = :id FOR UPDATE"), {"id": late.id})
            flushing = asyncio.create_task(act(store, cut))
            await _until_somebody_waits(store)
            await recording.execute(text("SELECT id FROM turns WHERE id = :id FOR UPDATE NOWAIT"), {"id": early.id})
        await flushing


async def _until_somebody_waits(store: SqlStore) -> None:
    async with store.database.reading() as connection:
        for _ in range(1000):
            waiting = await connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted"))
            if waiting.scalar_one():
                return
            await asyncio.sleep(0.01)
    pytest.fail("nobody waits for a lock")


def test_ids_are_asked_for_once_each_in_lists_of_bounded_length() -> None:
    ids = [str(n % 12_000) for n in range(20_000)]
    lists = list(parts(ids))
    assert [len(some) for some in lists] == [5000, 5000, 2000]
    assert [name for some in lists for name in some] == [str(n) for n in range(12_000)]


_RECORD = """
import asyncio, sys
from memory.stores.sql import open_store
from tests.fakes.turns import NOON, turn

async def write(store, writer):
    n = 0
    while True:
        await store.writing.record([turn(f"{writer}-{n}")])
        print(f"{writer}-{n}", flush=True)
        n += 1

async def main():
    async with open_store(sys.argv[1], busy_seconds=10, clock=lambda: NOON) as store:
        await asyncio.gather(*(write(store, writer) for writer in range(20)))

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_a_killed_process(url: str) -> None:
    acknowledged = await asyncio.to_thread(_record_and_kill, url)
    async with open_store(url, busy_seconds=10, clock=Watch()) as store:
        found = {kept.message for kept in await store.reading.recent(conversation().id, AGENT, LATER, 1_000_000)}
    assert len(acknowledged) >= 100
    assert acknowledged <= found


def _record_and_kill(url: str) -> set[str]:
    """Let a process record until a hundred turns are acknowledged, then kill it in the middle of its work."""
    process = subprocess.Popen([sys.executable, "-c", _RECORD, url], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(100)]
    os.kill(process.pid, signal.SIGKILL)
    rest = process.communicate(timeout=30)[0]
    # The last line may have been cut in the middle by the kill.
    return {line.strip() for line in [*lines, *rest.splitlines(keepends=True)] if line.endswith("\n")}
