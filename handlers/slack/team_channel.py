"""Whether the support team's channel can be written to, looked at before somebody needs a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.slack.faults import code_of
from handlers.slack.installations import Installation, Installations
from handlers.slack.rules import Rules

log = structlog.get_logger()

_SECONDS = 20.0
#: What Slack says of a channel that is not there, or that the bot may not know of.
_UNKNOWN = frozenset(("channel_not_found", "not_in_channel", "method_not_supported_for_channel_type"))
_NOT_THERE = "`slack.handover_channel` ({channel}) does not exist, or is private and the bot is not in it"
_NOT_IN = "The bot is not a member of `slack.handover_channel` ({channel})"
_ARCHIVED = "`slack.handover_channel` ({channel}) is archived"
_SO = "{what}: nobody is told who wants a person. {remedy}"
_INVITE = "Invite the bot there (/invite), or set another channel."
_RESTORE = "Restore it, or set another channel."


class TeamChannel:
    """Looks at the channel again and again, so that a restart is not needed once somebody has seen to it. `report` is
    told what is wrong in an administrator's words, empty where all is well. Installations of many workspaces are not
    looked at: the channel is of one of them."""

    def __init__(self, *, installations: Installations, rules: Rules, report: Callable[[str], None]) -> None:
        self._installations = installations
        self._rules = rules
        self._report = report
        self._told = ""

    async def look(self) -> int:
        """Tell how it is; nothing is owed by it, whatever that is. Raises StoreUnavailable."""
        channel, here = self._rules.handover_channel, await self._installations.of("")
        if channel is None or here is None:
            self._tell("")
            return 0
        try:
            why = await _wrong(here, channel)
        except (SlackClientError, TimeoutError, OSError) as error:
            # Slack is away, which others tell; of the channel nothing new is known.
            log.info("slack_team_channel_unseen", error=type(error).__name__)
            return 0
        self._tell(why)
        return 0

    def _tell(self, why: str) -> None:
        if why and why != self._told:
            log.warning("slack_team_channel_closed", remedy=why)
        self._told = why
        self._report(why)


async def _wrong(here: Installation, channel: str) -> str:
    try:
        async with asyncio.timeout(_SECONDS):
            said = await here.client.conversations_info(channel=channel)
    except SlackApiError as error:
        if code_of(error) not in _UNKNOWN:
            raise
        return _SO.format(what=_NOT_THERE.format(channel=channel), remedy=_INVITE)
    found = said.get("channel") or {}
    if found.get("is_archived"):
        return _SO.format(what=_ARCHIVED.format(channel=channel), remedy=_RESTORE)
    if not found.get("is_member"):
        return _SO.format(what=_NOT_IN.format(channel=channel), remedy=_INVITE)
    return ""
