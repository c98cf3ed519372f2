"""The memory under measurement: the real pipeline over exactly the turns that were loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.measuring import FreshRanker, HeldRanker, fresh_ranker
from config.loader import load_settings
from config.recall import RecallPart
from config.schema import IndexKind, IndexSettings
from memory.errors import InputRefused
from memory.model import Question, Viewer
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn


def ranker() -> FreshRanker:
    return FreshRanker(load_settings(None, {}), index=InMemoryIndex(), encoder=HashingEncoder(), models={})


def about(text: str) -> Question:
    return Question(text=text, viewer=Viewer(user="sato"), now=NOON.replace(year=2027))


async def test_a_loaded_history_is_searchable_and_the_one_before_is_gone() -> None:
    ours = ranker()
    await ours.load([turn(1, "toner is empty on prn-7", thread="INC-1", ticket="INC-1")])
    assert [one.ref for one in (await ours.rank(about("toner prn-7"))).turns] == ["INC-1/1"]
    await ours.load([turn(1, "the badge reader is dead", thread="INC-2", ticket="INC-2")])
    assert {one.ref for one in (await ours.rank(about("toner prn-7 badge"))).turns} == {"INC-2/1"}


async def test_a_memory_that_is_only_measured_is_not_on_the_desks_server() -> None:
    """Loading it empties its index. At this address there is nobody."""
    server = IndexSettings(kind=IndexKind.SERVER, url="http://127.0.0.1:9", timeout_seconds=1)
    async with fresh_ranker(load_settings(None, {}).model_copy(update={"index": server})) as ours:
        with pytest.raises(InputRefused):
            await ours.rank(about("toner"))


async def test_without_a_model_nothing_is_answered() -> None:
    ours = ranker()
    await ours.load([turn(1, "toner is empty on prn-7")])
    assert await ours.answer(about("toner")) is None


async def test_nothing_is_measured_before_it_is_loaded() -> None:
    with pytest.raises(InputRefused):
        await ranker().rank(about("toner"))


async def test_a_memory_that_is_measured_as_it_is_takes_nothing_in(tmp_path: Path) -> None:
    held = HeldRanker(small_application(tmp_path, lambda: NOON))
    with pytest.raises(InputRefused):
        await held.load([turn(1, "toner")])


async def test_a_memory_is_ranked_without_a_part_of_the_ranking() -> None:
    ours = ranker()
    await ours.load([turn(1, "toner is empty on prn-7", thread="INC-1", ticket="INC-1")])
    [as_set] = (await ours.rank(about("toner prn-7"))).turns
    [without] = (await ours.varied([RecallPart.WORDS, RecallPart.GRAPH]).rank(about("toner prn-7"))).turns
    assert {"words_turn", "meaning_turn", "exact"} <= set(as_set.channels)
    assert "words_turn" not in without.channels
    assert {"meaning_turn", "exact"} <= set(without.channels)


async def test_another_way_to_rank_needs_something_to_rank() -> None:
    with pytest.raises(InputRefused):
        await ranker().varied([]).rank(about("toner"))
