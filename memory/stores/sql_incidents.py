"""Known incidents, in SQL. What several processes might do at once is decided in one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Row, Select, delete, exists, false, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.errors import IncidentUnknown
from memory.incidents import GOING_ON, Incident, Phase, Ruling, Sign, Subscriber, ruled
from memory.model import Conversation
from memory.stores.sql_engine import Database, Turnstile
from memory.stores.tables import turns
from memory.stores.tables_incidents import PLACE, incident_signs, incident_subscribers, incidents

_GOING_ON = incidents.c.phase.in_(sorted(GOING_ON))


class SqlIncidents:
    """The port `IncidentBox` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, sign: Sign) -> None:
        new = self._database.insert(incident_signs).values(_sign_row(sign)).on_conflict_do_nothing()
        async with self._database.writing() as connection:
            # Whoever takes the turn back waits for this transaction, and then takes the sign along.
            there = select(turns.c.id).where(turns.c.id == sign.turn).with_for_update()
            if (await connection.execute(there)).one_or_none() is not None:
                await connection.execute(new)

    async def signs(self, since: datetime, until: datetime, limit: int) -> list[Sign]:
        at = incident_signs.c.at
        wanted = select(incident_signs).where(at >= since, at <= until)
        return await self._signs(wanted.order_by(at.desc(), incident_signs.c.turn_id.desc()), limit)

    async def gather(self, incident: Incident, turns: Sequence[str]) -> Incident:
        signs = incident_signs.c
        async with self._alone() as connection:
            known = select(signs.incident).where(signs.turn_id.in_(turns), signs.incident.is_not(None))
            name = (await connection.execute(known.order_by(signs.at).limit(1))).scalar()
            if name is None:
                name = incident.id
                await connection.execute(
                    self._database.insert(incidents).values(_incident_row(incident)).on_conflict_do_nothing()
                )
            free = update(incident_signs).where(signs.turn_id.in_(turns), signs.incident.is_(None))
            await connection.execute(free.values(incident=name))
            return await _standing(connection, name) or incident

    async def join(self, incident: str, turn: str) -> Incident | None:
        signs = incident_signs.c
        async with self._alone() as connection:
            going_on = exists().where(incidents.c.id == incident, _GOING_ON)
            free = update(incident_signs).where(signs.turn_id == turn, signs.incident.is_(None), going_on)
            await connection.execute(free.values(incident=incident))
            return await _standing(connection, incident)

    async def seen(self, incident: str) -> Incident | None:
        found = await self._incidents(_incidents().where(incidents.c.id == incident), 1)
        return found[0] if found else None

    async def listed(self, limit: int, *, going_on: bool) -> list[Incident]:
        wanted = _incidents().order_by(incidents.c.began_at.desc(), incidents.c.id)
        return await self._incidents(wanted.where(_GOING_ON) if going_on else wanted, limit)

    async def reports(self, incident: str, limit: int) -> list[Sign]:
        wanted = select(incident_signs).where(incident_signs.c.incident == incident)
        return await self._signs(wanted.order_by(incident_signs.c.at, incident_signs.c.turn_id), limit)

    async def name(self, incident: str, ticket: str, title: str) -> None:
        new = update(incidents).where(incidents.c.id == incident, incidents.c.ticket.is_(None))
        await self._database.change(new.values(ticket=ticket, title=title))

    async def rule(self, incident: str, ruling: Ruling) -> Incident:
        async with self._alone() as connection:
            known = await _standing(connection, incident)
            if known is None:
                raise IncidentUnknown
            if ruled(known.phase, ruling.phase) or ruling.title not in (None, known.title):
                title = known.title if ruling.title is None else ruling.title
                changes = {"phase": ruling.phase, "by": ruling.by, "changed_at": ruling.at, "title": title}
                await connection.execute(update(incidents).where(incidents.c.id == incident).values(changes))
            return await _standing(connection, incident) or known

    async def subscribe(self, subscriber: Subscriber) -> bool:
        new = self._database.insert(incident_subscribers).values(_subscriber_row(subscriber))
        there = exists().where(incidents.c.id == subscriber.incident, _GOING_ON)
        async with self._database.writing() as connection:
            if not (await connection.execute(select(there))).scalar():
                return False
            return (
                await connection.execute(new.on_conflict_do_nothing().returning(incident_subscribers.c.person))
            ).one_or_none() is not None

    async def untold(self, platform: str, limit: int) -> list[Incident]:
        wanted = _incidents().where(
            _GOING_ON, incidents.c.told == false(), incidents.c.platform == platform, incidents.c.ticket.is_not(None)
        )
        return await self._incidents(wanted.order_by(incidents.c.began_at, incidents.c.id), limit)

    async def told(self, incident: str) -> None:
        await self._database.change(update(incidents).where(incidents.c.id == incident).values(told=true()))

    async def owed(self, platform: str, limit: int) -> list[Subscriber]:
        some = incident_subscribers.c
        settled = exists().where(incidents.c.id == some.incident, incidents.c.phase.not_in(sorted(GOING_ON)))
        wanted = select(incident_subscribers).where(some.platform == platform, settled)
        oldest = wanted.order_by(some.at, some.incident, some.person).limit(max(limit, 0))
        return [_subscriber(row) for row in await self._database.rows(oldest)]

    async def paid(self, incident: str, person: str) -> None:
        some = incident_subscribers.c
        await self._database.change(
            delete(incident_subscribers).where(some.incident == incident, some.person == person)
        )

    async def forget(self, person: str) -> None:
        await self._database.change(delete(incident_subscribers).where(incident_subscribers.c.person == person))

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[AsyncConnection]:
        async with self._database.writing() as connection:
            await self._database.alone(connection, Turnstile.INCIDENTS)
            yield connection

    async def _signs(self, wanted: Select[Any], limit: int) -> list[Sign]:
        return [_sign(row) for row in await self._database.rows(wanted.limit(max(limit, 0)))]

    async def _incidents(self, wanted: Select[Any], limit: int) -> list[Incident]:
        return [_incident(row) for row in await self._database.rows(wanted.limit(max(limit, 0)))]


