"""Files that come with a message in Teams, fetched from the address that Teams opens for a few minutes."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import Collection, Sequence

import aiohttp
import structlog

from handlers.changes import Changes
from handlers.files import LONGEST, MOST, SECONDS, add_texts, is_text, read_bytes, text_of
from handlers.teams.hosts import is_file_host
from handlers.teams.records import TeamsFile
from handlers.wording_actions import actions
from memory.model import Turn
from memory.text.language import detect_language

log = structlog.get_logger()

#: Ends of names of what helpdesks get sent and no table of types knows.
_TEXTS = (".log", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".reg", ".ps1", ".bat", ".sh")


class Files:
    """Reads text files from known hosts. Who we are is told to none of them."""

    def __init__(self, session: aiohttp.ClientSession, hosts: Collection[str], changes: Changes) -> None:
        self._session = session
        self._hosts = frozenset(hosts)
        self._changes = changes

    async def read_into(self, turn: Turn, files: Sequence[TeamsFile]) -> tuple[str, ...]:
        """Read the text files of a message into its turn; a sentence for each text that could not be read. Raises
        StoreUnavailable."""
        texts = [file for file in files if is_text(_type(file))][:MOST]
        found = await asyncio.gather(*(self._text(file) for file in texts))
        read = [(file.name, text) for file, text in zip(texts, found, strict=True) if text]
        await add_texts(turn, read, self._changes)
        unread = actions(detect_language(turn.text, "ja")).file_unread
        return tuple(
            unread.format(name=file.name, limit=LONGEST)
            for file, text in zip(texts, found, strict=True)
            if text is None
        )

    async def _text(self, file: TeamsFile) -> str | None:
        """None where it is too long or cannot be had. Never raises."""
        if file.download_url is None or not is_file_host(file.download_url, self._hosts):
            return None
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._session.get(file.download_url, allow_redirects=False) as answer,
            ):
                content = await read_bytes(answer.content)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            log.warning("teams_file_unread", error=type(error).__name__)
            return None
        return text_of(content) if answer.status == 200 else None


def _type(file: TeamsFile) -> str:
    """Teams tells none of what is uploaded: the name does."""
    guessed = "text/plain" if file.name.lower().endswith(_TEXTS) else mimetypes.guess_type(file.name)[0]
    return file.mimetype or guessed or ""
