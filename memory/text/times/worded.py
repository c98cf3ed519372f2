"""Days and longer times in words, as people of either language write them."""

from __future__ import annotations

from datetime import date

from memory.text.language import LanguageCode
from memory.text.times.model import Precision

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def worded_day(day: date, language: LanguageCode) -> str:
    """27 May 2023, or 2023年5月27日."""
    return worded_days(day, day, Precision.DAY, language)


def worded_days(first: date, last: date, precision: Precision, language: LanguageCode) -> str:
    """From the first to the last day, in units of `precision`: 15–21 May 2023, September 2023, 2022; or
    2023年5月15日〜21日, 2023年9月, 2022年."""
    whole_months = precision in (Precision.MONTH, Precision.QUARTER)
    if precision is Precision.YEAR and first.year == last.year:
        return f"{first.year}年" if language == "ja" else str(first.year)
    if language == "ja":
        return _japanese(first, last, whole_months)
    return _english(first, last, whole_months)


def _japanese(first: date, last: date, whole_months: bool) -> str:
    def of(day: date) -> list[str]:
        return [f"{day.year}年", f"{day.month}月", *([] if whole_months else [f"{day.day}日"])]

    start, end = of(first), of(last)
    new = next((place for place, (one, other) in enumerate(zip(start, end, strict=True)) if one != other), len(end))
    return "".join(start) + ("〜" + "".join(end[new:]) if new < len(end) else "")


def _english(first: date, last: date, whole_months: bool) -> str:
    def of(day: date) -> list[str]:
        return [*([] if whole_months else [str(day.day)]), _MONTHS[day.month - 1], str(day.year)]

    start, end = of(first), of(last)
    if start == end:
        return " ".join(start)
    while start and start[-1] == end[len(start) - 1]:
        start.pop()
    between = "–" if len(start) == 1 and not whole_months else " – "
    return " ".join(start) + between + " ".join(end)
