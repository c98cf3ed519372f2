"""How the owner of a data folder is asked by commands: lines of JSON over a Unix socket (the other side is in
`bot.local_client`).

One request a connection, `{"command", "arguments"}`; then any number of `{"progress"}` and `{"notice"}` lines, and
`{"alive"}` every few seconds, which tells long work from a process that hangs; then one `{"result"}` or
`{"error", "exit_code"}`.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import structlog

from bot.logs import unexpected
from bot.telling import Tell, to_json
from memory.errors import Busy, HelpdeskError, InputRefused

log = structlog.get_logger()

#: Does what a request asks for (`bot.use_cases.perform` with the application filled in).
Perform = Callable[[str, Mapping[str, Any], Tell], Awaitable[object]]

_LONGEST_REQUEST = 4 * 1024 * 1024
_REQUEST_SECONDS = 10.0
#: Several of these fit into a client's patience (`bot.local_client`).
_BEAT_SECONDS = 4.0
#: Requests under way at once.
_REQUESTS = 32
#: How long requests may go on when the owner ends.
_GRACE_SECONDS = 5.0


@asynccontextmanager
async def serving(path: Path, perform: Perform, *, beat: float = _BEAT_SECONDS) -> AsyncIterator[None]:
    """Answer requests on this socket while the context is open; then end those that are under way. Who waits hears
    every `beat` seconds that this process lives."""
    conversations: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            conversations.add(task)
            task.add_done_callback(conversations.discard)
        await _converse(reader, writer, perform if len(conversations) <= _REQUESTS else _too_much, beat)

    server = await asyncio.start_unix_server(answer, path, limit=_LONGEST_REQUEST)
    try:
        await asyncio.to_thread(path.chmod, 0o600)
        yield
    finally:
        server.close()
        if conversations:
            await asyncio.wait(conversations, timeout=_GRACE_SECONDS)
        for task in conversations:
            task.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)


async def _too_much(*_: object) -> object:
    raise Busy


async def _converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, perform: Perform, beat: float) -> None:
    """One connection, from its request to its last line."""
    try:
        if not _is_own_user(writer):
            return
        event = await _event(reader, writer, perform, beat)
        if event is not None:
            _send(writer, event)
            await writer.drain()
    except ConnectionError:
        log.info("request_left")
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _event(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, perform: Perform, beat: float
) -> Mapping[str, object] | None:
    """The last line of a connection: what came of its request; None for somebody who only looked."""
    try:
        async with asyncio.timeout(_REQUEST_SECONDS):
            line = await reader.readline()
        if not line:
            return None
        command, arguments = _request(line)
    except (TimeoutError, ValueError):
        return _refusal(InputRefused("That was no request that this process understands; is it of another version?"))
    work = asyncio.ensure_future(perform(command, arguments, lambda told: _send(writer, to_json(told))))
    gone = asyncio.ensure_future(reader.read())
    try:
        while not (await asyncio.wait({work, gone}, timeout=beat, return_when=asyncio.FIRST_COMPLETED))[0]:
            _send(writer, {"alive": True})
    finally:
        gone.cancel()
        work.cancel()
        await asyncio.wait({work, gone})
    return _outcome(work, command)


def _request(line: bytes) -> tuple[str, Mapping[str, Any]]:
    content = json.loads(line)
    if not isinstance(content, dict) or not isinstance(content.get("arguments"), dict):
        raise ValueError("a request is an object with a command and its arguments")  # noqa: TRY004 - as for bad JSON
    return str(content.get("command")), content["arguments"]


def _outcome(work: asyncio.Future[object], command: str) -> Mapping[str, object]:
    if work.cancelled():
        return _refusal(Busy("The running process is ending, or nobody waited any longer; please try again."))
    error = work.exception()
    if error is None:
        return {"result": work.result()}
    return _refusal(error) if isinstance(error, HelpdeskError) else _unexpected(error, command)


def _refusal(error: HelpdeskError) -> Mapping[str, object]:
    return {"error": str(error), "exit_code": error.exit_code}


def _unexpected(error: BaseException, command: str) -> Mapping[str, object]:
    return {"error": unexpected("request_failed", error, command=command), "exit_code": 1}


def _send(writer: asyncio.StreamWriter, event: Mapping[str, object]) -> None:
    if not writer.is_closing():
        writer.write(json.dumps(event, ensure_ascii=True).encode() + b"\n")


def _is_own_user(writer: asyncio.StreamWriter) -> bool:
    """Whether the other side runs as this user; where the system does not say, the socket's own mode has decided."""
    if not sys.platform.startswith("linux"):
        return True
    peer: socket.socket = writer.get_extra_info("socket")
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return bool(user == os.getuid())
