"""The port `Writing`, on every backend: what upkeep does with the words, and what holds for whole episodes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model import Turn, Viewer, Visibility, derived_id
from memory.ports import Recorded
from tests.fakes.turns import NOON, conversation, ticket_turns, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, note, one_turn, opened, retry

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=365)
HERE = conversation().id


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path, watch: Watch) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, watch) as store:
        yield store


# --- walking, keeping, deleting ---------------------------------------------------------------------------------------


async def test_a_walk_over_all_episodes_can_be_resumed(store: Store) -> None:
    names = sorted(derived_id("walk", str(n)) for n in range(7))
    await flushed(store, *(one_turn(name) for name in reversed(names)))
    seen: list[str] = []
    while step := await store.writing.episodes_after(seen[-1] if seen else None, 3):
        seen += [part.id for part in step]
    assert seen == names


async def test_episodes_expire_after_their_last_turn_oldest_first(store: Store) -> None:
    said = [turn(1, minutes=0), turn(2, minutes=60)]
    await flushed(
        store, episode("LONG", said), one_turn("OLD", days=-3), one_turn("OLDER", days=-9), one_turn("NEW", days=1)
    )

    async def expired(minutes: float, limit: int = 10) -> list[str]:
        return [part.id for part in await store.writing.expired(NOON + timedelta(minutes=minutes), limit)]

    assert await expired(60) == ["OLDER", "OLD"]
    assert await expired(61) == ["OLDER", "OLD", "LONG"]
    assert await expired(61, 1) == ["OLDER"]


async def test_what_is_pinned_or_not_flushed_does_not_expire(store: Store) -> None:
    await flushed(store, one_turn("A"), one_turn("B"), one_turn("C"))
    await store.writing.pin(["A", "unknown"], True)
    await store.writing.record([replace(one_turn("B").turns[0], text="edited")])
    assert [part.id for part in await store.writing.expired(LATER, 10)] == ["C"]
    await store.writing.pin(["A"], False)
    assert [part.id for part in await store.writing.expired(LATER, 10)] == ["A", "C"]


async def test_a_pin_survives_a_new_cut_and_an_edit(store: Store) -> None:
    said = ticket_turns(3)
    await flushed(store, episode("A", said))
    await store.writing.pin(["A"], True)
    edited = replace(said[0], text="edited", revision=2)
    await store.writing.record([edited])
    cut = [episode("B", [edited, said[1]]), episode("C", said[2:])]
    await store.writing.store_episodes(HERE, cut)
    await store.writing.mark_flushed(cut)
    assert await store.writing.expired(LATER, 10) == []


async def test_erasing_takes_the_words_their_versions_and_all_made_from_them(store: Store) -> None:
    said = ticket_turns(3)
    await flushed(store, episode("A", said[:2]), episode("B", said[2:]))
    await store.writing.record([replace(said[0], text="edited")])
    for name in ("A", "B"):
        await store.writing.store_note(note(name))
        await store.writing.store_retry(retry(name))
    assert await store.writing.erase(["A", "unknown"]) == 2
    assert await store.reading.recent(HERE, AGENT, LATER, 9) == said[2:]
    assert await store.writing.counts() == {"turns": 1, "pending": 0, "episodes": 1, "notes": 1, "retries": 1}
    # Had a version of the old words been left, this would count as its repeat.
    assert await store.writing.record([said[0]]) == Recorded(new=1)


async def test_everything_can_be_made_pending_again(store: Store) -> None:
    await flushed(store, episode("A", ticket_turns(3)), one_turn("B"))
    assert await store.writing.reopen_all() == 4
    assert (await store.writing.counts())["pending"] == 4
    assert await store.writing.open_run(HERE) == ticket_turns(3)


async def test_how_far_a_rebuild_is_shows_until_all_that_there_was_is_flushed(store: Store) -> None:
    whole, other = episode("A", ticket_turns(3)), one_turn("B")
    await flushed(store, whole, other)
    assert await store.ledger.rebuilt() is None
    await store.writing.reopen_all()
    assert await store.ledger.rebuilt() == 0
    await store.writing.mark_flushed([whole])
    await store.writing.end_rebuild()
    assert await store.ledger.rebuilt() == 0.75
    await store.writing.mark_flushed([other])
    assert await store.ledger.rebuilt() is None


async def test_a_rebuild_that_is_over_does_not_come_back_with_what_is_pending_later(store: Store, watch: Watch) -> None:
    whole = episode("A", ticket_turns(3))
    await flushed(store, whole)
    await store.writing.reopen_all()
    watch.now += timedelta(minutes=1)
    await store.writing.record([turn(9, "said while it is going on")])
    await store.writing.mark_flushed([whole])
    assert await store.ledger.rebuilt() is None
    await store.writing.end_rebuild()
    await store.inspection.unmake(["A"])
    assert (await store.writing.counts())["pending"] == 4
    assert await store.ledger.rebuilt() is None


async def test_where_nothing_is_remembered_nothing_is_rebuilt(store: Store) -> None:
    await store.writing.reopen_all()
    assert await store.ledger.rebuilt() is None


# --- what holds for the whole of an episode ---------------------------------------------------------------------------


def mixed(visibilities: Sequence[Visibility]) -> list[Turn]:
    return [turn(n, minutes=n, visibility=visibility) for n, visibility in enumerate(visibilities, start=1)]


async def test_one_private_turn_makes_the_whole_episode_private(store: Store) -> None:
    said = mixed([Visibility.EVERYONE, Visibility.PRIVATE, Visibility.EVERYONE])
    await flushed(store, episode("A", said))
    await store.writing.store_note(note("A"))
    stranger, requester = Viewer(user="abe"), Viewer(user="sato")
    assert await store.reading.recent(HERE, stranger, LATER, 9) == [said[0], said[2]]
    assert await store.reading.episodes(["A"], stranger, LATER) == []
    assert await store.reading.notes(["A"], stranger) == {}
    assert await store.reading.episodes(["A"], requester, LATER) == [episode("A", said)]
    assert await store.reading.notes(["A"], requester) == {"A": note("A")}


async def test_a_private_turn_that_was_not_yet_said_hides_nothing_but_the_note(store: Store) -> None:
    said = mixed([Visibility.EVERYONE, Visibility.EVERYONE, Visibility.PRIVATE])
    await flushed(store, episode("A", said))
    await store.writing.store_note(note("A"))
    stranger = Viewer(user="abe")
    assert await store.reading.episodes(["A"], stranger, said[1].said_at) == [episode("A", said[:2])]
    assert await store.reading.notes(["A"], stranger) == {}
