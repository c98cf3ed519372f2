"""Who is in a channel, as Slack says."""

from __future__ import annotations

from collections.abc import AsyncIterator

from handlers.slack.acts.pages import paged
from handlers.slack.installations import Installation

#: Pages of a thousand that are looked through.
_PAGE, _MOST_PAGES = 1000, 20


async def members_of(here: Installation, channel: str) -> AsyncIterator[str]:
    """The ids of its members, the first twenty thousand. Raises SlackClientError."""

    async def ask(cursor: str | None) -> object:
        return await here.client.conversations_members(channel=channel, limit=_PAGE, cursor=cursor)

    async for member in paged(ask, "members", _MOST_PAGES):
        yield str(member)
