"""From the words for a time to the time from when and until when a statement holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from memory.model import Turn
from memory.remember.extraction.statements import Statement
from memory.remember.extraction.verification import occurs
from memory.text.dates import Bound, Mention, Precision, mentions

#: What is left of a value that is a date, once the date is taken out: hours, days of the week, marks.
_REST_OF_A_DATE = re.compile(
    r"(?:[\d\s:：/.,~〜～\-–()（）]|[月火水木金土日時分頃]|の|から|まで|より|頃|ごろ|予定|[ap]\.?m\b|at|o'clock|on|by)*"
)
#: 「14日」 is a length of time here, not the 14th.
_LENGTHS = frozenset("retention,validity,loan period,limit,minimum,price".split(","))
#: 「今は5万円までです。7/1から10万円になります。」: what holds now does not hold from then on.
_UNTIL_NOW = re.compile(
    r"(?:今は|いまは|今のところ|現在|現状|これまで|currently|right now|at the moment|until now|so far|at present)",
    re.IGNORECASE,
)
_DATE_AND_NUMBER = re.compile(r"((?:\d{1,2}/\d{1,2}|\d月\d{1,2}日|\d月)(?:[（(][月火水木金土日][）)])?から)(?=\d)")
_SENTENCE = re.compile(r"(?<=[。！？!?\n])\s*|(?<=[.])\s+")
_FROM_TO = re.compile(r"\d[^-]{0,16}?(?:から|[〜～~–]|\b(?:to|until|till|through|and)\b)", re.IGNORECASE)
_PARTS_OF_A_DAY = frozenset((Precision.MINUTE, Precision.HOUR))
_FORMATS = {Precision.YEAR: "%Y", Precision.MONTH: "%Y-%m", Precision.QUARTER: "%Y-%m"}
#: A message's own time is known to the minute.
_SAID = Precision.MINUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """From `start` up to, not including, `end`; `dated` where the words gave `start`."""

    start: datetime
    end: datetime | None
    precision: Precision
    dated: bool


class DateUse(Enum):
    """Which dates of a turn say when a statement holds, where it names none itself: only those from or until which it
    does; a plain one ("on 3 May") too, since it is of a moment; none."""

    STRETCH = auto()
    MOMENT = auto()
    NAMED = auto()


def holding(said: Statement, turn: Turn, use: DateUse) -> Holding:
    """When it holds, by the words of its turn; without any, from when it was said.

    A date that is what the statement says (a deadline's day) is not when it began to hold.
    """
    text = spaced(turn.text)
    found = mentions(text, turn.said_at)
    named = _named(said.when, text, turn.said_at, found)
    if said.predicate not in _LENGTHS and is_a_date(said.value, turn.said_at):
        days = {own.range.start for own in mentions(said.value, turn.said_at)}
        named = [own for own in named if own.range.start not in days]
        near = named
    elif named or use is DateUse.NAMED:
        near = named
    else:
        near = _near(said, text, found)
    plain = named or use is DateUse.MOMENT
    stretch = next((own for own in near if _is_stretch(own, text)), None)
    begin = stretch or _first(near, Bound.FROM) or (_first(near, Bound.AT) if plain else None)
    until = stretch or _first(near, Bound.UNTIL)
    if begin is None:
        return _until(until, turn) if until else _from_said(turn, None)
    end = until.range.end if until and until.range.end > begin.range.start else None
    return Holding(start=begin.range.start, end=end, precision=begin.range.precision, dated=True)


def with_date(text: str, when: Holding) -> str:
    """The text with the date that its "yesterday" or "last week" means; one that has the date stays as it is."""
    if not when.dated:
        return text
    start = when.start
    numbers = re.findall(r"\d+", unicodedata.normalize("NFKC", text))
    known = str(start.year if when.precision == Precision.YEAR else start.day)
    if known in (number.lstrip("0") for number in numbers):
        return text
    return f"{text} ({start:{_FORMATS.get(when.precision, '%Y-%m-%d')}})"


def spaced(text: str) -> str:
    """With a space in 「7/1から1か月」, where から is that of the date and not of a range to what follows."""
    return _DATE_AND_NUMBER.sub(r"\1 ", text)


def is_a_date(value: str, anchor: datetime) -> bool:
    """Whether the value is nothing but a time."""
    found = mentions(value, anchor)
    rest = value
    for mention in reversed(found):
        rest = rest[: mention.span[0]] + rest[mention.span[1] :]
    return bool(found) and _REST_OF_A_DATE.fullmatch(rest) is not None


def _named(when: str, text: str, anchor: datetime, found: Sequence[Mention]) -> list[Mention]:
    """The turn's mentions that `when` names, by their words or in others for the same time."""
    if not when:
        return []
    said = mentions(when, anchor)
    same = [own for own in found if occurs(text[own.span[0] : own.span[1]], when)]
    same = same or [own for own in found if any(_is_same(own, other) for other in said)]
    bound = next((other.bound for other in said if other.bound is not Bound.AT), Bound.AT)
    # 「8/1」 may be cited with or without its から.
    return [replace(own, bound=bound) if own.bound is Bound.AT and len(same) == 1 else own for own in same]


def _is_same(one: Mention, other: Mention) -> bool:
    return (one.range.start, one.range.end) == (other.range.start, other.range.end)


def _near(said: Statement, text: str, found: Sequence[Mention]) -> list[Mention]:
    """The mentions in the value's own sentence; else the only one from which on everything in the turn holds."""
    start = 0
    for sentence in _SENTENCE.split(text):
        start = text.index(sentence, start)
        inside = [own for own in found if start <= own.span[0] < start + len(sentence)]
        told = occurs(said.value, sentence)
        if told and (inside or _UNTIL_NOW.match(sentence)):
            return inside
        start += len(sentence)
    begins = [own for own in found if own.bound is Bound.FROM]
    return begins if len({own.range.start for own in begins}) == 1 else []


def _is_stretch(own: Mention, text: str) -> bool:
    """Whether it names days with a first and a last: "1 to 31 August"."""
    words = text[own.span[0] : own.span[1]]
    return own.range.precision not in _PARTS_OF_A_DAY and _FROM_TO.search(words) is not None


def _first(found: Sequence[Mention], bound: Bound) -> Mention | None:
    return next((own for own in found if own.bound is bound), None)


def _until(until: Mention, turn: Turn) -> Holding:
    """What ends later holds from now on; of what has ended only the last day is known."""
    if until.range.end > turn.said_at:
        return _from_said(turn, until.range.end)
    return Holding(start=until.range.start, end=until.range.end, precision=until.range.precision, dated=True)


def _from_said(turn: Turn, end: datetime | None) -> Holding:
    return Holding(start=turn.said_at, end=end, precision=_SAID, dated=False)
