"""What gives way to what holds, sentence by sentence, and that the only answer never does."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memory.answers import Evidence
from memory.facts import STATE, Fact
from memory.model import Role
from memory.recall.validity import Standing, deciding, of_the_time, standing, trusted, with_ends, without_stale
from memory.remember.timeline import timeline
from tests.fakes.matters import day, fact

OLD = fact("10 days", 1, subject="loan period", predicate="period", turn="old")
NEW = fact("7 days", 20, said=12, subject="loan period", predicate="period", turn="new")
SINGLE = {"period", "status"}
ASKED = "How long is the loan period, and where is Joost?"


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
    found = without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(25)), ASKED)
    assert quotes(found) == ["Ask Joost in room 3.", "From the 20th the loan period is 7 days."]


def test_what_does_not_hold_yet_goes_when_an_earlier_day_is_asked_about() -> None:
    found = without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(15)), ASKED)
    assert quotes(found) == ["The loan period is 10 days. Ask Joost in room 3."]


def test_a_sentence_in_the_middle_leaves_two_verbatim_pieces() -> None:
    middle = quote("Loan forms are with Joost. The period is 10 days. Joost has the keys.", "old")
    found = without_stale([middle], stands(OLD, NEW, at=day(25)), ASKED)
    assert quotes(found) == ["Loan forms are with Joost.", "Joost has the keys."]
    assert all(one.quote in middle.quote for one in found)


def test_what_is_left_of_a_quote_and_answers_nothing_goes_with_it() -> None:
    late = quote("お知らせが遅れてすみません。貸出期間は10 daysです。引き継ぎは済んでいます。", "old")
    assert quotes(without_stale([late, NEW_QUOTE], stands(OLD, NEW, at=day(25)), ASKED)) == [NEW_QUOTE.quote]


def test_what_is_left_of_a_quote_stays_if_it_tells_something_that_holds() -> None:
    cause = fact("no power", 1, subject="player", predicate="cause", turn="old")
    both = quote("The period is 10 days. The player had no power.", "old")
    for at, left in ((day(25), ["The player had no power."]), (day(1, -1), [])):
        held = standing(timeline([OLD, NEW, replace(NEW, valid_from=day(0))], single=SINGLE), at, {"old"}, [cause])
        assert quotes(without_stale([both], held, "サイネージは？")) == left


OWN = fact("okabe", 1, subject="Andon", predicate="owner", turn="own", dated=False)
TAKEN = fact("nadia", 20, subject="Andon", predicate="owner", turn="taken")


def test_whoever_speaks_of_themselves_tells_their_name_in_whatever_words() -> None:
    said = quote("Andon is my job now. I look at it.", "own")
    held = standing(timeline([OWN, TAKEN], single={"owner"}), day(25), {"own"})
    assert without_stale([said], held, "Who?") == []
    then = standing(timeline([OWN, TAKEN], single={"owner"}), day(10), {"own"})
    assert without_stale([said], then, "Who?") == [said]


def test_what_holds_only_from_after_the_moment_is_no_answer_for_it_even_if_it_is_the_same() -> None:
    again = fact("nadia", 28, subject="Andon", predicate="owner", turn="again")
    said = quote("Andon: nadia", "again")
    held = standing(timeline([TAKEN, again], single={"owner"}), day(25), {"again"})
    assert without_stale([said], held, "Who?") == []


def test_two_names_of_one_person_are_one_value() -> None:
    other = fact("岡部", 20, subject="Andon", predicate="owner", turn="taken")
    said = quote("Andon is okabe's.", "own")
    for people, left in (({"岡部": "okabe"}, [said]), ({}, [])):
        held = standing(timeline([OWN, other], single={"owner"}, people=people), day(25), {"own"})
        assert without_stale([said], held, "Who?") == left


def test_what_was_said_after_the_moment_goes_unless_it_tells_of_that_time_or_nothing_else_answers() -> None:
    held = stands(OLD, NEW, at=day(15))
    later = [replace(quote(text, "x"), said_from=day(16)) for text in ("I pressed it.", "The loan form is green.")]
    then = replace(quote("It was 10 days.", "old"), said_from=day(16))
    before = replace(quote("The form is blue.", "x"), said_from=day(14))
    assert list(of_the_time([*later, then, before], held, day(15))) == [then, before]
    weak = replace(before, confidence=0.4)
    assert list(of_the_time([*later, weak], held, day(15))) == [*later, weak]


def test_what_tells_the_deciding_fact_is_trusted_as_much_as_the_best() -> None:
    weak = replace(OLD_QUOTE, confidence=0.3)
    trust = trusted([OLD, NEW], [weak, NEW_QUOTE])
    found = deciding([weak, NEW_QUOTE], stands(OLD, NEW, at=day(15)), trust)
    assert [one.confidence for one in found] == [0.8, 0.8]
    assert deciding([weak, NEW_QUOTE], stands(OLD, NEW, at=day(25)), trust) == [weak, NEW_QUOTE]


def test_a_matter_that_weaker_evidence_leads_to_is_trusted_as_much_as_that() -> None:
    """Beside it the question is asked about another thing of the same kind; another kind has a best of its own, unless
    that is far from the best of all: then nothing of that kind was asked."""
    visas, name = (replace(OLD, subject="visa", turn_ids=("visa",)), replace(OLD, predicate="name", turn_ids=("name",)))
    owner = replace(OLD, predicate="owner", turn_ids=("owner",))
    evidence = [
        replace(quote("I need one.", "asks"), confidence=0.9),
        replace(OLD_QUOTE, confidence=0.4),
        replace(NEW_QUOTE, confidence=0.7),
        replace(quote("Visas are for 10 days.", "visa"), confidence=0.6),
        replace(quote("It is called Ten Days.", "name"), confidence=0.4),
        replace(quote("The projector is Suzuki's.", "owner"), confidence=0.3),
    ]
    trust = trusted([OLD, NEW, visas, name, owner], evidence)
    assert trust == {OLD.group: 0.9, visas.group: 0.6, name.group: 0.9, owner.group: 0.3}
    assert trusted([], evidence) == {}


def test_the_sentence_that_names_the_old_value_beside_the_one_that_holds_stays() -> None:
    both = quote("貸出期間は10 daysではなく7 daysになります。", "new")
    also_old = replace(OLD, turn_ids=("new",))
    assert quotes(without_stale([both], stands(also_old, NEW, at=day(25)), ASKED)) == [both.quote]


def test_a_value_inside_another_number_or_word_is_another_value() -> None:
    told = quote("The loan period is 10 days. Loans of 110 days need a form.", "old")
    found = without_stale([told, NEW_QUOTE], stands(OLD, NEW, at=day(25)), ASKED)
    assert quotes(found)[0] == "Loans of 110 days need a form."


def test_the_only_answer_stays_although_it_has_ended() -> None:
    ended = replace(OLD, valid_to=day(10))
    assert quotes(without_stale([OLD_QUOTE], stands(ended, at=day(25)), ASKED)) == [OLD_QUOTE.quote]


def test_a_ticket_that_was_resolved_keeps_the_words_of_the_turn_that_opened_it() -> None:
    opened = fact("open", 1, subject="INC-1", predicate="status", turn="old", made_by=STATE)
    resolved = fact("resolved", 3, subject="INC-1", predicate="status", turn="new", made_by=STATE)
    told = [quote("I cannot open the report.", "old"), NEW_QUOTE]
    assert without_stale(told, stands(opened, resolved, at=day(25)), ASKED) == told


def test_what_was_said_without_a_date_silences_nothing_that_was_said_with_one() -> None:
    newer = fact("7 days", 20, subject="loan period", predicate="period", turn="new", dated=False)
    assert without_stale([OLD_QUOTE, NEW_QUOTE], stands(OLD, newer, at=day(25)), ASKED) == [OLD_QUOTE, NEW_QUOTE]
    both_undated = replace(OLD, dated=False)
    assert quotes(without_stale([OLD_QUOTE], stands(both_undated, newer, at=day(25)), ASKED)) == [
        "Ask Joost in room 3."
    ]


def test_where_the_history_is_asked_for_everything_stays_and_says_until_when_it_was_true() -> None:
    found = with_ends([OLD_QUOTE, NEW_QUOTE], stands(OLD, NEW, at=day(25)))
    assert [(one.quote, one.valid_to) for one in found] == [(OLD_QUOTE.quote, day(20)), (NEW_QUOTE.quote, None)]


def test_the_facts_that_decide_are_told() -> None:
    assert [one.value for one in stands(OLD, NEW, at=day(25)).holding] == ["7 days"]
    assert stands(NEW, at=day(25)).holding == ()
