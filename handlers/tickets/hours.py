"""When support agents work."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from config.tickets import HoursSettings, Weekday

_DAYS = tuple(Weekday)


def back_at(hours: HoursSettings | None, now: datetime) -> datetime | None:
    """When support is back, in its own zone; None while it is there."""
    if hours is None:
        return None
    here = now.astimezone(ZoneInfo(hours.time_zone))
    if _works(hours, here) and hours.begins <= f"{here:%H:%M}" < hours.ends:
        return None
    hour, minute = hours.begins.split(":")
    begin = here.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    days = range(0 if here < begin else 1, 8)
    # Seven days on there is the same day of the week, so one of them is a working day.
    return next(day for day in (begin + timedelta(days=count) for count in days) if _works(hours, day))


def _works(hours: HoursSettings, day: datetime) -> bool:
    return _DAYS[day.weekday()] in hours.days
