"""Which days a question speaks of: relative and absolute words, in Japanese and English, as an interval.

Words count from the asker's own clock and zone. A month stays a month and a year a year: nothing becomes a point.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

_MONTHS = ("january february march april may june july august september october november december").split()
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_COUNT = r"(?P<count>\d{1,3}|a|an|one|two|three|four|five|six)"
_MONTH_NAME = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS if name != "may") + "|may"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """From `start` up to, not including, `end`; both aware."""

    start: datetime
    end: datetime

    def contains(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def days_from(self, moment: datetime) -> float:
        """How many days `moment` lies outside; 0 inside."""
        if moment < self.start:
            return (self.start - moment) / timedelta(days=1)
        return max(0.0, (moment - self.end) / timedelta(days=1))


_Maker = Callable[[datetime, re.Match[str]], TimeRange]


def time_range(text: str, now: datetime) -> TimeRange | None:
    """The days that the text speaks of, counted from `now` and in its zone; None when it names none.

    Where it names several, the first that a rule knows counts, the more exact rules first.
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    for pattern, make in _RULES:
        match = pattern.search(folded)
        if match is not None:
            try:
                return make(_midnight(now), match)
            except ValueError:  # 2月31日: no such day, so nothing is said about time
                continue
    return None


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(start: datetime, count: int = 1) -> TimeRange:
    return TimeRange(start=start, end=start + timedelta(days=count))


def _month(first: datetime) -> TimeRange:
    return TimeRange(start=first, end=(first + timedelta(days=32)).replace(day=1))


def _months_back(today: datetime, count: int) -> datetime:
    index = today.year * 12 + today.month - 1 - count
    return today.replace(year=index // 12, month=index % 12 + 1, day=1)


def _count(match: re.Match[str]) -> int:
    word = match["count"]
    return _NUMBERS.get(word) or int(word)


def _full_date(today: datetime, match: re.Match[str]) -> TimeRange:
    return _days(today.replace(year=int(match["year"]), month=int(match["month"]), day=int(match["day"])))


def _day_of_month(today: datetime, match: re.Match[str]) -> TimeRange:
    """The last such day that is not in the future."""
    day = today.replace(month=_month_number(match["month"]), day=int(match["day"]))
    return _days(day if day <= today else day.replace(year=day.year - 1))


def _named_month(today: datetime, match: re.Match[str]) -> TimeRange:
    first = today.replace(month=_month_number(match["month"]), day=1)
    return _month(first if first <= today else first.replace(year=first.year - 1))


def _month_number(word: str) -> int:
    return int(word) if word.isdigit() else next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word[:3]))


def _weeks_back(count: int) -> _Maker:
    """A calendar week, Monday to Sunday, with a margin: people say "last week" for seven days ago as well."""

    def make(today: datetime, _: re.Match[str]) -> TimeRange:
        monday = today - timedelta(days=today.weekday() + 7 * count)
        start = min(monday, today - timedelta(days=7 * count))
        return TimeRange(start=start, end=monday + timedelta(days=7))

    return make


def _ago(unit: int, slack: int) -> _Maker:
    """So many units of days ago, give or take `slack` days."""

    def make(today: datetime, match: re.Match[str]) -> TimeRange:
        start = today - timedelta(days=unit * _count(match) + slack)
        return _days(start, 1 + 2 * slack)

    return make


def _offset(days: int, length: int = 1) -> _Maker:
    return lambda today, _: _days(today - timedelta(days=days), length)


def _month_offset(count: int) -> _Maker:
    return lambda today, _: _month(_months_back(today, count))


_RULES: tuple[tuple[re.Pattern[str], _Maker], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"(?P<year>20\d\d)[-/年](?P<month>\d{1,2})[-/月](?P<day>\d{1,2})", _full_date),
        (r"(?P<month>\d{1,2})月(?P<day>\d{1,2})日", _day_of_month),
        (rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH_NAME})\b", _day_of_month),
        (rf"\b(?P<month>{_MONTH_NAME})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b", _day_of_month),
        (r"一昨日|おととい|day before yesterday", _offset(2)),
        (r"昨日|きのう|yesterday", _offset(1)),
        (r"今日|本日|today|this morning", _offset(0)),
        (r"先々週", _weeks_back(2)),
        (r"先週|last week", _weeks_back(1)),
        (r"今週|this week", _weeks_back(0)),
        (r"先々月", _month_offset(2)),
        (r"先月|last month", _month_offset(1)),
        (r"今月|this month", _month_offset(0)),
        (rf"{_COUNT}日前", _ago(1, 0)),
        (rf"{_COUNT} days? ago", _ago(1, 0)),
        (rf"{_COUNT}週間?前", _ago(7, 3)),
        (rf"{_COUNT} weeks? ago", _ago(7, 3)),
        (rf"{_COUNT}[かヶケカ]月前", _ago(30, 15)),
        (rf"{_COUNT} months? ago", _ago(30, 15)),
        (r"(?<!\d)(?P<month>\d{1,2})月(?![前曜\d])", _named_month),
        (rf"\b(?:in|since|during|of|from|last|early|late|mid)[- ](?P<month>{_MONTH_NAME})\b", _named_month),
        (rf"\b(?!may|mar)(?P<month>{_MONTH_NAME})\b", _named_month),
    )
)
