"""Every time that a message names, as an interval from its own moment and zone."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import pairwise
from typing import cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.dates import Bound, Precision, as_of, mentions, time_range
from memory.text.times.pieces import pieces, shipped_rules
from memory.text.times.rules import Rule, fold
from memory.text.times.tense import Speech
from tests.unit.dates_tables import CET, ENGLISH, JAPANESE, JST, MONDAY, NIGHT, NOTHING, Row

_EXPRESSIONS = [row[0] for row in (*JAPANESE, *ENGLISH)]
#: Pieces of which texts are made that come near to expressions.
_SHARDS = st.sampled_from(
    [*_EXPRESSIONS, *NOTHING, *"年月日時分週曜前後先今来十㋿/-:.〜(), ", *"から まで to and the of 31 99 0".split()]
)
_TEXTS = st.text(max_size=80) | st.lists(_SHARDS, max_size=8).map("".join)
_OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_ANCHORS = st.datetimes(timezones=_OFFSETS) | st.datetimes(timezones=st.just(ZoneInfo("Europe/Amsterdam")))


@pytest.mark.parametrize("row", [*JAPANESE, *ENGLISH], ids=lambda row: f"{row[0]} @{row[1]:%m-%d}")
def test_an_expression_is_the_interval_it_means(row: Row) -> None:
    text, anchor, first, last, precision = row
    found = [
        (
            one.range.start.date().isoformat(),
            (one.range.end - timedelta(microseconds=1)).date().isoformat(),
            one.range.precision,
        )
        for one in mentions(text, anchor)
    ]
    assert found == [(first, last, precision)]


@pytest.mark.parametrize("text", NOTHING)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert mentions(text, MONDAY) == []


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("10:30に再起動", "2026-11-30T10:30", "2026-11-30T10:31", "minute"),
        ("午後3時に再起動", "2026-11-30T15:00", "2026-11-30T16:00", "hour"),
        ("15時半に", "2026-11-30T15:30", "2026-11-30T15:31", "minute"),
        ("昨日の午後3時に", "2026-11-29T15:00", "2026-11-29T16:00", "hour"),
        ("9月10日 10:30", "2026-09-10T10:30", "2026-09-10T10:31", "minute"),
        ("明日の夜10時に", "2026-12-01T22:00", "2026-12-01T23:00", "hour"),
        ("明日の10時から12時まで", "2026-12-01T10:00", "2026-12-01T12:00", "hour"),
        ("5/16（土）8:00〜18:00", "2026-05-16T08:00", "2026-05-16T18:00", "minute"),
        ("明後日の午後2時半から4時まで", "2026-12-02T14:30", "2026-12-02T16:00", "hour"),
        ("明日の20:00〜6:00", "2026-12-01T20:00", "2026-12-02T06:00", "minute"),
        ("between 9am and 11am yesterday", "2026-11-29T09:00", "2026-11-29T11:00", "hour"),
        ("Mon, 16 Nov 2026 10:00:00 +0000", "2026-11-16T19:00", "2026-11-16T19:01", "minute"),
        ("今朝から", "2026-11-30T00:00", "2026-11-30T12:00", "hour"),
        ("昨夜止まった", "2026-11-29T18:00", "2026-11-30T06:00", "hour"),
        ("8月15日の夜に", "2026-08-15T18:00", "2026-08-16T06:00", "hour"),
        ("30分前に", "2026-11-30T09:30", "2026-11-30T09:31", "minute"),
        ("yesterday at 3pm", "2026-11-29T15:00", "2026-11-29T16:00", "hour"),
        ("3pm yesterday", "2026-11-29T15:00", "2026-11-29T16:00", "hour"),
        ("10:30 am on 3 September", "2026-09-03T10:30", "2026-09-03T10:31", "minute"),
        ("tomorrow noon", "2026-12-01T12:00", "2026-12-01T12:01", "minute"),
        ("tonight", "2026-11-30T18:00", "2026-12-01T06:00", "hour"),
        ("last night it stopped", "2026-11-29T18:00", "2026-11-30T06:00", "hour"),
        ("2 hours ago", "2026-11-30T07:30", "2026-11-30T08:30", "hour"),
        ("3 September at 14:00 UTC", "2026-09-03T23:00", "2026-09-03T23:01", "minute"),
        ("2026-09-03T10:30:00+02:00", "2026-09-03T17:30", "2026-09-03T17:31", "minute"),
        ("2026-09-03 10:30", "2026-09-03T10:30", "2026-09-03T10:31", "minute"),
    ],
)
def test_clocks_and_parts_of_a_day(text: str, start: str, end: str, precision: str) -> None:
    (found,) = mentions(text, MONDAY)
    assert found.range.start == datetime.fromisoformat(f"{start}+09:00")
    assert found.range.end == datetime.fromisoformat(f"{end}+09:00")
    assert found.range.precision == precision


def test_a_clock_that_is_named_with_a_zone_is_told_in_the_writers_own() -> None:
    (found,) = mentions("At 08:30 Japan time on 14 July it froze", MONDAY.astimezone(CET))
    assert found.range.start == datetime(2026, 7, 14, 8, 30, tzinfo=JST)
    assert found.range.start.utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "bound", "edge"),
    [
        ("9月15日から担当はBです", "from", "2026-09-15"),
        ("9月15日以降はB", "from", "2026-09-15"),
        ("9月15日付で異動", "from", "2026-09-15"),
        ("来週から出ます", "from", "2026-12-07"),
        ("since Monday", "from", "2026-11-30"),
        ("from 15 September the owner is B", "from", "2026-09-15"),
        ("15 September onwards", "from", "2026-09-15"),
        ("effective 1 December", "from", "2026-12-01"),
        ("as of 15 December the owner is B", "from", "2026-12-15"),
        ("after 15 September it is B", "from", "2026-09-16"),
        ("since 2024", "from", "2024-01-01"),
        ("9月14日まで担当はAでした", "until", "2026-09-15"),
        ("9月14日以前", "until", "2026-09-15"),
        ("9月15日より前はA", "until", "2026-09-15"),
        ("今月いっぱいで終了", "until", "2026-12-01"),
        ("unblocked until 30 June 2027", "until", "2027-07-01"),
        ("before 15 September it was A", "until", "2026-09-15"),
        ("before September", "until", "2026-09-01"),
        ("before 2026", "until", "2026-01-01"),
        ("until Q3 2026", "until", "2026-10-01"),
    ],
)
def test_from_starts_with_the_range_and_until_ends_with_it(text: str, bound: str, edge: str) -> None:
    (found,) = mentions(text, MONDAY)
    assert found.bound == bound
    moment = found.range.start if bound == "from" else found.range.end
    assert moment == datetime.fromisoformat(f"{edge}T00:00+09:00")


@pytest.mark.parametrize(
    "text",
    [
        "9月10日時点",
        "on 10 September",
        "金曜までに交換します",
        "we replace it by Friday",
        "as of 15 September the owner was A",
        "9月3日から5日まで",
        "from 3 to 5 September",
        "we moved it from Monday, all is well",
    ],
)
def test_a_day_a_deadline_and_a_whole_interval_are_at_their_time(text: str) -> None:
    (found,) = mentions(text, MONDAY)
    assert found.bound is Bound.AT


def test_several_times_come_in_text_order_with_their_places() -> None:
    text = "Fujita here. It expired on 31 March; I unblocked it until 30 June."
    found = mentions(text, datetime(2026, 4, 10, 15, 50, tzinfo=timezone(timedelta(hours=8))))
    assert [text[slice(*one.span)] for one in found] == ["31 March", "30 June"]
    assert [one.range.start.date() for one in found] == [date(2026, 3, 31), date(2026, 6, 30)]
    assert [one.bound for one in found] == [Bound.AT, Bound.UNTIL]


def test_a_place_counts_in_the_characters_of_the_original() -> None:
    text = "㋿8年９月１０日（木）から、ﾌﾟﾘﾝﾀ交換"
    (found,) = mentions(text, MONDAY)
    assert text[slice(*found.span)] == "㋿8年９月１０日（木）"
    text = "ﾌﾟﾘﾝﾀ㍿を昨日交換しました"
    (found,) = mentions(text, MONDAY)
    assert text[slice(*found.span)] == "昨日"


def test_a_day_after_a_date_is_near_to_it() -> None:
    found = mentions("9月10日に申請、20日に承認されました", MONDAY)
    assert [one.range.start.date() for one in found] == [date(2026, 9, 10), date(2026, 9, 20)]


def test_a_month_after_a_past_year_is_in_or_near_it() -> None:
    found = mentions("1945年8月15日に終わり、10月4日に廃止されました。", MONDAY)
    assert [one.range.start.date() for one in found] == [date(1945, 8, 15), date(1945, 10, 4)]
    found = mentions("2024年に入れて、10月に更新しました", MONDAY)
    assert [one.range.start.date() for one in found] == [date(2024, 1, 1), date(2024, 10, 1)]


def test_after_a_minute_is_from_that_minute_on() -> None:
    (found,) = mentions("nothing was opened after 22:00 yesterday", MONDAY)
    assert found.bound is Bound.FROM
    assert found.range.start == datetime(2026, 11, 29, 22, 0, tzinfo=JST)


def test_yesterday_is_that_of_the_writer_not_of_utc() -> None:
    (in_tokyo,) = mentions("昨日", NIGHT)
    assert in_tokyo.range.start == datetime(2026, 9, 2, tzinfo=JST)
    (in_europe,) = mentions("昨日", datetime(2026, 9, 3, 15, 30, tzinfo=UTC).astimezone(ZoneInfo("Asia/Tokyo")))
    assert in_europe.range.start == datetime(2026, 9, 3, tzinfo=JST)


def test_a_day_on_which_the_clock_changes_is_one_day() -> None:
    zone = ZoneInfo("Europe/Amsterdam")
    (found,) = mentions("today", datetime(2026, 10, 25, 12, 0, tzinfo=zone))
    assert found.range.start == datetime(2026, 10, 25, 0, 0, tzinfo=zone)
    assert found.range.end == datetime(2026, 10, 26, 0, 0, tzinfo=zone)


@given(_TEXTS, _ANCHORS)
def test_no_text_breaks_it_and_what_it_gives_is_sound(text: str, anchor: datetime) -> None:
    found = mentions(text, anchor)
    for one in found:
        assert one.range.start < one.range.end
        assert one.range.start.tzinfo is not None
        assert one.range.end.tzinfo is not None
        assert 0 <= one.span[0] < one.span[1] <= len(text)
    assert all(one.span[1] <= after.span[0] for one, after in pairwise(found))
    as_of(text, anchor)
    period = time_range(text, anchor)
    assert period is None or period.start < period.end


@given(st.sampled_from(_EXPRESSIONS), _OFFSETS, st.dates(date(1990, 1, 1), date(2050, 1, 1)), st.times())
def test_days_begin_at_midnight_of_the_writers_offset(text: str, zone: timezone, day: date, clock: time) -> None:
    anchor = datetime.combine(day, clock, zone)
    for one in mentions(text, anchor):
        assert one.range.start.utcoffset() == anchor.utcoffset()
        if one.range.precision not in {Precision.MINUTE, Precision.HOUR}:
            assert one.range.start.time() == one.range.end.time() == datetime.min.time()


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["{} に", "on {} it", "（{}）", "{}"]))
def test_an_iso_date_is_that_day(day: date, around: str) -> None:
    (found,) = mentions(around.format(day.isoformat()), MONDAY)
    assert (found.range.start.date(), found.range.end - found.range.start) == (day, timedelta(days=1))
    assert found.range.precision is Precision.DAY


@given(st.dates(date(1900, 1, 2), date(2099, 12, 30)), st.times())
def test_an_iso_moment_is_that_minute(day: date, clock: time) -> None:
    moment = datetime.combine(day, clock, JST)
    minute = moment.replace(second=0, microsecond=0)
    (found,) = mentions(f"at {moment.isoformat()} it stopped", MONDAY)
    assert found.range.start == minute
    assert found.range.end == minute + timedelta(minutes=1)


class _Counting:
    """A pattern that counts how often it is tried."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts

    def match(self, text: str, position: int) -> re.Match[str] | None:
        self._counts["tried"] += 1
        return None


@pytest.mark.parametrize("text", ["9月10日の件 ", "the 3rd of ", "2026-", "一二三", "10:30", "前の", "(月)", "to "])
def test_twice_the_text_is_twice_the_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    monkeypatch.setattr("memory.text.times.rules.compiled", lambda _: cast("re.Pattern[str]", _Counting(counts)))

    def tries(times: int) -> int:
        counts.clear()
        pieces(fold(text * times), MONDAY, Speech.MESSAGE)
        return counts["tried"]

    assert tries(200) <= 2 * tries(100) + tries(1) + 50


def test_no_rule_reads_on_without_a_limit() -> None:
    rules: list[Rule] = [rule for those in shipped_rules().values() for rule in those]
    assert len(rules) > 100
    for rule in rules:
        outside_classes = re.sub(r"\[[^\]]*\]|\\.", "", rule.pattern)
        assert not re.search(r"[*+]|\{\d+,\}", outside_classes), rule.pattern
