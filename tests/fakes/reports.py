"""Ledger entries and reports for tests, with only what a test cares about spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from bot.report.figures import Figures, Kept, Period, figures
from config.schema import ModelSettings, ModelsSettings
from memory.feedback import Tally
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver
from tests.fakes.turns import NOON

#: The week up to the Friday of `NOON`.
WEEK = Period(first=date(2026, 11, 14), last=date(2026, 11, 20), zone=UTC)
#: A million tokens cost 1 to read, a million written ones 2.
PRICED = ModelsSettings(
    master=ModelSettings(
        base_url="http://127.0.0.1:1/v1", model="m", price_per_million_input=1, price_per_million_output=2
    )
)


def asked(
    turn: str | None = "T1",
    *,
    conversation: str | None = "C1",
    at: datetime | None = None,
    minutes: float = 0,
    abstained: bool = False,
    read: int = 0,
    seconds: float = 1,
) -> AnsweredQuestion:
    """One question, `minutes` after NOON; a model that read anything read `read` tokens and wrote a tenth as many."""
    return AnsweredQuestion(
        asked_at=at or NOON + timedelta(minutes=minutes),
        mode="direct",
        abstained=abstained,
        episodes_read=1,
        assistant=TokenUse(),
        master=TokenUse(prompt=read, completion=read // 10),
        full_context_tokens=100_000,
        milliseconds={"route": seconds * 250, "answer": seconds * 750},
        turn=turn,
        conversation=conversation,
    )


def counted(
    *entries: AnsweredQuestion,
    handed_over: Sequence[HandedOver] = (),
    votes: Tally | None = None,
    unhelpful: Sequence[str] = (),
    period: Period = WEEK,
    models: ModelsSettings = PRICED,
) -> Figures:
    """The figures of a period that holds these."""
    kept = Kept(entries=entries, handed_over=handed_over, votes=votes or Tally(), unhelpful=frozenset(unhelpful))
    return figures(period, kept, models)
