"""The settings of tickets: how they are named and sorted, when people work, what happens to those that lie."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from config.strict import Strict
from config.tracker import TrackerSettings
from config.values import time_zone


class Weekday(StrEnum):
    """Days as `datetime.weekday` counts them, Monday first."""

    MONDAY = "mon"
    TUESDAY = "tue"
    WEDNESDAY = "wed"
    THURSDAY = "thu"
    FRIDAY = "fri"
    SATURDAY = "sat"
    SUNDAY = "sun"


def _prefix(text: str) -> str:
    if not re.fullmatch("[A-Z][A-Z0-9]{0,9}", text):
        raise ValueError("must be 1 to 10 capital letters and digits that begin with a letter, as in HD")
    return text


def _some_words(words: tuple[str, ...]) -> tuple[str, ...]:
    if not words or any(not word.strip() for word in words):
        raise ValueError("must name one word or more, none of them empty")
    return words


def _clock_time(text: str) -> str:
    if not re.fullmatch("([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise ValueError('must be a time of day as in "09:00"')
    return text


_Time = Annotated[str, AfterValidator(_clock_time)]
#: The setting has the same name as the check.
_Zone = Annotated[str, AfterValidator(time_zone)]
_Words = Annotated[tuple[str, ...], AfterValidator(_some_words)]


class HoursSettings(Strict):
    days: tuple[Weekday, ...] = Field(
        tuple(Weekday)[:5], min_length=1, description="Days on which support agents work: mon to sun."
    )
    begins: _Time = Field("09:00", description='When the working day begins, in quotation marks as in "09:00".')
    ends: _Time = Field("18:00", description="When it ends, later on the same day.")
    time_zone: _Zone = Field("Asia/Tokyo", description="IANA time zone in which these hours count.")

    @model_validator(mode="after")
    def _in_order(self) -> HoursSettings:
        if self.ends <= self.begins:
            raise ValueError("`ends` must be later than `begins`; hours over midnight cannot be set")
        return self


class TicketSettings(Strict):
    prefix: Annotated[str, AfterValidator(_prefix)] = Field(
        "HD", description="What the names of new tickets begin with, as in HD-41."
    )
    categories: dict[str, _Words] = Field(
        {},
        description="Categories that are proposed for new tickets, each with words of any language, one of which "
        "stands in its requests; case and width do not count, and the first one that fits is taken.",
    )
    close_after_days: int = Field(
        14,
        ge=1,
        le=3650,
        description="Days without a word after which a ticket is closed that is resolved or waits for its user.",
    )
    remind_support_after_hours: float | None = Field(
        8,
        gt=0,
        le=8760,
        description="Working hours without a word after which the support team is reminded, once, of a ticket that "
        "waits for it; null for never.",
    )
    remind_user_after_days: float | None = Field(
        3,
        gt=0,
        le=3650,
        description="Days without a word after which who asked is reminded, once, of a ticket that waits for their "
        "answer; null for never.",
    )
    hours: HoursSettings | None = Field(
        None, description="When support agents work; without it, always. Outside, people are told when they are back."
    )
    fallback_owner: str | None = Field(
        None,
        min_length=1,
        description="Who is named to the support team where a request comes outside working hours; without it, nobody.",
    )
    tracker: TrackerSettings | None = Field(
        None, description="An outside tracker that hears of each change, and says what became of tickets there."
    )
