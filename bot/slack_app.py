"""Slack, opened: the app, its connection, and what sees to messages that were left without a reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp.web import RouteDef
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.application import Application
from bot.slack_acts import Acting
from bot.slack_client import client_of, preflight, quiet
from bot.slack_http import events_route
from bot.slack_socket import connected
from config.slack import SlackSettings, Transport
from handlers.changes import Changes
from handlers.lanes import lanes
from handlers.slack.directory import Directory
from handlers.slack.door import Door
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.listeners import register
from handlers.slack.rules import Rules
from memory.errors import StoreUnavailable
from memory.upkeep.withdraw import Withdraw

log = structlog.get_logger()

#: How long replies under way may take when the process is told to end.
_FINISH_SECONDS = 20.0
#: How often messages without a reply are looked for.
_RESUME_SECONDS = 15.0
#: Clicks and commands that are seen to at the same time.
_ACTS_AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWorkspace:
    """The installation of the token in the configuration."""

    installation: Installation

    async def of(self, workspace: str) -> Installation | None:
        """Whatever workspace Slack names: the token is of one, or of an organisation that has it among others."""
        return self.installation


@asynccontextmanager
async def slack_running(settings: SlackSettings, app: Application) -> AsyncIterator[Sequence[RouteDef]]:
    """The bot in Slack while the context is open; the paths on which Slack calls it are given.

    Raises PlatformRefused where a token is wrong or lacks a scope, and PlatformUnavailable where Slack cannot be
    reached.
    """
    client = client_of(settings, settings.bot_token.get_secret_value() if settings.bot_token else "")
    installations = OneWorkspace(installation=await preflight(client))
    async with AsyncExitStack() as stack:
        under_way = await stack.enter_async_context(lanes(settings.answers_at_once, finish_seconds=_FINISH_SECONDS))
        # Lanes of their own: who opens a form does not wait for answers.
        acting = await stack.enter_async_context(lanes(_ACTS_AT_ONCE, finish_seconds=_FINISH_SECONDS))
        rules, directory = Rules(settings), Directory(app.clock)
        intake = Intake(directory, rules)
        door = Door(
            desk=app.desk,
            changes=changes_over(app),
            mailbox=app.store.mailbox,
            lanes=under_way,
            rules=rules,
            directory=directory,
            intake=intake,
            installations=installations,
        )
        acts = Acting(
            app=app, settings=settings, rules=rules, directory=directory, intake=intake, installations=installations
        ).acts(acting)
        bolt = _bolt(client, settings)
        register(bolt, door, acts, installations)
        await stack.enter_async_context(_resuming(door))
        if settings.transport is Transport.SOCKET:
            await stack.enter_async_context(connected(settings, bolt))
        app.health.report("slack", ok=True)
        yield _routes(settings, bolt)


def changes_over(app: Application) -> Changes:
    """What takes edits and deletions to the memory."""
    return Changes(
        recorder=app.store.writing,
        reading=app.store.reading,
        withdraw=Withdraw(app.store.mailbox, app.index),
        access=app.settings.access,
        bot=app.settings.bot,
        clock=app.clock,
    )


def _routes(settings: SlackSettings, bolt: AsyncApp) -> Sequence[RouteDef]:
    if settings.transport is not Transport.HTTP or settings.signing_secret is None:
        return ()
    return [events_route(bolt, settings.signing_secret.get_secret_value())]


def _bolt(client: AsyncWebClient, settings: SlackSettings) -> AsyncApp:
    secret = settings.signing_secret
    return AsyncApp(
        client=client,
        # Never None: the kit would take one from the environment.
        signing_secret=secret.get_secret_value() if secret else "",
        # What is acknowledged is on the disk: the listeners are quick, and end before Slack gets its answer.
        process_before_response=True,
        # Our own messages are told apart in one place, with those of other bots.
        ignoring_self_events_enabled=False,
        logger=quiet(),
    )


@asynccontextmanager
async def _resuming(door: Door) -> AsyncIterator[None]:
    task = asyncio.create_task(_resume(door), name="slack resume")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _resume(door: Door) -> None:
    while True:
        try:
            if owed := await door.resume():
                log.info("slack_resumed", messages=owed)
        except StoreUnavailable as error:
            log.warning("slack_not_resumed", error=type(error).__name__)
        await asyncio.sleep(_RESUME_SECONDS)
