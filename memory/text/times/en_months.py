"""English months, and days in them. Quarters and years are in `en_years`."""

from __future__ import annotations

import re
from dataclasses import replace

from memory.text.times.calendar import (
    choose,
    day_at,
    early,
    last_day,
    late,
    middle,
    month,
    months,
    on_days_named,
    year,
    yearly,
    yearly_months,
)
from memory.text.times.en import WEEKDAY, WEEKDAY_STARTS, weekday_number
from memory.text.times.model import Precision, TimeRange
from memory.text.times.numeric import CLOCK, clock_on, zone_of
from memory.text.times.rules import DIGIT, Kind, Reading, Rule

_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = ("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec")
_MONTH_STARTS = (*_MONTHS, *_SHORT)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])(?:\.(?=,?\s?\d))?"
)
YEAR = r"(?P<year>(?:19|20)\d\d)(?![\d:]|\.\d)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_LAST = r"(?P<last>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_THEN_YEAR = rf"(?:,?\s(?:of\s)?{YEAR})?"
_ON = rf"(?:(?P<said>{WEEKDAY})\.?,?\s(?:the\s)?)?"
_TO = r"\s?(?:-|–|to|until|till|through)\s?"
_NO_CLOCK = r"(?![\d:%/]|\.\d|\s?[ap]m\b)"
#: Words of which the months' names are only some: I may, to march, a mar, Jan.
_OTHER_WORDS = {"may", "march", *_SHORT}
ANNOUNCES_MONTH = re.compile(
    r"\b(?:in|since|during|of|from|until|till|by|before|after|last|next|this|early|late|mid|and|to|through|for|between|"
    r"back in)[\s-]{1,2}$"
)
_JOINS = re.compile(r"\b(?:and|to|for|this)\s{1,2}$")
_SUBJECT = re.compile(r"\b(?:i|you|we|they|he|she|it|that|which|who|this|users?|people|to)\s{1,2}$")
_PARTS = {
    "early": early, "beginning": early, "start": early, "mid": middle, "middle": middle, "late": late, "end": last_day,
}  # fmt: skip
_RELATIVE = {"last": -1, "previous": -1, "past": -1, "this": 0, "the": 0, "next": 1, "coming": 1}


def _month_number(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word[:3]))


def _year_of(match: re.Match[str]) -> int | None:
    return int(match["year"]) if match["year"] else None


def _day_of(reading: Reading, named: int | None, month: int, day: int, weekday: int | None = None) -> TimeRange:
    if named is not None:
        return day_at(reading.near, named, month, day)
    ranges = on_days_named(yearly(reading.near, month, day), weekday)
    return choose(reading.near, ranges, reading.lean, reading.grace)


def _month_of(reading: Reading, named: int | None, month: int) -> TimeRange:
    if named is not None:
        return months(reading.near, named, month)
    return choose(reading.near, yearly_months(reading.near, month), reading.lean, reading.grace)


def _capital(reading: Reading, match: re.Match[str]) -> bool:
    return reading.written(match, "month").istitle()


