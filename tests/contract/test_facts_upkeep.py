"""Facts, events and links when their words are cut anew, edited or erased, on every backend: nothing dangles."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.facts import Fact, Telling
from memory.model import Viewer, Visibility
from tests.fakes.facts import event, fact, link, undo
from tests.fakes.turns import NOON, conversation, ticket_turns
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, note, one_turn, opened

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=365)
HERE = conversation().id
SAID = ticket_turns(4)
OLD, NEW, THIRD = fact(SAID[0], "Mori"), fact(SAID[1], "Abe"), fact(SAID[2], "Sato", episode="B")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Two episodes with their facts, one event, one undo and one link."""
    async with opened(request.param, tmp_path, Watch()) as store:
        await flushed(store, episode("A", SAID[:2]), episode("B", SAID[2:]))
        await store.fact_writing.store_facts("A", [OLD, NEW], NOON)
        await store.fact_writing.store_facts("B", [THIRD], NOON)
        await store.fact_writing.store_event(event("E", [OLD, NEW, THIRD]))
        await store.fact_writing.add_undo(undo(OLD, NEW))
        await store.fact_writing.store_links("A", [link("A", "B")])
        yield store


async def known(store: Store) -> list[Fact]:
    return await store.facts.of_turns([turn.id for turn in SAID], AGENT, LATER)


async def counts(store: Store) -> Mapping[str, int]:
    return await store.fact_writing.counts()


async def test_erasing_takes_all_that_repeats_these_words(store: Store) -> None:
    await store.writing.erase(["A"])
    assert await known(store) == [THIRD]
    assert await counts(store) == {"facts": 1, "events": 0, "links": 0, "undos": 0}
    assert await store.facts.tellings(["A", "B"], AGENT, 9) == []
    assert await store.facts.undos([OLD.id], LATER) == []
    assert await store.fact_writing.events_near(["vpn"], NOON, LATER, 9) == []


async def test_what_is_left_of_an_event_can_be_gathered_again(store: Store) -> None:
    await store.writing.erase(["A"])
    await store.fact_writing.store_event(event("E", [THIRD]))
    assert await store.fact_writing.events_of([THIRD.id]) == [event("E", [THIRD])]


async def test_an_undo_goes_with_either_of_its_facts(store: Store) -> None:
    await store.fact_writing.add_undo(undo(THIRD, NEW))
    await store.writing.erase(["B"])
    assert await store.facts.undos([OLD.id, THIRD.id], LATER) == [undo(OLD, NEW)]


async def test_erased_and_imported_again_a_fact_starts_anew(store: Store) -> None:
    await store.fact_writing.store_facts("A", [OLD], NOON + timedelta(minutes=9))
    await store.writing.erase(["A"])
    await flushed(store, episode("A", SAID[:2]))
    assert await store.fact_writing.store_facts("A", [OLD, NEW], NOON) == 2
    assert await known(store) == [OLD, NEW, THIRD]
    assert (await counts(store))["undos"] == 0


async def test_a_fact_of_several_turns_goes_with_any_of_them(store: Store) -> None:
    both = fact([SAID[1], SAID[2]], "both")
    await store.fact_writing.store_facts("A", [OLD, NEW, both], NOON)
    await store.writing.erase(["B"])
    assert await known(store) == [OLD, NEW]
    assert await store.facts.facts([both.id], AGENT, LATER) == []


async def test_facts_follow_their_turns_into_another_episode(store: Store) -> None:
    cut = [episode("A", SAID[:1]), episode("C", SAID[1:])]
    assert await store.writing.store_episodes(HERE, cut) == ["B"]
    assert (await counts(store)) == {"facts": 3, "events": 1, "links": 0, "undos": 1}
    assert await store.fact_writing.store_facts("A", [OLD], LATER) == 0
    assert await store.fact_writing.store_facts("C", [NEW, THIRD], LATER) == 0
    assert await known(store) == [OLD, replace(NEW, episode="C"), replace(THIRD, episode="C")]
    assert await store.fact_writing.facts_of(["B"]) == []
    assert await store.facts.undos([OLD.id], LATER) == [undo(OLD, NEW)]
    assert await store.fact_writing.events_of([NEW.id]) == [event("E", [OLD, NEW, THIRD])]
    told = [Telling(event="E", turn=turn.id, episode=name) for turn, name in zip(SAID, "ACC", strict=False)]
    assert await store.facts.tellings(["C"], AGENT, 9) == sorted(told)


