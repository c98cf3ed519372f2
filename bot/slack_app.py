"""Slack, opened: the app, the way its events come, and what sees to messages that were left without a reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp.web import RouteDef
from slack_bolt.async_app import AsyncApp

from bot.application import Application
from bot.health import Health
from bot.slack_acts import Acting
from bot.slack_client import bot_token_of, client_of, preflight, quiet
from bot.slack_http import events_route
from bot.slack_oauth import installation_routes
from bot.slack_socket import Connection, connected, logged
from bot.slack_vault import VaultInstallations, seal_of
from bot.slack_workspaces import ManyWorkspaces, OneWorkspace
from config.slack import SlackSettings, Transport
from handlers.changes import Changes
from handlers.lanes import lanes
from handlers.slack.authorization import authorized, known_workspace
from handlers.slack.directory import Directory
from handlers.slack.door import Door
from handlers.slack.installations import Installations
from handlers.slack.intake import Intake
from handlers.slack.listeners import register
from handlers.slack.rules import Rules
from handlers.slack.scopes import cost
from memory.errors import StoreUnavailable
from memory.upkeep.withdraw import Withdraw

log = structlog.get_logger()

#: How long replies under way may take when the process is told to end.
_FINISH_SECONDS = 20.0
#: How often messages without a reply are looked for.
_RESUME_SECONDS = 15.0
#: Signs that messages were seen, shown at the same time; none is worth waiting for when the process ends.
_SIGNS_AT_ONCE, _SIGN_SECONDS = 16, 1.0
#: Clicks and commands that are seen to at the same time.
_ACTS_AT_ONCE = 16
#: By which Slack is known to whoever asks how the bot is.
_NAME = "slack"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Workspaces:
    """Where the bot is installed; the pages on which others install it; and what an administrator ought to know."""

    installations: Installations
    pages: Sequence[RouteDef] = ()
    remark: str = ""


@asynccontextmanager
async def slack_running(settings: SlackSettings, app: Application) -> AsyncIterator[Sequence[RouteDef]]:
    """The bot in Slack while the context is open; the paths on which Slack and installers call it are given.

    Raises PlatformRefused where a token is wrong or lacks a scope, PlatformUnavailable where Slack cannot be reached,
    and SealUnopened where kept installations do not fit the key.
    """
    workspaces = await _workspaces(settings, app)
    async with AsyncExitStack() as stack:
        signs = await stack.enter_async_context(lanes(_SIGNS_AT_ONCE, finish_seconds=_SIGN_SECONDS))
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
            signs=signs,
            rules=rules,
            directory=directory,
            intake=intake,
            installations=workspaces.installations,
        )
        acts = Acting(
            app=app,
            settings=settings,
            rules=rules,
            directory=directory,
            intake=intake,
            installations=workspaces.installations,
        ).acts(acting)
        bolt = _bolt(settings, workspaces.installations)
        register(bolt, door, acts, workspaces.installations)
        await stack.enter_async_context(_resuming(door))
        yield await _heard(stack, settings, app.health, bolt, workspaces)


async def _workspaces(settings: SlackSettings, app: Application) -> _Workspaces:
    if settings.client_id is None:
        here = await preflight(client_of(settings, bot_token_of(settings)))
        return _Workspaces(installations=OneWorkspace(here, app.health), remark=cost(here.lacking))
    stored = VaultInstallations(app.store.vault, seal_of(settings), app.clock)
    await stored.renew()
    return _Workspaces(
        installations=ManyWorkspaces(stored, settings, app.clock),
        pages=installation_routes(settings, stored, app.store.vault, app.clock),
    )


async def _heard(
    stack: AsyncExitStack, settings: SlackSettings, health: Health, bolt: AsyncApp, workspaces: _Workspaces
) -> Sequence[RouteDef]:
    """Have Slack's events come to the app until the stack is left, in the way that is configured."""

    def report(connection: Connection) -> None:
        logged(connection)
        health.report(_NAME, connection.connected, connection.why or workspaces.remark)

    if settings.transport is Transport.SOCKET:
        await stack.enter_async_context(connected(settings, bolt, report=report))
        return workspaces.pages
    health.report(_NAME, True, workspaces.remark)
    return [events_route(bolt, _signing_secret(settings)), *workspaces.pages]


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


def _bolt(settings: SlackSettings, installations: Installations) -> AsyncApp:
    return AsyncApp(
        # Without a token of its own: each request has that of its workspace.
        client=client_of(settings, None),
        signing_secret=_signing_secret(settings),
        before_authorize=known_workspace(installations),
        authorize=authorized(installations),
        # What is acknowledged is on the disk: the listeners are quick, and end before Slack gets its answer.
        process_before_response=True,
        # Our own messages are told apart in one place, with those of other bots.
        ignoring_self_events_enabled=False,
        logger=quiet(),
    )


def _signing_secret(settings: SlackSettings) -> str:
    """Never None, in whose place the kit would take one from the environment."""
    return settings.signing_secret.get_secret_value() if settings.signing_secret else ""


@asynccontextmanager
async def _resuming(door: Door) -> AsyncIterator[None]:
    # Before anything is heard: what is owed comes before what Slack tells again.
    await _resumed(door)
    task = asyncio.create_task(_resume(door), name="slack resume")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _resume(door: Door) -> None:
    while True:
        await asyncio.sleep(_RESUME_SECONDS)
        await _resumed(door)


async def _resumed(door: Door) -> None:
    try:
        if owed := await door.resume():
            log.info("slack_resumed", messages=owed)
    except StoreUnavailable as error:
        log.warning("slack_not_resumed", error=type(error).__name__)
