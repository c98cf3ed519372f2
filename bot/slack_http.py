"""Slack's signed requests (HTTP): events, what people press and the commands they type, all at one path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

log = structlog.get_logger()

PATH = "/slack/events"
#: What the kit answers where no listener takes a request.
_UNHEARD = 404

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
        if bolt_request is None or not _is_readable(bolt_request.body):
            return _refused(400, "unreadable")
        done = await bolt.async_dispatch(bolt_request)
        # What no listener is for is none of the bot's business; Slack would tell it again.
        return web.Response() if done.status == _UNHEARD else await to_aiohttp_response(done)

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


def _is_readable(body: Mapping[str, Any]) -> bool:
    """Whether the kit finds what it looks for, of the type that it takes for granted."""
    type_ = body.get("type")
    if type_ is None:
        return any(isinstance(body.get(name), str) for name in ("command", "ssl_check"))
    match type_:
        case "event_callback":
            return _has_words(body.get("event"), "type")
        case "block_actions":
            actions = body.get("actions")
            return isinstance(actions, list) and bool(actions) and all(_has_words(one, "action_id") for one in actions)
        case "view_submission" | "view_closed":
            return _has_words(body.get("view"), "callback_id")
        case _:
            return isinstance(type_, str) and isinstance(body.get("callback_id", ""), str)


def _has_words(part: object, name: str) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get(name), str)


def _refused(status: int, why: str) -> web.Response:
    log.warning("slack_request_refused", status=status, why=why)
    return web.json_response({"error": why}, status=status)
