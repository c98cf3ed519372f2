"""When support agents work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from config.tickets import HoursSettings, Weekday

_DAYS = tuple(Weekday)
_LONGEST = timedelta(days=366)


def back_at(hours: HoursSettings | None, now: datetime) -> datetime | None:
    """When support is back, in its own zone; None while it is there."""
    if hours is None:
        return None
    here = now.astimezone(ZoneInfo(hours.time_zone))
    if _works(hours, here) and hours.begins <= f"{here:%H:%M}" < hours.ends:
        return None
    begin = _at(here, hours.begins)
    days = range(0 if here < begin else 1, 8)
    # Seven days on there is the same day of the week, so one of them is a working day.
    return next(day for day in (begin + timedelta(days=count) for count in days) if _works(hours, day))


def worked(hours: HoursSettings | None, since: datetime, until: datetime) -> timedelta:
    """How much of the time from `since` to `until` support agents worked; all of it without hours. More than a year
    counts as a year."""
    if hours is None or until <= since:
        return max(until - since, timedelta())
    zone = ZoneInfo(hours.time_zone)
    first, last = max(since, until - _LONGEST).astimezone(zone), until.astimezone(zone)
    days = (first + timedelta(days=count) for count in range((last.date() - first.date()).days + 1))
    spans = ((_at(day, hours.begins), _at(day, hours.ends)) for day in days if _works(hours, day))
    # In UTC: within one zone the clock may have been put forward or back between two times.
    parts = (_utc(min(end, last)) - _utc(max(begin, first)) for begin, end in spans)
    return sum((part for part in parts if part > timedelta()), timedelta())


def _at(day: datetime, time: str) -> datetime:
    hour, minute = time.split(":")
    return day.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _works(hours: HoursSettings, day: datetime) -> bool:
    return _DAYS[day.weekday()] in hours.days
