"""A real HTTP server that speaks /v1/chat/completions and /v1/embeddings, with scripted behaviours.

    async with serving() as server:
        server.chat.script(status(429, retry_after=0.01), says({"answer": "yes"}))
        ...  # talk to server.base_url
        assert server.chat.asked[0].body["model"] == "small"

A behaviour answers one request. Scripted ones are used up in order; then `always` holds. A request that nobody
scripted gets 501 and is counted in `unscripted`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from aiohttp import web

Body = Mapping[str, Any]
Content = str | Mapping[str, Any] | list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came in."""

    body: Body
    headers: Mapping[str, str]

    @property
    def rung(self) -> str:
        """The kind of `response_format` that was asked for; `text` when there was none."""
        return str(self.body.get("response_format", {}).get("type", "text"))

    @property
    def messages(self) -> list[tuple[str, str]]:
        """(role, text) of each chat message."""
        return [(message["role"], message["content"]) for message in self.body["messages"]]


#: Answers one request; may take its time, and may raise what aiohttp turns into a status.
Behaviour = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]


async def unscripted(_request: web.Request, _body: Body) -> web.StreamResponse:
    return web.json_response({"error": {"message": "nobody scripted this request"}}, status=501)


@dataclass(slots=True)
class Script:
    """What one path will answer, and what it was asked."""

    always: Behaviour = unscripted
    asked: list[Asked] = field(default_factory=list)
    unscripted: int = 0
    under_way: int = 0
    most_at_once: int = 0
    _next: deque[Behaviour] = field(default_factory=deque)

    def script(self, *behaviours: Behaviour) -> None:
        self._next.extend(behaviours)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(Asked(body=body, headers=dict(request.headers)))
        behaviour = self._next.popleft() if self._next else self.always
        self.unscripted += behaviour is unscripted
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        try:
            return await behaviour(request, body)
        finally:
            self.under_way -= 1


@dataclass(slots=True)
class LlmServer:
    """The two paths of a running server, and where it is."""

    base_url: str
    chat: Script
    embeddings: Script


@asynccontextmanager
async def serving(vector_size: int = 8) -> AsyncIterator[LlmServer]:
    """A server on a free port of this machine; embeddings work unscripted, chat does not."""
    chat, embeddings = Script(), Script(always=vectors(vector_size))
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", chat.answer)
    app.router.add_post("/v1/embeddings", embeddings.answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    try:
        await site.start()
        port = runner.addresses[0][1]
        yield LlmServer(base_url=f"http://127.0.0.1:{port}/v1", chat=chat, embeddings=embeddings)
    finally:
        await runner.cleanup()


# --- chat -------------------------------------------------------------------------------------------------------------

#: What `usage` says unless a test says otherwise: 100 prompt tokens, 40 of them cached, 20 written.
USAGE: Mapping[str, Any] = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
}


def says(content: Content, *, finish: str = "stop", usage: Mapping[str, Any] | None = USAGE) -> Behaviour:
    """A proper completion; anything but a string is written as JSON. `usage=None` leaves usage out."""

    async def answer(_request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response(completion(content, body, finish, usage))

    return answer


def computes(reply: Callable[[Body], Content]) -> Behaviour:
    """A proper completion whose content depends on the request: for calls whose order is not known."""

    async def answer(_request: web.Request, body: Body) -> web.StreamResponse:
        return web.json_response(completion(reply(body), body, "stop", USAGE))

    return answer


def truncated(content: str) -> Behaviour:
    """A reply that hit the limit of its length: what was written so far, and `finish_reason: length`."""
    return says(content, finish="length")


def echoes_schema() -> Behaviour:
    """Small models do this: the reply is the JSON schema itself, or a made-up one where none was sent."""

    def echo(body: Body) -> Content:
        sent = body.get("response_format", {}).get("json_schema", {}).get("schema")
        return dict(sent or {"type": "object", "title": "Reply", "properties": {"answer": {"type": "string"}}})

    return computes(echo)


def refuses_schema(then: Behaviour) -> Behaviour:
    """400 for `json_schema`; everything else is answered by `then`."""
    return _refuses({"json_schema"}, then)


def refuses_json(then: Behaviour) -> Behaviour:
    """400 for every `response_format` but plain text."""
    return _refuses({"json_schema", "json_object"}, then)


def _refuses(kinds: set[str], then: Behaviour) -> Behaviour:
    async def answer(request: web.Request, body: Body) -> web.StreamResponse:
        kind = body.get("response_format", {}).get("type", "text")
        if kind not in kinds:
            return await then(request, body)
        words = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
        problem = {"message": words, "type": "invalid_request_error", "param": "response_format", "code": None}
        return web.json_response({"error": problem}, status=400)

    return answer


def completion(content: Content, body: Body, finish: str, usage: Mapping[str, Any] | None) -> dict[str, Any]:
    """The JSON of a chat completion."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    message = {"role": "assistant", "content": text}
    whole: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_750_000_000,
        "model": body.get("model", "?"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return whole if usage is None else {**whole, "usage": dict(usage)}


# --- either path ------------------------------------------------------------------------------------------------------


def slow(seconds: float, then: Behaviour) -> Behaviour:
    """`then`, after a wait."""

    async def answer(request: web.Request, body: Body) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await then(request, body)

    return answer


def meets(barrier: asyncio.Barrier, then: Behaviour) -> Behaviour:
    """`then`, once as many requests are under way as the barrier has parties: for overlap without watching a clock."""

    async def answer(request: web.Request, body: Body) -> web.StreamResponse:
        await barrier.wait()
        return await then(request, body)

    return answer


def status(code: int, *, retry_after: float | None = None, message: str = "scripted") -> Behaviour:
    """An error with an OpenAI-like body; `retry_after` is in seconds."""

    async def answer(_request: web.Request, _body: Body) -> web.StreamResponse:
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        problem = {"message": message, "type": "scripted", "param": None, "code": None}
        return web.json_response({"error": problem}, status=code, headers=headers)

    return answer


def garbage(content_type: str = "application/json") -> Behaviour:
    """200 with bytes that are nothing."""

    async def answer(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(body=b'\x00\xff\xfe{"choices":\x80[', content_type=content_type)

    return answer


def raw(payload: Any) -> Behaviour:
    """200 with this JSON, whatever it is: for completions without choices and the like."""

    async def answer(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.json_response(payload)

    return answer


def resets() -> Behaviour:
    """The connection breaks before a byte is answered."""

    async def answer(request: web.Request, _body: Body) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    return answer


# --- embeddings -------------------------------------------------------------------------------------------------------


def vectors(size: int) -> Behaviour:
    """For each input its vector; with `encoding_format: base64` as the openai client asks for it."""

    async def answer(_request: web.Request, body: Body) -> web.StreamResponse:
        texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
        packed = body.get("encoding_format") == "base64"
        rows = [
            {"object": "embedding", "index": place, "embedding": _written(vector_of(text, size), packed)}
            for place, text in enumerate(texts)
        ]
        used = sum(len(text) for text in texts)
        usage = {"prompt_tokens": used, "total_tokens": used}
        return web.json_response({"object": "list", "model": body.get("model"), "data": rows, "usage": usage})

    return answer


def vector_of(text: str, size: int) -> npt.NDArray[np.float32]:
    """A unit vector that depends on the text alone: the same in every process; shape (size,)."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(size)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def _written(vector: npt.NDArray[np.float32], packed: bool) -> str | list[float]:
    return base64.b64encode(vector.tobytes()).decode() if packed else [float(value) for value in vector]
