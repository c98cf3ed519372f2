"""Which keys an episode gets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import numpy as np

from memory.index_ports import Encoder, Key
from memory.model import KeyKind, Turn
from memory.remember.keys import keys_of
from memory.remember.notes import Noted, note_of
from memory.remember.rules import RuleEnricher
from memory.remember.segments import cut
from memory.stores.in_memory_encoder import HashingEncoder
from tests.fakes.turns import NOON, turn

TWO_STATEMENTS = (
    "Good morning! The label printer in hall two stops after each page. I have restarted it twice without any luck."
)


async def keys(*turns: Turn, encoder: Encoder | None = None) -> list[Key]:
    [episode] = cut(turns, silence=timedelta(hours=1), max_tokens=4000)
    note = note_of(episode, 1, await RuleEnricher().enrich(episode), NOON)
    return await keys_of([Noted(episode=episode, note=note)], encoder)


def stated(found: list[Key]) -> list[Key]:
    return [key for key in found if key.kind is KeyKind.STATEMENT]


async def test_a_key_is_made_with_the_name_by_which_people_know_the_author() -> None:
    encoder = HashingEncoder()
    said = replace(turn(1, "The VPN is down"), author="U1", speaker="Sato")
    [found] = [key for key in await keys(said, encoder=encoder) if key.kind is KeyKind.TURN]
    [expected] = await encoder.passages(["Sato: The VPN is down"])
    assert found.dense is not None
    assert np.array_equal(found.dense, expected)
    assert found.pointer.speaker == "Sato"


async def test_each_statement_of_a_turn_is_found_by_its_own_meaning() -> None:
    encoder = HashingEncoder()
    found = await keys(turn(1, TWO_STATEMENTS), encoder=encoder)
    assert Counter(key.kind for key in found) == {
        KeyKind.TURN: 1,
        KeyKind.WINDOW: 1,
        KeyKind.WIDE: 1,
        KeyKind.STATEMENT: 2,
        KeyKind.SUMMARY: 1,
    }
    author = turn(1).author
    expected = await encoder.passages(
        [
            f"{author}: The label printer in hall two stops after each page.",
            f"{author}: I have restarted it twice without any luck.",
        ]
    )
    vectors = [key.dense for key in stated(found) if key.dense is not None]
    assert np.allclose(vectors, expected)
    [of_the_turn] = [key for key in found if key.kind is KeyKind.TURN]
    assert {key.pointer for key in stated(found)} == {of_the_turn.pointer}
    assert len({key.id for key in found}) == len(found)


async def test_statements_have_no_words_and_are_left_out_where_nothing_is_embedded() -> None:
    assert all(key.terms.ids == () for key in stated(await keys(turn(1, TWO_STATEMENTS), encoder=HashingEncoder())))
    assert stated(await keys(turn(1, TWO_STATEMENTS))) == []


async def test_a_long_text_and_a_single_sentence_have_no_statements() -> None:
    long = TWO_STATEMENTS + " It was fine yesterday." * 20
    assert stated(await keys(turn(1, long), encoder=HashingEncoder())) == []
    assert stated(await keys(turn(1, "The label printer in hall two stops after each page."))) == []


async def test_the_bots_own_words_state_nothing() -> None:
    said, recalled = turn(1, "It stops."), replace(turn(2, TWO_STATEMENTS), derived=True)
    assert stated(await keys(said, recalled, encoder=HashingEncoder())) == []
