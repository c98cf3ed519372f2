"""From a text to the times that stand in it: rules are tried from left to right, and neighbours joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

from memory.text.times.bounds import MOVED
from memory.text.times.calendar import Lean
from memory.text.times.en import english_rules
from memory.text.times.en_months import english_month_rules
from memory.text.times.en_years import english_year_rules
from memory.text.times.ja import japanese_rules
from memory.text.times.ja_months import japanese_month_rules
from memory.text.times.model import Precision, TimeRange
from memory.text.times.numeric import numeric_rules
from memory.text.times.rules import DIGIT, Folded, Kind, Reading, Rule, Rules, by_start, longest
from memory.text.times.tense import GRACE, Speech, lean_of

_NUMERALS = "〇一二三四五六七八九十"
_DASH = re.compile(r"\s?[-–—~〜]\s?")
_RANGE = re.compile(r"\s?(?:[-–—~〜]|to|until|till|through|から)、?\s?")
_AND = re.compile(r"\s(?:and)\s(?:the\s)?")
_BETWEEN = re.compile(r"\bbetween\s(?:the\s)?$")
_ENDS_A_RANGE = re.compile(r"\s?(?:まで|の?間|にかけて)")
_ON_THAT_DAY = re.compile(r"(?:\s|の|に|、|,|\s?at|\s?from|\s?around|\s?から){0,2}\s?")
_OF_THAT_DAY = re.compile(r"(?:,?\s(?:on\s(?:the\s)?|of\s)?|の)")
_SENTENCE_END = re.compile(r"[。!?\n]|\.\s")
_LONGEST_GAP = 40
_ORDER = list(Precision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A time and its place in the folded text. `rule` and `match` can make it anew for another day; none, where it is
    joined from two. `spans` tells a joined interval: words before and after it belong to its own ends."""

    start: int
    end: int
    range: TimeRange
    kind: Kind
    rule: Rule | None = None
    match: re.Match[str] | None = None
    spans: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """What stands between the last time and a place, when that is little."""

    last: Piece
    words: str

    @property
    def is_day(self) -> bool:
        span = self.last.range.end - self.last.range.start
        return self.last.kind is not Kind.CLOCK and span == timedelta(days=1)


@cache
def shipped_rules() -> Rules:
    """Every rule, by what starts it."""
    return by_start(
        [
            *japanese_month_rules(),
            *japanese_rules(),
            *numeric_rules(),
            *english_month_rules(),
            *english_year_rules(),
            *english_rules(),
        ]
    )


