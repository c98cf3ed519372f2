"""Days that were named from where the writer stood are written out, and only those."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from memory.text.times.shown import shown_days

#: Thursday 10 September 2026, a quarter past nine in Tokyo.
THURSDAY = datetime(2026, 9, 10, 9, 15, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨日 18:00 に閉じました", ["昨日 18:00 = 2026-09-09"]),
        ("土曜に機種変しました", ["土曜 = 2026-09-05"]),
        ("The check was finished yesterday.", ["yesterday = 2026-09-09"]),
        ("It is cut off since Monday.", ["Monday = 2026-09-07"]),
        ("先週から遅いです", ["先週 = 2026-08-31 – 2026-09-06"]),
        ("昨夜から", ["昨夜 = 2026-09-09"]),
        ("おとといと昨日", ["おととい = 2026-09-08", "昨日 = 2026-09-09"]),
    ],
)
def test_relative_days_are_written_out(text: str, expected: list[str]) -> None:
    assert [str(one) for one in shown_days(text, THURSDAY)] == expected


@pytest.mark.parametrize(
    "text",
    ["9月5日に変えました", "on 5 September", "2026-09-05", "今朝から", "at 10:30", "in 2025", "BL-61", "昔は", ""],
)
def test_what_the_reader_sees_already_is_not_said_again(text: str) -> None:
    assert shown_days(text, THURSDAY) == []


def test_no_more_than_three_days_are_written_out() -> None:
    assert len(shown_days("昨日、おととい、土曜、金曜、水曜", THURSDAY)) == 3
