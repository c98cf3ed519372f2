"""A tracker on this machine: a real web server that says what it is told to, and knows what it heard."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import web

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()

Behaviour: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One request: who sent it is checked here by the letter of the specification."""

    delivery: str
    time: int
    body: Mapping[str, Any]
    raw: str

    @property
    def said(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.body["data"]
        return found


@dataclass(slots=True, kw_only=True)
class TrackerPlace:
    """`script` is how the next requests are answered, one after another; then each is taken."""

    url: str = ""
    script: list[Behaviour] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        raw = await request.text()
        delivery, time = request.headers["webhook-id"], request.headers["webhook-timestamp"]
        content = f"{delivery}.{time}.{raw}".encode()
        expected = base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
        assert request.headers["webhook-signature"] == f"v1,{expected}"
        self.heard.append(Heard(delivery=delivery, time=int(time), body=json.loads(raw), raw=raw))
        self.called.set()
        behaviour = self.script.pop(0) if self.script else status(204)
        return await behaviour(request)


@asynccontextmanager
async def tracker_place() -> AsyncIterator[TrackerPlace]:
    place = TrackerPlace()
    site = web.Application()
    site.router.add_post("/hook", place.answer)
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    place.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield place
    finally:
        await runner.cleanup()


def status(code: int, **headers: str) -> Behaviour:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=code, headers=headers)

    return answer


def slow(until: asyncio.Event) -> Behaviour:
    async def answer(_: web.Request) -> web.StreamResponse:
        await until.wait()
        return web.Response()

    return answer


def garbage() -> Behaviour:
    """What is no HTTP."""

    async def answer(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(b"\x00\xffOK 200 thanks\r\n\r\n")
        request.transport.close()
        return web.Response()

    return answer


def endless() -> Behaviour:
    """A body without an end."""

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while request.transport is not None and not request.transport.is_closing():
            await response.write(b"x" * 65_536)
        return response

    return answer
