"""The port `Mailbox`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model import Viewer
from tests.fakes.facts import fact, link
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, note, opened, retry

LATER = NOON + timedelta(days=1)
SATO = Viewer(user="sato")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def test_a_received_turn_is_recorded_and_waits_for_a_reply(store: Store) -> None:
    asked = turn(1, "The VPN is down")
    assert (await store.mailbox.receive(asked)).new == 1
    assert await store.reading.turns([asked.id], SATO, LATER) == [asked]
    assert await store.mailbox.waits(asked.id)


async def test_a_recorded_turn_waits_for_nothing(store: Store) -> None:
    await store.writing.record([turn(1)])
    assert not await store.mailbox.waits(turn(1).id)
    assert not await store.mailbox.waits("of nobody")
    assert await store.mailbox.waiting("import", 10) == []


async def test_a_turn_that_was_replied_to_waits_no_longer(store: Store) -> None:
    await store.mailbox.receive(turn(1))
    await store.mailbox.replied(turn(1).id)
    await store.mailbox.replied(turn(1).id)
    assert not await store.mailbox.waits(turn(1).id)
    assert await store.mailbox.waiting("import", 10) == []


async def test_a_repeat_and_an_edit_owe_no_second_reply(store: Store) -> None:
    await store.mailbox.receive(turn(1))
    assert (await store.mailbox.receive(turn(1))).repeated == 1
    await store.mailbox.replied(turn(1).id)
    assert (await store.mailbox.receive(turn(1, "edited"))).revised == 1
    assert not await store.mailbox.waits(turn(1).id)


@pytest.mark.parametrize("told", ["hello", "hello, as it was first"])
async def test_what_was_only_overheard_is_owed_a_reply_once_it_is_told_as_addressed(store: Store, told: str) -> None:
    """A thread was read, or a message was told, before it was known for whom it is."""
    overheard = turn(1)
    await store.writing.record([overheard])
    again = await store.mailbox.receive(turn(1, told))
    assert (again.new, again.called, again.repeated + again.revised) == (0, 1, 1)
    assert [one.turn for one in await store.mailbox.waiting("import", 10)] == [overheard.id]
    assert (await store.mailbox.receive(turn(1, told))).called == 0
    await store.mailbox.replied(overheard.id)
    assert (await store.mailbox.receive(overheard)).called == 0
    await store.writing.record([overheard])
    assert not await store.mailbox.waits(overheard.id)


async def test_a_new_turn_was_never_told_before(store: Store) -> None:
    first = await store.mailbox.receive(turn(1))
    assert (first.new, first.called) == (1, 0)
    await store.writing.record([turn(1)])
    assert await store.mailbox.waits(turn(1).id)


async def test_a_refused_turn_is_kept_and_owed_nothing_however_often_it_is_told(store: Store) -> None:
    asked = turn(1)
    assert (await store.mailbox.refuse(asked)).new == 1
    assert await store.reading.turns([asked.id], SATO, LATER) == [asked]
    again = await store.mailbox.receive(asked)
    assert (again.new, again.called) == (0, 0)
    assert (await store.mailbox.receive(turn(1, "edited"))).called == 0
    assert not await store.mailbox.waits(asked.id)
    assert await store.mailbox.waiting("import", 10) == []


async def test_what_was_only_overheard_is_refused_once(store: Store) -> None:
    await store.writing.record([turn(1)])
    assert [(await store.mailbox.refuse(turn(1))).called for _ in range(2)] == [1, 0]
    assert (await store.mailbox.receive(turn(1))).called == 0
    assert not await store.mailbox.waits(turn(1).id)


@pytest.mark.parametrize("given", [False, True])
async def test_what_was_taken_is_not_refused_any_more(store: Store, given: bool) -> None:
    await store.mailbox.receive(turn(1))
    if given:
        await store.mailbox.replied(turn(1).id)
    refused = await store.mailbox.refuse(turn(1))
    assert (refused.new, refused.called) == (0, 0)
    assert await store.mailbox.waits(turn(1).id) is not given


@pytest.mark.parametrize("overheard", [False, True])
async def test_of_many_deliveries_at_once_one_is_the_first(store: Store, overheard: bool) -> None:
    if overheard:
        await store.writing.record([turn(1)])
    outcomes = await asyncio.gather(*(store.mailbox.receive(turn(1)) for _ in range(8)))
    assert sum(outcome.new + outcome.called for outcome in outcomes) == 1
    assert len(await store.mailbox.waiting("import", 10)) == 1


async def test_what_is_overheard_and_told_as_addressed_at_once_is_owed_a_reply(store: Store) -> None:
    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(store.writing.record([turn(number)]))
            group.create_task(store.mailbox.receive(turn(number)))
            group.create_task(store.writing.record([turn(number)]))
    assert len(await store.mailbox.waiting("import", 10)) == 8


async def test_what_waits_comes_in_the_order_of_recording_and_by_platform(store: Store) -> None:
    other = turn(3)
    other = replace(other, conversation=replace(other.conversation, platform="slack"))
    for each in (turn(2, minutes=5), turn(1, minutes=0), other):
        await store.mailbox.receive(each)
    waiting = await store.mailbox.waiting("import", 10)
    assert [each.turn for each in waiting] == [turn(2).id, turn(1).id]
    assert (waiting[0].author, waiting[0].conversation) == ("sato", turn(2).conversation)
    assert [each.turn for each in await store.mailbox.waiting("import", 1)] == [turn(2).id]
    assert await store.mailbox.waiting("import", 0) == []


async def test_what_is_owed_before_a_turn_is_of_its_conversation_and_was_said_before_it(store: Store) -> None:
    elsewhere = turn(9, thread="INC-2")
    for each in (turn(3, minutes=2), turn(2, minutes=1), turn(1), turn(4, minutes=3), elsewhere):
        await store.mailbox.receive(each)
    await store.writing.record([turn(5, minutes=1)])
    assert await store.mailbox.owed_before(turn(3, minutes=2), 10) == [turn(1).id, turn(2).id]
    assert await store.mailbox.owed_before(turn(3, minutes=2), 1) == [turn(1).id]
    await store.mailbox.replied(turn(1).id)
    assert await store.mailbox.owed_before(turn(3, minutes=2), 10) == [turn(2).id]
    assert await store.mailbox.owed_before(turn(2, minutes=1), 10) == []


async def test_a_conversation_is_engaged_from_the_first_turn_on_that_was_addressed(store: Store) -> None:
    place, call = turn(1).conversation.id, turn(2, minutes=1)
    await store.writing.record([turn(1)])
    assert not await store.mailbox.engaged(place, LATER)
    await store.mailbox.receive(call)
    for _ in range(2):
        assert not await store.mailbox.engaged(place, call.said_at)
        assert await store.mailbox.engaged(place, turn(3, minutes=2).said_at)
        await store.mailbox.replied(call.id)
    assert not await store.mailbox.engaged(turn(1, thread="INC-2").conversation.id, LATER)


async def test_a_refused_turn_engages_nobody(store: Store) -> None:
    await store.mailbox.refuse(turn(1))
    assert not await store.mailbox.engaged(turn(1).conversation.id, LATER)


async def test_a_withdrawn_turn_is_gone_with_all_that_was_made_from_it(store: Store) -> None:
    said = [turn(1, "kept"), turn(2, "secret", minutes=1)]
    whole, other = episode("e", said), episode("o", [turn(1, thread="INC-2", ticket="INC-2")])
    await flushed(store, whole, other)
    await store.writing.record([turn(2, "secret, edited", minutes=1)])
    await store.writing.store_note(note("e"))
    await store.writing.store_retry(retry("e"))
    await store.fact_writing.store_facts("e", [fact([said[1]], "secret", episode="e")], NOON)
    await store.fact_writing.store_links("e", [link("e", "o")])

    assert await store.mailbox.withdraw(said[1].id) == ["e"]

    assert [each.text for each in await store.reading.named("INC-1", SATO, LATER)] == ["kept"]
    assert await store.reading.notes(["e"], SATO) == {}
    counts = await store.writing.counts()
    assert (counts["turns"], counts["episodes"], counts["notes"], counts["retries"]) == (2, 1, 0, 0)
    assert await store.fact_writing.counts() == {"facts": 0, "events": 0, "links": 0, "undos": 0}
    # The rest is cut and enriched again.
    assert [each.text for each in await store.writing.open_run(said[0].conversation.id)] == ["kept"]


async def test_turns_that_are_withdrawn_together_go_together_and_each_episode_is_told_once(store: Store) -> None:
    """One of them never came, two are of one episode."""
    said = [turn(1, "first"), turn(2, "kept", minutes=1), turn(3, "second", minutes=2)]
    alone, late = turn(1, "alone", thread="INC-2"), turn(9, "late", thread="INC-2")
    await flushed(store, episode("e", said), episode("o", [alone]))

    assert await store.mailbox.withdraw(said[0].id, alone.id, late.id, said[2].id) == ["e", "o"]

    assert (await store.writing.record([late, said[0]])).repeated == 2
    left = await store.reading.turns([one.id for one in (*said, alone, late)], SATO, LATER)
    assert [one.text for one in left] == ["kept"]
    assert [one.text for one in await store.writing.open_run(said[0].conversation.id)] == ["kept"]
    assert (await store.writing.counts())["episodes"] == 0
    assert await store.mailbox.withdraw() == []


@pytest.mark.parametrize("cut_anew", [False, True])
async def test_every_fact_of_an_episode_goes_with_one_of_its_turns_and_may_be_made_again(
    store: Store, cut_anew: bool
) -> None:
    """A status is said by one turn and told with the title of another."""
    said, elsewhere = [turn(1, "My title"), turn(2, "done", minutes=1)], [turn(1, thread="INC-2")]
    await flushed(store, episode("e", said), episode("o", elsewhere))
    status, other = fact([said[1]], "My title is resolved"), fact(elsewhere, "elsewhere")
    await store.fact_writing.store_facts("e", [status], NOON)
    await store.fact_writing.store_facts("o", [other], NOON)
    name = "f" if cut_anew else "e"
    await store.writing.store_episodes(said[0].conversation.id, [episode(name, said)])

    await store.mailbox.withdraw(said[0].id)

    told = await store.facts.of_turns([said[1].id, elsewhere[0].id], SATO, LATER)
    assert [each.value for each in told] == ["elsewhere"]
    await store.writing.store_episodes(said[0].conversation.id, [episode(name, said[1:])])
    assert await store.fact_writing.store_facts(name, [status], NOON) == 1


@pytest.mark.parametrize("cut_before", [True, False])
async def test_a_flush_that_is_under_way_keeps_nothing_of_what_was_taken_back(store: Store, cut_before: bool) -> None:
    """The flush has read both turns, and goes on while the first is withdrawn."""
    said = [turn(1, "My secret title"), turn(2, "done", minutes=1)]
    conversation, read = said[0].conversation.id, episode("e", said)
    await store.writing.record(said)
    if cut_before:
        await store.writing.store_episodes(conversation, [read])
    await store.mailbox.withdraw(said[0].id)
    if not cut_before:
        assert await store.writing.store_episodes(conversation, [read]) == []
    await store.writing.store_note(note("e", summary="My secret title"))
    await store.writing.store_retry(retry("e"))
    assert await store.fact_writing.store_facts("e", [fact([said[1]], "My secret title is resolved")], NOON) == 0
    await store.writing.mark_flushed([read])

    counts = await store.writing.counts()
    assert (counts["turns"], counts["episodes"], counts["notes"], counts["retries"]) == (1, 0, 0, 0)
    assert await store.writing.open_run(conversation) == [said[1]]
    await store.writing.store_episodes(conversation, [episode("e", said[1:])])
    assert await store.fact_writing.note_versions("e") == []


async def test_an_older_episode_that_a_withdrawn_turn_was_to_join_is_cut_anew(store: Store) -> None:
    old, new = turn(1, "kept"), turn(2, "My secret title", minutes=1)
    await flushed(store, episode("e", [old]))
    await store.writing.record([new])
    await store.mailbox.withdraw(new.id)
    await store.writing.store_episodes(old.conversation.id, [episode("e", [old, new])])
    await store.writing.store_note(note("e", 2, summary="My secret title"))
    assert await store.writing.newest_notes(["e"]) == {}
    assert await store.writing.open_run(old.conversation.id) == [old]


async def test_an_episode_without_turns_goes_with_the_last_of_them(store: Store) -> None:
    await flushed(store, episode("e", [turn(1)]))
    assert await store.mailbox.withdraw(turn(1).id) == ["e"]
    assert (await store.writing.counts())["episodes"] == 0
    assert await store.mailbox.withdraw(turn(1).id) == []


@pytest.mark.parametrize("late", ["the message", "an edit"])
async def test_a_late_delivery_does_not_bring_back_what_was_withdrawn(store: Store, late: str) -> None:
    if late == "an edit":
        await store.mailbox.receive(turn(1))
    assert await store.mailbox.withdraw(turn(1).id) == []
    text = "hello" if late == "the message" else "edited"
    assert (await store.mailbox.receive(turn(1, text))).repeated == 1
    assert (await store.mailbox.refuse(turn(1, text))).repeated == 1
    assert (await store.writing.record([turn(1, text), turn(2)])).new == 1
    assert await store.reading.turns([turn(1).id], SATO, LATER) == []
    assert not await store.mailbox.waits(turn(1).id)
