"""Saying something in a thread once, whatever happens to the process: the thread itself knows whether it was said."""

from __future__ import annotations

import asyncio

from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.acts.pages import is_marked, mark, paged
from handlers.slack.address import Address
from handlers.slack.render import SlackMessage

_SECONDS = 60.0
_PAGE, _MOST_PAGES = 200, 5


async def said_once(client: AsyncWebClient, where: Address, said: SlackMessage, about: str, *, since: str) -> bool:
    """Post it in this thread, unless a message that is marked to be `about` the same stands there, `since` that message
    or later. Whether it was posted now. Raises SlackClientError and TimeoutError."""
    if await standing(client, where, about, since=since) is not None:
        return False
    await posted(client, where, said, about)
    return True


async def standing(client: AsyncWebClient, where: Address, about: str, *, since: str) -> str | None:
    """The timestamp of the message in this thread that is marked so. Raises SlackClientError and TimeoutError."""

    async def ask(cursor: str | None) -> object:
        return await client.conversations_replies(
            channel=where.channel,
            ts=where.thread,
            oldest=since,
            include_all_metadata=True,
            limit=_PAGE,
            cursor=cursor,
        )

    async with asyncio.timeout(_SECONDS):
        async for one in paged(ask, "messages", _MOST_PAGES):
            if is_marked(one, about):
                return str(one["ts"])
    return None


async def posted(client: AsyncWebClient, where: Address, said: SlackMessage, about: str) -> str:
    """Post it in this thread, marked; its timestamp. Raises SlackClientError and TimeoutError."""
    async with asyncio.timeout(_SECONDS):
        answer = await client.chat_postMessage(
            channel=where.channel,
            thread_ts=where.thread,
            text=said.text,
            blocks=[dict(block) for block in said.blocks],
            unfurl_links=False,
            unfurl_media=False,
            metadata=mark(about),
        )
    return str(answer["ts"])
