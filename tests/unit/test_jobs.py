"""Running jobs: one at a time, one process at a time, and a failure ends nothing but itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from structlog.testing import capture_logs

from bot.jobs import Job, Jobs, Outcome, Work
from bot.metrics import Metrics
from memory.errors import Busy, IndexDamaged, WrongUse
from memory.remember.reports import Progress, Watcher
from memory.stores.in_memory_words import InMemoryLeases
from tests.fakes.turns import NOON


class Clock:
    """Tells a time that only the test moves."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


async def nothing(watcher: Watcher) -> Mapping[str, int]:
    return {}


async def broken(watcher: Watcher) -> Mapping[str, int]:
    raise ZeroDivisionError("what somebody wrote")


def job(name: str = "sweep", *, work: Work = nothing, by_hand: Work | None = None, lease_seconds: int = 600) -> Job:
    return Job(
        name=name,
        about="sweeps",
        work=work,
        by_hand=by_hand or work,
        lease="broom",
        lease_seconds=lease_seconds,
        every_seconds=60,
    )


def jobs(*chosen: Job, leases: InMemoryLeases | None = None, clock: Clock | None = None, holder: str = "us") -> Jobs:
    return Jobs(chosen, leases=leases or InMemoryLeases(), holder=holder, metrics=Metrics(), clock=clock or Clock())


async def test_a_run_tells_what_was_done() -> None:
    clock = Clock()

    async def sweep(watcher: Watcher) -> Mapping[str, int]:
        clock.now += timedelta(seconds=7)
        return {"rooms": 3}

    ours = jobs(job(work=sweep), clock=clock)
    run = await ours.scheduled("sweep")
    assert (run.outcome, run.counts, run.ended_at - run.started_at) == (
        Outcome.DONE,
        {"rooms": 3},
        timedelta(seconds=7),
    )
    assert ours.last("sweep") == run


async def test_the_schedule_survives_an_error_that_nobody_foresaw() -> None:
    ours = jobs(job(work=broken))
    with capture_logs() as logged:
        run = await ours.scheduled("sweep")
    failed = next(entry for entry in logged if entry["event"] == "job_failed")
    assert run.outcome is Outcome.FAILED
    assert failed["reference"] in (run.error or "")
    assert failed["error"] == "ZeroDivisionError"
    assert "what somebody wrote" not in str(logged)
    assert (await ours.scheduled("sweep")).outcome is Outcome.FAILED


async def test_a_known_failure_is_told_with_its_remedy() -> None:
    async def fail(watcher: Watcher) -> Mapping[str, int]:
        raise IndexDamaged

    run = await jobs(job(work=fail)).scheduled("sweep")
    assert run.error == str(IndexDamaged())


async def test_by_hand_the_failure_reaches_who_asked() -> None:
    async def fail(watcher: Watcher) -> Mapping[str, int]:
        raise IndexDamaged

    ours = jobs(job(work=fail))
    with pytest.raises(IndexDamaged):
        await ours.run("sweep")
    last = ours.last("sweep")
    assert last is not None
    assert last.outcome is Outcome.FAILED


async def test_by_hand_means_what_the_job_does_by_hand() -> None:
    async def everything(watcher: Watcher) -> Mapping[str, int]:
        watcher(Progress(done=1, total=2))
        return {"rooms": 9}

    seen: list[Progress] = []
    assert (await jobs(job(by_hand=everything)).run("sweep", seen.append)).counts == {"rooms": 9}
    assert seen == [Progress(done=1, total=2)]


async def test_an_unknown_job_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(WrongUse, match="sweep"):
        await jobs(job()).run("swep")


async def test_while_another_process_holds_the_lease_nothing_runs() -> None:
    leases, clock = InMemoryLeases(), Clock()
    await leases.acquire("broom", "them", NOON, 600)
    ours = jobs(job(work=broken), leases=leases, clock=clock)
    assert (await ours.scheduled("sweep")).outcome is Outcome.ELSEWHERE
    with pytest.raises(Busy):
        await ours.run("sweep")


async def test_the_lease_of_a_process_that_died_is_taken_over_when_it_has_run_out() -> None:
    leases, clock = InMemoryLeases(), Clock()
    await leases.acquire("broom", "them", NOON, 600)
    clock.now += timedelta(seconds=600)
    assert (await jobs(job(), leases=leases, clock=clock).scheduled("sweep")).outcome is Outcome.DONE


async def test_the_same_folder_gets_its_own_lease_back_at_once_after_it_died() -> None:
    leases = InMemoryLeases()
    await leases.acquire("broom", "us", NOON, 600)
    assert (await jobs(job(), leases=leases).scheduled("sweep")).outcome is Outcome.DONE


@pytest.mark.parametrize("work", [nothing, broken])
async def test_the_lease_is_given_back_however_the_run_went(work: Work) -> None:
    leases = InMemoryLeases()
    await jobs(job(work=work), leases=leases).scheduled("sweep")
    assert await leases.acquire("broom", "them", NOON, 600)


async def test_the_lease_is_extended_while_the_work_goes_on() -> None:
    extended = asyncio.Event()

    class Watched(InMemoryLeases):
        times = 0

        async def acquire(self, name: str, holder: str, now: datetime, seconds: int) -> bool:
            self.times += 1
            if self.times > 1:
                extended.set()
            return await super().acquire(name, holder, now, seconds)

    async def until_extended(watcher: Watcher) -> Mapping[str, int]:
        async with asyncio.timeout(60):
            await extended.wait()
        return {}

    run = await jobs(job(work=until_extended, lease_seconds=1), leases=Watched()).scheduled("sweep")
    assert run.outcome is Outcome.DONE


async def test_jobs_of_one_process_never_meet() -> None:
    working = 0
    most = 0

    async def work(watcher: Watcher) -> Mapping[str, int]:
        nonlocal working, most
        working += 1
        most = max(most, working)
        await asyncio.sleep(0)
        working -= 1
        return {}

    ours = jobs(job("sweep", work=work), job("dust", work=work))
    await asyncio.gather(ours.scheduled("sweep"), ours.run("dust"), ours.scheduled("dust"), ours.idle())
    assert most == 1
    assert not ours.busy


async def test_runs_are_counted_for_the_people_who_watch() -> None:
    metrics = Metrics()

    async def sweep(watcher: Watcher) -> Mapping[str, int]:
        return {"rooms": 3}

    ours = Jobs(
        [job(work=sweep), job("burn", work=broken)],
        leases=InMemoryLeases(),
        holder="us",
        metrics=metrics,
        clock=Clock(),
    )
    await ours.scheduled("sweep")
    await ours.scheduled("burn")
    lines = metrics.text().decode().splitlines()
    assert 'helpdesk_job_runs_total{job="sweep",outcome="done"} 1.0' in lines
    assert 'helpdesk_job_runs_total{job="burn",outcome="failed"} 1.0' in lines
    assert 'helpdesk_job_items_total{item="rooms",job="sweep"} 3.0' in lines
    last = next(line for line in lines if line.startswith('helpdesk_job_last_success_timestamp_seconds{job="sweep"}'))
    assert float(last.split()[1]) == NOON.timestamp()
