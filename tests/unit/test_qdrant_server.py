"""A Qdrant server that is not there, is slow, or is something else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict

import pytest
from aiohttp import web
from qdrant_client import AsyncQdrantClient, models

from config.schema import IndexKind, IndexSettings
from memory.errors import IndexUnavailable
from memory.index_ports import KeyIndex
from memory.model import KeyKind
from memory.stores.qdrant_server import open_server_index
from tests.fakes.keys import ANYBODY, NOON, STAMP, key, key_id, near, saying
from tests.fakes.qdrant_http import qdrant

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def settings(url: str, timeout_seconds: float = 5) -> IndexSettings:
    return IndexSettings(kind=IndexKind.SERVER, url=url, timeout_seconds=timeout_seconds)


async def refuse(_request: web.Request) -> web.StreamResponse:
    return web.json_response({"status": {"error": "no"}}, status=500)


async def overload(_request: web.Request) -> web.StreamResponse:
    return web.json_response({"status": {"error": "later"}}, status=429, headers={"Retry-After": "9"})


async def welcome(_request: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>It works!</html>", content_type="text/html")


async def ponder(_request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(30)
    return web.Response()


@pytest.mark.parametrize("answer", [refuse, overload, welcome])
async def test_a_server_that_does_not_serve_is_unavailable(answer: Answer) -> None:
    async with answering(answer) as url:
        with pytest.raises(IndexUnavailable, match=url):
            async with open_server_index(settings(url)):
                pass


async def test_a_slow_server_is_given_up() -> None:
    async with answering(ponder) as url:
        with pytest.raises(IndexUnavailable, match="TimeoutError"):
            async with open_server_index(settings(url, 0.2)):
                pass


async def test_a_missing_server_is_unavailable() -> None:
    with pytest.raises(IndexUnavailable, match="check `index`"):
        async with open_server_index(settings("http://127.0.0.1:9")):
            pass


async def test_two_bots_share_one_index() -> None:
    async with (
        qdrant() as url,
        open_server_index(settings(url)) as first,
        open_server_index(settings(url)) as second,
    ):
        await first.reset(STAMP)
        assert await second.stamp() == STAMP
        await second.put([key("a", dense=(1, 0, 0))])
        assert await first.count(KeyKind.TURN) == 1
        [hits] = await first.search([near(1, 0, 0)], ANYBODY, NOON, 5)
        assert len(hits) == 1


@pytest.mark.parametrize("made_anew", [1, 2, 3])
async def test_what_one_bot_makes_anew_and_fills_the_other_finds_at_once(made_anew: int) -> None:
    """By meaning and by words, whether or not anything but questions has reached it since."""
    async with (
        qdrant() as url,
        open_server_index(settings(url)) as first,
        open_server_index(settings(url)) as second,
    ):
        for number in range(made_anew):
            await first.reset(STAMP)
            await first.put([key(f"k{number}", dense=(1, 0, 0), terms={7: 1.0})])
        expected = [key_id(f"k{made_anew - 1}")]
        for probe in (near(1, 0, 0), saying(7)):
            [hits] = await second.search([probe], ANYBODY, NOON, 5)
            assert [hit.key for hit in hits] == expected
        assert await second.known(KeyKind.TURN, expected) == set(expected)


async def test_while_one_bot_makes_the_index_anew_the_other_searches_it() -> None:
    async def anew(index: KeyIndex) -> None:
        for _ in range(3):
            await index.reset(STAMP)
            await index.put([key("a", dense=(1, 0, 0), terms={7: 1.0})])

    async with (
        qdrant() as url,
        open_server_index(settings(url)) as first,
        open_server_index(settings(url)) as second,
    ):
        async with asyncio.TaskGroup() as group:
            making = group.create_task(anew(first))
            while not making.done():
                found = await second.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 5)
                assert {hit.key for hits in found for hit in hits} <= {key_id("a")}
                await second.idf(KeyKind.TURN, [7])
        assert [len(hits) for hits in await second.search([near(1, 0, 0), saying(7)], ANYBODY, NOON, 5)] == [1, 1]


async def test_a_bot_that_dies_while_it_makes_the_index_anew_leaves_the_old_one() -> None:
    async with qdrant() as url, open_server_index(settings(url)) as index:
        await index.reset(STAMP)
        await index.put([key("a", dense=(1, 0, 0))])
        dying = asyncio.create_task(index.reset(STAMP))
        await asyncio.sleep(0)
        dying.cancel()
        await asyncio.wait({dying})
        async with open_server_index(settings(url)) as after:
            assert await after.stamp() == STAMP
            assert await after.count(KeyKind.TURN) == 1
            await after.reset(STAMP)
            assert await after.count(KeyKind.TURN) == 0


async def test_an_index_of_an_earlier_version_is_read_as_it_is() -> None:
    """Its stamp names no collections: they are those without an ending."""
    async with qdrant() as url, open_server_index(settings(url)) as index:
        await index.reset(STAMP)
        await index.reset(STAMP)
        await index.put([key("a", dense=(1, 0, 0))])
        client = AsyncQdrantClient(url=url, check_compatibility=False)
        noted = models.PointStruct(id=1, vector={}, payload=asdict(STAMP))
        await client.upsert("helpdesk_stamp", [noted])
        await client.close()
        async with open_server_index(settings(url)) as later:
            assert await later.stamp() == STAMP
            assert await later.count(KeyKind.TURN) == 1


async def test_two_bots_that_start_at_the_same_time_find_one_new_index() -> None:
    async def opened(url: str) -> int:
        async with open_server_index(settings(url)) as index:
            return await index.count(KeyKind.TURN)

    async with qdrant() as url:
        assert list(await asyncio.gather(opened(url), opened(url), opened(url))) == [0, 0, 0]


async def test_collections_of_another_prefix_are_left_alone() -> None:
    async with qdrant() as url, open_server_index(settings(url)) as ours:
        await ours.reset(STAMP)
        await ours.put([key("a", dense=(1, 0, 0))])
        async with open_server_index(settings(url).model_copy(update={"prefix": "theirs"})) as theirs:
            await theirs.reset(STAMP)
            assert await theirs.count(KeyKind.TURN) == 0
        assert await ours.count(KeyKind.TURN) == 1
