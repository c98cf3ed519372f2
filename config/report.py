"""The settings of the weekly report."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from config.strict import Strict


class Weekday(StrEnum):
    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class ReportSettings(Strict):
    weekday: Weekday = Field(
        Weekday.MONDAY,
        description="The day on which the report of the seven days before it is posted, in the channels that "
        "`slack.report_channel` and `teams.report_channel` name.",
    )
    hour: int = Field(9, ge=0, le=23, description="The hour of that day, by `bot.time_zone`.")
