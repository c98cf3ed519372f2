"""Files that come with a message in Teams, fetched from the address that Teams opens for a few minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

import aiohttp
import structlog

from handlers.changes import Changes
from handlers.files import SECONDS, Contents, Unread, Unreads, contents_of, read_bytes, read_into
from handlers.teams.hosts import is_file_host
from handlers.teams.records import TeamsFile
from memory.model import Turn

log = structlog.get_logger()


class Files:
    """Reads text files from known hosts. Who we are is told to none of them."""

    def __init__(self, session: aiohttp.ClientSession, hosts: Collection[str], changes: Changes) -> None:
        self._session = session
        self._hosts = frozenset(hosts)
        self._changes = changes

    async def read_into(self, turn: Turn, files: Sequence[TeamsFile]) -> Unreads:
        """Read the text files of a message into its turn; those that were not read, or not all of them. Raises
        StoreUnavailable."""
        return await read_into(turn, files, self._contents, self._changes)

    async def _contents(self, file: TeamsFile) -> Contents:
        """The words of a text file, or why there are none. Never raises."""
        if file.download_url is None or not is_file_host(file.download_url, self._hosts):
            return Contents(unread=Unread.GONE)
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._session.get(file.download_url, allow_redirects=False) as answer,
            ):
                content = await read_bytes(answer.content)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            log.warning("teams_file_unread", error=type(error).__name__)
            return Contents(unread=Unread.GONE)
        return contents_of(content) if answer.status == 200 else Contents(unread=Unread.GONE)
