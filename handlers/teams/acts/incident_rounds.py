"""Telling the support team in its channel of incidents, in plain words."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.claims import Claims
from handlers.incidents.desk import IncidentDesk
from handlers.incidents.words import about
from handlers.teams.errand import Writes
from handlers.teams.message import plain_message
from handlers.teams.records import PLATFORM, Place, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown, EncoderUnavailable, IndexUnavailable, PlatformRefused, PlatformUnavailable
from memory.incidents import Incident, IncidentBox
from memory.text.language import LanguageCode

log = structlog.get_logger()

_AT_ONCE, _REPORTS = 20, 10


class IncidentRounds:
    """Goes round again and again. That the team was told is noted after it was: a process that dies in between lets it
    be told twice rather than never. A claim keeps others from telling at the same moment."""

    def __init__(
        self,
        *,
        box: IncidentBox,
        incidents: Callable[[], IncidentDesk],
        writes: Writes,
        sites: Sites,
        rules: Rules,
        claims: Claims,
        wording: Callable[[], Wording],
    ) -> None:
        self._box = box
        self._incidents = incidents
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._claims = claims
        self._wording = wording

    async def go(self) -> int:
        """Of how many the team was told. What did not arrive is tried again in the next round. Raises
        StoreUnavailable."""
        try:
            await self._incidents().catch_up()
        except (EncoderUnavailable, IndexUnavailable) as error:
            log.warning("incident_without_ticket", error=type(error).__name__)
        untold = await self._box.untold(PLATFORM, _AT_ONCE) if self._rules.handover_channel else []
        return sum([await self._hears(incident) for incident in untold])

    async def _hears(self, incident: Incident) -> bool:
        team = await self._team(incident)
        async with self._claims.claimed(f"incident {incident.id}") as mine:
            if team is None or not mine or not await self._told(incident, team):
                return False
            await self._box.told(incident.id)
        return True

    async def _team(self, incident: Incident) -> Site | None:
        """The support team's channel, at the address of a conversation in which the incident was reported."""
        channel = self._rules.handover_channel
        for report in await self._box.reports(incident.id, _REPORTS):
            site = await self._sites.of(report.conversation) if report.conversation.platform == PLATFORM else None
            if site is not None and channel is not None:
                return Site(tenant=site.tenant, chat=channel, place=Place.CHANNEL, service=site.service)
        return None

    async def _told(self, incident: Incident, team: Site) -> bool:
        """Whether nothing is left to do: it was said, may have been, or is refused for good."""
        language: LanguageCode = self._rules.of(team).language or ("ja" if incident.language == "ja" else "en")
        words = self._wording().incidents(language)
        said = words.noted.format(people=incident.people, about=about(incident, words))
        try:
            await self._writes.post(team.service or "", team.chat, plain_message(said).content)
        except (DeliveryUnknown, PlatformRefused) as error:
            log.warning("teams_incident_untold", error=type(error).__name__)
            return True
        except PlatformUnavailable as error:
            log.warning("teams_incident_untold", error=type(error).__name__)
            return False
        log.info("teams_incident_told", incident=incident.id)
        return True
