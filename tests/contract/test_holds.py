"""The port `Holds`, on every backend: what is under hold is lost to readers, and to nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.holds import Hold
from memory.model import Viewer
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, opened

FIRST = turn(1, "The safe is open", minutes=0)
SECOND = turn(2, "It is closed now", minutes=1, author="mori", revision=2)
ELSEWHERE = turn(1, "The lamp is dark", thread="INC-2", ticket="INC-2")
PLACE = FIRST.conversation.id
HOLD = Hold(conversation=PLACE, name="INC-1", who="abe", at=NOON)
AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=300)


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        await store.writing.record([replace(SECOND, text="It is close now")])
        await flushed(store, episode("E1", [FIRST, SECOND]), episode("E2", [ELSEWHERE]))
        yield store


async def test_a_conversation_is_put_under_hold_once(store: Store) -> None:
    assert await store.holds.put(HOLD)
    assert not await store.holds.put(replace(HOLD, who="mori"))
    assert await store.holds.all() == [HOLD]
    assert await store.holds.among([PLACE, ELSEWHERE.conversation.id]) == [HOLD]
    assert await store.holds.among([ELSEWHERE.conversation.id]) == []
    assert await store.holds.among([]) == []


async def test_retention_passes_over_what_is_under_hold(store: Store) -> None:
    await store.holds.put(HOLD)
    assert [one.id for one in await store.writing.expired(LATER, 10)] == ["E2"]
    await store.holds.release(PLACE)
    assert {one.id for one in await store.writing.expired(LATER, 10)} == {"E1", "E2"}


async def test_what_is_taken_back_under_hold_is_gone_for_readers_and_kept_in_all_its_versions(store: Store) -> None:
    await store.holds.put(HOLD)
    await store.mailbox.withdraw(SECOND.id)
    assert await store.reading.turns([SECOND.id], AGENT, LATER) == []
    kept = await store.holds.kept(PLACE)
    assert [(one.text, one.revision) for one in kept] == [("It is close now", 1), ("It is closed now", 2)]
    assert {(one.turn, one.message, one.author, one.said_at) for one in kept} == {
        (SECOND.id, "2", "mori", SECOND.said_at)
    }
    assert [hold.kept for hold in await store.holds.all()] == [2]


async def test_taken_back_twice_it_is_kept_once(store: Store) -> None:
    await store.holds.put(HOLD)
    for _ in range(2):
        await store.mailbox.withdraw(FIRST.id)
    assert len(await store.holds.kept(PLACE)) == 1


async def test_what_is_not_under_hold_is_kept_nowhere(store: Store) -> None:
    await store.holds.put(HOLD)
    await store.mailbox.withdraw(ELSEWHERE.id)
    assert await store.holds.kept(ELSEWHERE.conversation.id) == []


async def test_a_hold_that_ends_takes_what_was_kept_along(store: Store) -> None:
    await store.holds.put(HOLD)
    await store.mailbox.withdraw(FIRST.id)
    assert await store.holds.release(PLACE)
    assert not await store.holds.release(PLACE)
    assert await store.holds.kept(PLACE) == []
    assert await store.holds.all() == []


async def test_holds_are_found_by_who_wrote_there_also_what_was_taken_back(store: Store) -> None:
    await store.holds.put(HOLD)
    assert [hold.name for hold in await store.holds.of_author("mori")] == ["INC-1"]
    await store.mailbox.withdraw(SECOND.id)
    assert [hold.name for hold in await store.holds.of_author("mori")] == ["INC-1"]
    assert await store.holds.of_author("abe") == []


async def test_what_is_kept_can_be_destroyed(store: Store) -> None:
    await store.holds.put(HOLD)
    for one in (FIRST, SECOND):
        await store.mailbox.withdraw(one.id)
    assert await store.holds.destroy([FIRST.id, "none"]) == 1
    assert await store.holds.destroy([]) == 0
    assert await store.holds.destroy([SECOND.id]) == 2
    assert await store.holds.kept(PLACE) == []
    assert [hold.kept for hold in await store.holds.all()] == [0]


async def test_an_episode_that_came_under_hold_since_it_was_found_expired_is_not_erased(store: Store) -> None:
    await store.holds.put(HOLD)
    assert await store.writing.erase(["E1", "E2"]) == 1
    assert [one.id for one in await store.writing.episodes_after(None, 10)] == ["E1"]
