"""The port `Deliveries`, on every backend: what an outside tracker is still to be told of tickets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.errors import TicketMoved
from memory.model import Turn, turn_id
from memory.remember.segments import cut
from memory.tickets import Draft, State, told_key
from memory.tracker import Delivery, forgetting_id
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

HOUR = timedelta(hours=1)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path, watch: Watch) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, watch, tracked=True) as store:
        yield store


@pytest.fixture(params=BACKENDS)
def untracked(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Store]:
    return opened(request.param, tmp_path, Watch())


def asked(thread: str) -> Turn:
    return turn(1, "VPN", ticket=None, thread=thread)


def change(ticket: str, key: str, status: State = State.WAITING_FOR_SUPPORT, *, thread: str = "T1") -> Turn:
    return turn(f"{ticket}-{key}", "changed", ticket=ticket, thread=thread, minutes=1, status=status)


async def ticket(store: Store, thread: str = "T1") -> str:
    """A new ticket in a thread of its own."""
    message = asked(thread)
    await store.writing.record([message])
    opening = replace(message, message="1-ticket", text="opened")
    return await store.ticket_writing.open(Draft(turn=message.id), opening, "HD")


def opening_id(thread: str = "T1") -> str:
    return turn_id(asked(thread).conversation, "1-ticket")


async def due(store: Store, at: timedelta = timedelta(0), limit: int = 9) -> list[str]:
    return [owed.turn for owed in await store.deliveries.due(NOON + at, limit)]


async def test_opening_and_changing_a_ticket_is_owed_once_each(store: Store) -> None:
    name = await ticket(store)
    await ticket(store)
    taken = change(name, "take")
    await store.ticket_writing.change(name, 1, taken)
    await store.ticket_writing.change(name, 1, taken)
    kept = await store.deliveries.of_ticket("hd-1")
    first = Delivery(turn=opening_id(), conversation=asked("T1").conversation.id, ticket="HD-1", at=NOON, next_at=NOON)
    assert kept == [first, replace(first, turn=taken.id)]
    assert await store.deliveries.listed(1) == [first]


async def test_nothing_is_owed_where_there_is_no_tracker(untracked: AbstractAsyncContextManager[Store]) -> None:
    async with untracked as store:
        name = await ticket(store)
        await store.ticket_writing.change(name, 1, change(name, "take"))
        assert await store.deliveries.listed(9) == []


async def test_what_did_not_change_a_ticket_is_not_owed(store: Store) -> None:
    name = await ticket(store)
    await store.writing.record([turn(2, "still broken", ticket=None, thread="T1", minutes=1)])
    with pytest.raises(TicketMoved):
        await store.ticket_writing.change(name, 7, change(name, "late"))
    assert await due(store) == [opening_id()]


async def test_a_change_that_the_tracker_told_is_not_owed_to_it(store: Store) -> None:
    name = await ticket(store)
    await store.ticket_writing.change(name, 1, change(name, told_key("d1"), State.RESOLVED))
    assert [owed.turn for owed in await store.deliveries.listed(9)] == [opening_id()]


async def test_the_changes_of_a_ticket_come_one_after_the_other(store: Store, watch: Watch) -> None:
    first, second = await ticket(store, "T1"), await ticket(store, "T2")
    taken, other = change(first, "take"), change(second, "take", thread="T2")
    watch.wait(1)
    await store.ticket_writing.change(second, 1, other)
    await store.ticket_writing.change(first, 1, taken)
    assert await due(store, HOUR) == [opening_id("T1"), opening_id("T2")]
    assert await due(store, HOUR, limit=1) == [opening_id("T1")]
    await store.deliveries.told(opening_id("T1"))
    assert await due(store, HOUR) == [opening_id("T2"), taken.id]
    await store.deliveries.told(opening_id("T2"))
    assert await due(store, HOUR) == [other.id, taken.id]


async def test_what_was_tried_in_vain_is_due_later_and_its_ticket_waits_for_it(store: Store) -> None:
    name = await ticket(store)
    await store.ticket_writing.change(name, 1, change(name, "take"))
    await store.deliveries.failed(opening_id(), "HTTP 503", NOON + HOUR)
    assert await due(store) == []
    assert await due(store, HOUR) == [opening_id()]
    await store.deliveries.failed(opening_id(), "no answer", NOON + 2 * HOUR)
    [kept, _] = await store.deliveries.of_ticket(name)
    assert (kept.tries, kept.why, kept.next_at, kept.refused_at) == (2, "no answer", NOON + 2 * HOUR, None)


async def test_what_was_refused_is_kept_and_holds_up_nothing(store: Store) -> None:
    name = await ticket(store)
    taken = change(name, "take")
    await store.ticket_writing.change(name, 1, taken)
    await store.deliveries.refused(opening_id(), "HTTP 422", NOON + HOUR)
    assert await due(store, HOUR) == [taken.id]
    [kept, _] = await store.deliveries.of_ticket(name)
    assert (kept.tries, kept.why, kept.refused_at) == (1, "HTTP 422", NOON + HOUR)
    await store.deliveries.failed(opening_id(), "late", NOON)
    assert (await store.deliveries.of_ticket(name))[0] == kept


async def test_what_was_refused_is_tried_again_where_somebody_says_so(store: Store) -> None:
    name, other = await ticket(store), await ticket(store, "T2")
    await store.deliveries.refused(opening_id(), "HTTP 422", NOON)
    await store.deliveries.refused(opening_id("T2"), "HTTP 422", NOON)
    assert await store.deliveries.again("hd-1", NOON + HOUR) == 1
    assert await store.deliveries.again(name, NOON + HOUR) == 0
    [owed] = await store.deliveries.due(NOON + HOUR, 9)
    assert (owed.turn, owed.tries, owed.why, owed.next_at) == (opening_id(), 0, "", NOON + HOUR)
    assert (await store.deliveries.of_ticket(other))[0].refused_at == NOON


async def test_what_was_refused_long_ago_goes(store: Store) -> None:
    for thread, at in (("T1", NOON), ("T2", NOON + HOUR), ("T3", None)):
        await ticket(store, thread)
        if at is not None:
            await store.deliveries.refused(opening_id(thread), "HTTP 410", at)
    assert await store.deliveries.drop_old(NOON + HOUR) == 1
    assert [owed.turn for owed in await store.deliveries.listed(9)] == [opening_id("T2"), opening_id("T3")]


async def test_an_unknown_delivery_is_no_error(store: Store) -> None:
    await store.deliveries.told("nothing")
    await store.deliveries.failed("nothing", "why", NOON)
    await store.deliveries.refused("nothing", "why", NOON)
    assert await store.deliveries.listed(9) == []


# --- tickets that are forgotten ---------------------------------------------------------------------------------------


def forgotten(ticket: str, thread: str = "T1") -> str:
    return forgetting_id(asked(thread).conversation.id, ticket)


async def owed(store: Store) -> list[tuple[str, bool]]:
    return [(one.ticket, one.forgotten) for one in await store.deliveries.listed(9)]


async def test_that_a_ticket_is_forgotten_is_owed_once_with_the_message_that_it_began_with(
    store: Store, watch: Watch
) -> None:
    """What an agent wrote is left, and goes later."""
    name, other = await ticket(store), await ticket(store, "T2")
    taken = change(name, "take")
    await store.ticket_writing.change(name, 1, taken)
    for one in await store.deliveries.listed(9):
        await store.deliveries.told(one.turn)
    watch.wait(1)
    for id in (asked("T1").id, asked("T1").id, opening_id("T1"), taken.id):
        await store.mailbox.withdraw(id)
    [kept] = await store.deliveries.listed(9)
    at = watch()
    assert kept == Delivery(
        turn=forgotten(name), conversation=asked("T1").conversation.id, ticket=name, at=at, next_at=at
    )
    assert kept.forgotten
    assert await store.deliveries.of_ticket(other) == []


async def test_a_message_that_no_ticket_began_with_may_go_without_a_word(store: Store) -> None:
    name = await ticket(store)
    later = turn(2, "still broken", ticket=None, thread="T1", minutes=1)
    await store.writing.record([later])
    await store.mailbox.withdraw(later.id)
    assert await owed(store) == [(name, False)]


async def test_that_a_ticket_is_past_its_time_is_owed_behind_its_changes(store: Store) -> None:
    name = await ticket(store)
    [episode] = cut(await store.writing.open_run(asked("T1").conversation.id), silence=HOUR, max_tokens=4000)
    await store.writing.store_episodes(episode.conversation.id, [episode])
    await store.writing.mark_flushed([episode])
    assert await store.writing.erase([episode.id]) == 2
    assert await owed(store) == [(name, False), (name, True)]
    assert await due(store) == [opening_id()]
    await store.deliveries.told(opening_id())
    assert await due(store) == [forgotten(name)]


async def test_of_what_is_no_ticket_of_ours_nothing_is_owed(store: Store) -> None:
    imported = turn(1, "printer", thread="INC-9", ticket="INC-9", status="open")
    await store.writing.record([imported])
    await store.mailbox.withdraw(imported.id)
    assert await owed(store) == []


async def test_nothing_is_owed_of_a_forgotten_ticket_where_there_is_no_tracker(
    untracked: AbstractAsyncContextManager[Store],
) -> None:
    async with untracked as store:
        await ticket(store)
        await store.mailbox.withdraw(asked("T1").id)
        assert await store.deliveries.listed(9) == []
