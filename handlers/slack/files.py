"""Files that come with a message in Slack, fetched with the bot's token."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient

from handlers.changes import Changes
from handlers.files import MOST_BYTES, SECONDS, Contents, Unread, Unreads, contents_of, read_bytes, read_into
from handlers.slack.hosts import is_slacks
from handlers.slack.records import SlackFile
from memory.model import Turn

log = structlog.get_logger()
_HTML = "text/html"


async def with_files(
    files: Sequence[SlackFile],
    turn: Turn,
    client: AsyncWebClient,
    changes: Changes,
) -> Unreads:
    """Read the text files of a message into its turn; those that were not read, or not all of them.

    Raises StoreUnavailable.
    """
    return await read_into(turn, files, partial(read_file, client=client), changes)


async def read_file(file: SlackFile, client: AsyncWebClient) -> Contents:
    """The words of a text file, or why there are none. Never raises."""
    if file.url_private is None or not is_slacks(file.url_private, client):
        return Contents(unread=Unread.GONE)
    try:
        async with (
            asyncio.timeout(SECONDS),
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {client.token}"}) as session,
            session.get(file.url_private, allow_redirects=False) as answer,
        ):
            kind = answer.content_type
            content = await read_bytes(answer.content)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        log.warning("slack_file_unread", error=type(error).__name__)
        return Contents(unread=Unread.GONE)
    if answer.status != 200:
        return Contents(unread=Unread.GONE)
    return Contents(unread=Unread.LOGIN) if _is_sign_in(kind, content, file) else contents_of(content)


def _is_sign_in(kind: str, content: bytes, file: SlackFile) -> bool:
    """Whether Slack sent its sign-in page, as it does with status 200: a page that is not asked for, or of another
    length than the page that is."""
    if kind != _HTML:
        return False
    return file.mimetype != _HTML or (file.size > 0 and len(content) != min(file.size, MOST_BYTES + 1))
