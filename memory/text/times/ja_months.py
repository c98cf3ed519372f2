"""Japanese months, quarters and years: absolute, relative, of an era, fiscal."""

from __future__ import annotations

import re

from memory.text.times.calendar import (
    FISCAL,
    choose,
    day_at,
    fiscal_year,
    fiscal_year_of,
    in_month,
    month,
    months,
    on_days_named,
    year,
    yearly,
    yearly_months,
)
from memory.text.times.eras import era_year
from memory.text.times.ja import NUMBER, PART_OF_MONTH, nothing, part_of_month
from memory.text.times.model import TimeRange
from memory.text.times.numeric import IN_BRACKETS, weekday_in
from memory.text.times.rules import DIGIT, Reading, Rule, number

_YEARS = {"一昨年": -2, "おととし": -2, "昨年": -1, "去年": -1, "今年": 0, "本年": 0, "来年": 1, "再来年": 2}
_MONTHS = {"先々月": -2, "先月": -1, "今月": 0, "当月": 0, "来月": 1, "再来月": 2}
_FISCAL_YEARS = {"一昨": -2, "昨": -1, "前": -1, "去": -1, "今": 0, "本": 0, "来": 1, "再来": 2}
_ABSOLUTE = r"(?P<absolute>(?:19|20)\d\d|[一二][〇一二三四五六七八九]{3})"
_ERA = rf"(?P<era>令和|平成|昭和|大正|明治|(?<![a-z])[rhs]\.?)(?P<of_era>元|\d{{1,2}}|{NUMBER})"
_YEAR = rf"(?:{_ABSOLUTE}年|{_ERA}年|(?P<relative>{'|'.join(_YEARS)}))"
_YEAR_STARTS = (DIGIT, *"令平昭大明一お昨去今本来再", "r", "h", "s")
#: 2026年版 is a product, 2026年間 a span.
_NO_YEAR = r"(?!度|代|間|版|問題|モデル|目|前|後|生)"
_D = rf"(?P<day>{NUMBER})"
_MONTH = rf"(?P<month>{NUMBER})月"
_NO_MONTH = r"(?![前曜間額\d]|ほど|余り|あまり)"
#: A part of a fiscal year: its first month, counted from April, and how many.
_FISCAL_PARTS = {"上期": (0, 6), "上半期": (0, 6), "下期": (6, 6), "下半期": (6, 6)}
_QUARTER = r"(?:第?(?P<quarter>[1-4一二三四])四半期|q(?P<q>[1-4]))"
_ENDS = r"(?P<end>末|初め|はじめ|始め|初頭|当初)"


def _year_named(reading: Reading, match: re.Match[str]) -> int | None:
    if match["absolute"]:
        return number(match["absolute"])
    if match["era"]:
        return era_year(match["era"].rstrip("."), match["of_era"])
    if match["relative"]:
        return reading.now.year + _YEARS[match["relative"]]
    return None


def _month_of_year(reading: Reading, match: re.Match[str]) -> TimeRange:
    """A month, its part or its day; without a year the one nearby."""
    named, number_of_month = _year_named(reading, match), number(match["month"])
    if not 1 <= number_of_month <= 12:
        raise ValueError(f"there is no month {number_of_month}")
    if match["day"]:
        return _day(reading, match, named, number_of_month)
    if named is not None:
        whole = months(reading.near, named, number_of_month)
    else:
        whole = choose(reading.near, yearly_months(reading.near, number_of_month), reading.lean, reading.grace)
    return part_of_month(whole, match["part"]) if match["part"] else whole


def _day(reading: Reading, match: re.Match[str], named: int | None, month: int) -> TimeRange:
    day = number(match["day"])
    if named is not None:
        return day_at(reading.near, named, month, day)
    ranges = on_days_named(yearly(reading.near, month, day), weekday_in(match))
    return choose(reading.near, ranges, reading.lean, reading.grace)


def _year(reading: Reading, match: re.Match[str]) -> TimeRange:
    """A year, one of its quarters, or the month with which it begins or ends."""
    named = _year_named(reading, match)
    if named is None:
        raise ValueError("no year")
    if match["end"]:
        return months(reading.near, named, 12 if match["end"] == "末" else 1)
    quarter = match["quarter"] or match["q"]
    return months(reading.near, named, 3 * number(quarter) - 2, 3) if quarter else year(reading.near, named)


def _quarter(reading: Reading, match: re.Match[str]) -> TimeRange:
    return choose(reading.near, yearly_months(reading.near, 3 * number(match["quarter"]) - 2, 3), reading.lean)


