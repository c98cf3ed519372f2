"""The records of time: an interval with its precision, and where a text names one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class Precision(StrEnum):
    """The unit in which the words speak: "in 2026" is a year, whenever in it something happened."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """From `start` up to, not including, `end`; both aware."""

    start: datetime
    end: datetime
    precision: Precision

    def contains(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def days_from(self, moment: datetime) -> float:
        """How many days `moment` lies outside; 0 inside."""
        if moment < self.start:
            return (self.start - moment) / timedelta(days=1)
        return max(0.0, (moment - self.end) / timedelta(days=1))


class Bound(StrEnum):
    """How the words use a time: something is so *at* it, *from* its start on, or *until* its end."""

    AT = "at"
    FROM = "from"
    UNTIL = "until"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A time that a text names. `span` is its place in the text: from, up to but not including, in characters.

    FROM always starts with `range.start` and UNTIL always ends with `range.end`: for "before 15 September" the range is
    the 14th, for "after 15 September" the 16th.
    """

    span: tuple[int, int]
    range: TimeRange
    bound: Bound
