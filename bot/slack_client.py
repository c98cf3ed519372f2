"""The client of Slack's Web API, and what a token makes the bot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from pydantic import SecretStr
from slack_sdk.errors import SlackApiError, SlackClientError, SlackRequestError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from config.slack import SlackSettings
from handlers.slack.faults import code_of, passing
from handlers.slack.installations import Installation
from handlers.slack.records import Me
from handlers.slack.scopes import ADD, missing
from memory.errors import PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

_RETRIES = 5
_SECONDS = 30.0
#: A connection that was silent for longer is not used again: Slack may be about to close it, and what was sent into one
#: that closes may or may not have arrived.
_IDLE_SECONDS = 10.0
#: Slack says in this header of every answer what the token may do.
_SCOPES = "x-oauth-scopes"
#: What a token is by how it begins.
_KINDS = {
    "xoxb-": "the bot's token in a workspace",
    "xoxp-": "a person's token",
    "xapp-": "the app's own token",
    "xoxe-": "a token that only renews others",
    "xoxe.": "a token that expires",
}


class Client(AsyncWebClient):
    """The kit's client, whose every failure is a SlackClientError, a TimeoutError or an OSError, and whose every
    SlackApiError is an answer of Slack: it lets errors of the library below through that nobody above knows."""

    async def api_call(self, api_method: str, **arguments: Any) -> AsyncSlackResponse:
        try:
            return await super().api_call(api_method, **arguments)
        except ClientError as error:
            raise SlackRequestError(f"{api_method} failed: {type(error).__name__}") from error
        except SlackApiError as error:
            if code_of(error):
                raise
            raise SlackRequestError(f"{api_method} failed: the answer is not Slack's") from error
        except (AttributeError, ValueError) as error:
            # The kit reads text and compressed bytes, which a server in front of Slack may send, as if they were JSON.
            raise SlackRequestError(f"{api_method} failed: the answer is not Slack's") from error

    async def files_upload_v2(self, **arguments: Any) -> AsyncSlackResponse:
        """The bytes go to an address of their own, past `api_call`."""
        try:
            return await super().files_upload_v2(**arguments)
        except ClientError as error:
            raise SlackRequestError(f"the upload failed: {type(error).__name__}") from error
        except (AttributeError, ValueError) as error:
            raise SlackRequestError("the upload failed: the answer is not Slack's") from error


@asynccontextmanager
async def calling() -> AsyncIterator[ClientSession]:
    """What clients share: calls soon after one another take the same connection, and so need not greet Slack again."""
    async with ClientSession(
        connector=TCPConnector(keepalive_timeout=_IDLE_SECONDS),
        timeout=ClientTimeout(total=_SECONDS),
        # Clients of many workspaces share it.
        cookie_jar=DummyCookieJar(),
    ) as session:
        yield session


def client_of(settings: SlackSettings, token: str | None, session: ClientSession | None = None) -> AsyncWebClient:
    """A client that waits when Slack says so, and repeats nothing else: a message must not be posted twice. Without a
    `session` (see `calling`) each call has a connection of its own."""
    return Client(
        token=token,
        base_url=settings.api_url,
        session=session,
        retry_handlers=[AsyncRateLimitErrorRetryHandler(max_retry_count=_RETRIES)],
        logger=quiet(),
    )


def bot_token_of(settings: SlackSettings) -> str:
    """The token of the bot, by its looks. Raises PlatformRefused."""
    return _token(settings.bot_token, "bot_token", "xoxb-", "the Bot User OAuth Token (xoxb-…) of OAuth & Permissions")


def app_token_of(settings: SlackSettings) -> str:
    """The token of the app, by its looks. Raises PlatformRefused."""
    return _token(settings.app_token, "app_token", "xapp-", "an app-level token (xapp-…) of Basic Information")


def _token(given: SecretStr | None, setting: str, beginning: str, wanted: str) -> str:
    """Slack would call a token in the wrong place invalid, and nobody would look there."""
    token = given.get_secret_value() if given else ""
    known = next((kind for start, kind in _KINDS.items() if token.startswith(start) and start != beginning), None)
    if known:
        raise PlatformRefused(f"`slack.{setting}` is {known} ({token[:4]}…); it has to be {wanted}.")
    return token


async def preflight(client: AsyncWebClient) -> Installation:
    """Who the token makes the bot, where, and which scopes it lacks.

    Raises PlatformRefused where Slack refuses the token or it lacks a scope without which nothing works, and
    PlatformUnavailable.
    """
    try:
        async with asyncio.timeout(_SECONDS):
            said = await client.auth_test()
    except SlackApiError as error:
        if passing(error):
            raise unreachable(client) from error
        raise PlatformRefused(_remedy(code_of(error))) from error
    except (SlackClientError, OSError, TimeoutError) as error:
        raise unreachable(client) from error
    if not said.get("bot_id"):
        raise PlatformRefused("`slack.bot_token` is a person's token; set it to the Bot User OAuth Token (xoxb-…).")
    me = Me(user=str(said["user_id"]), bot=said.get("bot_id"), app=said.get("app_id"))
    return Installation(
        workspace=str(said["team_id"]),
        client=client,
        me=me,
        home=str(said.get("url") or ""),
        lacking=_lacking(said.headers),
    )


def unreachable(client: AsyncWebClient) -> PlatformUnavailable:
    """What is said when there is no Slack at the client's address."""
    return PlatformUnavailable(
        f"Slack cannot be reached at {client.base_url}; check the network and the proxy, then start again."
    )


def _lacking(headers: Mapping[str, str]) -> tuple[str, ...]:
    """The scopes that were not granted, each told in the log with what it costs. Raises PlatformRefused."""
    said = next((value for name, value in headers.items() if name.lower() == _SCOPES), None)
    if said is None:
        log.warning("slack_scopes_unknown")
        return ()
    lacking = missing(scope.strip() for scope in said.split(","))
    for scope in lacking:
        if scope.vital:
            raise PlatformRefused(
                f"Slack granted no `{scope.name}`, which the bot needs {scope.why}; {ADD.format(scope=scope.name)}"
            )
        log.warning("slack_scope_missing", scope=scope.name, needed=scope.why)
    return tuple(scope.name for scope in lacking)


def _remedy(code: str) -> str:
    known = {
        "invalid_auth": "Slack does not know `slack.bot_token`; copy the Bot User OAuth Token (xoxb-…) again.",
        "not_authed": "`slack.bot_token` is missing; set it to the Bot User OAuth Token (xoxb-…), as ${ENV}.",
        "token_revoked": "`slack.bot_token` was revoked; install the app in the workspace again and copy the token.",
        "token_expired": "`slack.bot_token` has expired; switch token rotation off, install the app again and copy it.",
        "account_inactive": "The app behind `slack.bot_token` was uninstalled; install it in the workspace again.",
    }
    return known.get(code, f"Slack refused `slack.bot_token` ({code}); see docs/slack.md.")


def quiet() -> logging.Logger:
    """The kit writes message text into its debug and info lines."""
    logger = logging.getLogger("slack")
    logger.setLevel(logging.WARNING)
    return logger
