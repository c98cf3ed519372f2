"""How rare words are is read off the index, exactly."""

from __future__ import annotations

import pytest

from memory.model import KeyKind, Note
from memory.remember.keys import summary_keys_of
from memory.remember.notes import Noted
from memory.remember.rarity import Rarity, rarity_of
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from tests.fakes.turns import NOON, turn
from tests.fakes.words import episode

TEXTS = ["error QX-7713 on the till", "QX-7713 again", "the till", "証明書の期限", "証明書がない", "nothing"]


async def filled() -> InMemoryIndex:
    index, encoder = InMemoryIndex(), HashingEncoder()
    await index.reset(await encoder.stamp())
    for number, text in enumerate(TEXTS):
        cut = episode(f"E{number}", [turn(1, text, thread=f"T{number}", ticket=None)])
        note = Note(episode=cut.id, version=1, fingerprint="f", summary=text, made_by="rules", made_at=NOON)
        await index.put(await summary_keys_of([Noted(episode=cut, note=note)], encoder))
    assert await index.count(KeyKind.SUMMARY) == len(TEXTS)
    return index


async def test_in_how_many_episodes_a_word_stands_follows_from_its_idf() -> None:
    rarity = await rarity_of(["qx-7713", "till", "証明書", "期限", "printer", "♥"], await filled())
    having = {word: round(found, 6) for word, found in rarity.having.items()}
    assert having == {"qx-7713": 2, "till": 2, "証明書": 2, "期限": 1, "printer": 0}
    assert rarity.total == 6


async def test_no_words_cost_no_search() -> None:
    assert await rarity_of([], await filled()) == Rarity(total=6, having={})


@pytest.mark.parametrize(
    ("having", "total", "name", "word"),
    [
        (2, 10, True, True),
        (20, 100, True, False),
        (21, 100, False, False),
        (50, 1000, True, False),
        (34, 1000, True, True),
    ],
)
def test_a_name_connects_more_episodes_than_a_word(having: int, total: int, name: bool, word: bool) -> None:
    rarity = Rarity(total=total, having={"x": having})
    assert (rarity.name_connects("x"), rarity.word_connects("x")) == (name, word)


def test_what_more_episodes_have_weighs_less() -> None:
    rarity = Rarity(total=1000, having={"one": 1, "two": 2, "eight": 8, "many": 512})
    assert rarity.weight("one") == rarity.weight("two") == 1
    assert rarity.weight("eight") == pytest.approx(1 / 1.5)
    assert rarity.weight("many") == pytest.approx(1 / 3)
    assert rarity.weight("not asked for") < rarity.weight("many")
