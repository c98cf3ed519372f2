"""Times in figures: ISO dates, slashes, clocks. A figure that belongs to a code, a version or a score is no date."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta, timezone, tzinfo

from memory.text.times.calendar import choose, day_at, midnight, months, on_days_named, yearly
from memory.text.times.model import Precision, TimeRange
from memory.text.times.rules import DIGIT, Kind, Reading, Rule, compiled

#: 2026.9.10 after these words is a version.
_VERSIONED = re.compile(r"(?:version|ver|build|release|rev|バージョン|版|リリース|ビルド)[\s.:]{0,3}$")
#: 2026-11 after these is a number of a thing.
_CODED = re.compile(r"(?:ticket|order|case|no|number|ref|id|invoice|po|伝票|番号|受付)[\s.:#]{0,3}$")
#: A day of the week in brackets, as it follows Japanese dates.
IN_BRACKETS = r"(?:\s?\((?P<said>[月火水木金土日](?:曜日?)?|mon|tue|wed|thu|fri|sat|sun)[・祝]{0,2}\))?"
_Y = r"(?P<year>(?:19|20)\d\d)"
_M = r"(?P<month>1[0-2]|0?[1-9])"
_D = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_END = r"(?![\d/-]|\.\d)"
CLOCK = r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
_ZONE = r"(?:\s?\(?(?P<zone>jst|日本時間|japan(?:ese)? time|utc|gmt)\)?|\s(?P<offset>[+-](?:0\d|1[0-4])[0-5]\d)(?!\d))?"
_ISO_ZONE = r"\s?(?P<zone>z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?"
_RECURS = re.compile(
    r"(?:翌日?|前日|当日|毎[日朝晩夜]|毎[週月][^\s。、]{0,5}|daily at |every (?:day|morning|night|evening) at )の?$"
)
_WEEKDAYS = "月火水木金土日"
_SHORT_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_JAPAN = timezone(timedelta(hours=9))
#: 9/10に, 9/10(木): what follows a day and no share or score.
_FOLLOWS_A_DAY = (
    r"(?=\s?(?:\(|に(?!減|分|な|届|満|達|縮|とど)|の(?!確率|割合|人|社員|ユーザ|台|端末|件数|量|時間)|から(?!\d)|より|まで|"
    r"時点|以降|以前|付|現在|頃|ごろ|は|と(?!な)|、|[〜~]|-\d|午|朝|夜|夕|昼|\d{1,2}:\d|\d{1,2}時))"
)
_BEFORE_A_DAY = re.compile(r"(?:\b(?:on|since|until|till|by|before|after|as of|dated|due)|date:|日付?:|日時:)\s{0,2}$")


def clock_on(reading: Reading, hour: int, minute: int | None, zone: tzinfo | None = None) -> TimeRange:
    """A minute or a whole hour of the day of `reading.near`, in its zone, or in another as it is said there."""
    here = reading.near.tzinfo
    day = midnight(reading.near)
    start = (day.replace(tzinfo=zone) if zone else day) + timedelta(hours=hour, minutes=minute or 0)
    length = timedelta(hours=1) if minute is None else timedelta(minutes=1)
    precision = Precision.HOUR if minute is None else Precision.MINUTE
    return TimeRange(start=start.astimezone(here), end=(start + length).astimezone(here), precision=precision)


def zone_of(word: str | None) -> tzinfo | None:
    """The zone that a text names; None when it names none."""
    if not word:
        return None
    if word[0] not in "+-":
        return UTC if word in {"z", "utc", "gmt"} else _JAPAN
    offset = timedelta(hours=int(word[1:3]), minutes=int(word[-2:]))
    return timezone(-offset if word[0] == "-" else offset)


def whole_hour(hour: int, half: str) -> int:
    """The hour of the day, where it may be counted from noon."""
    if half in {"pm", "午後", "夕方", "夕", "夜", "晩"} and hour < 12:
        return hour + 12
    return 0 if half in {"am", "午前"} and hour == 12 else hour


def _full(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if _VERSIONED.search(reading.before(match)):
        return None
    return day_at(reading.near, int(match["year"]), int(match["month"]), int(match["day"]))


def _moment(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    day = _full(reading, match)
    if day is None:
        return None
    return clock_on(replace(reading, near=day.start), int(match["hour"]), int(match["minute"]), zone_of(match["zone"]))


def _month(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if _CODED.search(reading.before(match)) or _VERSIONED.search(reading.before(match)):
        return None
    return months(reading.near, int(match["year"]), int(match["month"]))


def _year_last(reading: Reading, match: re.Match[str]) -> TimeRange:
    """3/9/2026 is 3 September, the day first as in "3 September", unless only the other order is a date."""
    day, month = _in_order(reading, int(match["one"]), int(match["two"]))
    return day_at(reading.near, int(match["year"]), month, day)


def _in_order(reading: Reading, one: int, two: int) -> tuple[int, int]:
    """Day and month: the month comes first in Japanese, the day first in English."""
    if reading.folded.japanese:
        return (two, one) if one <= 12 else (one, two)
    return (one, two) if two <= 12 else (two, one)


def _short(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """9/10, where what stands around it shows that it is a day."""
    announced = _BEFORE_A_DAY.search(reading.before(match)) is not None
    if not announced and not (reading.folded.japanese and _followed_by_day_words(reading, match)):
        return None
    day, month = _in_order(reading, int(match["one"]), int(match["two"]))
    if month > 12:
        return None
    ranges = on_days_named(yearly(reading.near, month, day), weekday_in(match))
    return choose(reading.near, ranges, reading.lean, reading.grace)


def _followed_by_day_words(reading: Reading, match: re.Match[str]) -> bool:
    in_brackets = match.string[match.end() - 1] == ")"
    return in_brackets or compiled(_FOLLOWS_A_DAY).match(match.string, match.end()) is not None


def weekday_in(match: re.Match[str]) -> int | None:
    """The weekday that stands in brackets after a date, from 0 for Monday."""
    said = match["said"]
    if not said:
        return None
    return _WEEKDAYS.index(said[0]) if said[0] in _WEEKDAYS else _SHORT_WEEKDAYS.index(said)


def comes_back(reading: Reading, match: re.Match[str]) -> bool:
    """Whether a clock's time is that of every day, or of a day that is counted from another one."""
    return _RECURS.search(reading.before(match)) is not None


