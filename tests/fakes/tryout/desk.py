"""A Slack with the museum in it, and the bot beside it that remembers its tickets."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.fakes.slack import Slack, serving
from tests.fakes.slack.manifest import install
from tests.fakes.tryout.bot_process import SECONDS, DidNotStart, Folder, ended
from tests.fakes.tryout.museum import AGENTS, SUPPORT, museum


def _silently(line: str) -> None:
    """Nobody waits for it at a screen."""


@asynccontextmanager
async def tryout(
    folder: Path, tickets: str, *, port: int = 0, config: Path | None = None, tell: Callable[[str], None] = _silently
) -> AsyncIterator[Slack]:
    """The running two, with these tickets (JSONL) remembered; both end with the context. `tell` hears what is waited
    for.

    Raises OSError where the port is taken, and DidNotStart.
    """
    async with serving(port=port, world=museum()) as slack:
        place = Folder(path=folder, secrets=secrets_of(slack))
        install(slack)
        place.configure(settings_for(slack), config)
        told = folder / "tickets.jsonl"
        told.write_text(tickets, encoding="utf-8")
        tell("Remembering the museum's tickets …")
        await place.done("import", str(told), "--source", "museum")
        tell("Starting the bot …")
        process = await place.start("run")
        try:
            await ready(place, process, slack.connected(seconds=SECONDS))
            yield slack
        finally:
            await ended(process)


async def ready(place: Folder, process: Process, wanted: Awaitable[None]) -> None:
    """Wait for it, or for the process to end; raises DidNotStart, also where it takes too long."""
    waiting, dying = asyncio.ensure_future(wanted), asyncio.create_task(process.wait())
    await asyncio.wait({waiting, dying}, return_when=asyncio.FIRST_COMPLETED)
    dying.cancel()
    if not waiting.done():
        waiting.cancel()
        raise DidNotStart(f"`helpdesk run` ended: {place.last_words()}")
    try:
        await waiting
    except TimeoutError:
        raise DidNotStart(place.too_slow("`helpdesk run` was not ready")) from None


def settings_for(slack: Slack) -> dict[str, Any]:
    """All that differs from the shipped defaults. The history is older than they would keep."""
    return {
        "bot": {"contact": "it-help@shiomi.example"},
        "access": {"agents": list(AGENTS)},
        "retention": {"days": 3650},
        "slack": {
            "bot_token": "${SLACK_BOT_TOKEN}",
            "app_token": "${SLACK_APP_TOKEN}",
            "api_url": slack.api_url,
            "handover_channel": SUPPORT,
        },
    }


def secrets_of(slack: Slack) -> dict[str, str]:
    """What the settings name, for the environment."""
    return {
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
    }
