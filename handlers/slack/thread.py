"""What stands in a thread, as Slack gives it out when it is asked."""

from __future__ import annotations

from collections.abc import AsyncIterator

from handlers.slack.acts.pages import paged
from handlers.slack.inbound import read_event
from handlers.slack.installations import Installation
from handlers.slack.records import Said

_PAGE = 200


async def said_in(
    here: Installation, channel: str, thread: str, *, pages: int, before: str | None = None
) -> AsyncIterator[Said | None]:
    """Every message of the first `pages` of a thread, two hundred each, oldest first, those `before` this one; None for
    what the bot itself said, and for what has no words. Raises SlackClientError."""

    async def ask(cursor: str | None) -> object:
        return await here.client.conversations_replies(
            channel=channel, ts=thread, limit=_PAGE, latest=before, cursor=cursor
        )

    async for one in paged(ask, "messages", pages):
        event = {**one, "type": "message", "channel": channel}
        told = read_event({"type": "event_callback", "team_id": here.workspace, "event": event}, me=here.me)
        yield told if isinstance(told, Said) and (told.text or told.files) else None
