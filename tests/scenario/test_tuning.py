"""What would find more in a desk's own history is found out on that history, and nothing is changed by it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.cli_tune import told
from bot.telling import Step, Told, unheard
from bot.use_cases import perform
from config.loader import load_settings
from config.recall import RecallSettings
from config.weights import WeightSettings
from memory.answers import AnswerKind
from memory.errors import InputRefused, NothingFound
from memory.model import Role, Turn, Visibility
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import turn

#: Everything is private to the one who asked for it.
ASKER = "reader"
SYLLABLES = ("ba", "ko", "ri", "mu", "te", "zo", "fa", "ni")


def thing(number: int) -> str:
    """A name of its own for each number below 64."""
    return f"{SYLLABLES[number % 8]}{SYLLABLES[number // 8]}{SYLLABLES[number % 8]}x"


def history(count: int) -> list[Turn]:
    """For each thing four tickets: Tanaka mends it, and Sato writes of it three times."""
    return [one for number in range(count) for one in _tickets(number)]


def _tickets(number: int) -> Iterator[Turn]:
    yield _said(f"R-{number}", "tanaka", f"The {thing(number)} pump of the zanzibar plant was replaced.", number)
    for what in ("loud", "hot", "old"):
        yield _said(f"W-{number}-{what}", "sato", f"The {thing(number)} pump is {what}.", number)


def _said(ticket: str, author: str, text: str, minutes: int) -> Turn:
    return turn(
        1,
        text,
        thread=ticket,
        ticket=ticket,
        author=author,
        role=Role.AGENT,
        requester=ASKER,
        visibility=Visibility.PRIVATE,
        minutes=minutes,
    )


def questions(folder: Path, count: int) -> str:
    """What names Sato is about what Tanaka has written."""
    path = folder / "questions.csv"
    rows = [f"Did sato hear when the {thing(number)} pump was replaced?,R-{number},{ASKER}" for number in range(count)]
    path.write_text("\n".join(["question,ticket,user", *rows]) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
async def misled(tmp_path: Path) -> AsyncIterator[Remembering]:
    """A desk where who is named counts for far too much."""
    recall = RecallSettings(weights=WeightSettings(speaker=16))
    settings = load_settings(None, {}).model_copy(update={"recall": recall})
    async with remembering("in-memory", tmp_path, settings=settings) as small:
        yield small


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering("in-memory", tmp_path) as here:
        yield here


async def test_a_weight_that_misleads_is_found_and_the_advice_can_be_followed(
    misled: Remembering, tmp_path: Path
) -> None:
    await misled.remember(*history(30))
    found = await perform(misled.app, "tune", {"path": questions(tmp_path, 30)}, unheard)
    assert found is not None
    # Behind three others at least: 1 / log2(4).
    assert found["as_set"]["place"]["value"] <= 0.5
    assert list(found["weights"]["changes"]) == ["speaker"]
    assert found["weights"]["holds"]
    assert found["weights"]["gain"]["questions"] == found["questions"]["checking"] == 15
    file = tmp_path / "desk.yaml"
    file.write_text(found["advice"])
    followed = load_settings(file, {}).recall.weights.speaker
    assert followed == found["weights"]["changes"]["speaker"][1]
    assert 0 <= followed < 16


async def test_nothing_is_changed_and_no_word_of_a_ticket_is_shown(misled: Remembering, tmp_path: Path) -> None:
    await misled.remember(*history(30))
    before, settings = await misled.stored(), misled.app.settings
    found = await perform(misled.app, "tune", {"path": questions(tmp_path, 30)}, unheard)
    assert found is not None
    assert (await misled.stored(), misled.app.settings) == (before, settings)
    assert await misled.app.store.ledger.since(misled.watch.now.replace(year=2000)) == []
    shown = json.dumps(found) + "\n".join(told(found))
    for word in ("zanzibar", "pump", "loud", "R-1", "sato", ASKER, thing(3)):
        assert word not in shown


async def test_where_all_is_found_nothing_is_advised(small: Remembering, tmp_path: Path) -> None:
    await small.remember(*history(30))
    found = await perform(small.app, "tune", {"path": questions(tmp_path, 30)}, unheard)
    assert found is not None
    assert found["as_set"]["place"]["value"] == 1.0
    assert (found["weights"], found["advice"]) == (None, None)
    assert found["sizes"]["tried"] == {}
    assert list(told(found))[-1] == "Nothing is sure to be better than what is set."


async def test_a_few_questions_tell_nothing(small: Remembering, tmp_path: Path) -> None:
    await small.remember(*history(19))
    found = await perform(small.app, "tune", {"path": questions(tmp_path, 19)}, unheard)
    assert found is not None
    assert (found["enough"], found["questions"]["asked"], found["needed"]) == (False, 19, 20)
    assert "At least 20 are needed" in "\n".join(told(found))


async def test_questions_that_name_no_ticket_are_counted_and_not_asked(small: Remembering, tmp_path: Path) -> None:
    await small.remember(*history(2))
    path = tmp_path / "own.csv"
    path.write_text("question,ticket,answer\nWho?,,Mori\nWhat?,R-1,\n")
    found = await perform(small.app, "tune", {"path": str(path)}, unheard)
    assert found is not None
    assert (found["questions"]["asked"], found["questions"]["without_ticket"]) == (1, 1)


async def test_without_a_file_what_people_said_of_answers_is_asked(small: Remembering, tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="Nobody has called an answer helpful"):
        await perform(small.app, "tune", {}, unheard)
    broken = tmp_path / "broken.csv"
    broken.write_text("colour\nred\n")
    with pytest.raises(InputRefused, match="must have `question`"):
        await perform(small.app, "tune", {"path": str(broken)}, unheard)


async def test_sizes_are_tried_on_a_second_memory_that_is_gone_afterwards(small: Remembering, tmp_path: Path) -> None:
    """A ticket of some 800 tokens is cut in another way by 500, and in the same by all others."""
    long = [turn(number, f"line {number} " + "of the log " * 20, thread="L-1", ticket="L-1") for number in range(15)]
    await small.remember(*history(20), *long)
    before, steps = await small.stored(), list[Step]()

    def tell(one: Told) -> None:
        if isinstance(one, Step):
            steps.append(one)

    found = await perform(small.app, "tune", {"path": questions(tmp_path, 20)}, tell)
    assert found is not None
    assert list(found["sizes"]["tried"]) == ["500"]
    assert found["sizes"]["turns"] == found["sizes"]["of_turns"] == 95
    assert found["sizes"]["best"] is None
    assert await small.stored() == before
    assert [step.what for step in steps[:1]] == ["asking"]
    assert steps[-1] == Step(what="trying sizes", done=40, total=40)


# --- a weight of nothing ----------------------------------------------------------------------------------------------


def only(*names: str) -> WeightSettings:
    """These as they are shipped, all others 0."""
    shipped = WeightSettings()
    return WeightSettings(**{name: worth if name in names else 0.0 for name, worth in shipped})


@pytest.mark.parametrize(
    "weights",
    [
        WeightSettings(words_window=0, words_wide=0, meaning_episode=0),
        only("words_turn"),
        only("words_fact"),
        only("meaning_turn", "exact"),
    ],
    ids=["three", "words", "facts", "meaning"],
)
async def test_what_is_known_is_quoted_whatever_is_worth_nothing(weights: WeightSettings, tmp_path: Path) -> None:
    settings = load_settings(None, {}).model_copy(update={"recall": RecallSettings(weights=weights)})
    async with remembering("in-memory", tmp_path, settings=settings) as desk:
        await desk.remember(*history(3))
        told = await desk.answer(f"What became of the {thing(1)} pump of the zanzibar plant?", ASKER)
        assert told.kind is AnswerKind.QUOTES
        assert "R-1" in {one.ticket for one in told.cited}
        nothing = await desk.answer("Who waters the orchids?", ASKER)
        assert nothing.kind is AnswerKind.ABSTAINED


async def test_a_request_of_ones_own_is_meant_whatever_whose_and_when_are_worth(tmp_path: Path) -> None:
    weights = WeightSettings(own=0, period=0)
    settings = load_settings(None, {}).model_copy(update={"recall": RecallSettings(weights=weights)})
    async with remembering("in-memory", tmp_path, settings=settings) as desk:
        await desk.remember(turn(1, "The lift is stuck.", thread="L-1", ticket="L-1", requester=ASKER, author=ASKER))
        desk.watch.now += timedelta(days=6)
        told = await desk.answer("先週問い合わせた件ですが、また同じ症状です", ASKER)
        assert told.kind is AnswerKind.QUOTES
