"""How a command asks the process that owns the data folder (the other side is in `bot.local_socket`).

A command that only asks should not wait for the imports of one that does the work: nothing heavy belongs in here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from bot.owner import socket_of
from bot.telling import Tell, from_json
from memory.errors import HelpdeskError, IndexInUse

_LONGEST_LINE = 64 * 1024 * 1024
_CONNECT_SECONDS = 5.0
#: An owner that lives is heard from more often than this, however long its work takes (`bot.local_socket`).
PATIENCE_SECONDS = 20.0
_ENDED = "The running process ended before it had answered; nothing that was recorded is lost, please try again."


class RequestFailed(HelpdeskError):
    """The running process could not do that."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Connection:
    """A live owner that can be asked once."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._patience = patience

    async def ask(self, command: str, arguments: Mapping[str, Any], tell: Tell) -> Any:
        """The result. Raises RequestFailed with what the owner said, IndexInUse when it ended or fell silent."""
        try:
            await self._send(json.dumps({"command": command, "arguments": arguments}).encode() + b"\n")
            while line := await self._line():
                event = json.loads(line)
                if "result" in event:
                    return event["result"]
                if "error" in event:
                    raise RequestFailed(str(event["error"]), int(event["exit_code"]))
                told = from_json(event)
                if told is not None:
                    tell(told)
        except TimeoutError as error:
            raise IndexInUse from error
        except (ConnectionError, ValueError) as error:
            raise IndexInUse(_ENDED) from error
        raise IndexInUse(_ENDED)

    async def _send(self, line: bytes) -> None:
        async with asyncio.timeout(self._patience):
            self._writer.write(line)
            await self._writer.drain()

    async def _line(self) -> bytes:
        async with asyncio.timeout(self._patience):
            return await self._reader.readline()

    async def close(self) -> None:
        """Hang up, which ends what was asked if it still runs; what an owner that hangs has not taken is not sent."""
        self._writer.transport.abort()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


@asynccontextmanager
async def owner_at(folder: Path, *, patience: float = PATIENCE_SECONDS) -> AsyncIterator[Connection | None]:
    """The live owner of this folder; None when nobody is listening there. `patience` is how many seconds it may be
    silent."""
    connection = await _connect(folder, patience)
    try:
        yield connection
    finally:
        if connection is not None:
            await connection.close()


async def _connect(folder: Path, patience: float) -> Connection | None:
    path = socket_of(folder)
    if path is None:
        return None
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            return Connection(*await asyncio.open_unix_connection(path, limit=_LONGEST_LINE), patience)
    except (OSError, TimeoutError):
        return None
