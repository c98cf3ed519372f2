"""While a crowd is being taken in, answers wait to begin; nobody waits for good."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from handlers.lanes import lanes
from handlers.rush import Rush


async def test_a_few_hold_nothing_up() -> None:
    rush = Rush()
    with ExitStack() as inside:
        for _ in range(3):
            inside.enter_context(rush.one())
        assert await rush.over()


async def test_a_crowd_holds_work_up_until_the_last_of_it_is_in() -> None:
    rush = Rush()
    done: list[str] = []

    async def answer() -> None:
        done.append("answer")

    async with lanes(1, finish_seconds=5, ready=rush.over) as under_way:
        with rush.one():
            with ExitStack() as inside:
                for _ in range(3):
                    inside.enter_context(rush.one())
                under_way.put("a", answer)
                await asyncio.sleep(0.01)
                assert done == []
            # Fewer than a crowd are left, and still it is not over.
            await asyncio.sleep(0.01)
            assert done == []
        await under_way.idle()
    assert done == ["answer"]


async def test_a_rush_that_does_not_end_holds_nothing_up_for_good() -> None:
    rush = Rush()
    with ExitStack() as inside:
        for _ in range(4):
            inside.enter_context(rush.one())
        assert not await rush.over()
    assert await rush.over()


async def test_who_fails_on_the_way_in_is_not_waited_for() -> None:
    rush = Rush()
    with ExitStack() as inside:
        for _ in range(3):
            inside.enter_context(rush.one())
        failing = inside.enter_context(ExitStack())
        failing.enter_context(rush.one())
        failing.__exit__(LookupError, LookupError(), None)
        assert not await rush.over()
    assert await rush.over()
