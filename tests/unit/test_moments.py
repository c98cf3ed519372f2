"""Times as people give them to commands."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.moments import end_of_day, horizon, moment
from memory.errors import WrongUse

TOKYO = timezone(timedelta(hours=9))


def test_a_moment_keeps_its_own_offset() -> None:
    assert moment("2026-09-10T08:00:00+02:00", TOKYO, "--now") == datetime(2026, 9, 10, 6, 0, tzinfo=UTC)


def test_a_moment_without_offset_is_the_desks() -> None:
    assert moment("2026-09-10T08:00", TOKYO, "--now") == datetime(2026, 9, 9, 23, 0, tzinfo=UTC)


def test_a_day_lasts_until_its_last_microsecond() -> None:
    assert end_of_day("2026-09-10", TOKYO, "--as-of") == datetime(2026, 9, 10, 14, 59, 59, 999999, tzinfo=UTC)


def test_known_at_takes_a_day_or_a_moment() -> None:
    assert horizon("2026-09-10", TOKYO, "--known-at") == end_of_day("2026-09-10", TOKYO, "")
    assert horizon("2026-09-10T12:00:00Z", TOKYO, "--known-at") == datetime(2026, 9, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-02-30", "10/09/2026"])
def test_what_is_no_time_is_refused_by_the_options_name(text: str) -> None:
    for read in (moment, end_of_day, horizon):
        with pytest.raises(WrongUse, match="--when"):
            read(text, TOKYO, "--when")


@pytest.mark.parametrize("text", ["0001-01-01", "1899-12-31", "9000-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_refused_by_the_options_name(text: str) -> None:
    for read in (moment, end_of_day, horizon):
        with pytest.raises(WrongUse, match=r"--when: .* is too far away; name a year from 1900 to 8999"):
            read(text, TOKYO, "--when")
