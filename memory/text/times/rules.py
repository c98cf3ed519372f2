"""How expressions of time are found: a rule is tried only where a text has a character or word that starts it.

No pattern repeats without a limit and no place of a text is read twice from a start, so the work grows with its length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cache

from memory.text.times.calendar import Lean, choose
from memory.text.times.model import TimeRange

#: A key for all rules that start with a number, in digits or kanji.
DIGIT = "0"
#: So much of what stands before an expression can decide what it is.
_LOOK_BACK = 32
_KANJI_DIGITS = "〇一二三四五六七八九"
#: Runs of what NFKC leaves alone, and all else by the character.
_RUNS = re.compile(r"[\x00-\x7f\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa0]+|.", re.DOTALL)
_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


class Kind(Enum):
    """What an expression names: days; days from one to another; a day of a month or of the week alone, which a
    neighbour can place; an hour of a day; a part of a day that is nothing by itself (朝, morning)."""

    DATE = auto()
    SPAN = auto()
    DAY = auto()
    WEEKDAY = auto()
    CLOCK = auto()
    PART = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A text in one width. `lower` has the same places as `text`; `at[i]` is where character i stood at first."""

    text: str
    lower: str
    at: Sequence[int]
    japanese: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an expression is read with. Relative words count from `now`; words that leave out a year, a month or a day
    are completed near to `near`, in the direction of `lean`."""

    folded: Folded
    now: datetime
    near: datetime
    lean: Lean
    grace: timedelta = timedelta(0)

    def nearest(self, ranges: Sequence[TimeRange]) -> TimeRange:
        """One of a week's or month's days of the same name."""
        return choose(self.near, ranges, self.lean)

    def before(self, match: re.Match[str]) -> str:
        """What stands before the expression, in lower case."""
        return self.folded.lower[max(0, match.start() - _LOOK_BACK) : match.start()]

    def written(self, match: re.Match[str], group: str) -> str:
        """A group with its capitals."""
        return self.folded.text[match.start(group) : match.end(group)]


Make = Callable[[Reading, "re.Match[str]"], "TimeRange | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An expression: the words or characters that can start it, its pattern on lower case, and what it means.

    `make` gives None, or raises ValueError, for what looks like a time and is none; nothing else is tried there.
    """

    starts: tuple[str, ...]
    pattern: str
    make: Make
    kind: Kind = Kind.DATE


Rules = Mapping[str, Sequence[Rule]]


def by_start(rules: Sequence[Rule]) -> Rules:
    table: dict[str, list[Rule]] = {}
    for rule in rules:
        for start in rule.starts:
            table.setdefault(start, []).append(rule)
    return table


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, made when it is first needed: few texts need many."""
    return re.compile(pattern)


def longest(rules: Sequence[Rule], text: str, position: int) -> tuple[Rule, re.Match[str]] | None:
    """What matches furthest at this position; the first of equals."""
    best: tuple[Rule, re.Match[str]] | None = None
    for rule in rules:
        match = compiled(rule.pattern).match(text, position)
        if match is not None and match.end() > (best[1].end() if best else position):
            best = rule, match
    return best


def fold(text: str) -> Folded:
    """The text in NFKC, with the way back to the original."""
    plain = text if unicodedata.is_normalized("NFKC", text) else ""
    if len(plain) == len(text):
        return Folded(text=text, lower=_lower(text), at=range(len(text)), japanese=_is_japanese(text))
    pieces: list[str] = []
    at: list[int] = []
    for run in _RUNS.finditer(text):
        piece = unicodedata.normalize("NFKC", run[0])
        pieces.append(piece)
        at.extend(range(*run.span()) if len(run[0]) == len(piece) else [run.start()] * len(piece))
    plain = "".join(pieces)
    return Folded(text=plain, lower=_lower(plain), at=at, japanese=_is_japanese(plain))


def _is_japanese(text: str) -> bool:
    return _JAPANESE.search(text) is not None


def _lower(text: str) -> str:
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def number(word: str) -> int:
    """A number in digits or kanji (二十一, 二〇二六, 元 for 1). Raises ValueError."""
    if word.isdecimal():
        return int(word)
    if word == "元":
        return 1
    if "十" not in word:
        return int("".join(str(_digit(char)) for char in word))
    tens, _, ones = word.partition("十")
    if len(tens) > 1 or len(ones) > 1:
        raise ValueError(f"{word!r} is no number")
    return 10 * (_digit(tens) if tens else 1) + (_digit(ones) if ones else 0)


def _digit(char: str) -> int:
    return _KANJI_DIGITS.index(char)
