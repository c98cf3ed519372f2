"""Which days a question speaks of, counted from the asker's clock."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.dates import time_range

JST = timezone(timedelta(hours=9))
MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=JST)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("昨日から動きません", date(2026, 11, 29), date(2026, 11, 29)),
        ("It broke yesterday", date(2026, 11, 29), date(2026, 11, 29)),
        ("一昨日の件です", date(2026, 11, 28), date(2026, 11, 28)),
        ("先週VPN接続できなくて", date(2026, 11, 23), date(2026, 11, 29)),
        ("the VPN failed last week", date(2026, 11, 23), date(2026, 11, 29)),
        ("先々週の障害", date(2026, 11, 16), date(2026, 11, 22)),
        ("先月も出ました", date(2026, 10, 1), date(2026, 10, 31)),
        ("same as last month", date(2026, 10, 1), date(2026, 10, 31)),
        ("3日前の件", date(2026, 11, 27), date(2026, 11, 27)),
        ("two days ago", date(2026, 11, 28), date(2026, 11, 28)),
        ("前回（9月）はどう直しましたか", date(2026, 9, 1), date(2026, 9, 30)),
        ("what happened in October", date(2026, 10, 1), date(2026, 10, 31)),
        ("12月の障害", date(2025, 12, 1), date(2025, 12, 31)),
        ("９月１０日の担当", date(2026, 9, 10), date(2026, 9, 10)),
        ("on 30 June", date(2026, 6, 30), date(2026, 6, 30)),
        ("on June 30th", date(2026, 6, 30), date(2026, 6, 30)),
        ("2026-03-04 に何が", date(2026, 3, 4), date(2026, 3, 4)),
        ("2026年3月4日に", date(2026, 3, 4), date(2026, 3, 4)),
    ],
)
def test_words_for_days_become_the_days_they_mean(text: str, first: date, last: date) -> None:
    period = time_range(text, MONDAY)
    assert period is not None
    assert period.start.date() == first
    assert (period.end - timedelta(seconds=1)).date() == last


def test_last_week_reaches_back_seven_days_in_the_middle_of_a_week_too() -> None:
    wednesday = MONDAY + timedelta(days=2)
    period = time_range("先週の件", wednesday)
    assert period is not None
    assert period.contains(wednesday - timedelta(days=7))
    assert not period.contains(wednesday)


@pytest.mark.parametrize("text", ["VPNにつながりません", "I may have lost it", "the march of progress", "2月31日", ""])
def test_a_text_without_a_day_names_none(text: str) -> None:
    assert time_range(text, MONDAY) is None


@given(st.text(max_size=60))
def test_no_text_breaks_it_and_a_range_never_ends_before_it_starts(text: str) -> None:
    period = time_range(text, MONDAY)
    assert period is None or period.start < period.end
