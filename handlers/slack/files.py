"""Files that come with a message: text is read into it, of others the name is all that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient

from handlers.changes import Changes
from handlers.files import LONGEST, MOST, MOST_BYTES, SECONDS, add_texts, is_text, read_bytes, text_of
from handlers.slack.hosts import is_slacks
from handlers.slack.records import SlackFile
from handlers.wording_actions import actions
from memory.model import Turn
from memory.text.language import detect_language

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What was in a file; `login`: Slack sent its sign-in page instead."""

    text: str | None
    login: bool = False


async def with_files(
    files: Sequence[SlackFile], turn: Turn, client: AsyncWebClient, changes: Changes
) -> tuple[str, ...]:
    """Read the text files of a message into its turn; a sentence for each text that could not be read.

    Raises StoreUnavailable.
    """
    said = actions(detect_language(turn.text, "ja"))
    texts = [file for file in files if is_text(file.mimetype)][:MOST]
    found = await asyncio.gather(*(read_file(file, client) for file in texts))
    read = [(file.name, one.text) for file, one in zip(texts, found, strict=True) if one.text]
    await add_texts(turn, read, changes)
    return tuple(
        said.file_login.format(name=file.name) if one.login else said.file_unread.format(name=file.name, limit=LONGEST)
        for file, one in zip(texts, found, strict=True)
        if one.text is None
    )


async def read_file(file: SlackFile, client: AsyncWebClient) -> Contents:
    """The words of a text file, with the bot's token; none where it is too long or cannot be had. Never raises."""
    if file.url_private is None or file.size > MOST_BYTES or not is_slacks(file.url_private, client):
        return Contents(text=None)
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
        return Contents(text=None)
    if kind == "text/html" and file.mimetype != "text/html":
        return Contents(text=None, login=True)
    return Contents(text=text_of(content) if answer.status == 200 else None)
