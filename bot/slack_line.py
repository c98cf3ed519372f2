"""One WebSocket to Slack (Socket Mode): what it brings is taken and acknowledged, and when it is over is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

import structlog
from aiohttp import ClientWebSocketResponse, ServerTimeoutError, WSMsgType

log = structlog.get_logger()

#: What is taken at the same time; the rest waits in the socket.
_AT_ONCE = 64
#: Slack waits three seconds and tells it again; whoever still works on it then may finish, but not for ever.
_TAKE_SECONDS = 30.0
_OVER = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR)

Envelope: TypeAlias = Mapping[str, Any]
#: Takes an envelope in: what the acknowledgement carries, or None where it is not acknowledged and comes again.
Take: TypeAlias = Callable[[Envelope], Awaitable[Mapping[str, Any] | None]]


class End(StrEnum):
    """Why a connection is to be replaced."""

    ASKED = "Slack asked for a new connection"
    CLOSED = "the connection was closed"
    NO_PONG = "Slack no longer answered pings"
    SILENT = "nothing had come for too long"
    BROKEN = "reading from it failed"


class Line:
    """An open connection; it reads from the moment it is made, and is still read after its end was told."""

    def __init__(self, socket: ClientWebSocketResponse, take: Take) -> None:
        self._socket = socket
        self._take = take
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[End] = self._loop.create_future()
        self._under_way: set[asyncio.Task[None]] = set()
        self.opened = self.heard = self._loop.time()
        self._reading = asyncio.create_task(self._read(), name="slack line")

    async def lost(self, silence: float) -> End:
        """Returns when this connection is to be replaced, also where it has brought nothing for `silence` seconds."""
        while not self._end.done():
            left = self.heard + silence - self._loop.time()
            if left <= 0:
                return End.SILENT
            await asyncio.wait({self._end}, timeout=left)
        return self._end.result()

    async def close(self, *, draining: float, closing: float) -> None:
        """What is under way may be acknowledged for `draining` seconds; saying good-bye takes `closing` at most."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=draining)
        try:
            async with asyncio.timeout(closing):
                await self._socket.close()
        except TimeoutError:
            log.info("slack_socket_abandoned")
        left = {self._reading, *self._under_way}
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=closing)

    async def _read(self) -> None:
        """Whatever ends the reading ends the line: nobody waits on a socket that is not read."""
        end = End.BROKEN
        try:
            while (message := await self._socket.receive()).type not in _OVER:
                if message.type is WSMsgType.TEXT:
                    await self._hear(str(message.data))
            end = End.NO_PONG if isinstance(message.data, ServerTimeoutError) else End.CLOSED
        finally:
            self._over(end)

    def _over(self, end: End) -> None:
        if not self._end.done():
            self._end.set_result(end)

    async def _hear(self, text: str) -> None:
        self.heard = self._loop.time()
        told = read(text)
        if told.get("type") == "disconnect":
            log.info("slack_disconnect", reason=str(told.get("reason")))
            self._over(End.ASKED)
        elif "envelope_id" in told:
            if len(self._under_way) >= _AT_ONCE:
                await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(self._answer(told), name="slack envelope")
            self._under_way.add(task)
            task.add_done_callback(self._answered)

    async def _answer(self, envelope: Envelope) -> None:
        try:
            async with asyncio.timeout(_TAKE_SECONDS):
                answer = await self._take(envelope)
            if answer is not None:
                payload = {"payload": answer} if answer else {}
                await self._socket.send_json({"envelope_id": envelope["envelope_id"], **payload})
        except (TimeoutError, ConnectionError) as error:
            log.info("slack_not_acknowledged", error=type(error).__name__)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("slack_envelope_failed", error=type(error).__name__)


def read(text: str) -> Envelope:
    """The envelope; empty where it is none."""
    try:
        told = json.loads(text)
    except ValueError:
        log.warning("slack_envelope_unreadable", characters=len(text))
        return {}
    return told if isinstance(told, dict) else {}
