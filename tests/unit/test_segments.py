"""Where a conversation is cut into episodes, and that cutting again changes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.model import Turn, Visibility
from memory.remember.segments import cut
from tests.fakes.turns import ticket_turns, turn

SILENCE = timedelta(hours=12)


def cut_small(turns: list[Turn], max_tokens: int = 4000) -> list[list[str]]:
    return [[t.message for t in e.turns] for e in cut(turns, silence=SILENCE, max_tokens=max_tokens)]


def test_a_ticket_stays_one_episode_however_long_nobody_spoke() -> None:
    turns = [turn(1, minutes=0), turn(2, minutes=60 * 24 * 30)]
    assert cut_small(turns) == [["1", "2"]]


def test_free_chat_is_cut_where_nobody_spoke_for_longer_than_the_silence() -> None:
    turns = [turn(1, ticket=None), turn(2, ticket=None, minutes=720), turn(3, ticket=None, minutes=720 + 721)]
    assert cut_small(turns) == [["1", "2"], ["3"]]


def test_another_ticket_in_the_same_conversation_begins_another_episode() -> None:
    turns = [turn(1, ticket="INC-1"), turn(2, ticket="INC-2", minutes=1), turn(3, ticket="INC-2", minutes=2)]
    assert cut_small(turns) == [["1"], ["2", "3"]]


def test_no_episode_passes_the_token_limit_unless_one_turn_alone_does() -> None:
    long = "障害" * 200
    turns = [turn(1), turn(2, long, minutes=1), turn(3, minutes=2)]
    assert cut_small(turns, max_tokens=100) == [["1"], ["2"], ["3"]]


def test_no_turns_give_no_episode() -> None:
    assert cut([], silence=SILENCE, max_tokens=100) == []


def test_an_episode_keeps_its_id_while_it_grows() -> None:
    turns = ticket_turns(4)
    short = cut(turns[:2], silence=SILENCE, max_tokens=4000)
    grown = cut(turns, silence=SILENCE, max_tokens=4000)
    assert [e.id for e in short] == [e.id for e in grown]
    assert short[0].fingerprint != grown[0].fingerprint


def test_an_edited_turn_changes_the_fingerprint_and_not_the_id() -> None:
    turns = ticket_turns(2)
    edited = [turns[0], replace(turns[1], text="other words", revision=2)]
    before = cut(turns, silence=SILENCE, max_tokens=4000)[0]
    after = cut(edited, silence=SILENCE, max_tokens=4000)[0]
    assert before.id == after.id
    assert before.fingerprint != after.fingerprint


def test_an_episode_is_as_private_as_its_most_private_turn() -> None:
    turns = [turn(1, visibility=Visibility.EVERYONE), turn(2, visibility=Visibility.PRIVATE, minutes=1)]
    scope = cut(turns, silence=SILENCE, max_tokens=4000)[0].scope
    assert scope.visibility is Visibility.PRIVATE


chats = st.lists(
    st.tuples(st.integers(0, 2000), st.sampled_from([None, None, "INC-1", "INC-2"]), st.integers(1, 300)), max_size=12
)


def make_chat(shape: list[tuple[int, str | None, int]]) -> list[Turn]:
    minutes = 0
    turns = []
    for number, (gap, ticket, size) in enumerate(shape):
        minutes += gap
        turns.append(turn(number, "x " * size, ticket=ticket, minutes=minutes))
    return turns


@given(chats)
def test_episodes_hold_every_turn_once_and_in_order(shape: list[tuple[int, str | None, int]]) -> None:
    turns = make_chat(shape)
    episodes = cut(turns, silence=SILENCE, max_tokens=120)
    assert [t for e in episodes for t in e.turns] == turns


@given(chats)
def test_cutting_again_from_the_start_of_any_episode_gives_the_same_episodes(
    shape: list[tuple[int, str | None, int]],
) -> None:
    turns = make_chat(shape)
    episodes = cut(turns, silence=SILENCE, max_tokens=120)
    for place, episode in enumerate(episodes):
        start = turns.index(episode.turns[0])
        again = cut(turns[start:], silence=SILENCE, max_tokens=120)
        assert [e.id for e in again] == [e.id for e in episodes[place:]]