def _day(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """A day of a month; "3 may fail" and "you may 2 times" are none."""
    if match["month"] == "may" and not _capital(reading, match) and not match["year"]:
        return None
    said = match["said"]
    named_day = weekday_number(said) if said else None
    return _day_of(reading, _year_of(match), _month_number(match["month"]), int(match["day"]), named_day)


def _month_first_day(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if match["month"] in _OTHER_WORDS and _SUBJECT.search(reading.before(match)):
        return None
    return _day(reading, match)


def _stamp(reading: Reading, match: re.Match[str]) -> TimeRange:
    """The moment as many logs write it, with the year at the end."""
    day = day_at(reading.near, int(match["year"]), _month_number(match["month"]), int(match["day"]))
    there = replace(reading, near=day.start)
    return clock_on(there, int(match["hour"]), int(match["minute"]), zone_of(match["zone"]))


def _days(reading: Reading, match: re.Match[str]) -> TimeRange:
    """From one day of a month to another."""
    month_number, named = _month_number(match["month"]), _year_of(match)
    first = _day_of(reading, named, month_number, int(match["day"]))
    last = day_at(reading.near, first.start.year, month_number, int(match["last"]))
    if last.start < first.start:
        raise ValueError("days that do not follow each other")
    return TimeRange(start=first.start, end=last.end, precision=Precision.DAY)


def _bare_month(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """A month by its name; where the name is also another word, something announces it, or a capital in a sentence."""
    word, before = match["month"], reading.before(match)
    announced = ANNOUNCES_MONTH.search(before)
    if announced and not _capital(reading, match) and _JOINS.search(before):
        announced = None  # "and may be installed"
    if word in _OTHER_WORDS and not match["year"] and not announced:
        inside = before.endswith(" ") and before.rstrip()[-1:] not in {"", ".", "!", "?", ":"}
        if word in _SHORT or not (inside and _capital(reading, match)):
            return None
    return _month_of(reading, _year_of(match), _month_number(word))


def _relative_month(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """Last March is the one before this month, next March the one after it."""
    if match["month"] in {"may", "march"} and match["which"] == "this" and not _capital(reading, match):
        return None  # "this may help"
    number, here = _month_number(match["month"]), reading.now
    which = _RELATIVE[match["which"]]
    shift = 0
    if which < 0 and number >= here.month:
        shift = -1
    if which > 0 and number <= here.month:
        shift = 1
    return months(here, here.year + shift, number)


def _unit(reading: Reading, which: str, unit: str) -> TimeRange:
    here, later = reading.now, _RELATIVE[which]
    if unit == "month":
        return month(here, later)
    if unit == "quarter":
        return months(here, here.year, 3 * ((here.month - 1) // 3 + later) + 1, 3)
    return year(here, here.year + later)


def _relative_unit(reading: Reading, match: re.Match[str]) -> TimeRange:
    return _unit(reading, match["which"], match["unit"])


def _part_of_month(reading: Reading, match: re.Match[str]) -> TimeRange:
    return _PARTS[match["part"]](_month_of(reading, _year_of(match), _month_number(match["month"])))


def _part_of_unit(reading: Reading, match: re.Match[str]) -> TimeRange:
    """The end of the month is its last day, the end of a year its last month."""
    whole = _unit(reading, match["which"] or "the", match["unit"])
    if match["unit"] == "month":
        return _PARTS[match["part"]](whole)
    last = match["part"] == "end"
    count = 12 if match["unit"] == "year" else 3
    return months(whole.start, whole.start.year, whole.start.month + (count - 1 if last else 0))


def english_month_rules() -> list[Rule]:
    """The rules of months and of days in them in English."""
    return [*_day_rules(), *_month_rules()]


def _day_rules() -> list[Rule]:
    month_starts = (*WEEKDAY_STARTS, *_MONTH_STARTS)
    return [
        Rule(
            starts=(DIGIT, *WEEKDAY_STARTS),
            pattern=rf"{_ON}{_DAY}(?:\s{{1,2}}(?:of\s)?|-){_MONTH}(?:(?:,?\s|-){YEAR})?",
            make=_day,
        ),
        Rule(
            starts=month_starts, pattern=rf"{_ON}{_MONTH}\s{{1,2}}{_DAY}{_NO_CLOCK}{_THEN_YEAR}", make=_month_first_day
        ),
        Rule(
            starts=(DIGIT,), pattern=rf"{_DAY}{_TO}{_LAST}\s(?:of\s)?{_MONTH}{_THEN_YEAR}", make=_days, kind=Kind.SPAN
        ),
        Rule(
            starts=("between",),
            pattern=rf"between (?:the )?{_DAY} and (?:the )?{_LAST}\s(?:of\s)?{_MONTH}{_THEN_YEAR}",
            make=_days,
            kind=Kind.SPAN,
        ),
        Rule(
            starts=_MONTH_STARTS,
            pattern=rf"{_MONTH}\s{_DAY}{_TO}{_LAST}{_NO_CLOCK}{_THEN_YEAR}",
            make=_days,
            kind=Kind.SPAN,
        ),
        Rule(
            starts=("between",),
            pattern=rf"between {_MONTH}\s{_DAY} and {_LAST}{_NO_CLOCK}{_THEN_YEAR}",
            make=_days,
            kind=Kind.SPAN,
        ),
        Rule(
            starts=month_starts,
            pattern=rf"{_ON}{_MONTH}\s{{1,2}}{_DAY}\s{CLOCK}(?:\s(?:(?P<zone>jst|utc|gmt)|[a-z]{{3,4}}))?\s{YEAR}",
            make=_stamp,
        ),
    ]


def _month_rules() -> list[Rule]:
    which = r"(?P<which>last|previous|this|next|coming)"
    which_starts = ("last", "previous", "this", "next", "coming")
    return [
        Rule(starts=_MONTH_STARTS, pattern=rf"{_MONTH}{_THEN_YEAR}(?!['@]|/\d|[._]\w)", make=_bare_month),
        Rule(
            starts=which_starts,
            pattern=rf"{which}\s{{1,2}}{_MONTH}",
            make=_relative_month,
        ),
        Rule(
            starts=which_starts,
            pattern=rf"{which}\s{{1,2}}(?P<unit>month|quarter|year)\b(?!'s)",
            make=_relative_unit,
        ),
        Rule(
            starts=tuple(_PARTS),
            pattern=rf"(?P<part>early|mid|late|(?:end|beginning|start|middle)(?= of))(?: of)?[\s-]{_MONTH}{_THEN_YEAR}",
            make=_part_of_month,
        ),
        Rule(
            starts=("end", "beginning", "start", "middle", "early", "late"),
            pattern=(
                r"(?P<part>early|late|(?:end|beginning|start|middle)(?= of))(?: of)? (?:the\s)?"
                r"(?:(?P<which>last|this|next)\s)?(?P<unit>month|quarter|year)\b"
            ),
            make=_part_of_unit,
        ),
    ]
