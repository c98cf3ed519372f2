"""Which week's report is due, by the calendar and the clock of the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.report.figures import Period
from config.report import ReportSettings, Weekday

#: A report that is later than this is left out: the next one is nearer.
_LATEST = timedelta(days=3)
_DAYS = list(Weekday)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The seven days before the one on which their report is `due`."""

    due: datetime
    period: Period

    @property
    def name(self) -> str:
        """The day on which it is due."""
        return self.due.date().isoformat()

    @property
    def end(self) -> datetime:
        """The last moment of the seven days."""
        return datetime.combine(self.due.date(), time(), self.period.zone) - timedelta(microseconds=1)


def week_due(now: datetime, zone: ZoneInfo, settings: ReportSettings) -> Week | None:
    """The week whose report is to be there by now; None where it would be late."""
    today = now.astimezone(zone).date()
    day = today - timedelta(days=(today.weekday() - _DAYS.index(settings.weekday)) % 7)
    due = datetime.combine(day, time(settings.hour), zone)
    if due.astimezone(UTC) > now.astimezone(UTC):
        day -= timedelta(days=7)
        due = datetime.combine(day, time(settings.hour), zone)
    if now.astimezone(UTC) - due.astimezone(UTC) > _LATEST:
        return None
    period = Period(first=day - timedelta(days=7), last=day - timedelta(days=1), zone=zone)
    return Week(due=due, period=period)
