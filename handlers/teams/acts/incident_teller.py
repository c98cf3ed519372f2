"""Telling of incidents in Teams, which lets a bot read nothing back: what may have been said is not said again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from handlers.incidents.words import end_line
from handlers.teams.acts.incident_notes import IncidentNotes
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import plain_message
from handlers.teams.records import PLATFORM, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.incidents import Incident, IncidentBox, Subscriber
from memory.text.language import LanguageCode

log = structlog.get_logger()

_REPORTS = 10


class TeamsTeller:
    """The port `Teller` for Teams."""

    platform = PLATFORM

    def __init__(
        self,
        *,
        box: IncidentBox,
        notes: IncidentNotes,
        writes: Writes,
        sites: Sites,
        rules: Rules,
        wording: Callable[[], Wording],
    ) -> None:
        self._box = box
        self._notes = notes
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._wording = wording

    @property
    def has_team(self) -> bool:
        return self._rules.handover_channel is not None

    async def tell_team(self, incident: Incident) -> bool:
        team = await self._team(incident)
        if team is None:
            return False
        language: LanguageCode = self._rules.of(team).language or ("ja" if incident.language == "ja" else "en")
        return await _brought(self._notes.post(incident, team, language), "support")

    async def tell_subscriber(self, incident: Incident, subscriber: Subscriber) -> bool:
        site = await self._sites.of(subscriber.conversation)
        if site is None:
            # The bot was removed there: it is nobody's place any more.
            return True
        errand = Errand(
            writes=self._writes,
            site=site,
            conversation=subscriber.conversation,
            language=subscriber.language,
            wording=self._wording(),
        )
        said = end_line(incident, self._wording().incidents(subscriber.language))
        return await _brought(errand.post(plain_message(said).content), "subscriber")

    async def _team(self, incident: Incident) -> Site | None:
        """The support team's channel, in the organisation of a conversation in which the incident was reported."""
        channel = self._rules.handover_channel
        for report in await self._box.reports(incident.id, _REPORTS):
            site = await self._sites.of(report.conversation) if report.conversation.platform == PLATFORM else None
            if site is not None and channel is not None:
                return await self._sites.channel(channel, site)
        return None


async def _brought(telling: Awaitable[object], to: str) -> bool:
    """Whether nothing is left to do: it was said, may have been, or is refused for good."""
    try:
        await telling
    except (DeliveryUnknown, PlatformRefused) as error:
        log.warning("teams_incident_untold", to=to, error=type(error).__name__)
    except PlatformUnavailable as error:
        log.warning("teams_incident_untold", to=to, error=type(error).__name__)
        return False
    return True
