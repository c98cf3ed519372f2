"""Evidence from the ranking, and the union: nobody's silence removes anything."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.answers import Evidence, RankedTurn
from memory.model import Episode, Question, Viewer
from memory.recall.evidence import is_beside, merge, quote_turn, sure_evidence
from memory.remember.segments import cut
from memory.tickets import State
from tests.fakes.turns import NOON, turn

TEXTS = ["VPN fails", "try a restart", "no change", "enrol the certificate again", "works now"]


def an_episode() -> Episode:
    turns = [turn(n, text, minutes=n) for n, text in enumerate(TEXTS, 1)]
    return cut(turns, silence=timedelta(hours=1), max_tokens=4000)[0]


def ranked(episode: Episode, *places: int) -> list[RankedTurn]:
    return [
        RankedTurn(turn_id=t.id, ref=t.ref, episode=episode.id, ticket="INC-1", score=2.0 / rank)
        for rank, t in enumerate((episode.turns[place] for place in places), 1)
    ]


def quotes(found: list[Evidence] | tuple[Evidence, ...]) -> set[str]:
    return {one.quote for one in found}


def test_a_sure_turn_brings_its_neighbours() -> None:
    episode = an_episode()
    found = sure_evidence(ranked(episode, 3), {episode.id: episode}, 1.0)
    assert quotes(found) == {"no change", "enrol the certificate again", "works now"}


def test_a_neighbour_is_trusted_less_than_the_turn_itself() -> None:
    episode = an_episode()
    trust = {one.quote: one.confidence for one in sure_evidence(ranked(episode, 3), {episode.id: episode}, 0.9)}
    assert trust["enrol the certificate again"] == 0.9
    assert trust["works now"] < 0.9


def test_a_turn_that_is_hit_and_neighbour_keeps_the_higher_trust() -> None:
    episode = an_episode()
    trust = {one.quote: one.confidence for one in sure_evidence(ranked(episode, 3, 4), {episode.id: episode}, 1.0)}
    assert trust["enrol the certificate again"] == 1.0
    assert trust["works now"] == 0.8


def test_a_turn_of_half_the_score_is_half_as_sure() -> None:
    episode = an_episode()
    trust = {one.quote: one.confidence for one in sure_evidence(ranked(episode, 0, 3), {episode.id: episode}, 0.9)}
    assert trust["enrol the certificate again"] == 0.45


def test_a_turn_of_an_episode_that_may_not_be_seen_is_no_evidence() -> None:
    episode = an_episode()
    assert sure_evidence(ranked(episode, 3), {}, 1.0) == []


def test_the_union_is_in_time_order() -> None:
    episode = an_episode()
    backwards = [quote_turn(t, episode, 0.5) for t in reversed(episode.turns)]
    assert [one.quote for one in merge(backwards, budget=1000)] == TEXTS


def test_a_quote_inside_another_quote_of_the_same_turn_is_said_once() -> None:
    episode = an_episode()
    whole = quote_turn(episode.turns[3], episode, 0.5)
    part = replace(whole, quote="the  certificate", confidence=0.9)
    assert quotes(merge([part], [whole], budget=1000)) == {"enrol the certificate again"}


def test_under_a_small_budget_the_most_trusted_stay_and_keep_their_order() -> None:
    episode = an_episode()
    trust = [0.9, 0.1, 0.1, 0.8, 0.1]
    found = [quote_turn(t, episode, c) for t, c in zip(episode.turns, trust, strict=True)]
    kept = merge(found, budget=7)
    assert [one.quote for one in kept] == ["VPN fails", "enrol the certificate again"]


def test_evidence_has_a_number_only_where_there_is_a_ticket() -> None:
    [filed] = cut([turn(1, "VPN fails", ticket="INC-7")], silence=timedelta(hours=1), max_tokens=4000)
    assert quote_turn(filed.turns[0], filed, 1.0).number == "INC-7"
    [chat] = cut([replace(turn(1, "VPN fails"), ticket=None)], silence=timedelta(hours=1), max_tokens=4000)
    assert quote_turn(chat.turns[0], chat, 1.0).number is None


@pytest.mark.parametrize(
    ("message", "thread", "status", "words", "beside"),
    [
        ("17.1-ticket", "17.1", State.OPEN, "Opened a ticket.", True),
        ("HD-1-take", "17.1", State.WAITING_FOR_SUPPORT, "Okabe takes HD-1.", True),
        ("HD-1-end", "17.1", State.RESOLVED, "HD-1 is resolved.", True),
        ("HD-1-end", "17.1", State.RESOLVED, "HD-1 is resolved.\nFix: a new cable", False),
        ("HD-1-asks", "17.1", State.WAITING_FOR_USER, "Which floor is it?", False),
        ("HD-1-1", "HD-1", State.OPEN, "The cable is loose.", False),
        ("17.2", "17.1", None, "The cable is loose.", False),
    ],
)
def test_a_mere_change_of_a_ticket_of_ours_is_no_evidence(
    message: str, thread: str, status: State | None, words: str, beside: bool
) -> None:
    one = turn(message, words, ticket="HD-1", thread=thread, status=status)
    question = Question(text="What was wrong with HD-1?", viewer=Viewer(user="mori"), now=NOON)
    assert is_beside(one, question) is beside
