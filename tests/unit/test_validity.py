"""What gives way to what holds, sentence by sentence, and that the only answer never does."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memory.answers import Evidence
from memory.facts import STATE, Fact
from memory.model import Role
from memory.recall.validity import Standing, standing, with_ends, without_stale
from memory.remember.timeline import timeline
from tests.fakes.matters import day, fact

OLD = fact("10 days", 1, subject="loan period", predicate="period", turn="old")
NEW = fact("7 days", 20, said=12, subject="loan period", predicate="period", turn="new")
SINGLE = {"period", "status"}


def quote(text: str, turn: str) -> Evidence:
    return Evidence(
        quote=text,
        turn_ids=(turn,),
        refs=(f"INC-1/{turn}",),
        speaker="okabe",
        role=Role.AGENT,
        said_from=day(1),
        said_to=day(1),
        confidence=0.8,
        episode="episode",
        ticket="INC-1",
    )


def stands(*facts: Fact, at: datetime) -> Standing:
    told = {turn for one in facts for turn in one.turn_ids}
    return standing(timeline(facts, single=SINGLE), at, told)


def quotes(found: list[Evidence]) -> list[str]:
    return [one.quote for one in found]


OLD_QUOTE = quote("The loan period is 10 days. Ask Joost in room 3.", "old")
NEW_QUOTE = quote("From the 20th the loan period is 7 days.", "new")


def test_the_sentence_that_no_longer_holds_goes_and_the_rest_of_the_quote_stays_word_for_word() -> None:
    found = without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(25)))
    assert quotes(found) == ["Ask Joost in room 3.", "From the 20th the loan period is 7 days."]


def test_what_does_not_hold_yet_goes_when_an_earlier_day_is_asked_about() -> None:
    found = without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(15)))
    assert quotes(found) == ["The loan period is 10 days. Ask Joost in room 3."]


def test_a_sentence_in_the_middle_leaves_two_verbatim_pieces() -> None:
    middle = quote("Hello. The period is 10 days. Bye now.", "old")
    found = without_stale([middle], stands(OLD, NEW, at=day(25)))
    assert quotes(found) == ["Hello.", "Bye now."]
    assert all(one.quote in middle.quote for one in found)


def test_the_sentence_that_names_the_old_value_beside_the_one_that_holds_stays() -> None:
    both = quote("貸出期間は10 daysではなく7 daysになります。", "new")
    also_old = replace(OLD, turn_ids=("new",))
    assert quotes(without_stale([both], stands(also_old, NEW, at=day(25)))) == [both.quote]


def test_a_value_inside_another_number_or_word_is_another_value() -> None:
    told = quote("The loan period is 10 days. Mail is kept for 110 days.", "old")
    found = without_stale([told, NEW_QUOTE], stands(OLD, NEW, at=day(25)))
    assert quotes(found)[0] == "Mail is kept for 110 days."


def test_the_only_answer_stays_although_it_has_ended() -> None:
    ended = replace(OLD, valid_to=day(10))
    assert quotes(without_stale([OLD_QUOTE], stands(ended, at=day(25)))) == [OLD_QUOTE.quote]


def test_a_ticket_that_was_resolved_keeps_the_words_of_the_turn_that_opened_it() -> None:
    opened = fact("open", 1, subject="INC-1", predicate="status", turn="old", made_by=STATE)
    resolved = fact("resolved", 3, subject="INC-1", predicate="status", turn="new", made_by=STATE)
    told = [quote("I cannot open the report.", "old"), NEW_QUOTE]
    assert without_stale(told, stands(opened, resolved, at=day(25))) == told


def test_what_was_said_without_a_date_silences_nothing_that_was_said_with_one() -> None:
    newer = fact("7 days", 20, subject="loan period", predicate="period", turn="new", dated=False)
    assert without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, newer, at=day(25))) == [OLD_QUOTE, NEW_QUOTE]
    both_undated = replace(OLD, dated=False)
    assert quotes(without_stale([OLD_QUOTE], stands(both_undated, newer, at=day(25)))) == ["Ask Joost in room 3."]


def test_where_the_history_is_asked_for_everything_stays_and_says_until_when_it_was_true() -> None:
    found = with_ends([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(25)))
    assert [(one.quote, one.valid_to) for one in found] == [(OLD_QUOTE.quote, day(20)), (NEW_QUOTE.quote, None)]


def test_the_facts_that_decide_are_told() -> None:
    assert [one.value for one in stands(OLD, NEW, at=day(25)).holding] == ["7 days"]
    assert stands(NEW, at=day(25)).holding == ()
