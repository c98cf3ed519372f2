"""The numbers of a report, worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.report.figures import Bar, Period, RoleTokens, StageTime, period_of
from bot.report.spoken import Spoken
from config.schema import ModelsSettings
from memory.feedback import Tally
from memory.ports import HandedOver
from tests.fakes.reports import asked, counted
from tests.fakes.turns import NOON

TOKYO = ZoneInfo("Asia/Tokyo")


def to_a_person(turn: str, minutes: float, conversation: str = "C1") -> HandedOver:
    return HandedOver(turn=turn, conversation=conversation, at=NOON + timedelta(minutes=minutes))


def test_a_period_is_whole_days_by_the_calendar_of_home() -> None:
    # Half past eight in the evening of the 20th in London is the morning of the 21st in Tokyo.
    late = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
    found = period_of(late, TOKYO, 7)
    assert (found.first, found.last, found.days) == (date(2026, 11, 15), date(2026, 11, 21), 7)
    assert found.since == datetime(2026, 11, 14, 15, 0, tzinfo=UTC)


def test_nothing_asked_is_nothing_divided() -> None:
    found = counted()
    assert (found.questions, found.answered, found.alone, found.saving, found.total) == (0, 0, 0, None, None)
    assert [bar.asked for bar in found.bars] == [0] * 7


def test_what_a_week_of_three_questions_took() -> None:
    found = counted(
        asked("T1", seconds=1, read=20_000),
        asked("T2", seconds=2, read=10_000, abstained=True),
        asked("T3", seconds=9),
        votes=Tally(helpful=3, unhelpful=1),
    )
    assert (found.questions, found.answered, found.abstained) == (3, 2, 1)
    # 33,000 of the 200,000 tokens of reading everything twice; 30,000 x 1 + 3,000 x 2, in millionths.
    assert (found.saving, found.cost, found.full_context_cost) == (0.835, 0.036, 0.2)
    assert found.tokens[1] == RoleTokens(role="master", prompt=30_000, cached=0, completion=3_000)
    # The 95th of a hundred between 2 s and 9 s, nine tenths of the way.
    assert found.total == StageTime(stage="total", median=2000, p95=8300)
    assert [(each.stage, each.median) for each in found.stages] == [("route", 500), ("answer", 1500)]


def test_questions_are_counted_on_the_day_on_which_they_were_asked_at_home() -> None:
    week = Period(first=date(2026, 11, 14), last=date(2026, 11, 20), zone=TOKYO)
    before_midnight = datetime(2026, 11, 14, 14, 59, tzinfo=UTC)
    entries = [
        asked("T1", at=before_midnight),
        asked("T2", at=before_midnight + timedelta(minutes=1), abstained=True),
        asked("T3", at=before_midnight + timedelta(minutes=2)),
    ]
    first, second, *others = counted(*entries, period=week).bars
    assert first == Bar(first=date(2026, 11, 14), answered=1, abstained=0)
    assert second == Bar(first=date(2026, 11, 15), answered=1, abstained=1)
    assert [bar.asked for bar in others] == [0] * 5


@pytest.mark.parametrize(("days", "bars", "days_a_bar"), [(1, 1, 1), (31, 31, 1), (32, 16, 2), (3650, 31, 118)])
def test_long_periods_have_wider_columns_and_none_is_lost(days: int, bars: int, days_a_bar: int) -> None:
    period = Period(first=NOON.date() - timedelta(days=days - 1), last=NOON.date(), zone=UTC)
    found = counted(asked(at=period.since), asked(at=NOON), period=period)
    assert (len(found.bars), found.days_a_bar) == (bars, days_a_bar)
    assert sum(bar.asked for bar in found.bars) == 2
    assert found.bars[0].asked
    assert found.bars[-1].asked


def test_the_first_column_is_the_one_that_may_be_of_fewer_days() -> None:
    """A year: five days from the 21st of November on, then thirty times twelve up to the 20th."""
    year = Period(first=date(2025, 11, 21), last=date(2026, 11, 20), zone=UTC)
    days = [datetime(2025, 11, 25, 23, tzinfo=UTC), datetime(2025, 11, 26, 1, tzinfo=UTC), NOON]
    found = counted(*(asked(at=day) for day in days), period=year)
    assert (found.days_a_bar, found.short_bar, len(found.bars)) == (12, 5, 31)
    assert [bar.first for bar in found.bars[:3]] == [date(2025, 11, 21), date(2025, 11, 26), date(2025, 12, 8)]
    assert found.bars[-1].first == date(2026, 11, 9)
    assert [bar.asked for bar in found.bars] == [1, 1, *[0] * 28, 1]


def test_where_all_columns_are_of_as_many_days_none_is_short() -> None:
    assert counted().short_bar == 0
    month = Period(first=date(2026, 10, 20), last=date(2026, 11, 20), zone=UTC)
    assert (counted(period=month).days_a_bar, counted(period=month).short_bar) == (2, 0)


def test_without_a_model_nothing_is_claimed_to_be_saved() -> None:
    assert counted(asked(), models=ModelsSettings()).saving is None


# --- without a person -------------------------------------------------------------------------------------------------


def test_an_answer_that_nobody_faulted_was_given_without_a_person() -> None:
    found = counted(asked("T1"), asked("T2"), asked("T3", abstained=True), asked(None, conversation=None))
    assert (found.answered, found.alone) == (3, 3)


def test_an_answer_that_somebody_called_not_helpful_was_not_enough() -> None:
    assert counted(asked("T1"), asked("T2"), unhelpful=["T2", "T9"]).alone == 1


def test_a_question_that_was_handed_over_itself_went_to_a_person() -> None:
    found = counted(asked("T1"), asked("T2", minutes=1), handed_over=[to_a_person("T1", 5)])
    assert found.alone == 1
    # It was T1 and not the last one before.
    assert counted(asked("T1"), handed_over=[to_a_person("T1", -5)]).alone == 0


def test_the_wish_for_a_person_is_about_the_last_question_before_it_in_the_same_conversation() -> None:
    entries = [asked("T1", minutes=0), asked("T2", minutes=1), asked("T3", minutes=9)]
    elsewhere = asked("T4", minutes=2, conversation="C2")
    assert counted(*entries, elsewhere, handed_over=[to_a_person("wish", 3)]).alone == 3
    assert counted(*entries, handed_over=[to_a_person("wish", 3)], unhelpful=["T2"]).alone == 2
    assert counted(*entries, handed_over=[to_a_person("wish", -1)]).alone == 3
    assert counted(*entries, handed_over=[to_a_person("wish", 3, "C9")]).alone == 3


def test_an_open_question_that_went_to_a_person_is_counted_once() -> None:
    assert counted(asked("T1", abstained=True), asked("T2"), handed_over=[to_a_person("T1", 1)]).alone == 1


# --- as numbers are said ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "said"), [(None, "–"), (0, "0%"), (0.125, "12%"), (0.99, "99%"), (0.9962, "99.6%"), (1, "100%")]
)
def test_nearly_all_is_not_said_to_be_all(share: float | None, said: str) -> None:
    assert Spoken(language="en").share(share) == said


@pytest.mark.parametrize(
    ("milliseconds", "japanese", "english"),
    [(None, "–", "–"), (0.2, "0ミリ秒", "0 ms"), (850, "850ミリ秒", "850 ms"), (1250, "1.2秒", "1.2 s")],
)
def test_times_are_said_in_the_unit_that_fits(milliseconds: float | None, japanese: str, english: str) -> None:
    assert Spoken(language="ja").time(milliseconds) == japanese
    assert Spoken(language="en").time(milliseconds) == english


@pytest.mark.parametrize(("amount", "said"), [(0, "0.00"), (0.00123, "0.0012"), (12, "12.00"), (1234.5, "1,234.50")])
def test_small_amounts_are_not_rounded_to_nothing(amount: float, said: str) -> None:
    assert Spoken(language="en").money(amount) == said
