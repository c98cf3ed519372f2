"""Jobs, looked at and run, and how the memory is."""

from __future__ import annotations

from dataclasses import asdict
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Nothing, RunJob
from bot.telling import JsonObject, Tell
from bot.use_cases import watching
from memory.daily_tokens import day_of
from memory.errors import HelpdeskError


async def list_jobs(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """Every job with its schedule and its newest run in this process."""
    return {"jobs": [_job(app, job.name) for job in app.jobs.all]}


def _job(app: Application, name: str) -> JsonObject:
    job, last = app.jobs.named(name), app.jobs.last(name)
    return {
        "name": job.name,
        "about": job.about,
        "every_seconds": job.every_seconds,
        "enabled": job.enabled and job.every_seconds is not None,
        "last": last
        and {
            "ended_at": last.ended_at.isoformat(),
            "outcome": last.outcome.value,
            "counts": dict(last.counts),
            "error": last.error,
        },
    }


async def run_job(app: Application, given: RunJob, tell: Tell) -> JsonObject:
    """Run one job now. Raises what it raises."""
    run = await app.jobs.run(given.name, watching(tell))
    return {
        "job": run.job,
        "outcome": run.outcome.value,
        "counts": dict(run.counts),
        "seconds": round((run.ended_at - run.started_at).total_seconds(), 3),
    }


async def status(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """What is remembered, whether it can be searched, and what models took today; a `limit` that is not set is null."""
    try:
        index = str((await app.readiness.check()).value)
    except HelpdeskError as error:
        index = str(error)
    return {
        "data": str(app.data),
        "index": index,
        "config": asdict(app.current.decided.file),
        "counts": {**await app.store.writing.counts(), **await app.store.fact_writing.counts()},
        "tokens": await _tokens_of_today(app),
    }


async def _tokens_of_today(app: Application) -> JsonObject:
    today = day_of(app.clock(), ZoneInfo(app.settings.bot.time_zone))
    spent = await app.store.ledger.spent_since(today.begun)
    return {**asdict(spent), "limit": app.settings.limits.tokens_a_day}
