"""Days that were named from where the writer stood are written out, and only those."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from memory.text.language import detect_language
from memory.text.times.model import Precision
from memory.text.times.shown import shown_days
from memory.text.times.worded import worded_days

#: Thursday 10 September 2026, a quarter past nine in Tokyo.
THURSDAY = datetime(2026, 9, 10, 9, 15, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨日 18:00 に閉じました", ["昨日 18:00 = 2026年9月9日"]),
        ("土曜に機種変しました", ["土曜 = 2026年9月5日"]),
        ("The check was finished yesterday.", ["yesterday = 9 September 2026"]),
        ("It is cut off since Monday.", ["Monday = 7 September 2026"]),
        ("先週から遅いです", ["先週 = 2026年8月31日〜9月6日"]),
        ("昨夜から", ["昨夜 = 2026年9月9日"]),
        ("おとといと昨日", ["おととい = 2026年9月8日", "昨日 = 2026年9月9日"]),
        ("We met last year.", ["last year = 2025"]),
        ("来月に移ります", ["来月 = 2026年10月"]),
        ("It starts next month.", ["next month = October 2026"]),
    ],
)
def test_relative_days_are_written_out(text: str, expected: list[str]) -> None:
    language = detect_language(text, "en")
    assert [one.worded(language) for one in shown_days(text, THURSDAY)] == expected


@pytest.mark.parametrize(
    "text",
    ["9月5日に変えました", "on 5 September", "2026-09-05", "今朝から", "at 10:30", "in 2025", "BL-61", "昔は", ""],
)
def test_what_the_reader_sees_already_is_not_said_again(text: str) -> None:
    assert shown_days(text, THURSDAY) == []


def test_no_more_than_three_days_are_written_out() -> None:
    assert len(shown_days("昨日、おととい、土曜、金曜、水曜", THURSDAY)) == 3


@pytest.mark.parametrize(
    ("first", "last", "precision", "japanese", "english"),
    [
        ((2023, 5, 27), (2023, 5, 27), Precision.DAY, "2023年5月27日", "27 May 2023"),
        ((2023, 5, 15), (2023, 5, 21), Precision.WEEK, "2023年5月15日〜21日", "15–21 May 2023"),
        ((2023, 4, 29), (2023, 5, 5), Precision.WEEK, "2023年4月29日〜5月5日", "29 April – 5 May 2023"),
        (
            (2022, 12, 29),
            (2023, 1, 4),
            Precision.WEEK,
            "2022年12月29日〜2023年1月4日",
            "29 December 2022 – 4 January 2023",
        ),
        ((2023, 9, 1), (2023, 9, 30), Precision.MONTH, "2023年9月", "September 2023"),
        ((2023, 7, 1), (2023, 9, 30), Precision.QUARTER, "2023年7月〜9月", "July – September 2023"),
        ((2022, 1, 1), (2022, 12, 31), Precision.YEAR, "2022年", "2022"),
        (
            (2021, 1, 1),
            (2022, 12, 31),
            Precision.YEAR,
            "2021年1月1日〜2022年12月31日",
            "1 January 2021 – 31 December 2022",
        ),
    ],
)
def test_days_are_worded_as_people_write_them(
    first: tuple[int, int, int], last: tuple[int, int, int], precision: Precision, japanese: str, english: str
) -> None:
    assert worded_days(date(*first), date(*last), precision, "ja") == japanese
    assert worded_days(date(*first), date(*last), precision, "en") == english
