"""From the words for a time to the time from when and until when a statement holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.model import Turn
from memory.remember.statements import Statement
from memory.remember.verification import occurs
from memory.text.dates import Bound, Mention, mentions

#: What is left of a value that is a date, once the date is taken out: hours, days of the week, marks.
_REST_OF_A_DATE = re.compile(r"(?:[\d\s:：/.,~〜～\-–()（）]|[月火水木金土日時分頃]|の|から|まで|より|頃|ごろ|予定|[ap]\.?m\b|at|o'clock|on|by)*")
_SENTENCE = re.compile(r"(?<=[。！？!?\n])\s*|(?<=[.])\s+")
#: A message's own time is known to the minute.
_SAID = "minute"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """From `start` up to, not including, `end`; `dated` where the words gave `start`."""

    start: datetime
    end: datetime | None
    precision: str
    dated: bool


def holding(said: Statement, turn: Turn, *, at_a_time: bool) -> Holding:
    """When it holds, by the words of its turn; without any, from when it was said.

    `at_a_time` tells that it is of a moment, so that a plain date ("on 3 May") dates it. A date that is what the
    statement says (a deadline's day) is not when it began to hold.
    """
    found = mentions(turn.text, turn.said_at)
    named = _named(said.when, turn, found)
    if is_a_date(said.value, turn.said_at):
        days = {own.range.start for own in mentions(said.value, turn.said_at)}
        named = [own for own in named if own.range.start not in days]
        near = named
    else:
        near = named or _near(said, turn, found)
    begin = _first(near, Bound.FROM) or (_first(near, Bound.AT) if named or at_a_time else None)
    until = _first(near, Bound.UNTIL)
    if begin is None:
        return _until(until, turn) if until else _from_said(turn, None)
    end = until.range.end if until and until.range.end > begin.range.start else None
    return Holding(start=begin.range.start, end=end, precision=str(begin.range.precision), dated=True)


def is_a_date(value: str, anchor: datetime) -> bool:
    """Whether the value is nothing but a time."""
    found = mentions(value, anchor)
    rest = value
    for mention in reversed(found):
        rest = rest[: mention.span[0]] + rest[mention.span[1] :]
    return bool(found) and _REST_OF_A_DATE.fullmatch(rest) is not None


def _named(when: str, turn: Turn, found: Sequence[Mention]) -> list[Mention]:
    """The turn's mentions that `when` names; with the bound of whichever of the two says more."""
    named = []
    for said in mentions(when, turn.said_at) if when else []:
        same = next((own for own in found if own.range.start == said.range.start and own.range.end == said.range.end), None)
        if same is not None:
            named.append(said if same.bound is Bound.AT else same)
    return named


def _near(said: Statement, turn: Turn, found: Sequence[Mention]) -> list[Mention]:
    """The mentions in the value's own sentence; else the only one from which on everything in the turn holds."""
    start = 0
    for sentence in _SENTENCE.split(turn.text):
        start = turn.text.index(sentence, start)
        inside = [own for own in found if start <= own.span[0] < start + len(sentence)]
        if inside and occurs(said.value, sentence):
            return inside
        start += len(sentence)
    begins = [own for own in found if own.bound is Bound.FROM]
    return begins if len({own.range.start for own in begins}) == 1 else []


def _first(found: Sequence[Mention], bound: Bound) -> Mention | None:
    return next((own for own in found if own.bound is bound), None)


def _until(until: Mention, turn: Turn) -> Holding:
    """What ends later holds from now on; of what has ended only the last day is known."""
    if until.range.end > turn.said_at:
        return _from_said(turn, until.range.end)
    return Holding(
        start=until.range.start, end=until.range.end, precision=str(until.range.precision), dated=True
    )


def _from_said(turn: Turn, end: datetime | None) -> Holding:
    return Holding(start=turn.said_at, end=end, precision=_SAID, dated=False)
