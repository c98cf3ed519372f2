"""The bot's web server: whether it is well, its numbers, and the paths on which chat platforms call it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

import structlog
from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.log import server_logger

from bot.application import Application
from bot.health import Checkup
from config.web import WebSettings
from memory.errors import WebUnavailable

log = structlog.get_logger()

#: What platforms send is far smaller.
_LARGEST_BODY = 1_000_000
#: How long one request may take, its body included; a platform waits for three seconds.
_SECONDS = 30.0
#: How long a connection without a request is kept; longer than proxies reuse one.
_IDLE_SECONDS = 75.0
#: How long requests under way may take when the process is told to end.
_FINISH_SECONDS = 10.0
#: What is asked of the mailbox to see whether it answers: no turn has this id.
_NO_TURN = ""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def web_serving(
    settings: WebSettings, app: Application, routes: Sequence[web.RouteDef] = ()
) -> AsyncIterator[str]:
    """The server with its own pages and these routes, while the context is open; its address is given. Requests that
    are under way at the end are let finish. Raises WebUnavailable."""
    site = web.Application(client_max_size=_LARGEST_BODY, middlewares=[_one_after_another, _within_time, _as_it_is])
    site.add_routes([*_pages(app), *routes])
    runner = web.AppRunner(
        site,
        access_log=None,
        logger=_Plain(server_logger),
        auto_decompress=False,
        shutdown_timeout=_FINISH_SECONDS,
        keepalive_timeout=_IDLE_SECONDS,
    )
    await runner.setup()
    try:
        yield await _listening(runner, settings)
    finally:
        await runner.cleanup()


async def _listening(runner: web.AppRunner, settings: WebSettings) -> str:
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as error:
        raise WebUnavailable(
            f"The web server cannot listen on {settings.host}:{settings.port} ({error.strerror or error}); "
            "end the program that has this port, or set another `web.host` or `web.port`."
        ) from error
    host, port = runner.addresses[0][:2]
    log.info("web_listening", host=host, port=port)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@web.middleware
async def _one_after_another(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """A request that is answered before its body was read whole is the last one on its connection: nobody could tell
    where the next one begins, and whoever sends it would wait in vain."""
    try:
        answer = await handler(request)
    except web.HTTPException as refusal:
        _end_if_unread(request, refusal)
        raise
    _end_if_unread(request, answer)
    return answer


def _end_if_unread(request: web.Request, answer: web.StreamResponse) -> None:
    if request.content.is_eof():
        return
    answer.force_close()
    if request.content.exception() is not None:
        # There is no more of it to read; the web server would try, and log a failure of its own.
        request.content.feed_eof()


@web.middleware
async def _within_time(request: web.Request, handler: _Handler) -> web.StreamResponse:
    try:
        async with asyncio.timeout(_SECONDS):
            return await handler(request)
    except (BadHttpMessage, ConnectionError, web.RequestPayloadError):
        if request.content.exception() is None:
            # Of a connection that the handler itself had to somewhere.
            raise
        # Broken on its way, or cut off; whoever has gone does not hear the answer.
        log.warning("web_request_unreadable", method=request.method, path=_known_path(request))
        return web.Response(status=400, text="The request cannot be read.\n")
    except TimeoutError:
        log.warning("web_request_too_slow", method=request.method, path=_known_path(request))
        return web.Response(status=503, text="It took too long; please try again.\n")


@web.middleware
async def _as_it_is(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """No platform packs what it sends. A packed body could be anything once it is unpacked, and of any size."""
    if request.headers.get("Content-Encoding", "identity").strip().lower() == "identity":
        return await handler(request)
    log.warning("web_request_packed", method=request.method, path=_known_path(request))
    return web.Response(status=400, text="The body is packed; please send it without a Content-Encoding.\n")


class _Plain(logging.LoggerAdapter[logging.Logger]):
    """What the web server itself says. What is no HTTP is no error of this program: a line, and no trace."""

    def exception(self, msg: object, *args: object, exc_info: Any = True, **kwargs: Any) -> None:
        if isinstance(exc_info, BadHttpMessage):
            log.warning("web_request_unreadable", method=None, path=None)
        else:
            super().exception(msg, *args, exc_info=exc_info, **kwargs)


def _known_path(request: web.Request) -> str | None:
    """The path as it was declared: what a stranger put into an address is not logged."""
    resource = request.match_info.route.resource
    return resource.canonical if resource is not None else None


def _pages(app: Application) -> list[web.RouteDef]:
    checkup = Checkup({"store": lambda: app.store.mailbox.waits(_NO_TURN), "index": app.index.stamp}, app.health)

    async def alive(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def ready(_: web.Request) -> web.Response:
        parts = await checkup.conditions()
        well = all(part.ok for part in parts.values())
        # What is not as it ought to be, and keeps nobody from being served.
        degraded = well and any(part.why for part in parts.values())
        shown = {"ready": well, "degraded": degraded, "parts": {name: asdict(part) for name, part in parts.items()}}
        return web.json_response(shown, status=200 if well else 503)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=app.metrics.text(), headers={"Content-Type": app.metrics.content_type})

    return [web.get("/healthz", alive), web.get("/readyz", ready), web.get("/metrics", metrics)]
