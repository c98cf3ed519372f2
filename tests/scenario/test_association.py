"""What shares no word with the question is found by what connects it with what does, from the messages on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.loader import load_settings
from config.recall import GraphSettings, RecallSettings
from config.schema import Settings
from handlers.answers import answer_object, explain_text
from memory.answers import Answer, RoutedEpisode
from memory.model import Role, Turn, Visibility
from memory.remember.reports import nobody
from tests.fakes.remembering import HOUSES, Remembering, WordsOnly, remembering
from tests.fakes.turns import turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Two tickets of one outage, one that has nothing to do with them, and a question in the words of the first."""

    first: str
    second: str
    solved: str
    other: str
    question: str
    pathway: str
    channel: str


JAPANESE = Language(
    first="受注端末でエラーコード QX-7713 が出て、画面が固まります。",
    second="レジでエラーコード QX-7713 が出て、会計に進めません。",
    solved="証明書を入れ直したところ直りました。",
    other="食堂のメニューはどこで見られますか。",
    question="受注端末の画面が固まる",
    pathway="連想",
    channel="関連する発言",
)
ENGLISH = Language(
    first="The order terminal shows error code QX-7713 and freezes.",
    second="At the till error code QX-7713 came up, nobody can pay.",
    solved="Installing the certificate again helped.",
    other="Where can I find the menu of the canteen?",
    question="order terminal freezes",
    pathway="association",
    channel="related turns",
)
LANGUAGES = pytest.mark.parametrize("words", [JAPANESE, ENGLISH], ids=["ja", "en"])
KINDS = pytest.mark.parametrize("kind", ["by_event", "by_link"])
BY_WORDS = load_settings(None, {})


def walking(**weights: float) -> Settings:
    """The pathway switched on, its steps going these ways only."""
    ways = {"by_entity": 0.0, "by_turn": 0.0, "by_event": 0.0, "by_link": 0.0} | weights
    recall = RecallSettings(without=(), graph=GraphSettings.model_validate(ways))
    return BY_WORDS.model_copy(update={"recall": recall})


def ticket(
    name: str, opened: str, solved: str, *, days: float, user: str, visibility: Visibility = Visibility.EVERYONE
) -> list[Turn]:
    about = {"thread": name, "ticket": name, "requester": user, "visibility": visibility}
    return [
        turn(1, opened, minutes=days * 1440, author=user, **about),  # type: ignore[arg-type]
        turn(2, solved, minutes=days * 1440 + 20, author="takagi", role=Role.AGENT, **about),  # type: ignore[arg-type]
    ]


async def consolidated(memory: Remembering, words: Language, second: Visibility = Visibility.EVERYONE) -> None:
    await memory.remember(
        *ticket("INC-1", words.first, words.solved, days=-3, user="sato"),
        *ticket("INC-2", words.second, words.solved, days=-1, user="ueda", visibility=second),
        turn(1, words.other, thread="INC-9", ticket="INC-9", author="mori", requester="mori"),
    )
    await memory.app.jobs.run("consolidate", nobody)


def routed(answer: Answer) -> dict[str, RoutedEpisode]:
    return {entry.ticket: entry for entry in answer.routed}


@pytest.mark.parametrize("house", HOUSES)
@LANGUAGES
@KINDS
async def test_an_episode_without_a_word_of_the_question_is_found_by_a_shared_event_or_a_link(
    tmp_path: Path, house: str, words: Language, kind: str
) -> None:
    async with remembering(house, tmp_path, encoder=WordsOnly(), settings=walking(**{kind: 0.3})) as memory:
        await consolidated(memory, words)
        second = {each.id for each in await memory.app.store.writing.episodes_after(None, 9) if each.name == "INC-2"}
        assert second.isdisjoint(await memory.hits(words.question))
        found = await memory.answer(words.question)
        assert set(routed(found)) == {"INC-1", "INC-2"}
        assert routed(found)["INC-2"].pathways == ("associative",)
        assert set(routed(found)["INC-2"].channels) == {"graph"}
        assert "INC-2/1" in {one.ref for one in found.ranked}


@LANGUAGES
async def test_its_part_is_told_in_the_explanation(tmp_path: Path, words: Language) -> None:
    async with remembering(
        HOUSES[0], tmp_path, encoder=WordsOnly(), settings=walking(by_event=0.3, by_link=0.3)
    ) as memory:
        await consolidated(memory, words)
        found = await memory.answer(words.question)
        [line] = [line for line in explain_text(found).splitlines() if "INC-2" in line]
        assert words.pathway in line
        assert words.channel in line
        assert '"associative"' in json.dumps(answer_object(found, ""))


@LANGUAGES
@pytest.mark.parametrize("settings", [BY_WORDS, walking()], ids=["left out", "no ways"])
async def test_without_the_pathway_or_a_way_to_it_it_is_not_found(
    tmp_path: Path, words: Language, settings: Settings
) -> None:
    async with remembering(HOUSES[0], tmp_path, encoder=WordsOnly(), settings=settings) as memory:
        await consolidated(memory, words)
        assert set(routed(await memory.answer(words.question))) == {"INC-1"}


@pytest.mark.parametrize("house", HOUSES)
@LANGUAGES
@KINDS
async def test_nothing_leads_to_what_the_asker_may_not_see(
    tmp_path: Path, house: str, words: Language, kind: str
) -> None:
    async with remembering(house, tmp_path, encoder=WordsOnly(), settings=walking(**{kind: 0.3})) as memory:
        await consolidated(memory, words, Visibility.PRIVATE)
        assert set(routed(await memory.answer(words.question))) == {"INC-1"}
