"""Times in words, in Japanese and English, as intervals with their precision.

`mentions` reads what somebody wrote, `time_range` and `as_of` what somebody asks. Words count from the writer's own
clock and zone. A month stays a month and a year a year: nothing becomes a point.

What is left open is completed from the context. In a message 9月10日, "Friday" or "the 3rd" is the one that the tense
of its sentence points to; a month or a day of one that is nearer and within 31 days is meant all the same. Without a
tense it is the last one, or a next one that is three times as near. In a question it is the last one that is not in
the future, unless the question speaks of what is to come. Today always counts. A day of a month after another date is
near to that. 3/9/2026 and "on 9/10" have the day first in English, the month first in Japanese.

Words that name no time (先日, recently), days that do not exist (2月31日), and what comes back (毎週月曜) give nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from memory.text.times.bounds import bound_of
from memory.text.times.calendar import around, midnight
from memory.text.times.model import Bound, Mention, Precision, TimeRange
from memory.text.times.pieces import Piece, pieces
from memory.text.times.rules import Folded, Kind, fold
from memory.text.times.states import asks_expressly, asks_for_a_state
from memory.text.times.tense import Speech

__all__ = ["Bound", "Mention", "Precision", "TimeRange", "as_of", "mentions", "time_range"]

#: How exact words are, the most exact first: hours and minutes are those of a day.
_EXACTNESS = {
    Precision.WEEK: 1,
    Precision.MONTH: 2,
    Precision.QUARTER: 3,
    Precision.YEAR: 4,
}
#: The last moment that still belongs to an interval.
_LAST = timedelta(microseconds=1)


def mentions(text: str, anchor: datetime) -> list[Mention]:
    """All times that a message names, in text order, counted from the moment `anchor` at which it was written."""
    folded = fold(text)
    return [_mention(folded, piece, anchor) for piece in pieces(folded, anchor, Speech.MESSAGE)]


def time_range(text: str, now: datetime) -> TimeRange | None:
    """When the thing happened that a question asks about; None when it does not say.

    Where it names several times, the most exact counts, and of these the first. An hour without a day says nothing.
    What people remember as the end of a month is taken wider, as its last ten days.
    """
    folded = fold(text)
    named = [piece for piece in pieces(folded, now, Speech.QUESTION) if piece.kind is not Kind.CLOCK]
    if not named:
        return None
    first = min(named, key=lambda piece: _EXACTNESS.get(piece.range.precision, 0))
    return _remembered(first, folded.lower[first.start : first.end], now)


def as_of(text: str, now: datetime) -> datetime | None:
    """The moment as of which a question asks for a state: the last one of the day, week, month … that it names.

    None when it asks for no state (「先週VPNで問い合わせた」 names a period), or for the present one. Where the
    interval has not ended yet, `now`.
    """
    folded = fold(text)
    for piece in pieces(folded, now, Speech.QUESTION):
        meant, bound = _bounded(folded, piece, now)
        expressly = asks_expressly(folded.lower, piece.start, piece.end)
        past = meant.end <= now and bound is not Bound.FROM and piece.kind is not Kind.CLOCK
        if expressly or (past and asks_for_a_state(folded.lower, piece.start, piece.end)):
            return _moment(meant, folded.lower[piece.start : piece.end], now)
    return None


def _mention(folded: Folded, piece: Piece, anchor: datetime) -> Mention:
    meant, bound = _bounded(folded, piece, anchor)
    return Mention(span=(folded.at[piece.start], folded.at[piece.end - 1] + 1), range=meant, bound=bound)


def _bounded(folded: Folded, piece: Piece, anchor: datetime) -> tuple[TimeRange, Bound]:
    if piece.spans:
        return piece.range, Bound.AT
    try:
        return bound_of(folded.lower, piece.start, piece.end, piece.range, anchor)
    except (ValueError, OverflowError):  # before the first year, or after the last
        return piece.range, Bound.AT


def _remembered(piece: Piece, words: str, now: datetime) -> TimeRange:
    meant = piece.range
    if words.endswith("末") or words.startswith("end of"):
        return TimeRange(
            start=min(meant.start, meant.end - timedelta(days=10)), end=meant.end, precision=meant.precision
        )
    return meant


def _moment(meant: TimeRange, words: str, now: datetime) -> datetime:
    if words.endswith(("前", "ago")) and meant.precision in {Precision.WEEK, Precision.MONTH}:
        middle = meant.start + (meant.end - meant.start) / 2
        meant = around(midnight(middle), 0, Precision.DAY)
    return min(meant.end - _LAST, now) if meant.start <= now else meant.end - _LAST
