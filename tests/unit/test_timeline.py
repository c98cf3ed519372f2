"""What holds when: who ends whom, in whatever order things were told."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.facts import STATE, ClosingReason, Fact, Undo
from memory.model import DIRECT, Scope, Viewer, Visibility
from memory.remember.timeline import Policy, Timeline, covers, timeline
from memory.scope import may_read
from tests.fakes.matters import EVERYONE, day, fact, private

SINGLE = {"assignee"}


def line(*facts: Fact, undos: tuple[Undo, ...] = (), policy: Policy = Policy.BITEMPORAL) -> Timeline:
    return timeline(facts, single=SINGLE, undos=undos, policy=policy)


def values(found: Timeline, moment: int) -> list[str]:
    return [one.value for one in found.holding(day(moment, 12))]


def test_the_owner_changes_on_the_day_that_was_named_and_the_first_one_stays_true_of_her_time() -> None:
    found = line(fact("A", 1), fact("B", 15, said=12))
    assert [values(found, moment) for moment in (1, 10, 14, 15, 30)] == [["A"], ["A"], ["A"], ["B"], ["B"]]
    assert [(one.at, one.known_at, one.reason) for one in found.closings] == [
        (day(15), day(12, 9), ClosingReason.REPLACED)
    ]


def test_what_somebody_says_of_a_ticket_does_not_end_what_its_own_fields_say() -> None:
    exact, said = fact("A", 1, made_by=STATE), fact("B", 15)
    assert values(line(exact, said), 20) == ["A", "B"]
    assert values(line(exact, said, fact("C", 18, made_by=STATE)), 20) == ["C"]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_order_in_which_facts_come_changes_nothing(order: tuple[int, ...]) -> None:
    told = [fact("A", 1), fact("B", 15), fact("C", 8, said=20), fact("A", 25)]
    assert line(*(told[place] for place in order)) == line(*told)


def test_an_older_fact_that_comes_late_becomes_history_and_ends_nothing_newer() -> None:
    found = line(fact("B", 15), fact("A", 1, said=20))
    assert (values(found, 10), values(found, 30)) == (["A"], ["B"])
    assert [one.reason for one in found.closings] == [ClosingReason.ALREADY_HISTORY]


def test_one_told_late_between_two_others_takes_its_place() -> None:
    found = line(fact("A", 1), fact("C", 20), fact("B", 10, said=25))
    assert [values(found, moment) for moment in (5, 15, 25)] == [["A"], ["B"], ["C"]]


def test_of_two_from_the_same_day_the_one_said_first_never_held() -> None:
    found = line(fact("A", 15, said=1), fact("B", 15, said=10))
    assert (values(found, 14), values(found, 15)) == ([], ["B"])
    assert [one.reason for one in found.closings] == [ClosingReason.CORRECTED]


def test_the_same_value_again_confirms_and_ends_nothing() -> None:
    found = line(fact("sato", 1), fact("Ｓａｔｏ", 10))
    assert found.closings == ()


def test_a_fact_that_ends_by_its_own_words_is_not_ended_again() -> None:
    found = line(fact("A", 1, until=10), fact("B", 15))
    assert (values(found, 12), found.closings) == ([], ())


def test_a_fact_that_names_a_later_end_is_ended_by_whoever_begins_before() -> None:
    found = line(fact("A", 1, until=30), fact("B", 15))
    assert values(found, 20) == ["B"]


def test_predicates_that_may_have_several_values_only_add_up() -> None:
    found = line(fact("restart", 1, predicate="fix"), fact("new cable", 5, predicate="fix"))
    assert values(found, 10) == ["restart", "new cable"]


@pytest.mark.parametrize(("one", "other"), [("Room 101", "Room 102"), ("BL-61", "BL-66"), ("プリンタ1", "プリンタ2")])
def test_things_with_nearly_the_same_name_are_two_things(one: str, other: str) -> None:
    assert values(line(fact("A", 1, subject=one), fact("B", 5, subject=other)), 10) == ["A", "B"]


@pytest.mark.parametrize(("one", "other"), [("プリンター", "プリンタ"), ("ＶＰＮ", "vpn"), ("Room  101", "room 101")])
def test_spellings_of_one_name_are_one_thing(one: str, other: str) -> None:
    assert values(line(fact("A", 1, subject=one), fact("B", 5, subject=other)), 10) == ["B"]


def test_what_was_told_in_private_ends_nothing_that_others_rely_on() -> None:
    found = line(fact("A", 1), fact("B", 15, scope=private("sato")))
    assert values(found, 20) == ["A", "B"]


def test_what_everybody_may_see_ends_what_was_told_in_private() -> None:
    found = line(fact("A", 1, scope=private("sato")), fact("B", 15))
    assert values(found, 20) == ["B"]


def test_an_undone_closing_closes_nothing_and_the_next_one_does() -> None:
    first, wrong, last = fact("A", 1), fact("B", 10), fact("C", 20)
    undo = Undo(fact=first.id, by=wrong.id, who="okabe", why="B only stood in", at=day(12))
    found = line(first, wrong, last, undos=(undo,))
    assert [values(found, moment) for moment in (15, 25)] == [["A", "B"], ["C"]]


def test_nothing_begins_or_ends_where_everything_is_kept() -> None:
    found = line(fact("A", 1), fact("B", 15), policy=Policy.APPEND)
    assert (values(found, 10), values(found, 20)) == (["A", "B"], ["A", "B"])


def test_what_was_said_last_replaces_everything_where_it_overwrites_even_the_newer() -> None:
    found = line(fact("B", 15), fact("A", 1, said=20), policy=Policy.OVERWRITE)
    assert (values(found, 10), values(found, 20)) == (["A"], ["A"])


SCOPES = st.builds(
    Scope,
    visibility=st.sampled_from(Visibility),
    channel=st.sampled_from(["it", "hr"]),
    requester=st.sampled_from(["sato", "kim"]),
    participants=st.frozensets(st.sampled_from(["sato", "kim", "lee"])),
)
VIEWERS = st.builds(
    Viewer,
    user=st.sampled_from(["sato", "kim", "lee"]),
    channel=st.sampled_from([DIRECT, "it", "hr"]),
    agent=st.booleans(),
)


@given(wide=SCOPES, narrow=SCOPES, viewer=VIEWERS)
def test_whoever_may_read_the_narrower_may_read_the_scope_that_covers_it(
    wide: Scope, narrow: Scope, viewer: Viewer
) -> None:
    if covers(wide, narrow) and may_read(viewer, narrow):
        assert may_read(viewer, wide)


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(1, 30), st.integers(1, 30)), max_size=8))
def test_at_no_moment_do_two_values_hold_and_after_the_first_day_one_always_does(
    told: list[tuple[str, int, int]],
) -> None:
    facts = [fact(value, since, said=said) for value, since, said in told]
    found = line(*facts)
    for moment in range(1, 32):
        begun = any(since <= moment for _, since, _ in told)
        assert len({one.value for one in found.holding(day(moment, 12))}) == (1 if begun else 0)


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.integers(1, 30), st.integers(1, 30)), max_size=8))
def test_a_closing_always_names_a_later_beginning_and_another_value(told: list[tuple[str, int, int]]) -> None:
    facts = {one.id: one for one in (fact(value, since, said=said) for value, since, said in told)}
    for closing in line(*facts.values()).closings:
        assert facts[closing.by].valid_from == closing.at >= facts[closing.fact].valid_from
        assert facts[closing.by].value != facts[closing.fact].value


def test_everybody_may_see_more_than_a_channel() -> None:
    assert covers(EVERYONE, private("sato"))
    assert not covers(private("sato"), EVERYONE)


def undated(value: str, said: int) -> Fact:
    return fact(value, said, dated=False)


def test_what_was_announced_for_a_day_does_not_begin_earlier_when_it_is_said_again_without_one() -> None:
    said_again = undated("B", 13)
    found = line(fact("A", 1), fact("B", 20, said=12), said_again)
    assert [values(found, moment) for moment in (12, 14, 19, 20)] == [["A"], ["A"], ["A"], ["B"]]
    assert {(one.fact, one.at, one.reason) for one in found.closings} >= {
        (said_again.id, said_again.valid_from, ClosingReason.ANNOUNCED)
    }


def test_without_the_announcement_or_after_its_day_it_begins_when_it_is_said() -> None:
    assert values(line(fact("A", 1), undated("B", 13)), 14) == ["B"]
    assert values(line(fact("A", 1), fact("B", 20, said=14), undated("B", 13)), 14) == ["B"]
    assert values(line(fact("A", 1), fact("B", 20, said=12), fact("B", 13)), 14) == ["B"]
    assert values(line(fact("A", 1), fact("B", 20, said=12), undated("C", 13)), 14) == ["C"]


def test_where_nothing_else_holds_meanwhile_an_announcement_holds_nothing_back() -> None:
    assert values(line(fact("B", 20, said=12), undated("B", 13)), 14) == ["B"]


def test_that_an_announcement_holds_something_back_can_be_undone() -> None:
    early, announced = undated("B", 13), fact("B", 20, said=12)
    given = Undo(fact=early.id, by=announced.id, who="okabe", why="", at=day(15))
    assert values(line(fact("A", 1), announced, early, undos=(given,)), 14) == ["B"]


def test_one_person_by_two_names_changes_nothing() -> None:
    told = [fact("nadia", 1), fact("岡部", 10), fact("okabe", 15)]
    found = timeline(told, single=SINGLE, people={"岡部": "okabe"})
    assert (values(found, 20), len(found.closings)) == (["岡部", "okabe"], 1)
    periods = [fact("岡部", 10, predicate="period"), fact("okabe", 15, predicate="period")]
    assert len(timeline(periods, single={"period"}, people={"岡部": "okabe"}).closings) == 1


def test_a_part_of_a_name_is_that_person_and_another_name_is_not() -> None:
    told = [fact("Keiko Mori", 1), fact("Keiko", 10, until=15, dated=False), fact("Jan Mori", 15, said=10)]
    assert [(one.fact, one.by) for one in line(*told).closings] == [(told[0].id, told[2].id)]
