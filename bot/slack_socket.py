"""The connection that the bot opens to Slack (Socket Mode)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack_client import quiet
from config.slack import SlackSettings
from memory.errors import PlatformRefused, PlatformUnavailable

_PING_SECONDS = 5.0


@asynccontextmanager
async def connected(settings: SlackSettings, bolt: AsyncApp) -> AsyncIterator[None]:
    """Slack's events reach the app while the context is open. Raises PlatformRefused and PlatformUnavailable."""
    token = settings.app_token.get_secret_value() if settings.app_token else ""
    await _may_connect(bolt.client, token)
    handler: Any = AsyncSocketModeHandler(bolt, token, logger=quiet(), ping_interval=_PING_SECONDS)
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
