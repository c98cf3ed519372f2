"""How much a question may cost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from config.recall import RecallMode, RecallSettings
from memory.answers import Answer, AnswerKind
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, Ledger
from memory.recall.intent import Intent
from memory.recall.mode import ModeChooser
from memory.recall.outcome import gained
from memory.recall.volume import Volume
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import evidence
from tests.fakes.turns import NOON

HARD = Intent(joins=True)
EASY = Intent()


async def ledger_with(*gains: int | None) -> Ledger:
    ledger = InMemoryStore(clock=lambda: NOON).ledger
    for minutes, brought in enumerate(gains):
        await ledger.add(
            AnsweredQuestion(
                asked_at=NOON - timedelta(minutes=minutes),
                mode="emem",
                abstained=False,
                episodes_read=3,
                assistant=TokenUse(),
                master=TokenUse(),
                full_context_tokens=0,
                milliseconds={},
                gained=brought,
            )
        )
    return ledger


async def chosen(ledger: Ledger, intent: Intent = HARD, *, mode: RecallMode = RecallMode.AUTO, from_: int = 10) -> str:
    settings = RecallSettings(mode=mode, auto_monthly_questions=from_)
    return await ModeChooser(Volume(ledger), settings).choose(intent, NOON)


@pytest.mark.parametrize("mode", [RecallMode.DIRECT, RecallMode.EMEM])
async def test_a_mode_that_is_set_is_used_for_every_question(mode: RecallMode) -> None:
    ledger = await ledger_with(*[0] * 30)
    assert await chosen(ledger, EASY, mode=mode) == await chosen(ledger, HARD, mode=mode) == mode


async def test_assistants_read_for_hard_questions_of_a_busy_desk() -> None:
    busy = await ledger_with(*[None] * 10)
    assert await chosen(busy, HARD) == "emem"
    assert await chosen(busy, EASY) == "direct"
    assert await chosen(busy, HARD, from_=11) == "direct"


async def test_assistants_that_bring_nothing_are_left_alone() -> None:
    assert await chosen(await ledger_with(*[0] * 20)) == "direct"
    assert await chosen(await ledger_with(*[1] * 4, *[0] * 16)) == "direct"


async def test_assistants_that_bring_something_to_every_fourth_answer_are_consulted() -> None:
    assert await chosen(await ledger_with(*[3] * 5, *[0] * 15)) == "emem"


async def test_few_consultations_say_nothing_yet() -> None:
    assert await chosen(await ledger_with(*[0] * 19)) == "emem"


async def test_only_the_newest_consultations_count() -> None:
    assert await chosen(await ledger_with(*[1] * 20, *[0] * 80)) == "emem"
    assert await chosen(await ledger_with(*[0] * 20, *[1] * 80)) == "direct"


async def test_other_assistants_get_their_chance_after_a_month() -> None:
    ledger = await ledger_with(*[0] * 20)
    settings = RecallSettings(mode=RecallMode.AUTO, auto_monthly_questions=0)
    later = ModeChooser(Volume(ledger), settings)
    assert await later.choose(HARD, NOON + timedelta(days=29)) == "direct"
    assert await later.choose(HARD, NOON + timedelta(days=31)) == "emem"


def answer(*quotes: str, read: int = 500) -> Answer:
    cited = tuple(evidence(quote, message=quote) for quote in quotes)
    return Answer(kind=AnswerKind.WRITTEN, language="ja", body="…", cited=cited, assistant_tokens=TokenUse(prompt=read))


def test_what_only_assistants_found_is_their_gain() -> None:
    own = [evidence("found", message="found"), evidence("found too", message="found too")]
    assert gained(answer("found", "read", "read too"), own) == 2
    assert gained(answer("found"), own) == 0
    assert gained(answer(), own) == 0


def test_where_no_assistant_has_read_nothing_is_known_of_their_gain() -> None:
    assert gained(answer("found", read=0), []) is None
