"""The ports `FactReading` and `FactWriting`, on every backend: facts, and what was known when."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory.errors import InputRefused
from memory.facts import Fact, Group, Telling
from memory.model import Turn, Viewer, Visibility
from tests.fakes.facts import event, fact, link, undo
from tests.fakes.turns import NOON, ticket_turns, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, note, one_turn, opened

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=365)
SAID = ticket_turns(4)
VPN = Group(subject="vpn gateway", predicate="owner")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """With the episodes A and B of two turns each."""
    async with opened(request.param, tmp_path, Watch()) as store:
        await flushed(store, episode("A", SAID[:2]), episode("B", SAID[2:]))
        yield store


async def known(store: Store, when: datetime = LATER) -> list[Fact]:
    return await store.facts.of_turns([turn.id for turn in SAID], AGENT, when)


async def values(store: Store, when: datetime = LATER) -> list[str]:
    return [fact.value for fact in await known(store, when)]


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


# --- finding by value -------------------------------------------------------------------------------------------------


async def test_facts_are_found_by_who_they_name_newest_first(store: Store) -> None:
    one, two, three = fact(SAID[0], "Ｍori"), fact(SAID[1], "Abe"), fact(SAID[1], "MORI", subject="NAS")
    await store.fact_writing.store_facts("A", [one, two, three], NOON)
    assert await store.facts.naming(["mori"], AGENT, LATER, 9) == [three, one]
    assert await store.facts.naming(["Mori", "mori", "abe"], AGENT, LATER, 1) == [
        (await store.facts.naming(["mori", "abe"], AGENT, LATER, 9))[0]
    ]
    assert await store.facts.naming(["mo", "vpn gateway", ""], AGENT, LATER, 9) == []
    assert await store.facts.naming(["mori"], AGENT, LATER, 0) == []


async def test_a_story_is_no_name(store: Store) -> None:
    long, name = "x" * 101, "y" * 100
    await store.fact_writing.store_facts("A", [fact(SAID[0], long), fact(SAID[0], name)], NOON)
    assert [one.value for one in await store.facts.naming([long, name], AGENT, LATER, 9)] == [name]


# --- writing and reading ----------------------------------------------------------------------------------------------


async def test_a_fact_comes_back_as_it_was_written(store: Store) -> None:
    tokyo = timezone(timedelta(hours=9))
    written = replace(
        fact(SAID[:2], "森", subject="VPNゲートウェイ", valid=datetime(2026, 9, 15, tzinfo=tokyo)),
        valid_to=datetime(2026, 10, 1, tzinfo=tokyo),
    )
    assert await store.fact_writing.store_facts("A", [written], NOON) == 1
    [found] = await store.facts.facts([written.id], AGENT, LATER)
    assert found == written
    assert found.id == written.id
    assert found.valid_from.utcoffset() == timedelta(hours=9)


async def test_facts_are_given_in_the_order_asked_for_and_else_by_validity(store: Store) -> None:
    one, two, three = (fact(SAID[0], str(days), valid=NOON + timedelta(days=days)) for days in (3, 1, 2))
    await store.fact_writing.store_facts("A", [one, two, three], NOON)
    asked = [three.id, "unknown", one.id, three.id]
    assert await store.facts.facts(asked, AGENT, LATER) == [three, one]
    assert await known(store) == [two, three, one]
    assert await store.facts.on([VPN, VPN], AGENT, LATER) == [two, three, one]
    assert await store.fact_writing.facts_of(["A", "B"]) == [two, three, one]
    assert await store.facts.about(["vpn gateway"], AGENT, LATER, 2) == [one, three]
    assert await store.facts.about(["vpn gateway"], AGENT, LATER, 0) == []


async def test_facts_on_a_matter_share_its_folded_subject_and_its_predicate(store: Store) -> None:
    same = fact(SAID[0], subject="ｖｐｎ  gateway")
    others = [fact(SAID[0], subject="vpn gateway 2"), fact(SAID[0], predicate="office")]
    await store.fact_writing.store_facts("A", [same, *others], NOON)
    assert await store.facts.on([VPN], AGENT, LATER) == [same]
    assert await store.facts.on([VPN, others[1].group], AGENT, LATER) == _in_time(same, others[1])
    assert await store.facts.on([], AGENT, LATER) == []
    about = await store.facts.about(["vpn gateway 2", "vpn gateway"], AGENT, LATER, 9)
    assert {fact.id for fact in about} == {same.id, *(other.id for other in others)}


def _in_time(*facts: Fact) -> list[Fact]:
    return sorted(facts, key=lambda fact: (fact.valid_from, fact.id))


async def test_what_no_database_can_hold_becomes_a_question_mark(store: Store) -> None:
    await store.fact_writing.store_facts("A", [fact(SAID[0], "a\x00b\ud800", subject="x\x00")], NOON)
    [found] = await known(store)
    assert (found.value, found.subject) == ("a\ufffdb\ufffd", "x\ufffd")
    assert await store.facts.facts([found.id], AGENT, LATER) == [found]


async def test_a_time_that_is_none_in_utc_is_refused(store: Store) -> None:
    early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))
    with pytest.raises(InputRefused, match="date"):
        await store.fact_writing.store_facts("A", [fact(SAID[0], valid=early), fact(SAID[0])], NOON)
    assert await known(store) == []


# --- once and again ---------------------------------------------------------------------------------------------------


async def test_the_same_facts_again_add_nothing(store: Store) -> None:
    made = [fact(SAID[0]), fact(SAID[1])]
    assert await store.fact_writing.store_facts("A", [*made, made[0]], at(5)) == 2
    again = [replace(each, text="other words", confidence=0.1) for each in made]
    assert await store.fact_writing.store_facts("A", again, at(9)) == 0
    assert await known(store) == made
    assert (await store.fact_writing.counts())["facts"] == 2


async def test_what_is_no_longer_said_is_retired_but_was_known(store: Store) -> None:
    old, new = fact(SAID[0], "Mori"), fact(SAID[0], "Abe", recorded=at(10))
    await store.fact_writing.store_facts("A", [old], at(5))
    assert await store.fact_writing.store_facts("A", [new], at(10)) == 1
    assert [await values(store, at(minute)) for minute in (0, 1, 9, 10)] == [[], ["Mori"], ["Mori"], ["Abe"]]
    assert await store.facts.facts([old.id], AGENT, at(9)) == [replace(old, retired_at=at(10))]
    assert await store.fact_writing.facts_of(["A"]) == [new]
    assert (await store.fact_writing.counts())["facts"] == 1


async def test_a_fact_that_is_made_again_comes_back_and_its_absence_is_remembered(store: Store) -> None:
    made = fact(SAID[0], recorded=NOON)
    for minute, facts in ((1, [made]), (5, []), (8, [made]), (12, []), (20, [made])):
        new = await store.fact_writing.store_facts("A", facts, at(minute))
        assert new == (minute == 1)
    assert await known(store) == [made]
    held = {minute: await values(store, at(minute)) != [] for minute in (0, 4, 5, 7, 8, 11, 12, 19, 20)}
    assert held == {0: True, 4: True, 5: False, 7: False, 8: True, 11: True, 12: False, 19: False, 20: True}


async def test_what_is_retired_already_keeps_its_time(store: Store) -> None:
    made = fact(SAID[0])
    for minute, facts in ((1, [made]), (5, []), (9, [])):
        await store.fact_writing.store_facts("A", facts, at(minute))
    assert await values(store, at(4)) == ["Mori"]
    assert await values(store, at(6)) == []


async def test_nothing_is_written_about_words_that_are_gone(store: Store) -> None:
    never = turn("never recorded")
    made = [fact(SAID[0]), fact(never), fact([SAID[1], never])]
    assert await store.fact_writing.store_facts("A", made, NOON) == 1
    assert await store.fact_writing.store_facts("gone", [fact(SAID[1])], NOON) == 0
    assert [found.id for found in await known(store)] == [made[0].id]


# --- undos ------------------------------------------------------------------------------------------------------------


async def test_an_undo_is_kept_once_and_known_from_then_on(store: Store) -> None:
    old, new = fact(SAID[0], "Mori"), fact(SAID[1], "Abe")
    await store.fact_writing.store_facts("A", [old, new], NOON)
    await store.fact_writing.add_undo(undo(old, new, minutes=10))
    await store.fact_writing.add_undo(replace(undo(old, new, minutes=20), why="again"))
    assert await store.facts.undos([old.id, new.id], at(9)) == []
    assert await store.facts.undos([old.id, old.id], at(10)) == [undo(old, new, minutes=10)]
    assert await store.facts.undos([new.id], LATER) == []
    assert (await store.fact_writing.counts())["undos"] == 1


async def test_an_undo_that_is_taken_back_counted_until_then(store: Store) -> None:
    old, new, other = fact(SAID[0], "Mori"), fact(SAID[1], "Abe"), fact(SAID[1], "Sato")
    await store.fact_writing.store_facts("A", [old, new, other], NOON)
    for by in (new, other):
        await store.fact_writing.add_undo(undo(old, by, minutes=10))
    await store.fact_writing.take_back_undo(old.id, new.id, at(20))
    await store.fact_writing.take_back_undo(old.id, new.id, at(30))
    taken_back = replace(undo(old, new, minutes=10), until=at(20))
    both = sorted([taken_back, undo(old, other, minutes=10)], key=lambda one: one.by)
    assert await store.facts.undos([old.id], at(19)) == both
    assert await store.facts.undos([old.id], at(20)) == [undo(old, other, minutes=10)]
    assert (await store.fact_writing.counts())["undos"] == 1


async def test_an_undo_can_be_given_again_after_it_was_taken_back(store: Store) -> None:
    old, new = fact(SAID[0], "Mori"), fact(SAID[1], "Abe")
    await store.fact_writing.store_facts("A", [old, new], NOON)
    await store.fact_writing.take_back_undo(old.id, new.id, at(5))
    await store.fact_writing.add_undo(undo(old, new, minutes=10))
    await store.fact_writing.take_back_undo(old.id, new.id, at(20))
    again = replace(undo(old, new, minutes=30), why="after all")
    await store.fact_writing.add_undo(again)
    assert await store.facts.undos([old.id], at(29)) == []
    assert await store.facts.undos([old.id], at(30)) == [again]


async def test_an_undo_of_what_is_not_there_is_not_kept(store: Store) -> None:
    made = fact(SAID[0])
    await store.fact_writing.store_facts("A", [made], NOON)
    await store.fact_writing.add_undo(undo(made, fact(SAID[1], "never stored")))
    await store.fact_writing.add_undo(undo(fact(SAID[1], "never stored"), made))
    assert (await store.fact_writing.counts())["undos"] == 0


# --- events -----------------------------------------------------------------------------------------------------------


async def stored(store: Store) -> list[Fact]:
    """Three facts, two of the episode A and one of B."""
    made = [fact(SAID[0], "one"), fact(SAID[1], "two"), fact(SAID[2], "three", episode="B")]
    await store.fact_writing.store_facts("A", made[:2], NOON)
    await store.fact_writing.store_facts("B", made[2:], NOON)
    return made


async def tellings(store: Store, *episodes: str, viewer: Viewer = AGENT, limit: int = 9) -> list[Telling]:
    return await store.facts.tellings(episodes, viewer, limit)


def told(event: str, *said: tuple[Turn, str]) -> list[Telling]:
    """These turns, each with its episode, tell facts of the event."""
    return sorted(Telling(event=event, turn=turn.id, episode=name) for turn, name in said)


async def test_an_event_is_told_by_each_turn_once_and_by_so_many_as_are_asked_for(store: Store) -> None:
    one, two, three = await stored(store)
    both = fact([SAID[0], SAID[2]], "both")
    await store.fact_writing.store_facts("A", [one, two, both], NOON)
    await store.fact_writing.store_event(event("E", [one, both, three]))
    await store.fact_writing.store_event(event("F", [two]))
    everything = [*told("E", (SAID[0], "A"), (SAID[2], "B")), *told("F", (SAID[1], "A"))]
    assert await tellings(store, "A") == everything
    assert await tellings(store, "B") == everything[:2]
    assert await tellings(store, "A", limit=1) == everything[:1]
    assert await tellings(store, "A", limit=0) == await tellings(store) == []


async def test_the_newest_version_of_an_event_counts(store: Store) -> None:
    one, two, three = await stored(store)
    first, second = event("E", [one, two]), event("E", [three, one], version=2, keywords=["mail"])
    for version in (first, second, first, replace(second, summary="other")):
        await store.fact_writing.store_event(version)
    assert (
        await tellings(store, "A")
        == await tellings(store, "B", "A", "unknown")
        == told("E", (SAID[0], "A"), (SAID[2], "B"))
    )
    assert await store.fact_writing.events_of([three.id, one.id]) == [second]
    assert await store.fact_writing.events_of([two.id]) == []
    assert await store.fact_writing.events_near(["vpn"], NOON, LATER, 9) == []
    assert (await store.fact_writing.counts())["events"] == 1


async def test_a_fact_belongs_to_the_event_that_named_it_last(store: Store) -> None:
    one, two, _ = await stored(store)
    await store.fact_writing.store_event(event("E", [one, two]))
    await store.fact_writing.store_event(event("F", [two], first=5))
    assert await store.fact_writing.events_of([one.id, two.id]) == [event("E", [one]), event("F", [two], first=5)]
    await store.fact_writing.store_event(event("F", [two, one], version=2, first=5))
    assert await store.fact_writing.events_of([one.id]) == [event("F", [two, one], version=2, first=5)]
    assert await tellings(store, "A") == told("F", (SAID[0], "A"), (SAID[1], "A"))
    assert (await store.fact_writing.counts())["events"] == 1


async def test_an_event_of_nothing_is_not_written(store: Store) -> None:
    one, *_ = await stored(store)
    never = fact(SAID[3], "never stored")
    await store.fact_writing.store_event(event("E", [never]))
    await store.fact_writing.store_event(event("F", [never, one]))
    assert await store.fact_writing.events_of([one.id, never.id]) == [event("F", [one])]


async def test_events_near_share_a_keyword_and_touch_the_span(store: Store) -> None:
    one, two, three = await stored(store)
    both = event("BOTH", [one], keywords=["VPN", "接続", "vpn"], first=0, last=10)
    late = event("LATE", [two], keywords=["vpn"], first=20, last=40)
    early = event("EARLY", [three], keywords=["vpn", "mail"], first=-20, last=-5)
    for each in (both, late, early):
        await store.fact_writing.store_event(each)

    async def near(keywords: list[str], first: float, last: float, limit: int = 9) -> list[str]:
        found = await store.fact_writing.events_near(keywords, at(first), at(last), limit)
        return [each.id for each in found]

    assert await near(["ＶＰＮ", "接続"], -99, 99) == ["BOTH", "LATE", "EARLY"]
    assert await near(["vpn"], -99, 99) == ["LATE", "BOTH", "EARLY"]
    assert await near(["vpn"], -99, 99, 1) == ["LATE"]
    assert await near(["vpn"], 10, 20) == ["LATE", "BOTH"]
    assert await near(["vpn"], 11, 19) == []
    assert await near(["vpn", "mail"], -99, -5) == ["EARLY"]
    assert await near(["printer"], -99, 99) == await near([], -99, 99) == await near(["vpn"], -99, 99, 0) == []


async def test_an_event_is_as_private_as_what_its_summary_was_made_of(store: Store) -> None:
    open_turn = turn(1, thread="P", ticket="P")
    hidden_turn = turn(2, thread="P", ticket="P", visibility=Visibility.PRIVATE)
    await flushed(store, episode("P", [open_turn, hidden_turn]))
    shown, hidden = fact(open_turn, "shown", episode="P"), fact(hidden_turn, "hidden", episode="P")
    await store.fact_writing.store_facts("P", [shown, hidden], NOON)
    await store.fact_writing.store_event(event("E", [shown, hidden]))
    await store.fact_writing.store_event(event("F", [hidden]))
    stranger = Viewer(user="abe")
    assert await store.facts.facts([shown.id, hidden.id], stranger, LATER) == [shown]
    assert await tellings(store, "P", viewer=stranger) == []
    seen = [*told("E", (open_turn, "P")), *told("F", (hidden_turn, "P"))]
    assert await tellings(store, "P", viewer=Viewer(user="sato")) == seen
    await store.fact_writing.store_event(event("E", [shown], version=2))
    assert await tellings(store, "P", viewer=stranger) == told("E", (open_turn, "P"))


# --- links and notes --------------------------------------------------------------------------------------------------


async def test_links_are_followed_in_both_directions_strongest_first(store: Store) -> None:
    await flushed(store, one_turn("C"))
    await store.fact_writing.store_links("A", [link("A", "B", 0.2), link("A", "C", 0.9), link("A", "gone")])
    await store.fact_writing.store_links("B", [link("B", "C", 0.5)])
    assert await store.facts.links(["A"], AGENT, 9) == [link("A", "C", 0.9), link("A", "B", 0.2)]
    assert await store.facts.links(["C"], AGENT, 9) == [link("A", "C", 0.9), link("B", "C", 0.5)]
    assert await store.facts.links(["C"], AGENT, 1) == [link("A", "C", 0.9)]
    assert await store.facts.links(["C"], AGENT, 0) == []
    everything = [link("A", "C", 0.9), link("B", "C", 0.5), link("A", "B", 0.2)]
    assert await store.facts.links(["A", "B", "C"], AGENT, 9) == everything
    assert await store.fact_writing.links_of(["C", "B"]) == everything
    await store.fact_writing.store_links("A", [link("A", "B", 0.3)])
    assert await store.fact_writing.links_of(["A"]) == [link("A", "B", 0.3)]
    await store.fact_writing.store_links("gone", [link("gone", "A")])
    assert (await store.fact_writing.counts())["links"] == 2


async def test_every_version_of_a_note_with_its_cause_oldest_first(store: Store) -> None:
    versions = [
        note("A"),
        replace(note("A", 2), cause="linked with B: 接続"),
        replace(note("A", 3), cause="rolled back"),
    ]
    for each in (versions[1], versions[0], versions[2], replace(versions[0], cause="too late")):
        await store.writing.store_note(each)
    assert await store.fact_writing.note_versions("A") == versions
    assert await store.facts.note_versions("A", AGENT) == versions
    assert await store.reading.notes(["A"], AGENT) == {"A": versions[2]}
    assert await store.facts.note_versions("B", AGENT) == []


async def test_times_come_back_as_the_same_moments(store: Store) -> None:
    odd = datetime(2026, 9, 1, 0, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9, minutes=18, seconds=59)))
    made = fact(SAID[0], valid=odd, recorded=odd.astimezone(UTC))
    await store.fact_writing.store_facts("A", [made], NOON)
    [found] = await store.facts.facts([made.id], AGENT, LATER)
    assert found.valid_from.isoformat() == odd.isoformat()
    assert found.id == made.id
