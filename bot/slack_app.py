"""Slack, opened: the app, its connection, and what sees to messages that were left without a reply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from bot.application import Application
from config.slack import SlackSettings
from handlers.changes import Changes
from handlers.lanes import lanes
from handlers.slack.directory import Directory
from handlers.slack.door import Door
from handlers.slack.installations import Installation
from handlers.slack.listeners import register
from handlers.slack.records import Me
from handlers.slack.rules import Rules
from memory.errors import PlatformRefused, PlatformUnavailable, StoreUnavailable
from memory.upkeep.withdraw import Withdraw

log = structlog.get_logger()

#: How long replies under way may take when the process is told to end.
_FINISH_SECONDS = 20.0
#: How often messages without a reply are looked for.
_RESUME_SECONDS = 15.0
_RETRIES = 5
_PING_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OneWorkspace:
    """The installation of the token in the configuration."""

    installation: Installation

    async def of(self, workspace: str) -> Installation | None:
        """Whatever workspace Slack names: the token is of one, or of an organisation that has it among others."""
        return self.installation


@asynccontextmanager
async def slack_running(settings: SlackSettings, app: Application) -> AsyncIterator[None]:
    """The bot in Slack while the context is open. Raises PlatformRefused where a token is wrong or lacks a scope, and
    PlatformUnavailable where Slack cannot be reached."""
    client = client_of(settings, settings.bot_token.get_secret_value() if settings.bot_token else "")
    installations = OneWorkspace(installation=await preflight(client))
    async with AsyncExitStack() as stack:
        under_way = await stack.enter_async_context(lanes(settings.answers_at_once, finish_seconds=_FINISH_SECONDS))
        door = Door(
            desk=app.desk,
            changes=changes_over(app),
            mailbox=app.store.mailbox,
            lanes=under_way,
            rules=Rules(settings),
            directory=Directory(app.clock),
            installations=installations,
        )
        bolt = _bolt(client)
        register(bolt, door, installations)
        await stack.enter_async_context(_resuming(door))
        await stack.enter_async_context(_connected(settings, bolt))
        yield


def client_of(settings: SlackSettings, token: str) -> AsyncWebClient:
    """A client that waits when Slack says so, and repeats nothing else: a message must not be posted twice."""
    return AsyncWebClient(
        token=token,
        base_url=settings.api_url,
        retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=_RETRIES)],
        logger=_quiet(),
    )


async def preflight(client: AsyncWebClient) -> Installation:
    """Who the token makes the bot, and where. Raises PlatformRefused and PlatformUnavailable."""
    try:
        said = await client.auth_test()
    except SlackApiError as error:
        raise PlatformRefused(_remedy(str(error.response.get("error")))) from error
    except (SlackClientError, OSError, TimeoutError) as error:
        raise PlatformUnavailable from error
    me = Me(user=str(said["user_id"]), bot=said.get("bot_id"), app=said.get("app_id"))
    return Installation(workspace=str(said["team_id"]), client=client, me=me, home=str(said.get("url") or ""))


def _remedy(code: str) -> str:
    known = {
        "invalid_auth": "Slack does not know `slack.bot_token`; copy the Bot User OAuth Token (xoxb-…) again.",
        "not_authed": "`slack.bot_token` is missing; set it to the Bot User OAuth Token (xoxb-…), as ${ENV}.",
        "token_revoked": "`slack.bot_token` was revoked; install the app in the workspace again and copy the token.",
        "account_inactive": "The app behind `slack.bot_token` was uninstalled; install it in the workspace again.",
    }
    return known.get(code, f"Slack refused `slack.bot_token` ({code}); see docs/slack.md.")


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


def _bolt(client: AsyncWebClient) -> AsyncApp:
    return AsyncApp(
        client=client,
        # What is acknowledged is on the disk: the listeners are quick, and end before Slack gets its answer.
        process_before_response=True,
        # Our own messages are told apart in one place, with those of other bots.
        ignoring_self_events_enabled=False,
        logger=_quiet(),
    )


def _quiet() -> logging.Logger:
    """The kit writes message text into its debug and info lines."""
    logger = logging.getLogger("slack")
    logger.setLevel(logging.WARNING)
    return logger


@asynccontextmanager
async def _connected(settings: SlackSettings, bolt: AsyncApp) -> AsyncIterator[None]:
    token = settings.app_token.get_secret_value() if settings.app_token else ""
    await _may_connect(bolt.client, token)
    handler: Any = AsyncSocketModeHandler(bolt, token, logger=_quiet(), ping_interval=_PING_SECONDS)
    try:
        await handler.connect_async()
        yield
    finally:
        await handler.close_async()


async def _may_connect(client: AsyncWebClient, token: str) -> None:
    """Ask once before the kit does: it would try a wrong token again and again."""
    try:
        await client.apps_connections_open(app_token=token)
    except SlackApiError as error:
        raise PlatformRefused(
            f"Slack refused `slack.app_token` ({error.response.get('error')}); make an app-level token (xapp-…) "
            "with the scope connections:write."
        ) from error
    except (SlackClientError, OSError, TimeoutError) as error:
        raise PlatformUnavailable from error


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
