"""The schedule: jobs run on their intervals, go on after a failure, and are let finish."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.jobs import Job, Jobs, Outcome, Work
from bot.metrics import Metrics
from bot.scheduler import scheduled_jobs, scheduling
from bot.wiring import system_clock
from memory.model import KeyKind
from memory.remember.reports import Watcher
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryLeases, InMemoryStore
from tests.fakes.small_application import small_application
from tests.fakes.turns import ticket_turns

ZONE = ZoneInfo("Asia/Tokyo")
SOON = timedelta(milliseconds=1)


def jobs(work: Work, leases: InMemoryLeases | None = None, *, enabled: bool = True, every: int | None = 1) -> Jobs:
    sweep = Job(
        name="sweep",
        about="sweeps",
        work=work,
        by_hand=work,
        lease="sweep",
        lease_seconds=600,
        every_seconds=every,
        enabled=enabled,
    )
    return Jobs([sweep], leases=leases or InMemoryLeases(), holder="us", metrics=Metrics(), clock=system_clock)


async def test_a_job_that_fails_runs_again_at_its_next_time() -> None:
    runs = 0
    again = asyncio.Event()

    async def work(watcher: Watcher) -> Mapping[str, int]:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise ZeroDivisionError
        again.set()
        return {}

    ours = jobs(work)
    async with scheduling(ours, scheduled_jobs(ours), zone=ZONE, finish_seconds=30, first_after=SOON):
        async with asyncio.timeout(60):
            await again.wait()
    last = ours.last("sweep")
    assert last is not None
    assert last.outcome is Outcome.DONE


async def test_a_job_that_takes_longer_than_its_interval_is_no_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended = asyncio.Event()

    async def work(watcher: Watcher) -> Mapping[str, int]:
        await asyncio.sleep(2.5)
        ended.set()
        return {}

    ours = jobs(work)
    async with scheduling(ours, scheduled_jobs(ours), zone=ZONE, finish_seconds=30, first_after=SOON):
        async with asyncio.timeout(60):
            await ended.wait()
    assert [one.getMessage() for one in caplog.records if one.name.startswith("apscheduler")] == []


async def test_a_running_job_is_let_finish() -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    async def work(watcher: Watcher) -> Mapping[str, int]:
        started.set()
        await go_on.wait()
        return {"rooms": 1}

    ours = jobs(work)
    async with scheduling(ours, scheduled_jobs(ours), zone=ZONE, finish_seconds=60, first_after=SOON):
        await started.wait()
        asyncio.get_running_loop().call_later(0.1, go_on.set)
    last = ours.last("sweep")
    assert last is not None
    assert last.counts == {"rooms": 1}


async def test_a_job_that_does_not_finish_is_cut_off_and_gives_its_lease_back() -> None:
    started = asyncio.Event()
    leases = InMemoryLeases()

    async def work(watcher: Watcher) -> Mapping[str, int]:
        started.set()
        await asyncio.Event().wait()
        return {}

    ours = jobs(work, leases)
    async with scheduling(ours, scheduled_jobs(ours), zone=ZONE, finish_seconds=0.05, first_after=SOON):
        await started.wait()
    assert not ours.busy
    assert await leases.acquire("sweep", "them", datetime.now(UTC), 600)


@pytest.mark.parametrize(("enabled", "every"), [(False, 1), (True, None)])
def test_what_is_disabled_or_only_for_hands_is_not_scheduled(enabled: bool, every: int | None) -> None:
    async def work(watcher: Watcher) -> Mapping[str, int]:
        return {}

    assert scheduled_jobs(jobs(work, enabled=enabled, every=every)) == ()


async def test_on_schedule_only_what_has_been_silent_is_flushed_and_by_hand_everything(tmp_path: Path) -> None:
    now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    store, index = InMemoryStore(clock=lambda: now), InMemoryIndex()
    app = small_application(tmp_path, lambda: now, store=store, index=index)
    await store.writing.record(ticket_turns(2, thread="INC-1"))
    now += timedelta(seconds=3601)
    await store.writing.record(ticket_turns(3, thread="INC-2"))
    assert (await app.jobs.scheduled("flush")).counts["episodes"] == 1
    assert (await store.writing.counts())["pending"] == 3
    assert (await app.jobs.run("flush")).counts["episodes"] == 1
    assert (await store.writing.counts())["pending"] == 0
    assert await index.count(KeyKind.TURN) == 5


async def test_the_jobs_of_the_shipped_configuration_run_on_their_intervals(tmp_path: Path) -> None:
    app = small_application(tmp_path, system_clock)
    scheduled = {job.name: job.every_seconds for job in scheduled_jobs(app.jobs)}
    assert scheduled == {
        "flush": 60,
        "enrich-retry": 600,
        "retention": 86_400,
        "knowledge-sync": 900,
        "consolidate": 86_400,
        "tickets": 3600,
    }
    for name in (*scheduled, "reindex", "redact", "repair"):
        assert (await app.jobs.run(name)).outcome is Outcome.DONE
