"""Japanese expressions of time: days, weeks, weekdays and clocks. Months and years are in `ja_months`."""

from __future__ import annotations

import re
from datetime import timedelta

from memory.text.times.calendar import (
    Lean,
    around,
    days,
    early,
    last_day,
    late,
    middle,
    midnight,
    month,
    monthly,
    on_weekday,
    same_day,
    week,
    weekly,
    year,
)
from memory.text.times.model import Precision, TimeRange
from memory.text.times.numeric import IN_BRACKETS, clock_on, comes_back, whole_hour, zone_of
from memory.text.times.rules import DIGIT, Kind, Reading, Rule, number

NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_WEEKDAYS = "月火水木金土日"
_WEEKDAY = rf"(?P<weekday>[{_WEEKDAYS}])曜日?"
_DAYS = {
    "一昨日": -2, "おととい": -2, "おとつい": -2, "昨日": -1, "きのう": -1, "今日": 0, "本日": 0, "明日": 1,
    "あした": 1, "明後日": 2, "あさって": 2,
}  # fmt: skip
_WEEKS = {"先々週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2}
_AT_NIGHT = {"昨夜": -1, "昨晩": -1, "ゆうべ": -1, "今夜": 0, "今晩": 0, "明晩": 1}
#: From which hour of the day to which; a night ends on the next morning.
_PARTS = {
    "未明": (0, 6), "早朝": (4, 9), "朝": (0, 12), "午前": (0, 12), "昼": (11, 15), "午後": (12, 24), "夕方": (15, 20),
    "夜": (18, 30), "晩": (18, 30), "深夜": (22, 30),
}  # fmt: skip
_PARTS_OF_MONTH = {
    "上旬": early, "初旬": early, "初め": early, "はじめ": early, "始め": early, "頭": early, "初": early,
    "中旬": middle, "半ば": middle, "なかば": middle, "下旬": late, "末": last_day,
}  # fmt: skip
PART_OF_MONTH = "|".join(sorted(_PARTS_OF_MONTH, key=len, reverse=True)) + "|前半|後半"
#: 10日 is a day of a month here, and so many days elsewhere (10日かかる, 10日間, 10日ほど).
_DAY_OF_MONTH_GOES_ON = (
    r"(?=\s?(?:に(?!\d|つき|[一二三]回|わた|及|延ば|短縮|伸ば|減|増)|の(?!猶予|余裕|遅|休|間|期間|作業|停止|出張|予定|うち|日数|差|保|有効)|"
    r"から(?!\d{1,3}日(?:間|程|ほど|くらい|ぐらい|かか))|まで|時点|以降|より|付|現在|頃|ごろ|は(?!かか)|[、。,)」!?〜~]|\(|"
    r"朝|夜|夕|昼|午|深夜|\d{1,2}[時:](?!間)|(?:の)?[月火水木金土日]曜|$))"
)
_COUNTED = "".join(
    rf"(?<!{word})"
    for word in ("あと", "残り", "計", "約", "およそ", "丸", "まる", "最大", "最長", "最短", "最低", "各")
)
_IS_A_SPAN = re.compile(r"期間|日数|保管|保存|有効")
_UNITS = {"日": 1, "週": 7, "週間": 7}


def part_of_month(whole: TimeRange, part: str) -> TimeRange:
    """A third of a month, a half, or its last day."""
    if part == "前半":
        return days(whole.start, 15, Precision.WEEK)
    if part == "後半":
        return TimeRange(start=whole.start + timedelta(days=15), end=whole.end, precision=Precision.WEEK)
    return _PARTS_OF_MONTH[part](whole)


def _day(reading: Reading, match: re.Match[str]) -> TimeRange:
    return days(midnight(reading.now) + timedelta(days=_DAYS[match["word"]]))


def _week(reading: Reading, match: re.Match[str]) -> TimeRange:
    whole = week(reading.now, _WEEKS[match["word"]])
    if match["weekday"]:
        return on_weekday(whole, _WEEKDAYS.index(match["weekday"]))
    if match["end"]:
        return days(whole.start + timedelta(days=5), 2)
    return whole


def _weekday(reading: Reading, match: re.Match[str]) -> TimeRange:
    """The day of that name by tense; 前の and 次の say which, and are never today."""
    weekday = _WEEKDAYS.index(match["weekday"])
    which = match["which"]
    if not which:
        return reading.nearest(weekly(reading.near, weekday))
    today = midnight(reading.now)
    if "前" in which:
        return days(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    return days(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))


def nothing(reading: Reading, match: re.Match[str]) -> None:
    """Something that comes back (毎週月曜) or is counted from elsewhere is no time by itself."""


def _day_of_month(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    if _IS_A_SPAN.search(reading.before(match)):
        return None
    return reading.nearest(monthly(reading.near, number(match["day"])))


def _end_of_month(reading: Reading, match: re.Match[str]) -> TimeRange:
    ranges = [part_of_month(month(reading.near, later), match["part"]) for later in (-1, 0, 1)]
    return reading.nearest(ranges)


def _weekend(reading: Reading, match: re.Match[str]) -> TimeRange:
    weeks = (week(reading.near, later) for later in (-1, 0, 1))
    return reading.nearest([days(one.start + timedelta(days=5), 2) for one in weeks])


def _away(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    """So long before or after now, give or take half of the unit that is counted; years are calendar years."""
    count, unit = number(match["count"]), match["unit"]
    if match["way"] == "後":
        if reading.lean is Lean.PAST:
            return None  # after something else that has happened
    else:
        count = -count
    return away(reading, count, _UNITS.get(unit, 0), "年" in unit)


def away(reading: Reading, count: int, unit_days: int, years: bool) -> TimeRange:
    """`count` units of so many days from now, or months where it is 0, or years."""
    today = midnight(reading.now)
    if years:
        return year(today, today.year + count)
    if unit_days == 0:
        return around(same_day(today, count), 15, Precision.MONTH)
    day = today + timedelta(days=unit_days * count)
    return days(day) if unit_days == 1 else around(day, 3, Precision.WEEK)


def _half_year(reading: Reading, match: re.Match[str]) -> TimeRange:
    return around(same_day(midnight(reading.now), -6), 15, Precision.MONTH)


def _time_ago(reading: Reading, match: re.Match[str]) -> TimeRange:
    return time_ago(reading, number(match["count"]), match["unit"] == "時間")


def time_ago(reading: Reading, count: int, hours: bool) -> TimeRange:
    """So many minutes or hours before now: that minute, or an hour around that moment."""
    if not hours:
        start = reading.now.replace(second=0, microsecond=0) - timedelta(minutes=count)
        return TimeRange(start=start, end=start + timedelta(minutes=1), precision=Precision.MINUTE)
    start = reading.now - timedelta(hours=count, minutes=30)
    return TimeRange(start=start, end=start + timedelta(hours=1), precision=Precision.HOUR)


def _clock(reading: Reading, match: re.Match[str]) -> TimeRange | None:
    hour = whole_hour(number(match["hour"]), match["half"] or "")
    if (
        comes_back(reading, match)
        or hour > 24
        or (not match["hour"].isdecimal() and not match["half"] and match["hour"] == "一")
    ):
        return None  # 一時 is "for a while"
    minute = 30 if match["thirty"] else int(match["minute"]) if match["minute"] else None
    return clock_on(reading, hour, minute, zone_of(match["zone"]))


def _night(reading: Reading, match: re.Match[str]) -> TimeRange:
    return hours_of(midnight_of(reading, _AT_NIGHT[match["word"]]), *_PARTS["夜"])


def _this_morning(reading: Reading, match: re.Match[str]) -> TimeRange:
    return hours_of(midnight_of(reading, 1 if match["word"] == "明朝" else 0), *_PARTS["朝"])


def _part_of_day(reading: Reading, match: re.Match[str]) -> TimeRange:
    return hours_of(days(midnight(reading.near)), *_PARTS[match["part"]])


def midnight_of(reading: Reading, later: int) -> TimeRange:
    return days(midnight(reading.now) + timedelta(days=later))


def hours_of(day: TimeRange, first: int, last: int) -> TimeRange:
    """From one hour of a day to another, which may be on the next day."""
    return TimeRange(
        start=day.start + timedelta(hours=first), end=day.start + timedelta(hours=last), precision=Precision.HOUR
    )


def japanese_rules() -> list[Rule]:
    """The rules of days, weeks and clocks in Japanese."""
    return [*_day_rules(), *_away_rules(), *_clock_rules()]


def _day_rules() -> list[Rule]:
    weeks = "|".join(sorted(_WEEKS, key=len, reverse=True))
    words = "|".join(_DAYS)
    return [
        Rule(starts=tuple("一お昨き今本明あ"), pattern=rf"(?P<word>{words})(?!和)", make=_day),
        Rule(starts=tuple("昨ゆ今明"), pattern=rf"(?P<word>{'|'.join(_AT_NIGHT)})", make=_night),
        Rule(starts=tuple("今明"), pattern=r"(?P<word>今朝|明朝)", make=_this_morning),
        Rule(
            starts=tuple("先今来再"),
            pattern=rf"(?P<word>{weeks})(?:(?:の|\s)?(?:{_WEEKDAY}(?!ごと|毎)|(?P<end>末)))?",
            make=_week,
        ),
        Rule(
            starts=(*_WEEKDAYS, *"この前次今"),
            pattern=rf"(?P<which>(?:この)?前の|次の|今度の)?{_WEEKDAY}(?!ごと|毎)",
            make=_weekday,
            kind=Kind.WEEKDAY,
        ),
        Rule(
            starts=("毎", "隔"),
            pattern=rf"(?:毎|隔)(?:月|年|週|日|朝|晩|夜)の?(?:{NUMBER}月|(?:第\d)?{_WEEKDAY}|月末|末|初)?(?:の?{NUMBER}日)?",
            make=nothing,
        ),
        Rule(starts=("一",), pattern=r"一日(?!前|後)", make=nothing),
        Rule(
            starts=(DIGIT,),
            pattern=rf"{_COUNTED}(?P<day>{NUMBER})日(?!目){IN_BRACKETS}{_DAY_OF_MONTH_GOES_ON}",
            make=_day_of_month,
            kind=Kind.DAY,
        ),
        Rule(starts=("週",), pattern="週末", make=_weekend),
        Rule(
            starts=("月",),
            pattern=r"月(?P<part>末|初め|初|半ば)(?=に|まで|から|で|は|の時点|時点|、|。|$)",
            make=_end_of_month,
        ),
        Rule(starts=tuple("上中下"), pattern=r"(?P<part>上旬|中旬|下旬)", make=_end_of_month),
    ]


def _away_rules() -> list[Rule]:
    goes_on = r"(?!後|倒|払|日|まで(?:に|の))"
    return [
        Rule(
            starts=(DIGIT,),
            pattern=rf"(?P<count>\d{{1,3}}|{NUMBER})(?P<unit>日|週間?|[かヶケカヵ箇]月|年)(?P<way>前|後){goes_on}",
            make=_away,
        ),
        Rule(
            starts=(DIGIT,), pattern=rf"{NUMBER}(?:日|週間?|[かヶケカヵ箇]月|年|時間|分)前まで(?:に|の)", make=nothing
        ),
        Rule(starts=("半",), pattern=rf"半年前{goes_on}", make=_half_year),
        Rule(starts=(DIGIT,), pattern=rf"(?P<count>\d{{1,3}}|{NUMBER})(?P<unit>時間|分)前{goes_on}", make=_time_ago),
    ]


def _clock_rules() -> list[Rule]:
    parts = "|".join(sorted(_PARTS, key=len, reverse=True))
    return [
        Rule(
            starts=(DIGIT, *"午朝昼夕夜深早"),
            pattern=(
                rf"(?:(?P<half>午前|午後|朝|昼|夕方|夜|深夜|早朝)の?)?(?P<hour>{NUMBER})時(?!間|点(?!検)|期|代|給|刻|短|差)"
                r"(?:(?P<minute>[0-5]?\d)分(?!間|前|後)|(?P<thirty>半))?(?:\(?(?P<zone>日本時間|jst)\)?)?"
            ),
            make=_clock,
            kind=Kind.CLOCK,
        ),
        Rule(
            starts=("午",),
            pattern=r"(?P<half>午前|午後)(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?P<thirty>)(?P<zone>)",
            make=_clock,
            kind=Kind.CLOCK,
        ),
        Rule(starts=tuple("未早朝午昼夕夜晩深"), pattern=rf"(?P<part>{parts})中?", make=_part_of_day, kind=Kind.PART),
    ]
