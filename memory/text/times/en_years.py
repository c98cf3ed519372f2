"""English quarters, halves and years, of the calendar and fiscal."""

from __future__ import annotations

import re

from memory.text.times.calendar import FISCAL, choose, fiscal_year, months, year, yearly_months
from memory.text.times.en_months import ANNOUNCES_MONTH, YEAR
from memory.text.times.model import TimeRange
from memory.text.times.rules import DIGIT, Reading, Rule

_ANNOUNCES_YEAR = re.compile(
    r"\b(?:in|since|during|of|from|until|till|by|before|after|for|through|year|back in|late|early|end of|as of|"
    r"and|to)\s{1,2}$"
)
_IN_THE = re.compile(r"\b(?:in|of|since|until|for|during|by) the\s$")
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}


def _year(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    return year(reading.near, int(match["year"])) if _ANNOUNCES_YEAR.search(reading.before(match)) else None


def _quarter(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """Q3 and H1 of the calendar, or of a fiscal year that is named. A heading H1 and a question Q3: are none."""
    count = 3 if match["unit"] in {"q", "quarter"} else 6
    number = _ORDINALS.get(match["number"]) or int(match["number"])
    named, in_fiscal = int(match["year"]) if match["year"] else None, match["fiscal"]
    if named is None and not _is_a_quarter(reading, match):
        return None
    first = count * (number - 1) + (FISCAL if in_fiscal else 1)
    if first > 15 or (count == 6 and number > 2):
        raise ValueError("no such part of a year")
    if named is not None:
        return months(reading.near, named, first, count)
    return choose(reading.near, yearly_months(reading.near, first, count), reading.lean)


def _is_a_quarter(reading: Reading, match: re.Match[str]) -> bool:
    if match["unit"] in {"quarter", "half"}:
        return match["unit"] == "quarter" and _IN_THE.search(reading.before(match)) is not None
    before, after = reading.before(match), match.string[match.end() : match.end() + 2]
    if not reading.written(match, "unit").isupper():
        return False
    if ANNOUNCES_MONTH.search(before) or after[:1] in {"の", "に", "か", "ま"}:
        return True
    return match["unit"] == "q" and after[:1] not in {":", ".", ")"} and before.endswith(" ")


def _fiscal(reading: Reading, match: re.Match[str]) -> TimeRange:
    digits = match["fiscal_year"]
    named = int(digits) if len(digits) == 4 else 2000 + int(digits)
    if match["quarter"]:
        return months(reading.near, named, FISCAL + 3 * int(match["quarter"]) - 3, 3)
    return fiscal_year(reading.near, named)


def english_year_rules() -> list[Rule]:
    """The rules of quarters, halves and years in English."""
    quarter_year = rf"(?:,?\s(?:of\s)?(?P<fiscal>fy\s?|fiscal(?: year)? )?{YEAR})?"
    return [
        Rule(starts=(DIGIT,), pattern=rf"{YEAR}(?![-/\w年])(?!\.\w)", make=_year),
        Rule(starts=("q", "h"), pattern=rf"(?P<unit>[qh])(?P<number>[1-4])\b{quarter_year}", make=_quarter),
        Rule(
            starts=(DIGIT,),
            pattern=r"(?P<year>(?:19|20)\d\d)[\s-](?P<unit>[qh])(?P<number>[1-4])\b(?P<fiscal>)",
            make=_quarter,
        ),
        Rule(
            starts=(DIGIT, "first", "second", "third", "fourth"),
            pattern=rf"(?P<number>{'|'.join(_ORDINALS)})\s(?P<unit>quarter|half)\b{quarter_year}",
            make=_quarter,
        ),
        Rule(
            starts=("fy", "fiscal"),
            pattern=r"(?:fy\s?|fiscal(?: year)? )(?P<fiscal_year>20\d\d|\d\d)\b(?:\sq(?P<quarter>[1-4])\b)?",
            make=_fiscal,
        ),
    ]
