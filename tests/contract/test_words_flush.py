"""The port `Writing`, on every backend: what a flush does with the words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model import Viewer
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


async def due(store: Store, watch: Watch, *, idle: float, grown_to: int = 100, limit: int = 10) -> list[str]:
    return await store.writing.due(watch.now - timedelta(minutes=idle), grown_to, limit)


# --- which conversations are due --------------------------------------------------------------------------------------


async def test_a_conversation_is_due_when_it_has_been_quiet_for_long_enough(store: Store, watch: Watch) -> None:
    await store.writing.record([turn(1, minutes=-9999)])
    watch.wait(5)
    await store.writing.record([turn(2, minutes=9999)])
    watch.wait(10)
    assert await due(store, watch, idle=9) == [HERE]
    assert await due(store, watch, idle=10) == []
    assert await due(store, watch, idle=12) == []


async def test_a_busy_conversation_is_due_when_enough_waits(store: Store, watch: Watch) -> None:
    await store.writing.record(ticket_turns(3))
    assert await due(store, watch, idle=60, grown_to=4) == []
    assert await due(store, watch, idle=60, grown_to=3) == [HERE]


async def test_the_longest_waiting_is_due_first(store: Store, watch: Watch) -> None:
    for thread in ("C", "A", "B"):
        await store.writing.record([turn(1, thread=thread)])
        watch.wait(1)
    threads = [conversation(name).id for name in ("C", "A", "B")]
    assert await due(store, watch, idle=0) == threads
    assert await due(store, watch, idle=0, limit=2) == threads[:2]
    assert await due(store, watch, idle=0, limit=0) == []


async def test_what_was_flushed_is_due_again_only_when_it_changes(store: Store, watch: Watch) -> None:
    await flushed(store, episode("E", ticket_turns(2)))
    watch.wait(60)
    await store.writing.record(ticket_turns(2))
    assert await due(store, watch, idle=0) == []
    await store.writing.record([replace(ticket_turns(1)[0], text="edited")])
    watch.wait(5)
    assert await due(store, watch, idle=6) == []
    assert await due(store, watch, idle=4) == [HERE]


# --- what is cut ------------------------------------------------------------------------------------------------------


async def run(store: Store) -> list[str]:
    return [found.message for found in await store.writing.open_run(HERE)]


async def test_nothing_is_cut_where_nothing_is_pending(store: Store) -> None:
    assert await run(store) == []
    await flushed(store, episode("E", ticket_turns(2)))
    assert await run(store) == []


async def test_a_new_conversation_is_cut_whole(store: Store) -> None:
    await store.writing.record([*reversed(ticket_turns(3)), turn(1, thread="elsewhere")])
    assert await store.writing.open_run(HERE) == ticket_turns(3)


async def test_the_newest_episode_goes_on_growing(store: Store) -> None:
    said = ticket_turns(6)
    await flushed(store, episode("A", said[:2]), episode("B", said[2:4]))
    await store.writing.record(said[4:])
    assert await run(store) == ["3", "4", "5", "6"]


async def test_an_edited_turn_recuts_its_episode_and_what_follows(store: Store) -> None:
    said = ticket_turns(6)
    await flushed(store, episode("A", said[:2]), episode("B", said[2:4]), episode("C", said[4:]))
    await store.writing.record([replace(said[3], text="edited")])
    assert await run(store) == ["3", "4", "5", "6"]


async def test_an_edited_first_turn_recuts_from_the_episode_before(store: Store) -> None:
    said = ticket_turns(6)
    await flushed(store, episode("A", said[:2]), episode("B", said[2:4]), episode("C", said[4:]))
    await store.writing.record([replace(said[2], text="edited")])
    assert await run(store) == ["1", "2", "3", "4", "5", "6"]


async def test_a_turn_that_comes_late_recuts_the_episode_it_falls_into(store: Store) -> None:
    said = ticket_turns(6)
    await flushed(store, episode("A", said[:2]), episode("B", [said[2], said[4]]), episode("C", said[5:]))
    await store.writing.record([said[3]])
    assert await run(store) == ["3", "4", "5", "6"]


async def test_a_turn_older_than_all_others_starts_the_run(store: Store) -> None:
    said = ticket_turns(3)
    await flushed(store, episode("A", said[1:]))
    await store.writing.record([said[0]])
    assert await run(store) == ["1", "2", "3"]


async def test_turns_of_one_moment_are_told_apart_by_arrival(store: Store) -> None:
    said = [turn(name) for name in ("z", "y", "x", "w")]
    await flushed(store, episode("A", said[:2]), episode("B", said[2:3]))
    await store.writing.record(said[3:])
    assert await run(store) == ["x", "w"]


# --- writing what was cut ---------------------------------------------------------------------------------------------


async def test_cutting_anew_names_the_episodes_that_are_gone_and_takes_their_notes_along(store: Store) -> None:
    said = ticket_turns(5)
    await flushed(store, episode("A", said[:1]), episode("B", said[1:3]), episode("C", said[3:4]))
    for name in ("A", "B", "C"):
        await store.writing.store_note(note(name))
        await store.writing.store_retry(retry(name))
    await store.writing.record(said[4:])
    assert await store.writing.store_episodes(HERE, [episode("D", said[1:4]), episode("E", said[4:])]) == ["B", "C"]
    assert [part.id for part in await store.writing.episodes_of(["A", "B", "C", "D", "E"])] == ["A", "D", "E"]
    assert set(await store.writing.newest_notes(["A", "B", "C", "D", "E"])) == {"A"}
    assert [waiting.episode for waiting in await store.writing.due_retries(LATER, 10)] == ["A"]


async def test_cutting_the_same_again_changes_nothing(store: Store) -> None:
    said = ticket_turns(4)
    cut = [episode("A", said[:2]), episode("B", said[2:])]
    await flushed(store, *cut)
    await store.writing.store_note(note("A"))
    before = await store.writing.counts()
    assert await store.writing.store_episodes(HERE, cut) == []
    assert await store.writing.episodes_of(["A", "B"]) == cut
    assert await store.writing.counts() == before


async def test_an_episode_of_the_same_id_takes_its_new_length(store: Store) -> None:
    said = ticket_turns(3)
    await flushed(store, episode("A", said[:2], tokens=20))
    await store.writing.record(said[2:])
    grown = replace(episode("A", said, tokens=30), ticket="INC-77")
    assert await store.writing.store_episodes(HERE, [grown]) == []
    assert await store.writing.episodes_of(["A"]) == [grown]


async def test_nothing_cut_is_no_error(store: Store) -> None:
    assert await store.writing.store_episodes(HERE, []) == []
    await store.writing.mark_flushed([])


async def test_an_episode_whose_turns_were_erased_meanwhile_is_not_written(store: Store) -> None:
    await flushed(store, one_turn("A"))
    await store.writing.erase(["A"])
    assert await store.writing.store_episodes(conversation("A").id, [one_turn("A")]) == []
    assert (await store.writing.counts())["episodes"] == 0


async def test_a_turn_revised_during_a_flush_stays_pending(store: Store) -> None:
    said = ticket_turns(2)
    await store.writing.record(said)
    cut = episode("A", await store.writing.open_run(HERE))
    await store.writing.store_episodes(HERE, [cut])
    await store.writing.record([replace(said[0], text="edited")])
    await store.writing.mark_flushed([cut])
    assert await store.reading.live(HERE, AGENT, LATER, 9) == [replace(said[0], text="edited", revision=2)]
    assert [part.id for part in await store.writing.episodes_of(["A"])] == ["A"]


# --- notes and retries ------------------------------------------------------------------------------------------------


async def test_the_newest_note_counts_and_the_same_version_again_changes_nothing(store: Store) -> None:
    await flushed(store, one_turn("A"), one_turn("B"))
    await store.writing.store_note(note("A", 2, "second"))
    await store.writing.store_note(note("A", 10, "tenth"))
    await store.writing.store_note(note("A", 10, "tenth again"))
    assert await store.writing.newest_notes(["A", "B"]) == {"A": note("A", 10, "tenth")}
    assert await store.reading.notes(["B", "A"], AGENT) == {"A": note("A", 10, "tenth")}
    assert (await store.writing.counts())["notes"] == 2


async def test_what_a_model_writes_is_kept_whatever_characters_it_has(store: Store) -> None:
    await flushed(store, one_turn("A"))
    odd = replace(note("A"), summary="a\x00b", keywords=("\ud83d", '"quoted"'), entities=())
    await store.writing.store_note(odd)
    await store.writing.store_retry(replace(retry("A"), error="\x00"))
    clean = replace(odd, summary="a\ufffdb", keywords=("\ufffd", '"quoted"'))
    assert await store.writing.newest_notes(["A"]) == {"A": clean}
    assert [waiting.error for waiting in await store.writing.due_retries(LATER, 1)] == ["\ufffd"]


async def test_nothing_is_kept_about_an_episode_that_is_gone(store: Store) -> None:
    await flushed(store, one_turn("A"))
    await store.writing.erase(["A"])
    await store.writing.store_note(note("A"))
    await store.writing.store_retry(retry("A"))
    counts = await store.writing.counts()
    assert (counts["notes"], counts["retries"]) == (0, 0)


async def test_retries_are_due_at_their_time_the_longest_due_first(store: Store) -> None:
    await flushed(store, *(one_turn(name) for name in "ABC"))
    for name, minutes in (("A", 5), ("B", 1), ("C", 9)):
        await store.writing.store_retry(retry(name, minutes))
    five = NOON + timedelta(minutes=5)
    assert await store.writing.due_retries(five, 10) == [retry("B", 1), retry("A", 5)]
    assert await store.writing.due_retries(five, 1) == [retry("B", 1)]


async def test_a_retry_is_replaced_and_dropped(store: Store) -> None:
    await flushed(store, one_turn("A"), one_turn("B"))
    await store.writing.store_retry(retry("A"))
    await store.writing.store_retry(retry("B"))
    await store.writing.store_retry(retry("A", 3, attempts=2))
    await store.writing.drop_retries(["B", "unknown"])
    assert await store.writing.due_retries(LATER, 10) == [retry("A", 3, attempts=2)]
