"""Slack's signed requests (HTTP): events, what people press and the commands they type, all at one path."""

from __future__ import annotations

import re

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

log = structlog.get_logger()

PATH = "/slack/events"

_TIME = re.compile(r"[0-9]{1,12}")
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")


def events_route(bolt: AsyncApp, secret: str) -> web.RouteDef:
    """Where Slack posts. 200: it is on the disk; 401: not signed by Slack within five minutes; 400: not readable; 413:
    too large; 500: not taken, so that Slack tells it again."""
    verifier = SignatureVerifier(secret)

    async def hear(request: web.Request) -> web.StreamResponse:
        try:
            body = await request.text()
        except (UnicodeDecodeError, LookupError):
            return _refused(400, "unreadable")
        # Before anything is parsed: the parsers see only what Slack wrote. The app proves it once more.
        if not _is_signed(request, body, verifier):
            return _refused(401, "unsigned")
        bolt_request = await _parsed(request)
        if bolt_request is None:
            return _refused(400, "unreadable")
        return await to_aiohttp_response(await bolt.async_dispatch(bolt_request))

    return web.post(PATH, hear)


def _is_signed(request: web.Request, body: str, verifier: SignatureVerifier) -> bool:
    """The kit's verifier takes only headers of the right shape; it raises for others."""
    time, signature = (request.headers.get(f"X-Slack-{name}", "") for name in ("Request-Timestamp", "Signature"))
    if not _TIME.fullmatch(time) or not _SIGNATURE.fullmatch(signature):
        return False
    return verifier.is_valid(body, time, signature)


async def _parsed(request: web.Request) -> AsyncBoltRequest | None:
    """None where it is no JSON, or none of the shape that the kit reads."""
    try:
        return await to_bolt_request(request)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
        return None


def _refused(status: int, why: str) -> web.Response:
    log.warning("slack_request_refused", status=status, why=why)
    return web.json_response({"error": why}, status=status)
