"""Maintenance: what there is, and running it so that one process at a time does, and a failure ends nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import structlog

from bot.logs import unexpected
from bot.metrics import Metrics
from memory.errors import Busy, HelpdeskError, NotYet, StoreUnavailable, WrongUse
from memory.ports import Clock, Leases
from memory.remember.reports import Watcher, nobody

log = structlog.get_logger()

#: Does the work and returns counts by name. Raises HelpdeskError.
Work = Callable[[Watcher], Awaitable[Mapping[str, int]]]

#: A lease is extended when this share of it is over.
_RENEWAL = 1 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A piece of maintenance. `every_seconds` is None for one that is only run by hand.

    `work` is what the schedule does, `by_hand` what a person asks for; `lease` is the place that it holds among several
    processes, shared by jobs that must not meet.
    """

    name: str
    about: str
    work: Work
    by_hand: Work
    lease: str
    lease_seconds: int
    every_seconds: int | None = None
    enabled: bool = True


class Outcome(StrEnum):
    DONE = "done"
    ELSEWHERE = "elsewhere"
    FAILED = "failed"
    #: It is not time for what there is to do; `Run.error` says from when it will be done.
    WAITING = "waiting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a job and what came of it; `error` is the sentence of a run that failed, or waits."""

    job: str
    started_at: datetime
    ended_at: datetime
    outcome: Outcome
    counts: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None


class Jobs:
    """All jobs of this process, one at a time. `holder` names this data folder among those that share a database."""

    def __init__(self, jobs: Sequence[Job], *, leases: Leases, holder: str, metrics: Metrics, clock: Clock) -> None:
        self._jobs = {job.name: job for job in jobs}
        self._leases = leases
        self._holder = holder
        self._metrics = metrics
        self._clock = clock
        self._turnstile = asyncio.Lock()
        self._last: dict[str, Run] = {}

    def exchange(self, jobs: Sequence[Job]) -> None:
        """These are the jobs from now on; one that is running goes on as it is."""
        self._jobs = {job.name: job for job in jobs}

    @property
    def all(self) -> tuple[Job, ...]:
        return tuple(self._jobs.values())

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._turnstile.locked()

    def last(self, name: str) -> Run | None:
        """The newest run since this process started."""
        return self._last.get(name)

    async def run(self, name: str, watcher: Watcher = nobody) -> Run:
        """Run a job by hand.

        Raises what the job raises, WrongUse for an unknown name, Busy when another process is at it.
        """
        job = self.named(name)
        started_at, started = self._clock(), time.monotonic()
        try:
            counts = await self._leased(job, job.by_hand, watcher)
        except HelpdeskError as error:
            self._note(job, started_at, started, Outcome.FAILED, error=str(error))
            raise
        if counts is None:
            self._note(job, started_at, started, Outcome.ELSEWHERE)
            raise Busy(f"Another process is running {job.lease} just now; please try again in a minute.")
        return self._note(job, started_at, started, Outcome.DONE, counts)

    async def scheduled(self, name: str) -> Run:
        """Run a job as the schedule does. This is the outer loop of a job: whatever fails is logged, and the next run
        is on time."""
        job = self.named(name)
        started_at, started = self._clock(), time.monotonic()
        log.debug("job_started", job=name)
        try:
            counts = await self._leased(job, job.work, nobody)
        except NotYet as error:
            return self._note(job, started_at, started, Outcome.WAITING, error=str(error))
        except HelpdeskError as error:
            log.warning("job_failed", job=name, error=type(error).__name__, remedy=str(error))
            return self._note(job, started_at, started, Outcome.FAILED, error=str(error))
        except Exception as error:
            return self._note(job, started_at, started, Outcome.FAILED, error=unexpected("job_failed", error, job=name))
        if counts is None:
            return self._note(job, started_at, started, Outcome.ELSEWHERE)
        return self._note(job, started_at, started, Outcome.DONE, counts)

    async def in_place_of(self, name: str, work: Work) -> Mapping[str, int] | None:
        """Do other work in the place that this job has among jobs and processes; its counts, None when another process
        holds that place. Raises what the work raises."""
        return await self._leased(self.named(name), work, nobody)

    async def idle(self) -> None:
        """Wait until no job is running."""
        async with self._turnstile:
            return

    def named(self, name: str) -> Job:
        """Raises WrongUse when there is none of that name."""
        if name not in self._jobs:
            raise WrongUse(f"There is no job {name!r}; choose one of {', '.join(self._jobs)}.")
        return self._jobs[name]

    async def _leased(self, job: Job, work: Work, watcher: Watcher) -> Mapping[str, int] | None:
        """The counts of the work; None when another process holds the lease."""
        async with self._turnstile:
            if not await self._acquire(job):
                return None
            async with self._renewing(job):
                return await work(watcher)

    async def _acquire(self, job: Job) -> bool:
        return await self._leases.acquire(job.lease, self._holder, self._clock(), job.lease_seconds)

    @asynccontextmanager
    async def _renewing(self, job: Job) -> AsyncIterator[None]:
        """Hold the lease, however long the work takes."""
        renewal = asyncio.create_task(self._renew(job))
        try:
            yield
        finally:
            renewal.cancel()
            await asyncio.wait({renewal})
            await self._release(job)

    async def _release(self, job: Job) -> None:
        try:
            await self._leases.release(job.lease, self._holder)
        except StoreUnavailable as error:
            # It runs out by itself, and what became of the work is what has to be told.
            log.warning("lease_not_released", job=job.name, error=type(error).__name__)

    async def _renew(self, job: Job) -> None:
        while True:
            await asyncio.sleep(job.lease_seconds * _RENEWAL)
            try:
                await self._acquire(job)
            except StoreUnavailable as error:
                # The work will notice by itself; until the lease runs out there is time to try again.
                log.warning("lease_not_renewed", job=job.name, error=type(error).__name__)

    def _note(
        self,
        job: Job,
        started_at: datetime,
        started: float,
        outcome: Outcome,
        counts: Mapping[str, int] | None = None,
        error: str | None = None,
    ) -> Run:
        seconds = time.monotonic() - started
        run = Run(
            job=job.name,
            started_at=started_at,
            ended_at=self._clock(),
            outcome=outcome,
            counts=dict(counts or {}),
            error=error,
        )
        self._last[job.name] = run
        self._metrics.job_ended(job.name, outcome.value, seconds)
        if outcome is Outcome.DONE:
            self._metrics.job_succeeded(job.name, run.ended_at.timestamp())
            for item, count in run.counts.items():
                self._metrics.job_worked(job.name, item, count)
        log.info("job_ended", job=job.name, outcome=outcome.value, seconds=round(seconds, 3), **run.counts)
        return run