def _incidents() -> Select[Any]:
    """Incidents with the number of people whose reports are kept."""
    reported = select(func.count(incident_signs.c.person.distinct())).where(incident_signs.c.incident == incidents.c.id)
    return select(incidents, reported.scalar_subquery().label("people"))


async def _standing(connection: AsyncConnection, incident: str) -> Incident | None:
    row = (await connection.execute(_incidents().where(incidents.c.id == incident))).one_or_none()
    return _incident(row) if row else None


def _place_row(place: Conversation) -> dict[str, str]:
    return {name: getattr(place, name) for name in PLACE}


def _place(row: Row[Any]) -> Conversation:
    return Conversation(**{name: getattr(row, name) for name in PLACE})


def _sign_row(sign: Sign) -> dict[str, Any]:
    return {
        **_place_row(sign.conversation),
        "turn_id": sign.turn,
        "person": sign.person,
        "at": sign.at,
        "language": sign.language,
        "meaning": np.asarray(sign.meaning, dtype=np.float16).tobytes(),
        "incident": sign.incident,
    }


def _sign(row: Row[Any]) -> Sign:
    return Sign(
        turn=row.turn_id,
        conversation=_place(row),
        person=row.person,
        at=row.at,
        language=row.language,
        meaning=np.frombuffer(row.meaning, dtype=np.float16).astype(np.float32),
        incident=row.incident,
    )


#: `people` is counted, and `told` is nobody's to read.
_KEPT = ("id", "phase", "platform", "workspace", "language", "began_at", "changed_at", "ticket", "title", "by")


def _incident_row(incident: Incident) -> dict[str, Any]:
    return {**{name: getattr(incident, name) for name in _KEPT}, "told": False}


def _incident(row: Row[Any]) -> Incident:
    kept = {name: getattr(row, name) for name in _KEPT}
    return Incident(**kept | {"phase": Phase(row.phase), "people": row.people})


def _subscriber_row(subscriber: Subscriber) -> dict[str, Any]:
    told = {name: getattr(subscriber, name) for name in ("incident", "person", "message", "language", "at")}
    return {**_place_row(subscriber.conversation), **told}


def _subscriber(row: Row[Any]) -> Subscriber:
    told = {name: getattr(row, name) for name in ("incident", "person", "message", "language", "at")}
    return Subscriber(conversation=_place(row), **told)
