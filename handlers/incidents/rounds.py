"""Telling of incidents on one platform: the support team once of each, and each subscriber once of its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import structlog

from handlers.claims import Claims
from handlers.incidents.desk import IncidentDesk
from handlers.pauses import Pauses
from memory.errors import EncoderUnavailable, IndexUnavailable
from memory.incidents import Incident, IncidentBox, Subscriber

log = structlog.get_logger()

_AT_ONCE = 20


class Teller(Protocol):
    """How a platform tells of incidents. Of each method: whether nothing is left to do, as it was said, may have been
    said and cannot be looked for, or will never be taken. What is not done is tried again in a later round, after
    growing pauses."""

    @property
    def platform(self) -> str: ...

    @property
    def has_team(self) -> bool:
        """Whether there is a place of the support team."""
        ...

    async def tell_team(self, incident: Incident) -> bool:
        """Say that it goes on, and what can be said of it."""
        ...

    async def tell_subscriber(self, incident: Incident, subscriber: Subscriber) -> bool:
        """Say that it is over, where it was asked."""
        ...


class IncidentRounds:
    """Goes round again and again: what a process that died left untold is told by the next. A claim keeps others from
    telling at the same moment; that something was told is noted after it was."""

    def __init__(
        self,
        *,
        box: IncidentBox,
        incidents: Callable[[], IncidentDesk],
        teller: Teller,
        claims: Claims,
        pauses: Pauses,
    ) -> None:
        self._box = box
        self._incidents = incidents
        self._teller = teller
        self._claims = claims
        self._pauses = pauses

    async def go(self) -> int:
        """How many were told. Raises StoreUnavailable."""
        try:
            await self._incidents().catch_up()
        except (EncoderUnavailable, IndexUnavailable) as error:
            log.warning("incident_without_ticket", error=type(error).__name__)
        platform = self._teller.platform
        untold = await self._box.untold(platform, _AT_ONCE) if self._teller.has_team else []
        told = sum([await self._team_hears(incident) for incident in untold])
        owed = await self._box.owed(platform, _AT_ONCE)
        return told + sum([await self._subscriber_hears(subscriber) for subscriber in owed])

    async def _team_hears(self, incident: Incident) -> bool:
        name = f"incident {incident.id}"
        if not self._pauses.due(name):
            return False
        async with self._claims.claimed(name) as mine:
            if not mine or not self._pauses.settled(name, await self._teller.tell_team(incident)):
                return False
            await self._box.told(incident.id)
        log.info("incident_told", incident=incident.id)
        return True

    async def _subscriber_hears(self, subscriber: Subscriber) -> bool:
        name = f"incident {subscriber.incident} {subscriber.person}"
        incident = await self._box.seen(subscriber.incident) if self._pauses.due(name) else None
        if incident is None:
            return False
        async with self._claims.claimed(name) as mine:
            if not mine or not self._pauses.settled(name, await self._teller.tell_subscriber(incident, subscriber)):
                return False
            await self._box.paid(subscriber.incident, subscriber.person)
        return True
