"""The embedding endpoint over real HTTP, with a server that behaves well and badly."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from bot.embeddings import ModelEncoder, open_encoder
from config.schema import EmbeddingSettings, EncoderKind
from memory.errors import EncoderUnavailable
from tests.fakes.llm_server import (
    Behaviour,
    Body,
    LlmServer,
    garbage,
    raw,
    resets,
    serving,
    slow,
    status,
    vector_of,
    vectors,
)


@asynccontextmanager
async def talking(**settings: Any) -> AsyncIterator[tuple[LlmServer, ModelEncoder]]:
    async with serving() as server:
        chosen = {"kind": EncoderKind.ENDPOINT, "model": "small", "base_url": server.base_url, **settings}
        async with open_encoder(EmbeddingSettings.model_validate(chosen)) as encoder:
            yield server, encoder


def rows(*embeddings: tuple[int, Any]) -> Behaviour:
    return raw({"object": "list", "data": [{"index": index, "embedding": numbers} for index, numbers in embeddings]})


async def test_the_prefixes_and_the_key_are_sent() -> None:
    async with talking(query_prefix="q: ", passage_prefix="p: ", api_key="secret") as (server, encoder):
        question = await encoder.question("VPN")
        await encoder.passages(["a", "b"])
    assert [asked.body["input"] for asked in server.embeddings.asked] == [["q: VPN"], ["p: a", "p: b"]]
    assert [asked.body["model"] for asked in server.embeddings.asked] == ["small", "small"]
    assert server.embeddings.asked[0].headers["Authorization"] == "Bearer secret"
    assert question.tolist() == pytest.approx(vector_of("q: VPN", 8).tolist(), abs=1e-6)


async def test_rows_are_put_into_the_order_of_the_texts() -> None:
    async with talking() as (server, encoder):
        server.embeddings.script(rows((1, [0, 2]), (0, [3, 0])))
        assert (await encoder.passages(["a", "b"])).tolist() == [[1, 0], [0, 1]]


async def test_base64_is_read_although_numbers_were_asked_for() -> None:
    packed = base64.b64encode(np.array([0, 5], dtype="<f4").tobytes()).decode()
    async with talking() as (server, encoder):
        server.embeddings.script(rows((0, packed)))
        assert (await encoder.question("a")).tolist() == [0, 1]


@pytest.mark.parametrize(
    "behaviour",
    [
        garbage(),
        garbage("text/html"),
        raw({"data": []}),
        raw({"choices": []}),
        raw([1, 2]),
        rows((0, [1, 0])),
        rows((0, [1, 0]), (0, [0, 1])),
        rows((0, [1, 0]), (1, [0, 1]), (2, [1, 1])),
        rows((0, [1, 0]), (1, [0, 1, 0])),
        rows((0, [1, 0]), (1, [])),
        rows((0, "?"), (1, "?")),
        rows((0, "QUJD"), (1, "QUJD")),
        rows((0, [1, 0]), (1, [0, 0])),
    ],
)
async def test_a_reply_without_one_vector_for_each_text_is_refused(behaviour: Behaviour) -> None:
    async with talking() as (server, encoder):
        server.embeddings.always = behaviour
        with pytest.raises(EncoderUnavailable, match="embeddings"):
            await encoder.passages(["a", "b"])


async def test_an_overloaded_server_is_asked_again() -> None:
    async with talking() as (server, encoder):
        server.embeddings.script(status(429, retry_after=0.01), resets())
        await encoder.question("a")
    assert len(server.embeddings.asked) == 3


@pytest.mark.parametrize("code", [401, 404, 400])
async def test_a_refusal_is_named_and_not_repeated(code: int) -> None:
    async with talking() as (server, encoder):
        server.embeddings.always = status(code)
        with pytest.raises(EncoderUnavailable, match=f"HTTP {code}"):
            await encoder.question("a")
    assert len(server.embeddings.asked) == 1


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    async with talking(base_url="http://127.0.0.1:9/v1", timeout_seconds=5) as (_, encoder):
        with pytest.raises(EncoderUnavailable, match="cannot be reached"):
            await encoder.question("a")


async def test_a_server_that_takes_too_long_is_given_up() -> None:
    async with talking(timeout_seconds=0.2) as (server, encoder):
        server.embeddings.always = slow(30, vectors(8))
        with pytest.raises(EncoderUnavailable, match=r"0\.2 s"):
            await encoder.question("a")


async def test_a_server_that_refuses_long_texts_gets_their_beginnings() -> None:
    async def short_only(request: web.Request, body: Body) -> web.StreamResponse:
        if max(map(len, body["input"])) > 500:
            return await status(400, message="input is too large")(request, body)
        return await vectors(8)(request, body)

    async with talking(passage_prefix="") as (server, encoder):
        server.embeddings.always = short_only
        found = await encoder.passages(["x" * 900, "short"])
    assert found[0].tolist() == pytest.approx(vector_of("x" * 400, 8).tolist(), abs=1e-6)
    assert found[1].tolist() == pytest.approx(vector_of("short", 8).tolist(), abs=1e-6)
