"""Known incidents in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from memory.errors import IncidentUnknown
from memory.incidents import Incident, Ruling, Sign, Subscriber, ruled
from memory.stores.in_memory_state import Memory
from memory.stores.words import storable


class InMemoryIncidents:
    """The port `IncidentBox` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._signs: dict[str, Sign] = {}
        self._incidents: dict[str, Incident] = {}
        self._subscribers: dict[tuple[str, str], Subscriber] = {}
        self._told: set[str] = set()

    async def note(self, sign: Sign) -> None:
        if sign.turn in self._memory.turns:
            # As exactly as a database keeps it.
            meaning = np.asarray(sign.meaning, dtype=np.float16).astype(np.float32)
            self._signs.setdefault(sign.turn, replace(sign, person=storable(sign.person), meaning=meaning))

    async def signs(self, since: datetime, until: datetime, limit: int) -> list[Sign]:
        found = [sign for sign in self._kept().values() if since <= sign.at <= until]
        return sorted(found, key=lambda sign: (sign.at, sign.turn), reverse=True)[: max(limit, 0)]

    async def gather(self, incident: Incident, turns: Sequence[str]) -> Incident:
        members = sorted((sign for name, sign in self._kept().items() if name in turns), key=lambda sign: sign.at)
        known = next((sign.incident for sign in members if sign.incident), None)
        name = known or incident.id
        self._incidents.setdefault(name, incident)
        for sign in members:
            if sign.incident is None:
                self._signs[sign.turn] = replace(sign, incident=name)
        return self._standing(self._incidents[name])

    async def join(self, incident: str, turn: str) -> Incident | None:
        known, sign = self._incidents.get(incident), self._kept().get(turn)
        if known and known.going_on and sign and sign.incident is None:
            self._signs[turn] = replace(sign, incident=incident)
        return await self.seen(incident)

    async def seen(self, incident: str) -> Incident | None:
        known = self._incidents.get(incident)
        return self._standing(known) if known else None

    async def listed(self, limit: int, *, going_on: bool) -> list[Incident]:
        found = [one for one in self._in_time(newest_first=True) if one.going_on or not going_on]
        return found[: max(limit, 0)]

    async def reports(self, incident: str, limit: int) -> list[Sign]:
        found = [sign for sign in self._kept().values() if sign.incident == incident]
        return sorted(found, key=lambda sign: (sign.at, sign.turn))[: max(limit, 0)]

    async def name(self, incident: str, ticket: str, title: str) -> None:
        known = self._incidents.get(incident)
        if known and known.ticket is None:
            self._incidents[incident] = replace(known, ticket=ticket, title=storable(title))

    async def rule(self, incident: str, ruling: Ruling) -> Incident:
        known = self._incidents.get(incident)
        if known is None:
            raise IncidentUnknown
        title = known.title if ruling.title is None else storable(ruling.title)
        if ruled(known.phase, ruling.phase) or title != known.title:
            self._incidents[incident] = replace(
                known, phase=ruling.phase, by=storable(ruling.by), changed_at=ruling.at, title=title
            )
        return self._standing(self._incidents[incident])

    async def subscribe(self, subscriber: Subscriber) -> bool:
        known = self._incidents.get(subscriber.incident)
        key = (subscriber.incident, storable(subscriber.person))
        if known is None or not known.going_on or key in self._subscribers:
            return False
        self._subscribers[key] = replace(subscriber, person=key[1])
        return True

    async def untold(self, platform: str, limit: int) -> list[Incident]:
        waiting = [one for one in self._in_time() if one.going_on and one.ticket and one.id not in self._told]
        return [one for one in waiting if one.platform == platform][: max(limit, 0)]

    async def told(self, incident: str) -> None:
        self._told.add(incident)

    async def owed(self, platform: str, limit: int) -> list[Subscriber]:
        waiting = [
            one
            for one in self._subscribers.values()
            if not self._incidents[one.incident].going_on and one.conversation.platform == platform
        ]
        return sorted(waiting, key=lambda one: (one.at, one.incident, one.person))[: max(limit, 0)]

    async def paid(self, incident: str, person: str) -> None:
        self._subscribers.pop((incident, storable(person)), None)

    async def forget(self, person: str) -> None:
        gone = storable(person)
        self._subscribers = {key: one for key, one in self._subscribers.items() if one.person != gone}

    def _kept(self) -> dict[str, Sign]:
        """Signs go with their turns."""
        self._signs = {name: sign for name, sign in self._signs.items() if name in self._memory.turns}
        return self._signs

    def _in_time(self, *, newest_first: bool = False) -> list[Incident]:
        by_name = sorted(self._incidents.values(), key=lambda one: one.id)
        found = sorted(by_name, key=lambda one: one.began_at, reverse=newest_first)
        return [self._standing(one) for one in found]

    def _standing(self, incident: Incident) -> Incident:
        people = {sign.person for sign in self._kept().values() if sign.incident == incident.id}
        return replace(incident, people=len(people))
