"""When jobs run. The schedule is of this process; that one of several processes runs a job is up to its lease."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.jobs import Job, Jobs

log = structlog.get_logger()

#: The first runs come soon: a process that is restarted every day must get to its daily job too.
FIRST_AFTER = timedelta(seconds=5)
#: How late a run may start. APScheduler's own limit of one second would skip runs on a busy machine without a word.
_MOST_GRACE_SECONDS = 3600
#: How often it is looked whether the clock was put back, and by how much it may be without harm.
_LOOK_SECONDS = 30.0
_SLACK = timedelta(minutes=1)
#: How long a job that was cut off may take to put itself in order.
_CUT_OFF_SECONDS = 5.0


@asynccontextmanager
async def scheduling(
    jobs: Jobs, chosen: Sequence[Job], *, zone: ZoneInfo, finish_seconds: float, first_after: timedelta = FIRST_AFTER
) -> AsyncIterator[Callable[[Sequence[Job]], None]]:
    """Run these jobs on their intervals while the context is open; then start no more and let a running one finish,
    for `finish_seconds` at most. The first job starts after `first_after`, the next one as long after that.

    What is given has other jobs run from then on, or these on other intervals.
    """
    # It warns of every run that is due while the one before is under way, which is as it should be.
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)
    scheduler = AsyncIOScheduler(timezone=zone)

    def follow(wanted: Sequence[Job]) -> None:
        now, known = datetime.now(zone), {job.id: job.trigger.interval for job in scheduler.get_jobs()}
        for name in known.keys() - {job.name for job in wanted}:
            scheduler.remove_job(name)
        for place, job in enumerate(wanted, start=1):
            if known.get(job.name) != timedelta(seconds=job.every_seconds or 0):
                _add(scheduler, jobs, job, zone, now + place * first_after)

    follow(chosen)
    scheduler.start()
    watch = asyncio.create_task(_keeping_time(scheduler, zone), name="scheduler time")
    try:
        yield follow
    finally:
        watch.cancel()
        scheduler.pause()
        await _finished(jobs, finish_seconds)
        # Cancels what is still running, whose lease has to be given back before the database is closed.
        scheduler.shutdown(wait=False)
        await asyncio.sleep(0)
        await _finished(jobs, _CUT_OFF_SECONDS)


async def _keeping_time(scheduler: AsyncIOScheduler, zone: ZoneInfo) -> None:
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        keep_time(scheduler, datetime.now(zone))


def keep_time(scheduler: AsyncIOScheduler, now: datetime) -> None:
    """Jobs are due at a time of day. Where the clock was put back, they would wait until it is that time once more: so
    what is due later than an interval from now is due now."""
    for job in scheduler.get_jobs():
        if job.next_run_time is not None and job.next_run_time > now + job.trigger.interval + _SLACK:
            log.warning("clock_put_back", job=job.id)
            job.modify(next_run_time=now)


def _add(scheduler: AsyncIOScheduler, jobs: Jobs, job: Job, zone: ZoneInfo, first: datetime) -> None:
    seconds = job.every_seconds or 0
    scheduler.add_job(
        jobs.scheduled,
        IntervalTrigger(seconds=seconds, timezone=zone),
        args=[job.name],
        id=job.name,
        next_run_time=first,
        replace_existing=True,
        coalesce=True,
        max_instances=1,
        misfire_grace_time=min(seconds, _MOST_GRACE_SECONDS),
    )


async def _finished(jobs: Jobs, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await jobs.idle()
    except TimeoutError:
        # Every job can be cut off anywhere: what it had not marked as done is done again.
        log.warning("job_cut_off", after_seconds=seconds)


def scheduled_jobs(jobs: Jobs) -> tuple[Job, ...]:
    """Those that have an interval and are enabled."""
    return tuple(job for job in jobs.all if job.enabled and job.every_seconds is not None)
