"""Choosing weights and sizes on the one half of the questions, and checking them on the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest

from config.weights import WeightSettings
from memory.evaluation.compared import compared, standing
from memory.evaluation.dataset import Asked
from memory.evaluation.halves import halves
from memory.evaluation.sheets import Sheet, found, place, sheet_of, vector
from memory.evaluation.sizes import chosen_talks, talks, worth_trying
from memory.evaluation.tuned import Questions, TriedSize, TriedSizes, TriedWeights, Tuned, as_json
from memory.evaluation.weighing import better_weights
from memory.index_ports import Pointer
from memory.model import Episode, Question, Turn, Viewer
from memory.recall.intent import Intent
from memory.recall.pathways import Channel, Findings, Found, Pathway
from memory.recall.ranking import Candidates
from memory.recall.rerank import WEIGHED, WEIGHTS, Weights, rank, weights_of
from memory.recall.support import support
from memory.remember.segments import cut
from tests.fakes.turns import NOON, turn

SILENCE = timedelta(hours=12)


def asked(name: str, *gold: str) -> Asked:
    question = Question(text=name, viewer=Viewer(user="reader"), now=NOON)
    return Asked(id=name, group="own", question=question, gold=gold or (name,))


def pointer(ticket: str, position: int = 0, length: int = 1) -> Pointer:
    return Pointer(
        episode=f"episode {ticket}",
        turn=f"{ticket}/{position}",
        position=position,
        length=length,
        speaker="sato",
        requester="sato",
        language="en",
        said_at=NOON,
    )


def ranked(by_ticket: Mapping[str, Mapping[Channel, float]], weights: Weights = WEIGHTS) -> Candidates:
    """One turn of each ticket with these values; every episode is admitted."""
    findings = Findings(
        channels={
            channel: [
                Found(pointer=pointer(ticket), value=values[channel])
                for ticket, values in by_ticket.items()
                if channel in values
            ]
            for channel in {channel for values in by_ticket.values() for channel in values}
        }
    )
    doors = {f"episode {ticket}": {Pathway.SYMBOLIC} for ticket in by_ticket}
    return Candidates(scored=rank(findings, {}, weights), doors=doors)


def sheet(one: Asked, by_ticket: Mapping[str, Mapping[Channel, float]]) -> Sheet:
    tickets = {f"episode {ticket}": ticket for ticket in by_ticket}
    return sheet_of(one, ranked(by_ticket), tickets, WEIGHTS)


# --- halves -----------------------------------------------------------------------------------------------------------


def test_questions_are_parted_evenly_and_always_in_the_same_way() -> None:
    questions = [asked(f"q{number}", f"T-{number}") for number in range(21)]
    parted = halves(questions)
    assert sorted((len(parted.choosing), len(parted.checking))) == [10, 11]
    assert {one.id for one in (*parted.choosing, *parted.checking)} == {one.id for one in questions}
    assert halves(reversed(questions)) == parted


def test_questions_about_one_ticket_stay_together() -> None:
    questions = [asked(f"q{number}", f"T-{number // 3}") for number in range(24)]
    parted = halves(questions)
    assert not {one.gold for one in parted.choosing} & {one.gold for one in parted.checking}
    assert len(parted.choosing) == len(parted.checking) == 12


# --- sheets -----------------------------------------------------------------------------------------------------------

_WORDS, _EXACT = Channel.WORDS_TURN, Channel.EXACT


def test_a_sheet_gives_the_order_of_other_weights_without_another_search() -> None:
    """Words .5 and .3 at a weight of .5, an exact name of .2 at 2.0: .25 against .55."""
    one = sheet(asked("q"), {"A": {_WORDS: 0.5}, "B": {_WORDS: 0.3, _EXACT: 0.2}})
    assert found(one, vector(WEIGHTS)) == ("B", "A")
    assert found(one, vector({**WEIGHTS, _EXACT: 0.0})) == ("A", "B")


def test_an_episode_that_no_pathway_admits_comes_behind_those_that_are() -> None:
    ranking = ranked({"A": {_WORDS: 0.1}, "B": {_WORDS: 0.9}})
    admitting = Candidates(scored=ranking.scored, doors={"episode A": {Pathway.SYMBOLIC}})
    one = sheet_of(asked("q"), admitting, {"episode A": "A", "episode B": "B"}, WEIGHTS)
    assert found(one, vector(WEIGHTS)) == ("A", "B")


def test_what_was_ranked_without_a_channel_stays_without_it() -> None:
    without = {**WEIGHTS, _EXACT: 0.0}
    tickets = {"episode A": "A", "episode B": "B"}
    one = sheet_of(asked("q"), ranked({"A": {_WORDS: 0.5}, "B": {_WORDS: 0.3, _EXACT: 0.2}}, without), tickets, without)
    assert found(one, vector(WEIGHTS)) == ("A", "B")


def test_a_question_that_finds_nothing_has_an_empty_sheet() -> None:
    one = sheet_of(asked("q"), Candidates(), {}, WEIGHTS)
    assert (one.values.shape, found(one, vector(WEIGHTS))) == ((0, len(WEIGHED)), ())
    assert place(one.asked, found(one, vector(WEIGHTS))) == 0.0


# --- weights ----------------------------------------------------------------------------------------------------------


def hidden(number: int) -> Sheet:
    """The right ticket has the words; five others are only written by who is named."""
    others = {f"N{number}-{other}": {_EXACT: 0.5} for other in range(5)}
    return sheet(asked(f"R{number}"), {**others, f"R{number}": {_WORDS: 1.0}})


def test_the_change_that_brings_the_right_tickets_up_is_chosen() -> None:
    """An exact name of .5 at 2.0 is worth 1.0 and all of the words .5; at 1.0 it would still be .5 and as much."""
    better = better_weights([hidden(number) for number in range(10)], WEIGHTS)
    assert better == {**WEIGHTS, _EXACT: 0.0}


def test_where_all_is_right_nothing_is_changed() -> None:
    sheets = [sheet(asked(f"R{number}"), {f"R{number}": {_WORDS: 1.0}, "N": {_WORDS: 0.2}}) for number in range(10)]
    assert better_weights(sheets, WEIGHTS) is None


def test_a_single_question_among_many_is_no_reason_for_a_change() -> None:
    """From place six to the first is .61 for one of a hundred questions."""
    right = [sheet(asked(f"R{number}"), {f"R{number}": {_WORDS: 1.0}, "N": {_WORDS: 0.1}}) for number in range(99)]
    assert better_weights([*right, hidden(0)], WEIGHTS) is None


def test_weights_decide_the_order_and_not_whether_anything_was_found() -> None:
    """Words of 1.0 at .5: a fit of .2 + .3 * .5, whatever the words are worth elsewhere."""
    for words in (0.0, 0.25, 0.5, 5.0):
        weights = {**WEIGHTS, _WORDS: words}
        scored = ranked({"A": {_WORDS: 1.0}}, weights).scored
        assert support(scored, Intent()) == pytest.approx(0.35)


def test_every_weight_has_a_setting_and_every_setting_a_channel() -> None:
    assert weights_of(WeightSettings(exact=3)) == {**WEIGHTS, Channel.EXACT: 3.0}
    assert len(WEIGHTS) == len(WeightSettings.model_fields)


# --- what holds -------------------------------------------------------------------------------------------------------


def answers(questions: Sequence[Asked], right: int) -> dict[str, tuple[str, ...]]:
    """The right ticket first for so many of the questions, none for the others."""
    return {one.id: one.gold if number < right else () for number, one in enumerate(questions)}


def test_a_gain_holds_where_even_the_low_end_of_its_interval_is_one() -> None:
    questions = [asked(f"q{number}") for number in range(30)]
    clear = compared(questions, answers(questions, 10), answers(questions, 20))
    assert clear.before.first_five.value == pytest.approx(1 / 3)
    assert clear.after.first_five.value == pytest.approx(2 / 3)
    assert clear.gain.value == pytest.approx(1 / 3)
    assert clear.holds
    chance = compared(questions, answers(questions, 10), answers(questions, 11))
    assert chance.gain.value > 0
    assert not chance.holds


def tried(tokens: int, chosen: int, checked: int) -> TriedSize:
    """A size that finds so many of twenty where nothing was found before."""
    questions = [asked(f"q{number}") for number in range(20)]
    none = answers(questions, 0)
    return TriedSize(
        tokens=tokens,
        chosen=compared(questions, none, answers(questions, chosen)),
        checked=compared(questions, none, answers(questions, checked)),
    )


def test_only_the_size_that_was_chosen_may_be_advised() -> None:
    """500 is best where it was chosen and finds nothing elsewhere; that 1000 does is chance as far as anybody knows."""
    sizes = TriedSizes(turns=10, of_turns=10, tried=(tried(500, 12, 0), tried(1000, 6, 12)))
    assert sizes.best is not None
    assert sizes.best.tokens == 500
    assert as_json(outcome(None, sizes))["advice"] is None
    assert TriedSizes(turns=10, of_turns=10, tried=(tried(500, 0, 12),)).best is None


def outcome(weights: TriedWeights | None, sizes: TriedSizes) -> Tuned:
    questions = [asked(f"q{number}") for number in range(40)]
    return Tuned(
        questions=Questions(asked=40, without_ticket=0, choosing=20, checking=20),
        as_set=standing(questions, answers(questions, 20)),
        weights=weights,
        sizes=sizes,
    )


def test_what_holds_is_told_as_lines_of_configuration() -> None:
    weights = TriedWeights(changes={"exact": (2.0, 4.0), "asks": (-0.5, 0.0)}, checked=tried(0, 0, 12).checked)
    told = as_json(outcome(weights, TriedSizes(turns=10, of_turns=30, tried=(tried(500, 12, 12),))))
    assert told["advice"] == "recall:\n  weights:\n    exact: 4\n    asks: 0\nremember:\n  episode_tokens: 500"
    assert told["questions"] == {"asked": 40, "without_ticket": 0, "left_out": 0, "choosing": 20, "checking": 20}


# --- sizes ------------------------------------------------------------------------------------------------------------


def talk(name: str, turns: int, *, day: int = 0, words: int = 1) -> tuple[Turn, ...]:
    return tuple(
        turn(number, "word " * words, thread=name, ticket=name, minutes=1440 * day + number) for number in range(turns)
    )


def episodes(*said: tuple[Turn, ...]) -> list[Episode]:
    return [one for turns in said for one in cut(turns, silence=SILENCE, max_tokens=4000)]


def test_the_tickets_that_are_to_be_found_come_first_and_then_the_newest() -> None:
    found = talks(episodes(talk("old", 3, day=0), talk("new", 3, day=9), talk("gold", 3, day=1)), {"gold"}, {})
    chosen = chosen_talks(found.values(), 7)
    assert [(one.gold, one.turns) for one in chosen] == [(True, 3), (False, 3)]
    assert chosen[1].last_at > chosen[0].last_at


def test_a_conversation_of_several_episodes_is_taken_whole() -> None:
    parts = cut(talk("long", 4, words=100), silence=SILENCE, max_tokens=200)
    assert len(parts) > 1
    [one] = talks(parts[1:], set(), talks(parts[:1], {"long"}, {})).values()
    assert (one.turns, one.gold, len(one.episodes)) == (4, True, len(parts))


def test_only_sizes_that_cut_this_history_in_another_way_are_tried() -> None:
    assert worth_trying([talk("short", 3)], SILENCE, 4000) == []
    long = talk("long", 30, words=70)
    total = sum(one.tokens for one in cut(long, silence=SILENCE, max_tokens=32_000))
    assert 2000 < total < 4000
    assert worth_trying([long], SILENCE, 4000) == [500, 1000, 2000]
    assert worth_trying([long], SILENCE, 1000) == [500, 2000, 4000]
