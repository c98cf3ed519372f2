"""Whether a day's tokens are spent, by the desk's calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from config.limits import LimitSettings
from memory.answers import Degraded
from memory.daily_tokens import DailyTokens, Exhausted, day_of
from memory.model import TokenUse
from memory.ports import AnsweredQuestion
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.turns import turn

TOKYO = ZoneInfo("Asia/Tokyo")
#: Ten in the evening in Tokyo.
EVENING = datetime(2026, 11, 20, 13, 0, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
ALL_SPENT = Exhausted(missing=Degraded.BUDGET, renewed=MIDNIGHT)
OWN_SPENT = Exhausted(missing=Degraded.OWN_BUDGET, renewed=MIDNIGHT)


class Desk:
    """A ledger with a clock to turn."""

    def __init__(self, **limits: int) -> None:
        self.now = EVENING
        self.store = InMemoryStore(clock=lambda: self.now)
        settings = LimitSettings(**limits)
        self.tokens = DailyTokens(self.store.ledger, settings, TOKYO, lambda: self.now)

    async def answered(self, person: str, tokens: int) -> None:
        asked = turn(f"{self.now} {person}", author=person)
        await self.store.writing.record([asked])
        await self.store.ledger.add(
            AnsweredQuestion(
                asked_at=self.now,
                mode="direct",
                abstained=False,
                episodes_read=0,
                assistant=TokenUse(prompt=tokens // 2),
                master=TokenUse(prompt=tokens - tokens // 2 - 1, cached=5, completion=1),
                full_context_tokens=0,
                milliseconds={},
                turn=asked.id,
            )
        )

    async def noted(self, tokens: int) -> None:
        await self.store.ledger.note_enriched(self.now, TokenUse(prompt=tokens - 1, completion=1))


@pytest.mark.parametrize(
    ("zone", "hours"), [("Asia/Tokyo", 24), ("Europe/Berlin", 23), ("UTC", 24)], ids=["tokyo", "berlin", "utc"]
)
def test_a_day_goes_from_midnight_to_midnight_also_where_clocks_are_changed(zone: str, hours: int) -> None:
    day = day_of(datetime(2026, 3, 29, 12, 0, tzinfo=UTC), ZoneInfo(zone))
    assert (day.begun.hour, day.over.hour) == (0, 0)
    assert day.over.astimezone(UTC) - day.begun.astimezone(UTC) == timedelta(hours=hours)


async def test_without_limits_nothing_is_ever_spent() -> None:
    desk = Desk()
    await desk.answered("sato", 10**9)
    await desk.noted(10**9)
    assert await desk.tokens.exhausted("sato") is None
    assert await desk.tokens.notes_exhausted() is None


async def test_the_day_is_spent_when_answers_and_notes_together_have_reached_its_limit() -> None:
    desk = Desk(tokens_a_day=1000)
    await desk.answered("sato", 600)
    await desk.noted(399)
    assert await desk.tokens.exhausted("kato") is None
    await desk.noted(1)
    assert await desk.tokens.exhausted("kato") == ALL_SPENT
    assert await desk.tokens.notes_exhausted() == MIDNIGHT


async def test_at_midnight_of_the_desk_there_are_new_ones() -> None:
    desk = Desk(tokens_a_day=1000, person_tokens_a_day=1000)
    await desk.answered("sato", 1000)
    desk.now = MIDNIGHT - timedelta(microseconds=1)
    assert await desk.tokens.exhausted("sato") == ALL_SPENT
    desk.now = MIDNIGHT
    assert await desk.tokens.exhausted("sato") is None
    assert await desk.tokens.notes_exhausted() is None


async def test_what_one_person_has_spent_is_not_missing_to_others() -> None:
    desk = Desk(person_tokens_a_day=500)
    await desk.answered("sato", 500)
    await desk.answered("kato", 499)
    assert await desk.tokens.exhausted("sato") == OWN_SPENT
    assert await desk.tokens.exhausted("kato") is None


async def test_notes_get_half_of_a_day_and_leave_the_rest_to_answers() -> None:
    desk = Desk(tokens_a_day=1000)
    await desk.noted(499)
    assert await desk.tokens.notes_exhausted() is None
    await desk.noted(1)
    assert await desk.tokens.notes_exhausted() == MIDNIGHT
    assert await desk.tokens.exhausted("sato") is None