def _time(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if comes_back(reading, match):
        return None
    half = (match["half"] or "").replace(".", "")
    minute = match["minute"]
    return clock_on(
        reading,
        whole_hour(int(match["hour"]), half),
        int(minute) if minute else None,
        zone_of(match["zone"] or match["offset"]),
    )


def _noon(reading: Reading, match: re.Match[str]) -> TimeRange:
    return clock_on(reading, 12, 0)


def numeric_rules() -> list[Rule]:
    """The rules of times in figures, in either language."""
    day = rf"{_Y}(?P<mark>[-/.]){_M}(?P=mark){_D}"
    return [
        Rule(starts=("noon", "正"), pattern=r"noon\b|正午", make=_noon, kind=Kind.CLOCK),
        Rule(starts=(DIGIT,), pattern=rf"{day}{_END}{IN_BRACKETS}", make=_full),
        Rule(starts=(DIGIT,), pattern=rf"{day}[t ]\s?{CLOCK}{_ISO_ZONE}(?![\d:])", make=_moment),
        Rule(starts=(DIGIT,), pattern=rf"{_Y}[-/]{_M}{_END}(?![a-z])", make=_month),
        Rule(
            starts=(DIGIT,),
            pattern=rf"(?P<one>\d\d?)(?P<mark>[/.-])(?P<two>\d\d?)(?P=mark){_Y}{_END}",
            make=_year_last,
        ),
        Rule(
            starts=(DIGIT,),
            pattern=rf"(?P<one>[0-3]?\d)/(?P<two>[0-3]?\d)(?![\d/%.a-z]){IN_BRACKETS}",
            make=_short,
        ),
        Rule(
            starts=(DIGIT,),
            pattern=rf"{CLOCK}(?![\d:]|\.\d)(?:\s?(?P<half>[ap]\.?m\b\.?))?{_ZONE}",
            make=_time,
            kind=Kind.CLOCK,
        ),
        Rule(
            starts=(DIGIT,),
            pattern=rf"(?P<hour>1[0-2]|0?[1-9])(?P<minute>)\s?(?P<half>[ap]m\b|[ap]\.m\.){_ZONE}",
            make=_time,
            kind=Kind.CLOCK,
        ),
    ]
