"""Points in time as people give them to commands, and are shown them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo

from memory.errors import WrongUse

#: No ticket was written before, none will be after; so far from the ends of the calendar one can count on.
_YEARS = range(1900, 9000)
#: A day's end is the last moment that still belongs to it.
_LAST = timedelta(microseconds=1)


def moment(text: str, zone: tzinfo, option: str) -> datetime:
    """An ISO moment; in `zone` where it names no offset. Raises WrongUse that names the option."""
    try:
        value = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise WrongUse(f"{option}: {text!r} is no time; write it as in 2026-03-02T08:47:00+09:00.") from error
    _within(value.year, text, option)
    return value if value.tzinfo else value.replace(tzinfo=zone)


def end_of_day(text: str, zone: tzinfo, option: str) -> datetime:
    """The last moment of an ISO date in `zone`. Raises WrongUse that names the option."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as error:
        raise WrongUse(f"{option}: {text!r} is no date; write it as in 2026-03-02.") from error
    _within(day.year, text, option)
    return datetime.combine(day + timedelta(days=1), time(), zone) - _LAST


def horizon(text: str, zone: tzinfo, option: str) -> datetime:
    """A moment, or the end of a day where only a date is given. Raises WrongUse that names the option."""
    if len(text.strip()) <= len("2026-03-02"):
        return end_of_day(text, zone, option)
    return moment(text, zone, option)


def shown(value: datetime, zone: tzinfo) -> str:
    """A point in time as data, by the clock and calendar of `zone`: its first ten characters are the day there."""
    return value.astimezone(zone).isoformat()


def _within(year: int, text: str, option: str) -> None:
    if year not in _YEARS:
        raise WrongUse(f"{option}: {text!r} is too far away; name a year from {_YEARS.start} to {_YEARS.stop - 1}.")
