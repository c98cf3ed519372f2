"""Incidents, as the person sees and rules on them who keeps the data folder: with an agent's eyes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import ListIncidents, Named, RuleIncident
from bot.moments import shown
from bot.telling import JsonObject, Tell
from bot.use_cases_memory import KEEPER, turn_object
from handlers.tickets.records import Actor
from memory.errors import IncidentUnknown
from memory.incidents import Incident
from memory.model import Viewer

#: Incidents among which one is looked for by its name, and reports that are shown of it.
_LOOKED_AT, _REPORTS = 1000, 100


async def listed(app: Application, given: ListIncidents, tell: Tell) -> JsonObject:
    """The incidents that began last, and whether there are more."""
    found = await app.incidents.listed(given.limit + 1, going_on=given.going_on)
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {
        "incidents": [incident_object(one, zone) for one in found[: given.limit]],
        "more": len(found) > given.limit,
    }


async def show(app: Application, given: Named, tell: Tell) -> JsonObject:
    """One incident with what people reported. Raises IncidentUnknown."""
    incident = await _named(app, given.id)
    reports = await app.store.incidents.reports(incident.id, _REPORTS)
    turns = await app.store.reading.turns([one.turn for one in reports], KEEPER, app.clock())
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {
        "incident": incident_object(incident, zone),
        "turns": [turn_object(turn, zone) for turn in turns],
    }


async def rule(app: Application, given: RuleIncident, tell: Tell) -> JsonObject:
    """Say what an incident is, for somebody. Raises IncidentUnknown and IncidentSettled."""
    incident = await _named(app, given.id)
    actor = Actor(viewer=Viewer(user=given.user, agent=True), name="", language=app.settings.bot.language.value)
    ruled = await app.incidents.rule(incident.id, given.phase, actor, words=given.words)
    return {"incident": incident_object(ruled, ZoneInfo(app.settings.bot.time_zone))}


async def _named(app: Application, name: str) -> Incident:
    known = await app.incidents.seen(name)
    return known or _by_ticket(await app.incidents.listed(_LOOKED_AT, going_on=False), name)


def _by_ticket(incidents: Iterable[Incident], name: str) -> Incident:
    for one in incidents:
        if one.ticket is not None and one.ticket.casefold() == name.strip().casefold():
            return one
    raise IncidentUnknown


def incident_object(incident: Incident, zone: tzinfo) -> JsonObject:
    """An incident as data, its times in `zone`."""
    return {
        "id": incident.id,
        "ticket": incident.ticket,
        "title": incident.title,
        "phase": incident.phase.value,
        "people": incident.people,
        "by": incident.by,
        "began_at": shown(incident.began_at, zone),
        "changed_at": shown(incident.changed_at, zone),
    }
