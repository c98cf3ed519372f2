"""A question by one name of a thing finds what was said by another, on every index of keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

import pytest
import pytest_asyncio

from config.glossary import TermSettings
from memory.index_ports import KeyIndex
from memory.model import Question, Viewer
from memory.recall.pathways import Channel, by_words
from memory.recall.widening import ALIAS
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.text.sparse import passage_terms
from tests.contract.test_key_index import OPENERS
from tests.fakes.keys import STAMP, key, later

pytestmark = pytest.mark.asyncio(loop_scope="module")

GLOSSARY = Glossary(
    (
        TermSettings(name="プリンター", aliases=("複合機", "printer")),
        TermSettings(name="VPN", aliases=("リモート接続", "remote access")),
    )
)
#: Each says of one thing, by one of its names, that it does not work.
SAID = {
    "kana": "プリンタが動きません",
    "kanji": "複合機が動きません",
    "english": "the printer is broken",
    "vpn": "VPNがつながりません",
    "remote": "リモート接続がつながりません",
    "abroad": "remote access does not work",
    "screen": "画面が動きません",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=OPENERS)
async def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[KeyIndex]:
    """The index with what was said."""
    async with OPENERS[request.param](tmp_path_factory.mktemp("index") / "index") as opened:
        await opened.reset(STAMP)
        await opened.put([replace(key(name), terms=passage_terms(text, 8)) for name, text in SAID.items()])
        yield opened


async def found(index: KeyIndex, text: str, glossary: Glossary) -> Mapping[str, float]:
    """What a question finds by its words, with the value of each."""
    question = Question(text=text, viewer=Viewer(user="nobody", channel="elsewhere"), now=later(60))
    findings = await by_words(question, index, 20, glossary)
    return {
        (one.pointer.turn or "").removeprefix("turn-"): round(one.value, 4)
        for one in findings.channels.get(Channel.WORDS_TURN, ())
    }


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("プリンター", {"kana", "kanji", "english"}),
        ("複合機", {"kana", "kanji", "english"}),
        ("printer", {"kana", "kanji", "english"}),
        ("ＶＰＮ", {"vpn", "remote", "abroad"}),
        ("リモート接続", {"vpn", "remote", "abroad"}),
    ],
)
async def test_any_name_of_a_thing_finds_what_was_said_by_any_other(
    index: KeyIndex, asked: str, wanted: set[str]
) -> None:
    assert set(await found(index, asked, GLOSSARY)) == wanted


@pytest.mark.parametrize(("asked", "own", "others"), [("プリンタ", "kana", ("kanji",)), ("複合機", "kanji", ("kana",))])
async def test_another_name_is_worth_a_little_less_than_the_one_that_was_said(
    index: KeyIndex, asked: str, own: str, others: tuple[str, ...]
) -> None:
    values = await found(index, asked, GLOSSARY)
    for other in others:
        assert values[other] < values[own]
        assert values[other] == pytest.approx(ALIAS * values[own], rel=0.15)


async def test_a_question_that_names_nothing_of_the_site_is_searched_as_without_a_glossary(index: KeyIndex) -> None:
    for asked in ("画面が動きません", "つながらない", "broken screen"):
        assert await found(index, asked, GLOSSARY) == await found(index, asked, NO_GLOSSARY)


async def test_what_is_searched_for_is_what_was_said_where_there_is_no_glossary(index: KeyIndex) -> None:
    assert set(await found(index, "プリンター", NO_GLOSSARY)) == {"kana"}


async def test_the_rest_of_the_question_counts_beside_the_other_name(index: KeyIndex) -> None:
    values = await found(index, "printer 接続", GLOSSARY)
    assert {"kana", "kanji", "english", "remote"} <= set(values)
    assert all(0 < value <= 1 for value in values.values())


async def test_nothing_that_is_stored_is_written_again_for_another_glossary(index: KeyIndex) -> None:
    other = Glossary((TermSettings(name="画面", aliases=("モニター",)),))
    assert await found(index, "モニター", GLOSSARY) == {}
    assert set(await found(index, "モニター", other)) == {"screen"}
