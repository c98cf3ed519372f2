"""Files that come with a message: text is read into it, of others the name is all that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
import structlog
from slack_sdk.web.async_client import AsyncWebClient

from handlers.changes import Changes
from handlers.slack.hosts import is_slacks
from handlers.slack.records import SlackFile
from handlers.wording_actions import actions
from memory.model import Turn
from memory.text.language import detect_language

log = structlog.get_logger()

#: Characters of a file that are read into its message, and files of a message that are read.
_LONGEST = 8_000
_MOST = 5
_SECONDS = 10.0
#: Bytes that are read at most: a character of UTF-8 has up to four.
_BYTES = _LONGEST * 4
_TEXTS = ("text/", "application/json", "application/xml", "application/x-yaml", "application/yaml")


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
    texts = [file for file in files if file.mimetype.startswith(_TEXTS)][:_MOST]
    found = await asyncio.gather(*(read_file(file, client) for file in texts))
    read = [f"[file: {file.name}]\n{one.text}" for file, one in zip(texts, found, strict=True) if one.text]
    if read:
        await changes.edited(turn.conversation, turn.message, turn.author, "\n".join([turn.text, *read]))
    return tuple(
        said.file_login.format(name=file.name) if one.login else said.file_unread.format(name=file.name, limit=_LONGEST)
        for file, one in zip(texts, found, strict=True)
        if one.text is None
    )


async def read_file(file: SlackFile, client: AsyncWebClient) -> Contents:
    """The words of a text file, with the bot's token; none where it is too long or cannot be had. Never raises."""
    if file.url_private is None or file.size > _BYTES or not is_slacks(file.url_private, client):
        return Contents(text=None)
    try:
        async with (
            asyncio.timeout(_SECONDS),
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {client.token}"}) as session,
            session.get(file.url_private, allow_redirects=False) as answer,
        ):
            kind = answer.content_type
            content = await _first(answer.content, _BYTES + 1)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        log.warning("slack_file_unread", error=type(error).__name__)
        return Contents(text=None)
    if kind == "text/html" and file.mimetype != "text/html":
        return Contents(text=None, login=True)
    if answer.status != 200 or len(content) > _BYTES:
        return Contents(text=None)
    text = content.decode("utf-8", errors="replace").strip()
    return Contents(text=text if len(text) <= _LONGEST else None)


async def _first(stream: aiohttp.StreamReader, most: int) -> bytes:
    content = b""
    while len(content) < most and (some := await stream.read(most - len(content))):
        content += some
    return content
