"""How the bot comes up, lives and ends: as the owner of a data folder, or as a command that asks the owner."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot.local_client import Connection, owner_at
from bot.owner import WAIT_SECONDS, lasting, lasting_socket_place, owned, pause
from bot.places import Place, made
from bot.telling import Tell
from memory.errors import IndexInUse

if TYPE_CHECKING:  # heavy, and a command that asks the owner does without
    from aiohttp.web import RouteDef

    from bot.application import Application
    from bot.health import Condition

#: How long a running job may go on when the process is told to end.
FINISH_SECONDS = 30.0


async def asked(place: Place, command: str, arguments: Mapping[str, Any], tell: Tell) -> Any:
    """Have the owner of the data folder do it; where there is none, become the owner for as long as it takes.

    Commands wait for each other. Raises IndexInUse when the folder stays taken, and what the use-case raises.
    """
    async with reaching(place) as owner:
        if owner is not None:
            return await owner.ask(command, arguments, tell)
        return await _in_process(place, command, arguments, tell)


@asynccontextmanager
async def reaching(place: Place) -> AsyncIterator[Connection | None]:
    """The owner of the data folder, who can be asked; or None, and this process is the owner while the context is open.
    An owner that cannot be asked yet, or any more, is waited for. Raises IndexInUse when the folder stays taken."""
    made(place.data)
    give_up = time.monotonic() + WAIT_SECONDS
    while True:
        async with owner_at(place.data) as owner:
            if owner is not None:
                yield owner
                return
        with owned(place.data) as mine:
            if mine:
                yield None
                return
        _not_for_ever(give_up)
        # Somebody else is at it: time to load what will be needed, which takes longer than answering.
        await asyncio.to_thread(_load)
        await pause()


def _load() -> None:
    for name in ("bot.use_cases", "bot.wiring", "memory.stores.sql"):
        import_module(name)


async def _in_process(place: Place, command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
    from bot.configured import configured
    from bot.logs import log_to_file
    from bot.use_cases import perform
    from bot.wiring import build, system_clock

    settings = configured(place.config, os.environ)
    log_to_file(settings.log, place.data)
    async with build(settings, place.data, system_clock) as app:
        return await perform(app, command, arguments, tell)


@asynccontextmanager
async def owning(place: Place, announce: Callable[[str], None]) -> AsyncIterator[None]:
    """Be the owner while the context is open; a command or a chat that is at work is waited for, as `announce` says.

    Raises IndexInUse at once when a running bot has the folder, and later when it stays taken.
    """
    give_up = time.monotonic() + WAIT_SECONDS
    told = False
    while True:
        async with reaching(place) as owner:
            if owner is None:
                yield
                return
            _not_beside_a_bot(place)
        if not told:
            announce(f"Another command is at work in {place.data}; waiting for its end, {WAIT_SECONDS:.0f} s at most.")
            told = True
        _not_for_ever(give_up)
        await pause()


def _not_beside_a_bot(place: Place) -> None:
    if lasting(place.data):
        raise IndexInUse(
            f"The bot is running already with the data folder {place.data}; "
            "end it, or set HELPDESK_DATA to another folder."
        )


def _not_for_ever(give_up: float) -> None:
    if time.monotonic() > give_up:
        raise IndexInUse


async def run_bot(place: Place, announce: Callable[[str], None]) -> None:
    """The running bot: scheduler and socket, until SIGTERM or SIGINT. `announce` shows a sentence to who started it."""
    from bot.configured import configured
    from bot.local_socket import serving
    from bot.logs import log_to_stderr
    from bot.reloading import reloading
    from bot.scheduler import scheduled_jobs, scheduling
    from bot.use_cases import perform
    from bot.wiring import build, system_clock

    settings = configured(place.config, os.environ)
    log_to_stderr(settings.log)
    async with owning(place, announce), build(settings, place.data, system_clock) as app, _told_to_end() as end:
        jobs = scheduled_jobs(app.jobs)
        zone = ZoneInfo(settings.bot.time_zone)
        with lasting_socket_place(place.data) as path:
            async with (
                serving(path, lambda command, arguments, tell: perform(app, command, arguments, tell)),
                scheduling(app.jobs, jobs, zone=zone, finish_seconds=FINISH_SECONDS) as follow,
                reloading(app, place.config, os.environ, lambda: follow(scheduled_jobs(app.jobs))),
                _platforms(app) as platforms,
            ):
                announce(greeting(place, platforms, app.health.ready(), [job.name for job in jobs]))
                await end.wait()
                announce("Ending: no new work is taken, what runs is finished.")


@asynccontextmanager
async def _platforms(app: Application) -> AsyncIterator[Sequence[str]]:
    """The chat platforms that are configured, by name, open while the context is; `app.health` says how each is.

    The web server is opened last and closed first: what calls it finds everything else in place. Raises
    PlatformRefused, PlatformUnavailable and WebUnavailable.
    """
    names: list[str] = []
    routes: list[RouteDef] = []
    async with AsyncExitStack() as stack:
        if app.settings.slack is not None:
            from bot.slack_app import slack_running

            routes += await stack.enter_async_context(slack_running(app.settings.slack, app))
            names.append("Slack")
        if app.settings.teams is not None:
            from bot.teams_app import teams_running

            routes += await stack.enter_async_context(teams_running(app.settings.teams, app))
            names.append("Teams")
        if app.settings.tickets.tracker is not None:
            from bot.tracker_app import tracker_running

            routes += await stack.enter_async_context(tracker_running(app.settings.tickets.tracker, app))
        if app.settings.web is not None:
            from bot.web import web_serving

            await stack.enter_async_context(web_serving(app.settings.web, app, routes))
        yield names


def greeting(place: Place, platforms: Sequence[str], health: Mapping[str, Condition], jobs: Sequence[str]) -> str:
    """What is said when all is open: to which platforms there is a way and to which not just now, by their `health`,
    which jobs are scheduled, and where the data is."""
    return (
        f"{_ways(platforms, health)} The scheduler is running ({', '.join(jobs) or 'no job is enabled'}), "
        f"and other commands work meanwhile. Data: {place.data}. Ctrl-C ends."
    )


def _ways(platforms: Sequence[str], health: Mapping[str, Condition]) -> str:
    if not platforms:
        return "No chat platform is configured yet."
    missing = {name: how.why for name in platforms if (how := health.get(name.lower())) and not how.ok}
    there = [name for name in platforms if name not in missing]
    connected = [f"Connected to {' and '.join(there)}."] if there else []
    return " ".join([*connected, *(f"Not connected to {name}: {why}" for name, why in missing.items())])


@asynccontextmanager
async def _told_to_end() -> AsyncIterator[asyncio.Event]:
    """Set by SIGTERM and SIGINT."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    try:
        yield end
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
