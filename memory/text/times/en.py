"""English expressions of time: days, weeks, weekdays and clocks. Months and years are in `en_months`."""

from __future__ import annotations

import re
from datetime import timedelta

from memory.text.times.calendar import (
    Lean,
    days,
    in_month,
    last_day,
    midnight,
    month,
    monthly,
    on_weekday,
    week,
    weekly,
)
from memory.text.times.ja import away, hours_of, midnight_of, time_ago
from memory.text.times.model import TimeRange
from memory.text.times.rules import DIGIT, Kind, Reading, Rule

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = r"mon|tues?|wed|thu(?:rs?)?|fri|sat|sun"
WEEKDAY_STARTS = (*_WEEKDAYS, "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun")
WEEKDAY = rf"(?:{'|'.join(_WEEKDAYS)}|{_SHORT})"
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2,
}  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,3}}|a couple of|{'|'.join(word for word in _COUNTS if word != 'a couple of')})"
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 0, "quarter": 0, "year": 0}
_WORDS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1,
    "day after tomorrow": 2, "the day after tomorrow": 2,
}  # fmt: skip
_PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
_RELATIVE = {"last": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_ANNOUNCES = re.compile(r"\b(?:on|since|until|till|by|from|before|after|last|next|this|between)\s{1,2}$")
_RECURS = re.compile(r"\b(?:every|each|any|most|alternate)\s{1,2}(?:other\s)?$")
_IS = re.compile(r"\b(?:is|are|was|were|be|being|in|for)\s{1,2}$")
#: The 3rd is a day where the sentence goes on like this, and "the 3rd floor" or "the 3rd time" elsewhere.
_AFTER_A_DAY = (
    r"(?=\s?(?:[.,;:!?)]|$|-\s)|\s(?:at|in the|on|i|we|you|they|he|she|it|there|the|did|was|were|is|will|and|but|to|"
    r"for|who|whom|what|which|when|where|because|about|from|until|till|through|by|so|that|onwards?|or)\b)"
)


def _day(reading: Reading, match: re.Match[str]) -> TimeRange:
    return days(midnight(reading.now) + timedelta(days=_WORDS[match["word"]]))


def _named_part(reading: Reading, match: re.Match[str]) -> TimeRange:
    """This morning, tonight, last night."""
    word = match["word"]
    later = -1 if word.startswith("last") else 0
    return hours_of(midnight_of(reading, later), *_PARTS["night" if word == "tonight" else word.split()[-1]])


def _part(reading: Reading, match: re.Match[str]) -> TimeRange:
    return hours_of(days(midnight(reading.near)), *_PARTS[match["part"]])


def _week(reading: Reading, match: re.Match[str]) -> TimeRange:
    whole = week(reading.now, _RELATIVE[match["which"]])
    return days(whole.start + timedelta(days=5), 2) if match["unit"] == "weekend" else whole


def weekday_number(word: str) -> int:
    return next(n for n, name in enumerate(_WEEKDAYS) if name.startswith(word[:3]))


def _weekday(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """A bare weekday by tense. A short one (sun, sat, mon) has a capital and a word that announces it."""
    word, before = match["weekday"], reading.before(match)
    if _RECURS.search(before):
        return None
    if word not in _WEEKDAYS and not (reading.written(match, "weekday").istitle() and _ANNOUNCES.search(before)):
        return None
    return reading.nearest(weekly(reading.near, weekday_number(word)))


def _chosen_weekday(reading: Reading, match: re.Match[str]) -> TimeRange:
    """Last Friday is the latest before today; this one is in this week; the next one in next week."""
    weekday, which = weekday_number(match["weekday"]), match["which"]
    today = midnight(reading.now)
    if which in {"last", "previous", "past"}:
        return days(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    if which == "coming":
        return days(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    return on_weekday(week(today, _RELATIVE[which]), weekday)


def _ago(reading: Reading, match: re.Match[str]) -> TimeRange:
    count, unit = _count(match["count"]), match["unit"]
    if unit in {"minute", "hour"}:
        return time_ago(reading, count, unit == "hour")
    return _away(reading, -count, unit)


def _ahead(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """In two weeks; but what was done in two weeks took so long."""
    return None if reading.lean is Lean.PAST else _away(reading, _count(match["count"]), match["unit"])


def _away(reading: Reading, count: int, unit: str) -> TimeRange:
    return away(reading, 3 * count if unit == "quarter" else count, _UNIT_DAYS[unit], unit == "year")


def _count(word: str) -> int:
    return _COUNTS.get(word) or int(word)


def _half_year(reading: Reading, match: re.Match[str]) -> TimeRange:
    return away(reading, -6, 0, False)


def _day_of_month(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if not match["of"] and _IS.search(reading.before(match)):
        return None  # "this is the 3rd" of something
    day = int(match["day"])
    if match["of"]:
        return in_month(month(reading.now, _RELATIVE.get(match["which"], 0)), day)
    return reading.nearest(monthly(reading.near, day))


def _end_of_week(reading: Reading, match: re.Match[str]) -> TimeRange:
    return last_day(week(reading.now, _RELATIVE.get(match["which"] or "this", 0)))


def english_rules() -> list[Rule]:
    """The rules of days, weeks and clocks in English."""
    return [*_day_rules(), *_away_rules()]


def _day_rules() -> list[Rule]:
    words = "|".join(sorted(_WORDS, key=len, reverse=True))
    which = r"(?P<which>last|previous|this|next|coming)"
    return [
        Rule(starts=("yesterday", "today", "tomorrow", "the", "day"), pattern=rf"(?P<word>{words})\b", make=_day),
        Rule(
            starts=("tonight", "last", "this"),
            pattern=r"(?P<word>tonight|last night|last evening|this (?:morning|afternoon|evening))\b",
            make=_named_part,
        ),
        Rule(
            starts=("in", *_PARTS),
            pattern=rf"(?:in the )?(?P<part>{'|'.join(_PARTS)})\b",
            make=_part,
            kind=Kind.PART,
        ),
        Rule(starts=tuple(_RELATIVE), pattern=rf"{which}\s{{1,2}}(?P<unit>week|weekend)\b(?!'s)", make=_week),
        Rule(starts=WEEKDAY_STARTS, pattern=rf"(?P<weekday>{WEEKDAY})\b(?!')", make=_weekday, kind=Kind.WEEKDAY),
        Rule(
            starts=(*_RELATIVE, "past"),
            pattern=rf"(?P<which>last|past|previous|this|next|coming)\s{{1,2}}(?P<weekday>{WEEKDAY})\b",
            make=_chosen_weekday,
        ),
        Rule(
            starts=("the",),
            pattern=rf"the (?P<day>\d{{1,2}})(?:st|nd|rd|th)\b"
            rf"(?P<of>\sof (?:(?P<which>last|this|next)|the) month\b|{_AFTER_A_DAY})",
            make=_day_of_month,
            kind=Kind.DAY,
        ),
        Rule(
            starts=("end",),
            pattern=r"end of (?:the\s)?(?:(?P<which>last|this|next)\s)?week\b",
            make=_end_of_week,
        ),
    ]


def _away_rules() -> list[Rule]:
    counts = (DIGIT, *(word for word in _COUNTS if " " not in word))
    return [
        Rule(
            starts=counts,
            pattern=rf"{_COUNT}\s{{1,2}}(?P<unit>minute|hour|day|week|fortnight|month|quarter|year)s?\s{{1,2}}ago\b",
            make=_ago,
        ),
        Rule(
            starts=("in",),
            pattern=rf"in\s{{1,2}}{_COUNT}\s{{1,2}}(?P<unit>day|week|fortnight|month|year)s?\b(?! of|'| ago)",
            make=_ahead,
        ),
        Rule(
            starts=counts,
            pattern=rf"{_COUNT}\s{{1,2}}(?P<unit>day|week|fortnight|month|year)s?\s{{1,2}}from (?:now|today)\b",
            make=_ahead,
        ),
        Rule(starts=("half",), pattern=r"half a year ago\b", make=_half_year),
    ]