@cache
def _tokens(characters: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a time can start: in running text, and right after a dash that joins two."""
    words, numerals = r"[a-z]+", rf"[{_NUMERALS}]+(?=[年月日時週分昨かヶケカヵ箇])"
    figures = r"(?<![a-z0-9_])(?<![a-z0-9][-./:,_#])(?<![#+$¥€\\/.])\d+"
    return (
        re.compile(rf"(?<![a-z0-9_@./\\])(?<!\d-){words}|{figures}|(?<![{_NUMERALS}]){numerals}|[{characters}]"),
        re.compile(rf"{words}|\d+|{numerals}|[{characters}]"),
    )


def pieces(folded: Folded, anchor: datetime, speech: Speech, rules: Rules | None = None) -> list[Piece]:
    """The times that the text names, in its order, none within another."""
    table = shipped_rules() if rules is None else rules
    characters = "".join(sorted(key for key in table if not key.isascii() and key not in _NUMERALS))
    found: list[Piece] = []
    for rule, match in _matches(folded.lower, table, _tokens(characters)):
        gap = _gap(found, folded.lower, match.start())
        made = _make(rule, match, _reading(folded, anchor, speech, rule, match, gap))
        if made is not None:
            _add(found, _piece(rule, match, made), gap, _reading_at(folded, anchor, made.start))
    return [piece for piece in found if piece.kind is not Kind.PART]


def _piece(rule: Rule, match: re.Match[str], made: TimeRange) -> Piece:
    return Piece(
        start=match.start(),
        end=match.end(),
        range=made,
        kind=rule.kind,
        rule=rule,
        match=match,
        spans=rule.kind is Kind.SPAN,
    )


def _matches(
    text: str, table: Rules, tokens: tuple[re.Pattern[str], re.Pattern[str]]
) -> Iterator[tuple[Rule, re.Match[str]]]:
    anywhere, here = tokens
    position = 0
    while (token := anywhere.search(text, position)) is not None:
        hit = longest(_rules_of(table, token[0]), text, token.start())
        position = token.end()
        while hit is not None:
            yield hit
            position = hit[1].end()
            dash = _DASH.match(text, position)
            joined = here.match(text, dash.end()) if dash else None
            hit = longest(_rules_of(table, joined[0]), text, joined.start()) if joined else None


def _rules_of(table: Rules, token: str) -> Sequence[Rule]:
    if token[0] in _NUMERALS:
        return [*table.get(DIGIT, ()), *table.get(token[0], ())]
    return table.get(DIGIT if token[0].isdecimal() else token, ())


def _gap(found: Sequence[Piece], text: str, start: int) -> _Gap | None:
    if not found or start - found[-1].end > _LONGEST_GAP:
        return None
    return _Gap(last=found[-1], words=text[found[-1].end : start])


def _make(rule: Rule, match: re.Match[str], reading: Reading) -> TimeRange | None:
    """What the match means; None for a day that no calendar has, and beyond the years that there are."""
    try:
        return rule.make(reading, match)
    except (ValueError, OverflowError):
        return None


def _reading(
    folded: Folded, anchor: datetime, speech: Speech, rule: Rule, match: re.Match[str], gap: _Gap | None
) -> Reading:
    lean = _lean_beside(gap, folded.lower, anchor, rule, match) if gap is not None else None
    if gap is not None and lean is not None:
        return replace(_reading_at(folded, anchor, gap.last.range.start), lean=lean)
    lean = lean_of(folded.lower, match.start(), match.end(), speech)
    return replace(_reading_at(folded, anchor, anchor), lean=lean, grace=GRACE[speech])


def _lean_beside(gap: _Gap, text: str, anchor: datetime, rule: Rule, match: re.Match[str]) -> Lean | None:
    """In which direction from the last time this one lies, where that one completes it; None where it does not."""
    if _joins(gap, text, match):
        return Lean.FUTURE
    if rule.kind in {Kind.CLOCK, Kind.PART}:
        return Lean.NEAREST if gap.is_day and _ON_THAT_DAY.fullmatch(gap.words) else None
    if _SENTENCE_END.search(gap.words):
        return None
    if rule.kind is Kind.DAY:
        return Lean.NEAREST
    if rule.kind is Kind.DATE and gap.last.range.start.year < anchor.year:  # 1945年8月15日に…、10月4日に…
        return Lean.FUTURE if gap.last.range.precision is Precision.YEAR else Lean.NEAREST
    return None


def _reading_at(folded: Folded, anchor: datetime, near: datetime) -> Reading:
    return Reading(folded=folded, now=anchor, near=near, lean=Lean.NEAREST)


def _joins(gap: _Gap, text: str, match: re.Match[str]) -> bool:
    """Whether the two are the ends of one interval."""
    before = text[max(0, gap.last.start - 40) : gap.last.start]
    if gap.last.spans or MOVED.search(before):
        return False
    if _AND.fullmatch(gap.words):
        return _BETWEEN.search(before) is not None
    if _RANGE.fullmatch(gap.words) is None:
        return False
    return "から" not in gap.words or _ENDS_A_RANGE.match(text, match.end()) is not None


def _add(found: list[Piece], piece: Piece, gap: _Gap | None, on_it: Reading) -> None:
    """Append the piece, or put what the last one and it are together in the last one's place."""
    joined = _joined(piece, gap, on_it) if gap is not None else None
    if joined is None:
        found.append(piece)
    else:
        found[-1] = joined


def _joined(piece: Piece, gap: _Gap, on_it: Reading) -> Piece | None:
    last = gap.last
    if piece.match is not None and _joins(gap, on_it.folded.lower, piece.match):
        return _interval(last, piece)
    if piece.kind in {Kind.CLOCK, Kind.PART} and gap.is_day and _ON_THAT_DAY.fullmatch(gap.words):
        return replace(piece, start=last.start, kind=Kind.DATE)
    if piece.kind is Kind.WEEKDAY and gap.words in {"の", " ", ""} and last.kind in {Kind.DATE, Kind.DAY}:
        return replace(last, end=piece.end)  # 5月の土曜: some Saturday of that month
    if last.kind is Kind.CLOCK and _OF_THAT_DAY.fullmatch(gap.words):
        return _clock_of(last, piece, on_it)
    return None


def _interval(first: Piece, last: Piece) -> Piece | None:
    """From the first to the end of the last; a clock ends when it is struck."""
    end = _struck(first, last) if last.kind is Kind.CLOCK else last.range.end
    if end <= first.range.start:
        return None
    precision = max(first.range.precision, last.range.precision, key=_ORDER.index)
    meant = TimeRange(start=first.range.start, end=end, precision=precision)
    return Piece(start=first.start, end=last.end, range=meant, kind=first.kind, spans=True)


def _struck(first: Piece, last: Piece) -> datetime:
    """When the second clock strikes: 午後2時から4時 ends in the afternoon, 20:00〜6:00 on the next morning."""
    end = last.range.start
    if end > first.range.start:
        return end
    in_halves = first.match is not None and bool(first.match.groupdict().get("half"))
    return end + timedelta(hours=12 if in_halves else 24)


def _clock_of(clock: Piece, day: Piece, on_it: Reading) -> Piece | None:
    """Half past eight on 14 July: the clock's time on the day that comes after it."""
    if day.kind is Kind.CLOCK or day.range.end - day.range.start != timedelta(days=1):
        return None
    if clock.rule is None or clock.match is None:
        return _moved(clock, day)
    made = _make(clock.rule, clock.match, on_it)
    return replace(day, start=clock.start, range=made, kind=Kind.DATE) if made is not None else None


def _moved(clock: Piece, day: Piece) -> Piece:
    """Between nine and eleven, yesterday."""
    away = timedelta(days=(day.range.start.date() - clock.range.start.date()).days)
    meant = replace(clock.range, start=clock.range.start + away, end=clock.range.end + away)
    return replace(clock, end=day.end, range=meant, kind=Kind.DATE)
