"""A profile is what a timeline says of one subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.remember.profiles import Attribute, Profile, profile_of, telling
from memory.remember.timeline import Timeline, timeline
from tests.fakes.matters import day, fact

SINGLE = ("assignee",)


def attribute(profile: Profile, predicate: str) -> Attribute:
    [found] = [each for each in profile.attributes if each.predicate == predicate]
    return found


def values(attribute: Attribute) -> tuple[list[str], list[str]]:
    return [one.value for one in attribute.current], [one.value for one in attribute.history]


def test_what_holds_is_current_and_what_held_is_history_newest_first() -> None:
    line = timeline([fact("Sato", 1), fact("Mori", 15), fact("Abe", 20)], single=SINGLE)
    profile = profile_of(line, "Printers")
    owner = attribute(profile, "assignee")
    assert (profile.subject, values(owner)) == ("printers", (["Abe"], ["Mori", "Sato"]))
    assert [(one.valid_from, one.valid_to) for one in owner.history] == [(day(15), day(20)), (day(1), day(15))]


def test_as_of_a_day_it_is_what_held_then() -> None:
    line = timeline([fact("Sato", 1), fact("Mori", 15), fact("Abe", 20)], single=SINGLE)
    assert values(attribute(profile_of(line, "printers", at=day(16)), "assignee")) == (["Mori"], ["Sato"])
    assert values(attribute(profile_of(line, "printers", at=day(20)), "assignee")) == (["Abe"], ["Mori", "Sato"])
    assert profile_of(line, "printers", at=day(1) - (day(2) - day(1))).attributes == ()


def test_several_values_can_hold_at_once() -> None:
    line = timeline([fact("tray 1", 1, predicate="has"), fact("tray 2", 2, predicate="has")], single=SINGLE)
    assert values(attribute(profile_of(line, "printers"), "has")) == (["tray 2", "tray 1"], [])


def test_the_same_said_again_is_one_value_with_all_its_evidence() -> None:
    line = timeline([fact("Sato", 1), fact("SATO", 5), fact("Mori", 9), fact("Sato", 12)], single=SINGLE)
    owner = attribute(profile_of(line, "printers"), "assignee")
    assert values(owner) == (["Sato"], ["Mori", "Sato"])
    [now], [_, before] = owner.current, owner.history
    assert now.turn_ids == ("turn-Sato-12-12",)
    assert before.turn_ids == ("turn-Sato-1-01", "turn-SATO-5-05")
    assert (before.valid_from, before.valid_to) == (day(1), day(9))


def test_what_was_corrected_from_its_beginning_never_held() -> None:
    line = timeline([fact("Sato", 1, said=1), fact("Mori", 1, said=3)], single=SINGLE)
    assert values(attribute(profile_of(line, "printers"), "assignee")) == (["Mori"], [])


def test_other_subjects_stay_out_however_alike() -> None:
    line = Timeline(facts=(fact("Sato", 1, subject="Room 101"), fact("Mori", 1, subject="Room 102")))
    profile = profile_of(line, "ｒｏｏｍ　101")
    assert profile.subject == "Room 101"
    assert values(attribute(profile, "assignee")) == (["Sato"], [])
    assert profile_of(line, "Room 103") == Profile(subject="Room 103")


def test_a_profile_does_not_depend_on_the_order_of_facts() -> None:
    facts = [fact("Sato", 1), fact("Mori", 15), replace(fact("Mori", 15), turn_ids=("other",))]
    line = timeline(facts, single=SINGLE)
    assert profile_of(line, "printers") == profile_of(replace(line, facts=line.facts[::-1]), "printers")


@pytest.mark.parametrize(("written", "signed"), [("岡部", "okabe"), ("Keiko", "Keiko Mori")])
def test_two_names_of_one_person_are_one_value_that_goes_by_the_newer(written: str, signed: str) -> None:
    facts = [fact("nadia", 1), fact(written, 15), fact(signed, 20)]
    line = timeline(facts, single=SINGLE, people={"岡部": "okabe"})
    owner = attribute(profile_of(line, "printers", at=day(25)), "assignee")
    assert values(owner) == ([signed], ["nadia"])
    assert [(one.valid_from, len(one.turn_ids)) for one in owner.current] == [(day(15), 2)]


def test_names_of_two_people_stay_two_values() -> None:
    line = timeline([fact("岡部", 15), fact("nadia", 20)], single=SINGLE, people={"岡部": "okabe"})
    assert values(attribute(profile_of(line, "printers"), "assignee")) == (["nadia"], ["岡部"])


def test_what_is_known_by_several_names_is_one_profile() -> None:
    line = Timeline(
        facts=(fact("IT", 1, subject="岡部", predicate="job"), fact("5", 2, subject="okabe", predicate="has"))
    )
    profile = profile_of(line, "okabe", "岡部")
    assert (profile.subject, [one.predicate for one in profile.attributes]) == ("okabe", ["has", "job"])


def test_of_others_only_what_stands_on_the_given_facts_is_told() -> None:
    had, other, elsewhere = fact("okabe", 1), fact("nadia", 9), fact("nadia", 1, subject="scanners")
    [profile] = telling(timeline([had, other, elsewhere], single=SINGLE), {had.id})
    assert (profile.subject, values(attribute(profile, "assignee"))) == ("printers", ([], ["okabe"]))
