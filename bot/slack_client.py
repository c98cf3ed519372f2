"""The client of Slack's Web API, and what a token makes the bot."""

from __future__ import annotations

import logging

from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from config.slack import SlackSettings
from handlers.slack.installations import Installation
from handlers.slack.records import Me
from memory.errors import PlatformRefused, PlatformUnavailable

_RETRIES = 5


def client_of(settings: SlackSettings, token: str) -> AsyncWebClient:
    """A client that waits when Slack says so, and repeats nothing else: a message must not be posted twice."""
    return AsyncWebClient(
        token=token,
        base_url=settings.api_url,
        retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=_RETRIES)],
        logger=quiet(),
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


def quiet() -> logging.Logger:
    """The kit writes message text into its debug and info lines."""
    logger = logging.getLogger("slack")
    logger.setLevel(logging.WARNING)
    return logger
