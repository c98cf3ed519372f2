"""Lanes: in order within one, side by side across them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from structlog.testing import capture_logs

from handlers.claims import Claims
from handlers.lanes import Lanes, Work, lanes
from handlers.turn_lanes import TurnLanes
from memory.stores.in_memory_mailbox import InMemoryMailbox
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.turns import NOON, turn


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


def nobody_else() -> tuple[InMemoryMailbox, Claims]:
    """No other process, and nothing that is owed."""
    return parts_of(InMemoryStore(clock=clock), "here")


def parts_of(store: InMemoryStore, holder: str) -> tuple[InMemoryMailbox, Claims]:
    return store.mailbox, Claims(store.leases, clock, holder)


def clock() -> datetime:
    return NOON


async def done_in(under_way: Lanes, work: Work) -> None:
    """In a lane of its own."""
    done = asyncio.Event()

    async def told() -> None:
        await work()
        done.set()

    under_way.put("other", told)
    await done.wait()


async def failing() -> None:
    raise LookupError("a word of a message")


async def test_what_waits_behind_work_that_fails_is_done_and_the_log_has_no_word_of_it() -> None:
    said: list[str] = []
    with capture_logs() as logged:
        async with lanes(1, finish_seconds=5) as under_way:
            under_way.put("a", failing)
            under_way.put("a", saying(said, "next"))
            await under_way.idle()
    assert said == ["next"]
    [entry] = logged
    assert (entry["event"], entry["error"]) == ("lane_work_failed", "LookupError")
    assert "word" not in str(entry)


async def test_a_turn_whose_work_failed_or_was_dropped_may_be_taken_up_again() -> None:
    said: list[str] = []
    first, second = turn("first"), turn("second")
    async with lanes(1, finish_seconds=5) as under_way:
        turns = TurnLanes(under_way, *nobody_else())
        turns.put(first, failing)
        await under_way.idle()
        assert not turns.holds(first.id)
        turns.put(first, saying(said, "first", asyncio.Event()))
        turns.put(second, saying(said, "second"))
        assert turns.holds(second.id)
        await asyncio.sleep(0)
        await under_way.stop(0)
        assert (turns.holds(first.id), turns.holds(second.id)) == (False, False)
        turns.put(second, saying(said, "second"))
        await under_way.idle()
    assert said == ["second"]


async def test_what_was_said_before_and_another_process_is_to_answer_comes_first() -> None:
    said: list[str] = []
    store, first, second = InMemoryStore(clock=clock), turn(1), turn(2, minutes=1)
    for each in (first, second):
        await store.mailbox.receive(each)

    async def answer() -> None:
        said.append("first")
        await store.mailbox.replied(first.id)

    async with lanes(1, finish_seconds=5) as here, lanes(1, finish_seconds=5) as there:
        TurnLanes(here, *parts_of(store, "here")).put(second, saying(said, "second"))
        await asyncio.sleep(0)
        # Who waits for another process keeps no other conversation waiting.
        await done_in(here, saying(said, "other"))
        TurnLanes(there, *parts_of(store, "there")).put(first, answer)
        await here.idle()
    assert said == ["other", "first", "second"]


async def test_what_failed_here_keeps_the_next_one_waiting_only_while_another_process_is_at_it() -> None:
    said: list[str] = []
    store, first, second = InMemoryStore(clock=clock), turn(1), turn(2, minutes=1)
    for each in (first, second):
        await store.mailbox.receive(each)
    async with lanes(1, finish_seconds=5) as here:
        turns = TurnLanes(here, *parts_of(store, "here"))
        turns.put(first, failing)
        async with Claims(store.leases, clock, "there").claimed(first.id):
            turns.put(second, saying(said, "second"))
            await done_in(here, saying(said, "other"))
            assert turns.holds(second.id)
        await here.idle()
        assert not turns.holds(second.id)
    assert said == ["other", "second"]
    assert await store.mailbox.waits(first.id)


async def test_who_waits_for_another_process_when_the_lanes_end_leaves_it_owed() -> None:
    said: list[str] = []
    store, second = InMemoryStore(clock=clock), turn(2, minutes=1)
    for each in (turn(1), second):
        await store.mailbox.receive(each)
    async with lanes(1, finish_seconds=5) as here:
        turns = TurnLanes(here, *parts_of(store, "here"))
        turns.put(second, saying(said, "second"))
    assert (said, turns.holds(second.id)) == ([], False)
    assert await store.mailbox.waits(second.id)


async def test_who_only_waits_for_somebody_else_leaves_the_place_to_another_lane_and_not_to_its_own() -> None:
    said: list[str] = []
    go = asyncio.Event()
    async with lanes(1, finish_seconds=5) as under_way:

        async def waiting() -> None:
            under_way.leave("a")
            under_way.leave("a")
            await go.wait()
            said.append("a")

        under_way.put("a", waiting)
        under_way.put("a", saying(said, "after a"))
        under_way.put("b", saying(said, "b"))
        others = asyncio.Event()

        async def last() -> None:
            others.set()

        under_way.put("c", last)
        await others.wait()
        assert said == ["b"]
        go.set()
        await under_way.idle()
    assert said == ["b", "a", "after a"]


async def test_a_place_that_was_left_is_one_place_still() -> None:
    """Whoever left it twice, or left it and ended, has not made two of it."""
    under_way_at_once = most = 0
    async with lanes(1, finish_seconds=5) as under_way:

        async def work() -> None:
            nonlocal under_way_at_once, most
            under_way_at_once += 1
            most = max(most, under_way_at_once)
            await asyncio.sleep(0)
            under_way_at_once -= 1

        async def leaving() -> None:
            under_way.leave("left")
            under_way.leave("left")

        under_way.put("left", leaving)
        await under_way.idle()
        for number in range(3):
            under_way.put(str(number), work)
        await under_way.idle()
    assert most == 1


async def test_a_pause_is_over_at_once_when_the_lanes_end() -> None:
    passed: list[bool] = []
    once = asyncio.Event()
    async with lanes(1, finish_seconds=5) as under_way:

        async def work() -> None:
            passed.append(await under_way.pause(0.001))
            once.set()
            passed.append(await under_way.pause(3600))

        under_way.put("a", work)
        await once.wait()
    assert passed == [True, False]
