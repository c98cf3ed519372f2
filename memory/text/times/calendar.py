"""Calendar arithmetic on wall-clock time: days, weeks, months and what is made of months. Weeks begin on Monday."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum, auto

from memory.text.times.model import Precision, TimeRange

#: The Japanese fiscal year begins in April.
FISCAL = 4
#: 29 February comes back after eight years at most.
_LEAP_YEARS_APART = 8
_CLEARLY = 3
_OF_MONTHS = {1: Precision.MONTH, 3: Precision.QUARTER, 6: Precision.QUARTER, 12: Precision.YEAR}


class Lean(Enum):
    """Which of several days of one name is meant, when the words do not say."""

    PAST = auto()
    #: Nothing tells: people write of what was more often than of what will be, so that has to be clearly nearer.
    EITHER = auto()
    NEAREST = auto()
    FUTURE = auto()


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def days(first: datetime, count: int = 1, precision: Precision = Precision.DAY) -> TimeRange:
    return TimeRange(start=first, end=first + timedelta(days=count), precision=precision)


def around(day: datetime, margin: int, precision: Precision) -> TimeRange:
    """The day with `margin` days on each side."""
    return days(day - timedelta(days=margin), 1 + 2 * margin, precision)


def day_at(near: datetime, year: int, month: int, day: int) -> TimeRange:
    return days(midnight(near).replace(year=year, month=month, day=day))


def week(near: datetime, later: int = 0) -> TimeRange:
    """The calendar week so many weeks later than that of `near`."""
    monday = midnight(near) - timedelta(days=near.weekday()) + timedelta(weeks=later)
    return days(monday, 7, Precision.WEEK)


def months(near: datetime, year: int, month: int, count: int = 1) -> TimeRange:
    """So many months from the first of this one on; months beyond 12 count on into the next years, and so backwards."""
    return TimeRange(
        start=_first(near, year, month), end=_first(near, year, month + count), precision=_OF_MONTHS[count]
    )


def _first(near: datetime, year: int, month: int) -> datetime:
    index = year * 12 + month - 1
    return midnight(near).replace(year=index // 12, month=index % 12 + 1, day=1)


def month(near: datetime, later: int = 0) -> TimeRange:
    return months(near, near.year, near.month + later)


def year(near: datetime, number: int) -> TimeRange:
    return months(near, number, 1, 12)


def fiscal_year(near: datetime, number: int) -> TimeRange:
    return months(near, number, FISCAL, 12)


def fiscal_year_of(moment: datetime) -> int:
    return moment.year if moment.month >= FISCAL else moment.year - 1


def same_day(near: datetime, later: int) -> datetime:
    """The same day of another month, or its last one."""
    target = _first(near, near.year, near.month + later)
    return target.replace(day=min(near.day, monthrange(target.year, target.month)[1]))


def in_month(whole: TimeRange, day: int) -> TimeRange:
    """A day of a month. Raises ValueError where it has no such day."""
    return days(whole.start.replace(day=day))


def early(whole: TimeRange) -> TimeRange:
    return days(whole.start, 10, Precision.WEEK)


def middle(whole: TimeRange) -> TimeRange:
    return days(whole.start + timedelta(days=10), 10, Precision.WEEK)


def late(whole: TimeRange) -> TimeRange:
    return TimeRange(start=whole.start + timedelta(days=20), end=whole.end, precision=Precision.WEEK)


def last_day(whole: TimeRange) -> TimeRange:
    return days(whole.end - timedelta(days=1))


def yearly(near: datetime, month: int, day: int) -> list[TimeRange]:
    """This day in the years around. Raises ValueError where no year has it."""
    apart = _LEAP_YEARS_APART if (month, day) == (2, 29) else 1
    years = range(near.year - apart, near.year + apart + 1)
    return [day_at(near, number, month, day) for number in years if day <= monthrange(number, month)[1]]


def on_days_named(ranges: list[TimeRange], weekday: int | None) -> list[TimeRange]:
    """Those days that fall on the weekday that was named with them; all, if none does."""
    return [one for one in ranges if one.start.weekday() == weekday] or ranges


def yearly_months(near: datetime, month: int, count: int = 1) -> list[TimeRange]:
    return [months(near, near.year + shift, month, count) for shift in (-1, 0, 1)]


def monthly(near: datetime, day: int) -> list[TimeRange]:
    """This day in the months around that have it: 31 and 29 February are never two months away."""
    around_here = (month(near, later) for later in (-2, -1, 0, 1, 2))
    return [in_month(one, day) for one in around_here if one.start + timedelta(days=day - 1) < one.end]


def weekly(near: datetime, weekday: int) -> list[TimeRange]:
    return [on_weekday(week(near, later), weekday) for later in (-1, 0, 1)]


def on_weekday(whole: TimeRange, weekday: int) -> TimeRange:
    return days(whole.start + timedelta(days=weekday))


def choose(near: datetime, ranges: Iterable[TimeRange], lean: Lean, grace: timedelta = timedelta(0)) -> TimeRange:
    """One of the ranges, which follow in time: what contains `near`, or the next in the direction of `lean`.

    The other one counts where it is nearer and within `grace`. Raises ValueError when there is none.
    """
    past: TimeRange | None = None
    future: TimeRange | None = None
    for one in ranges:
        if one.contains(near):
            return one
        if one.end <= near:
            past = one
        elif future is None:
            future = one
    if past is None or future is None:
        return _one_of(past, future)
    back, ahead = near - past.end, future.start - near
    if lean is Lean.PAST:
        return future if ahead < min(back, grace) else past
    if lean is Lean.FUTURE:
        return past if back < min(ahead, grace) else future
    return past if back <= ahead * (_CLEARLY if lean is Lean.EITHER else 1) else future


def _one_of(past: TimeRange | None, future: TimeRange | None) -> TimeRange:
    found = past or future
    if found is None:
        raise ValueError("no such day")
    return found