def _short_era(reading: Reading, match: re.Match[str]) -> TimeRange:
    named = era_year(match["era"], match["of_era"])
    return day_at(reading.near, named, number(match["month"]), number(match["day"]))


def _bare_era(reading: Reading, match: re.Match[str]) -> TimeRange:
    return year(reading.near, era_year("h", match["of_era"]))


def _relative_month(reading: Reading, match: re.Match[str]) -> TimeRange:
    whole = month(reading.now, _MONTHS[match["word"]])
    if match["day"]:
        return in_month(whole, number(match["day"]))
    return part_of_month(whole, match["part"]) if match["part"] else whole


def _fiscal(reading: Reading, match: re.Match[str]) -> TimeRange:
    if match["absolute"]:
        named = number(match["absolute"])
    elif match["era"]:
        named = era_year(match["era"].rstrip("."), match["of_era"])
    else:
        named = fiscal_year_of(reading.now) + _FISCAL_YEARS[match["which"]]
    quarter = match["quarter"] or match["q"]
    if quarter:
        return months(reading.near, named, FISCAL + 3 * number(quarter) - 3, 3)
    if match["part"]:
        first, count = _FISCAL_PARTS[match["part"]]
        return months(reading.near, named, FISCAL + first, count)
    if match["end"]:
        return months(reading.near, named, FISCAL + 11 if match["end"] == "末" else FISCAL)
    return fiscal_year(reading.near, named)


def _half(reading: Reading, match: re.Match[str]) -> TimeRange:
    """Halves without a year are those of the fiscal year, as in Japanese offices."""
    first, count = _FISCAL_PARTS[match["part"]]
    return choose(reading.near, yearly_months(reading.near, FISCAL + first, count), reading.lean)


def _turn_of_year(reading: Reading, match: re.Match[str]) -> TimeRange:
    first = {"年末": 12, "年度末": FISCAL - 1, "年度初め": FISCAL}.get(match["word"], 1)
    return choose(reading.near, yearly_months(reading.near, first), reading.lean)


def japanese_month_rules() -> list[Rule]:
    """The rules of months, quarters and years in Japanese."""
    day_or_part = rf"(?:の?{_D}日(?!間|以内){IN_BRACKETS}|の?(?P<part>{PART_OF_MONTH}))"
    fiscal_parts = "|".join(_FISCAL_PARTS)
    return [
        Rule(
            starts=_YEAR_STARTS,
            pattern=rf"(?:{_YEAR}の?\s?)?{_MONTH}(?:{day_or_part}|{_NO_MONTH})",
            make=_month_of_year,
        ),
        Rule(starts=_YEAR_STARTS, pattern=rf"{_YEAR}{_NO_YEAR}(?:の?{_ENDS}|の?{_QUARTER})?", make=_year),
        Rule(
            starts=("r", "h", "s"),
            pattern=r"(?P<era>[rhs])(?P<of_era>\d{1,2})(?P<mark>[./])(?P<month>1[0-2]|0?[1-9])(?P=mark)"
            r"(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/-]|\.\d)",
            make=_short_era,
        ),
        Rule(starts=("h",), pattern=r"h(?P<of_era>1\d|2\d|3[01])(?=の|に|から|まで|以降|以前|頃|ごろ)", make=_bare_era),
        Rule(
            starts=tuple("先今当来再"),
            pattern=rf"(?P<word>{'|'.join(_MONTHS)})(?!号|謝|給)(?:の?{_D}日(?!間|以内){IN_BRACKETS}|の?(?P<part>{PART_OF_MONTH}))?",
            make=_relative_month,
        ),
        Rule(
            starts=(*_YEAR_STARTS, "前"),
            pattern=(
                rf"(?:{_ABSOLUTE}|{_ERA}|(?P<which>一昨|昨|前|去|今|本|再来|来))年度"
                rf"(?:の?(?:(?P<part>{fiscal_parts})|{_QUARTER}|{_ENDS}))?"
            ),
            make=_fiscal,
        ),
        Rule(starts=tuple("上下"), pattern=rf"(?P<part>{fiscal_parts})", make=_half),
        Rule(starts=("第", DIGIT), pattern=r"第(?P<quarter>[1-4一二三四])四半期", make=_quarter),
        Rule(starts=("年",), pattern="年末年始|年末調整", make=nothing),
        Rule(starts=("年",), pattern=r"(?P<word>年末|年度末|年度初め|年明け|年始|年初)", make=_turn_of_year),
    ]
