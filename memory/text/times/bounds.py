"""How the words around a time use it: at it, from it on, until it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from memory.text.times.calendar import midnight, months, week
from memory.text.times.model import Bound, Precision, TimeRange

_REACH = 24
_BEFORE_IT = re.compile(
    r"\b(?:(?P<since>since|from|effective(?: from| on)?|starting(?: on| from)?|beginning(?: on)?|as from)"
    r"|(?P<as_of>as of)|(?P<until>until|till|til|up to|through|thru)|(?P<before>before|prior to|earlier than)"
    r"|(?P<after>after|(?<!no )later than))\s{1,2}(?:the\s)?$"
)
_AFTER_IT = re.compile(
    r"\s{0,2}(?:(?P<since>から|以降|以後|より(?![前後もは])|付け?(?:で|より|から)|付(?=[、。\s]|$)|開始|"
    r"スタート|onwards?\b|and later\b)"
    r"|(?P<until>まで(?!に)|以前|いっぱい)|(?P<before>より前|前(?!後|半|回|日))|(?P<after>より後|の?後(?!半|日)))"
)
#: Moved from the 3rd to the 5th is no time from the 3rd on, and none from the 3rd to the 5th.
MOVED = re.compile(r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward|delayed)\b[^.!?]{0,30}$")
_LENGTHS = {Precision.MONTH: 1, Precision.QUARTER: 3, Precision.YEAR: 12}


def bound_of(text: str, start: int, end: int, meant: TimeRange, anchor: datetime) -> tuple[TimeRange, Bound]:
    """The bound and the range it goes with: what ends before a day, ends with the day before it."""
    after = _AFTER_IT.match(text, end)
    match = after or _BEFORE_IT.search(text[max(0, start - _REACH) : start])
    if match is None:
        return meant, Bound.AT
    said = match.lastgroup
    if said == "since" and MOVED.search(text[max(0, start - 2 * _REACH) : start]):
        return meant, Bound.AT
    if said == "as_of":
        return meant, Bound.FROM if meant.end > midnight(anchor) else Bound.AT
    if said == "before":
        return _next_to(meant, -1), Bound.UNTIL
    if said == "after" and meant.precision is not Precision.MINUTE:
        return _next_to(meant, 1), Bound.FROM
    return meant, Bound.UNTIL if said == "until" else Bound.FROM


def _next_to(meant: TimeRange, way: int) -> TimeRange:
    """The unit that ends where this one starts, or starts where it ends."""
    edge = meant.start if way < 0 else meant.end
    count = _LENGTHS.get(meant.precision)
    if count is not None and edge.day == 1:
        return months(edge, edge.year, edge.month + (-count if way < 0 else 0), count)
    if meant.precision is Precision.WEEK and edge.weekday() == 0:
        return week(edge, min(way, 0))
    length = min(meant.end - meant.start, timedelta(days=1))
    return TimeRange(
        start=edge - length if way < 0 else edge, end=edge if way < 0 else edge + length, precision=_unit(length)
    )


def _unit(length: timedelta) -> Precision:
    if length >= timedelta(days=1):
        return Precision.DAY
    return Precision.HOUR if length >= timedelta(hours=1) else Precision.MINUTE
