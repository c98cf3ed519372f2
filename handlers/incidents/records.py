"""What is told of an incident to those who ask, and what comes of wanting to hear of its end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory.incidents import Incident


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """That a question is about something that several people report. `seen_in` is the id of a turn that reports it
    where everybody may read it; None where there is none."""

    incident: Incident
    seen_in: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """Where an incident is reported: `links` to messages that those who read them here may open, a few at most;
    `complete` where these are all there are."""

    links: tuple[str, ...]
    complete: bool


class Subscribed(StrEnum):
    """Whether somebody will hear when it is over."""

    NEW = "new"
    BEFORE = "before"
    TOO_LATE = "too late"
