"""Before anything is done with what Slack tells: the workspace must be one in which the app is installed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import structlog
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from handlers.slack.inbound import installed_in
from handlers.slack.installations import Installations
from memory.errors import PlatformRefused

log = structlog.get_logger()

Next: TypeAlias = Callable[[], Awaitable[BoltResponse]]
#: Under this name a request's context keeps its place.
_PLACE = "helpdesk_place"
#: What belongs to the address and to no workspace.
_OF_NO_WORKSPACE = frozenset({"url_verification", "ssl_check"})


def place_of(body: Mapping[str, Any], context: AsyncBoltContext) -> tuple[str, str | None]:
    """The workspace, empty where Slack names only an organisation, and the organisation, of one delivery."""
    if body.get("type") == "event_callback":
        workspace, enterprise = installed_in(body)
        return workspace or "", enterprise
    return str(context.team_id or ""), context.enterprise_id


def known_workspace(installations: Installations) -> Callable[..., Awaitable[BoltResponse | None]]:
    """A middleware that acknowledges and leaves alone what comes from anywhere else: Slack tells on for a while after
    the app was removed, and would tell again what is not acknowledged."""

    async def known(body: Mapping[str, Any], context: AsyncBoltContext, next_: Next) -> BoltResponse | None:
        if body.get("type") not in _OF_NO_WORKSPACE:
            workspace, enterprise = context[_PLACE] = place_of(body, context)
            if await installations.of(workspace, enterprise) is None:
                log.info("slack_not_installed", workspace=workspace, enterprise=enterprise)
                return BoltResponse(status=200)
        await next_()
        return None

    return known


def authorized(installations: Installations) -> Callable[..., Awaitable[AuthorizeResult]]:
    """What the kit takes its token from; Slack is not asked about it for each event."""

    async def authorize(context: AsyncBoltContext) -> AuthorizeResult:
        here = await installations.of(*context[_PLACE])
        if here is None:  # since the middleware looked
            raise PlatformRefused
        return AuthorizeResult(
            enterprise_id=context.enterprise_id,
            team_id=context.team_id,
            bot_user_id=here.me.user,
            bot_id=here.me.bot,
            bot_token=here.client.token,
        )

    return authorize
