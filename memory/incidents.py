"""The port of known incidents: that several people report one thing, who wants to hear when it is over, who was told.

No words of anybody are kept here. `title` holds names that everybody may read, or an agent's words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.errors import IncidentSettled
from memory.index_ports import Vector
from memory.model import Conversation, require_aware


class Phase(StrEnum):
    """Where an incident stands. The first two are going on."""

    SUSPECTED = "suspected"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    OVER = "over"


GOING_ON = frozenset((Phase.SUSPECTED, Phase.CONFIRMED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A question that tells of trouble: its turn, where and by whom it was asked, and what it means (`meaning`, the
    question's vector, shape (size,)). `incident` is the id of the one that it is a report of; None while of none."""

    turn: str
    conversation: Conversation
    person: str
    at: datetime
    language: str
    meaning: Vector
    incident: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One thing that several people report. `platform` and `workspace` are where it was noticed, `language` is that of
    whoever asked then; `people` how many reported it, `ticket` its name once it has one, `by` who said last what it
    is."""

    id: str
    phase: Phase
    platform: str
    workspace: str
    language: str
    began_at: datetime
    changed_at: datetime
    people: int
    ticket: str | None = None
    title: str = ""
    by: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.began_at, "began_at")
        require_aware(self.changed_at, "changed_at")

    @property
    def going_on(self) -> bool:
        return self.phase in GOING_ON


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """Somebody who wants to hear when an incident is over, and where."""

    incident: str
    person: str
    conversation: Conversation
    message: str
    language: str
    at: datetime

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What somebody says of an incident: into which phase it goes, and under which title; None leaves that as it is."""

    phase: Phase
    by: str
    at: datetime
    title: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


class IncidentBox(Protocol):
    """Keeps signs, incidents and subscribers. Raises StoreUnavailable.

    A sign goes with its turn: when that is taken back, forgotten or past its time, nothing is left of it.
    """

    async def note(self, sign: Sign) -> None:
        """Keep a sign; the same turn again changes nothing, and one whose turn is gone is not kept."""
        ...

    async def signs(self, since: datetime, until: datetime, limit: int) -> list[Sign]:
        """Up to `limit` signs from `since` on up to `until`, the newest first."""
        ...

    async def gather(self, incident: Incident, turns: Sequence[str]) -> Incident:
        """Make the signs of these turns one incident, in one step; where one of them is a report of an incident
        already, the others become reports of that one, and it is given back as it stands. `people` is counted here."""
        ...

    async def join(self, incident: str, turn: str) -> Incident | None:
        """The sign of this turn becomes a report of an incident that is going on, where it is one of none; the incident
        as it stands then, None where there is none."""
        ...

    async def seen(self, incident: str) -> Incident | None: ...

    async def listed(self, limit: int, *, going_on: bool) -> list[Incident]:
        """Up to `limit` incidents, all or those that are going on; the one that began last first."""
        ...

    async def reports(self, incident: str, limit: int) -> list[Sign]:
        """Up to `limit` signs of an incident, the oldest first."""
        ...

    async def name(self, incident: str, ticket: str, title: str) -> None:
        """It has this ticket and this title from now on; one that has a ticket keeps both."""
        ...

    async def rule(self, incident: str, ruling: Ruling) -> Incident:
        """What somebody says of it, durable when this returns; the same again changes nothing. Raises IncidentUnknown,
        and IncidentSettled where it was dismissed or over before (see `ruled`)."""
        ...

    async def subscribe(self, subscriber: Subscriber) -> bool:
        """Whether this person is a subscriber only from now on. Who subscribes again stays where the first time was."""
        ...

    async def untold(self, platform: str, limit: int) -> list[Incident]:
        """Incidents noticed on this platform that have a ticket and of which support was not told, the oldest first;
        none that were settled before."""
        ...

    async def told(self, incident: str) -> None:
        """Support was told."""
        ...

    async def owed(self, platform: str, limit: int) -> list[Subscriber]:
        """Subscribers on this platform to incidents that are over or dismissed, who were not told; the oldest first."""
        ...

    async def paid(self, incident: str, person: str) -> None:
        """This subscriber was told; nothing is kept of the subscription."""
        ...

    async def forget(self, person: str) -> None:
        """Nothing is kept of what this person wanted to hear."""
        ...


def ruled(phase: Phase, wanted: Phase) -> bool:
    """Whether a ruling changes anything: the same again does not. Raises IncidentSettled: what is settled stays so."""
    if phase is wanted:
        return False
    if phase not in GOING_ON:
        raise IncidentSettled
    return True
