"""Lanes: in order within one, side by side across them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from handlers.lanes import lanes


def saying(said: list[str], word: str, go: asyncio.Event | None = None) -> Callable[[], Awaitable[None]]:
    async def work() -> None:
        if go is not None:
            await go.wait()
        said.append(word)

    return work


async def test_what_was_said_first_comes_first_though_it_was_told_last() -> None:
    said: list[str] = []
    go = asyncio.Event()
    async with lanes(2, finish_seconds=5) as under_way:
        under_way.put("a", saying(said, "first", go), 1.0)
        await asyncio.sleep(0)
        for word, order in (("fourth", 4.0), ("second", 2.0), ("third", 3.0), ("fourth too", 4.0)):
            under_way.put("a", saying(said, word), order)
        go.set()
        await under_way.idle()
    assert said == ["first", "second", "third", "fourth", "fourth too"]


async def test_what_has_no_order_is_done_as_it_came() -> None:
    said: list[str] = []
    async with lanes(1, finish_seconds=5) as under_way:
        for word in ("one", "two", "three"):
            under_way.put("a", saying(said, word))
        await under_way.idle()
    assert said == ["one", "two", "three"]


async def test_which_is_first_is_settled_when_there_is_a_place_for_it() -> None:
    said: list[str] = []
    go = asyncio.Event()
    async with lanes(1, finish_seconds=5) as under_way:
        under_way.put("busy", saying(said, "busy", go))
        await asyncio.sleep(0)
        under_way.put("a", saying(said, "second"), 2.0)
        await asyncio.sleep(0)
        under_way.put("a", saying(said, "first"), 1.0)
        go.set()
        await under_way.idle()
    assert said == ["busy", "first", "second"]
