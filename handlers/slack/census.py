"""Who left a channel, or came back, while nobody told the bot: it looks itself, at its start and now and then.

What Slack tells while the bot is not connected is lost to it. So those who wrote something that not everybody may read
are compared with those who are in the channel now.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.claims import Claims
from handlers.slack.faults import closed, code_of
from handlers.slack.installations import Installation, Installations
from handlers.slack.members import members_of
from handlers.slack.records import PLATFORM
from memory.membership import Circle, Membership, Move
from memory.model import IMPORTED
from memory.ports import Clock

log = structlog.get_logger()

#: How long the list of one channel may take, waits that Slack asks for included.
_SECONDS = 120.0
#: Slack lets an app ask about a hundred lists in a minute.
_PACE_SECONDS = 0.6
_PAGE, _MOST_PAGES = 100, 20
#: Who is seen to be back came so long ago: whoever left since then has left, whatever the clocks say.
_DOUBT = timedelta(minutes=1)
_PERSON = re.compile("[UW][A-Z0-9]{1,40}")
#: What was imported from Slack goes by the same ids.
_PLATFORMS = (PLATFORM, IMPORTED)


class Census:
    """Compares channels with the memory. Of two processes that do so at once neither harms the other."""

    def __init__(self, *, membership: Membership, installations: Installations, claims: Claims, clock: Clock) -> None:
        self._membership = membership
        self._installations = installations
        self._claims = claims
        self._clock = clock
        #: Where the last round ended, by platform.
        self._ended: dict[str, str] = {}

    async def go(self) -> int:
        """One round, in one of several processes: how many people moved. Raises StoreUnavailable."""
        async with self._claims.claimed("slack members") as mine:
            return sum([await self._round(platform) for platform in _PLATFORMS]) if mine else 0

    async def look(self, circle: Circle) -> int:
        """Look at one channel: how many people moved. Raises StoreUnavailable."""
        return sum([await self._compare(platform, circle) for platform in _PLATFORMS])

    async def _round(self, platform: str) -> int:
        moved = 0
        for _ in range(_MOST_PAGES):
            circles = await self._membership.circles(platform, self._ended.get(platform, ""), _PAGE)
            for circle in circles:
                moved += await self._compare(platform, circle)
                self._ended[platform] = circle.channel
                await asyncio.sleep(_PACE_SECONDS)
            if len(circles) < _PAGE:
                self._ended.pop(platform, None)
                break
        return moved

    async def _compare(self, platform: str, circle: Circle) -> int:
        here = await self._installations.of(circle.workspace)
        authors = await self._membership.authors(platform, circle.channel)
        people = {who: gone for who, gone in authors.items() if _PERSON.fullmatch(who)}
        asked = self._clock()
        members = await _members(here, circle.channel) if here and people else None
        if members is None or (platform == IMPORTED and not members):
            # What was imported may come from where the bot never was, or from no Slack at all.
            return 0
        moves = list(_moves(platform, circle, people, members, asked))
        await self._membership.note(moves)
        if moves:
            log.info("slack_members_moved", channel=circle.channel, moved=len(moves))
        return len(moves)


def _moves(
    platform: str, circle: Circle, people: Mapping[str, bool], members: Collection[str], asked: datetime
) -> Iterator[Move]:
    """What makes of the people of the memory those that Slack names."""
    for who, gone in people.items():
        if gone is (who in members):
            at = asked - _DOUBT if gone else asked
            yield Move(platform=platform, channel=circle.channel, member=who, gone=not gone, at=at)


async def _members(here: Installation, channel: str) -> Collection[str] | None:
    """Who is in the channel: nobody where the bot may not know, None where Slack does not say just now."""
    try:
        async with asyncio.timeout(_SECONDS):
            return {member async for member in members_of(here, channel)}
    except SlackApiError as error:
        log.warning("slack_members_unknown", channel=channel, error=code_of(error))
        return () if closed(error) else None
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_members_unknown", channel=channel, error=type(error).__name__)
        return None
