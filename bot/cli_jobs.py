"""`helpdesk run`, `helpdesk jobs` and `helpdesk status`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

import click

from bot.amounts import amount
from bot.cli_work import say, work
from bot.places import here

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


@click.command()
def run() -> None:
    """Run the bot: whatever the configuration enables, until Ctrl-C or SIGTERM."""
    from bot.lifecycle import run_bot

    asyncio.run(run_bot(here(os.environ), lambda text: say(text, err=True)))


@click.group()
def jobs() -> None:
    """Maintenance by hand."""


@jobs.command("list")
def list_() -> None:
    """Every job: what it does, how often, and how its last run went."""
    for job in work("jobs list", {})["jobs"]:
        say(f"{job['name']:<14} {_interval(job):<16} {job['about']}")
        say(f"{'':<14} last run: {_last(job['last'])}")


@jobs.command("run")
@click.argument("name", metavar="NAME")
def run_(name: str) -> None:
    """Run the job NAME now: flush, enrich-retry, retention, knowledge-sync, consolidate or
    reindex."""
    done = work("jobs run", {"name": name})
    say(f"{name}: {_counts(done['counts'])} in {done['seconds']:.1f} s.")


@click.command()
def status() -> None:
    """What is remembered, whether it can be searched, and what models took today."""
    found = work("status", {})
    say(f"data:  {found['data']}")
    say(f"index: {found['index']}")
    say(f"words: {_counts(found['counts'])}")
    say(f"today: {_spent(found['tokens'])}")
    for problem in found["config"]["problems"]:
        say(f"configuration not taken over: {problem}")
    if waiting := found["config"]["needs_restart"]:
        say(f"configuration needs a restart: {', '.join(waiting)}")


def _interval(job: Mapping[str, Any]) -> str:
    if job["every_seconds"] is None:
        return "by hand"
    seconds = job["every_seconds"]
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"every {seconds // size} {unit}" if job["enabled"] else "disabled"


def _spent(tokens: Mapping[str, Any]) -> str:
    limit = "" if tokens["limit"] is None else f" of {tokens['limit']:,}"
    answers, notes = tokens["answers"], tokens["notes"]
    return f"{amount(answers + notes, 'token')}{limit} (answers {answers:,}, notes {notes:,})"


def _last(last: Mapping[str, Any] | None) -> str:
    if last is None:
        return "not since start"
    return f"{last['ended_at'][:19]} {last['outcome']}: {last['error'] or _counts(last['counts'])}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items()) or "nothing to count"
