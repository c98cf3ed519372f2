"""Which days a question speaks of, counted from the asker's clock."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from memory.text.dates import Precision, time_range
from tests.unit.dates_tables import JST, MONDAY, NOTHING


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
        ("10日に何がありましたか", date(2026, 11, 10), date(2026, 11, 10)),
        ("金曜に出たエラーは", date(2026, 11, 27), date(2026, 11, 27)),
        ("what happened on Friday", date(2026, 11, 27), date(2026, 11, 27)),
        ("12月10日の停止は何時からの予定ですか", date(2026, 12, 10), date(2026, 12, 10)),
        ("I want a loan laptop in mid-December", date(2026, 12, 11), date(2026, 12, 20)),
        ("今月はじめに連絡した件", date(2026, 11, 1), date(2026, 11, 10)),
        ("4月末で退職した部長", date(2026, 4, 21), date(2026, 4, 30)),
        ("what broke at the end of September", date(2026, 9, 21), date(2026, 9, 30)),
        ("先月、9月10日に出た件", date(2026, 9, 10), date(2026, 9, 10)),
        ("上期の棚卸", date(2026, 4, 1), date(2026, 9, 30)),
        ("which tickets came in 2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("9月3日から5日までの停止", date(2026, 9, 3), date(2026, 9, 5)),
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


def test_an_hour_with_its_day_is_that_hour() -> None:
    period = time_range("昨日の午後3時の件", MONDAY)
    assert period is not None
    assert period.start == datetime(2026, 11, 29, 15, 0, tzinfo=JST)
    assert period.precision is Precision.HOUR


@pytest.mark.parametrize("text", ["10時から商談なので", "it stopped at 10:30", "backup at 3pm"])
def test_an_hour_without_a_day_names_no_period(text: str) -> None:
    assert time_range(text, MONDAY) is None


@pytest.mark.parametrize("text", ["", *NOTHING])
def test_a_text_without_a_day_names_none(text: str) -> None:
    assert time_range(text, MONDAY) is None
