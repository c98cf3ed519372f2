"""Socket Mode: tickets, connections, envelopes and their acknowledgements."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, WSMsgType, web

from tests.fakes.slack.world import Json


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One WebSocket of the app."""

    id: str
    ws: web.WebSocketResponse
    transport: asyncio.Transport | None
    deaf: bool = False
    leaving: bool = False


@dataclass(slots=True, kw_only=True)
class Links:
    """All sockets, the tickets that open them, and the envelopes that wait for an acknowledgement."""

    app_id: str
    #: Called when a socket comes or goes.
    moved: Callable[[], None]
    tickets: set[str] = field(default_factory=set)
    opened: int = 0
    #: After a `disconnect` Slack leaves the socket open for a while; here not long, in seconds.
    goodbye: float = 0.5
    #: So many handshakes to come are turned away; their tickets are used up all the same.
    turned_away: int = 0
    live: list[Link] = field(default_factory=list)
    _waiting: dict[str, asyncio.Future[Json]] = field(default_factory=dict)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: itertools.count[int] = field(default_factory=itertools.count)
    _partings: set[asyncio.Task[None]] = field(default_factory=set)

    def ticket(self) -> str:
        made = str(uuid.uuid4())
        self.tickets.add(made)
        return made

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket endpoint; a ticket opens it once."""
        ticket = request.query.get("ticket", "")
        if ticket not in self.tickets:
            return web.Response(status=408, text="the ticket is unknown or used")
        self.tickets.discard(ticket)
        if self.turned_away:
            self.turned_away -= 1
            return web.Response(status=503, text="no place for another socket")
        ws = web.WebSocketResponse(autoping=False)
        await ws.prepare(request)
        link = Link(id=ticket, ws=ws, transport=request.transport)
        await ws.send_json(self._hello())
        self.live.append(link)
        self.opened += 1
        self._arrived.set()
        self.moved()
        try:
            await self._listen(link)
        finally:
            self.live.remove(link)
            self.moved()
        return ws

    def _hello(self) -> Json:
        debug = {"host": "applink-1", "build_number": 1, "approximate_connection_time": 18_060}
        count = {"num_connections": len(self.live) + 1}
        return {"type": "hello", **count, "debug_info": debug, "connection_info": {"app_id": self.app_id}}

    async def _listen(self, link: Link) -> None:
        async for message in link.ws:
            if message.type is WSMsgType.PING and not link.deaf:
                await link.ws.pong(message.data)
            elif message.type is WSMsgType.TEXT:
                self._acknowledge(json.loads(message.data))

    def _acknowledge(self, answer: Json) -> None:
        waiting = self._waiting.get(str(answer.get("envelope_id")))
        if waiting is not None and not waiting.done():
            waiting.set_result(answer.get("payload") or {})

    async def send(self, envelope: Json, *, patience: float | None, ack_limit: float) -> tuple[float | None, Json]:
        """(seconds until the acknowledgement or None, what came with it). Waits `patience` for a socket to be there."""
        try:
            async with asyncio.timeout(patience):
                link = await self._pick()
        except TimeoutError:
            return None, {}
        waiting = self._waiting.setdefault(envelope["envelope_id"], asyncio.get_running_loop().create_future())
        began = time.monotonic()
        try:
            if not link.deaf:
                await link.ws.send_json(envelope)
            async with asyncio.timeout(ack_limit):
                answer = await waiting
        except (TimeoutError, ConnectionError):
            return None, {}
        finally:
            self._waiting.pop(envelope["envelope_id"], None)
        return time.monotonic() - began, answer

    async def _pick(self) -> Link:
        """The next socket in turn; Slack does not know which ones are deaf."""
        while True:
            able = [link for link in self.live if not link.leaving and not link.ws.closed]
            if able:
                return able[next(self._turn) % len(able)]
            self._arrived.clear()
            await self._arrived.wait()

    async def connected(self, count: int = 1, seconds: float = 10.0) -> None:
        """Wait until sockets have been opened `count` times in all; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while self.opened < count:
                self._arrived.clear()
                await self._arrived.wait()

    async def disconnect(self, reason: str) -> None:
        """Ask every socket to go, as Slack does when it moves a connection; each is closed a little later."""
        for link in list(self.live):
            link.leaving = True
            await link.ws.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}})
            parting = asyncio.create_task(self._part(link))
            self._partings.add(parting)
            parting.add_done_callback(self._partings.discard)

    async def _part(self, link: Link) -> None:
        await asyncio.sleep(self.goodbye)
        await link.ws.close()

    def deafen(self) -> None:
        """The sockets that are open now send nothing any more, not even a pong."""
        for link in self.live:
            link.deaf = True

    async def close(self) -> None:
        """Close every socket without a word before."""
        for link in list(self.live):
            await link.ws.close(code=WSCloseCode.GOING_AWAY)

    def abort(self) -> None:
        """Break every connection off, as a failing network does."""
        for link in list(self.live):
            if link.transport is not None:
                link.transport.abort()

    async def shut(self) -> None:
        for parting in set(self._partings):
            parting.cancel()
        await self.close()