@pytest.mark.parametrize("order", [("A", "C"), ("C", "A")])
async def test_cutting_anew_leaves_no_gap_in_what_was_known(store: Store, order: tuple[str, str]) -> None:
    await store.writing.store_episodes(HERE, [episode("A", SAID[:1]), episode("C", SAID[1:])])
    made = {"A": [OLD], "C": [NEW, THIRD]}
    for minutes, name in enumerate(order, start=10):
        await store.fact_writing.store_facts(name, made[name], NOON + timedelta(minutes=minutes))
    for minutes in (9, 10, 11, 12):
        known_at = NOON + timedelta(minutes=minutes)
        found = await store.facts.facts([OLD.id, NEW.id, THIRD.id], AGENT, known_at)
        assert [each.value for each in found] == ["Mori", "Abe", "Sato"]


async def test_what_moved_and_is_said_no_more_is_retired_where_its_turn_is_now(store: Store) -> None:
    await store.writing.store_episodes(HERE, [episode("A", SAID[:1]), episode("C", SAID[1:])])
    await store.fact_writing.store_facts("C", [THIRD], LATER)
    assert [each.value for each in await known(store)] == ["Mori", "Sato"]


async def test_no_event_goes_on_repeating_what_was_edited_away(store: Store) -> None:
    await store.fact_writing.store_facts("A", [NEW], NOON + timedelta(minutes=5))
    assert await store.facts.tellings(["A", "B"], AGENT, 9) == []
    assert (await counts(store))["events"] == 0


async def test_an_undo_survives_a_retirement(store: Store) -> None:
    await store.fact_writing.store_facts("A", [NEW], NOON + timedelta(minutes=5))
    assert await store.facts.undos([OLD.id], LATER) == [undo(OLD, NEW)]
    await store.fact_writing.store_facts("A", [OLD, NEW], NOON + timedelta(minutes=9))
    assert await store.facts.undos([OLD.id], LATER) == [undo(OLD, NEW)]


async def test_an_edit_that_hides_a_turn_hides_its_facts_at_once(store: Store) -> None:
    stranger = Viewer(user="abe")
    assert await store.facts.facts([OLD.id], stranger, LATER) == [OLD]
    await store.writing.record([replace(SAID[0], visibility=Visibility.PRIVATE)])
    assert await store.facts.facts([OLD.id], stranger, LATER) == []
    [hidden] = await store.facts.facts([OLD.id], AGENT, LATER)
    assert hidden.scope.visibility is Visibility.PRIVATE
    assert await store.facts.tellings(["A"], stranger, 9) == []


async def test_a_turn_that_comes_back_hides_what_it_said_again(store: Store) -> None:
    hidden = replace(SAID[0], visibility=Visibility.PRIVATE)
    both = fact([SAID[0], SAID[2]], "both", episode="B")
    await store.writing.record([hidden])
    await store.fact_writing.store_facts("B", [THIRD, both], NOON)
    await store.writing.erase(["A"])
    await flushed(store, episode("A", [hidden, SAID[1]]))
    await store.fact_writing.store_facts("B", [THIRD, both], NOON)
    assert await store.facts.facts([both.id], Viewer(user="abe"), LATER) == []
    assert await store.facts.facts([both.id], Viewer(user="sato"), LATER) != []


async def test_a_link_goes_with_either_of_its_ends(store: Store) -> None:
    await flushed(store, one_turn("X"), one_turn("Y"))
    await store.fact_writing.store_links("X", [link("X", "A"), link("X", "Y")])
    await store.writing.erase(["A"])
    assert await store.fact_writing.links_of(["A", "B", "X", "Y"]) == [link("X", "Y")]
    await store.writing.erase(["X"])
    assert (await counts(store))["links"] == 0


async def test_the_versions_of_a_note_go_with_its_episode(store: Store) -> None:
    await store.writing.store_note(note("B"))
    await store.writing.store_episodes(HERE, [episode("A", SAID)])
    assert await store.fact_writing.note_versions("B") == []
