"""Telling the support team in its channel that somebody wants a person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo

import structlog

from handlers.claims import Claims
from handlers.handover import Wanted
from handlers.teams.acts.wanted_note import wanted_note
from handlers.teams.errand import Errand, Writes
from handlers.teams.mention import Mention
from handlers.teams.recent import Recent
from handlers.teams.records import Place, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import Wording
from memory.errors import Busy, PlatformRefused
from memory.model import Conversation, Turn, Viewer, turn_id
from memory.ports import Clock, Reading

log = structlog.get_logger()


class TeamsHandOver:
    """The hook `HandOver` that writes to one channel. That it was done is noted after it was: a process that dies in
    between lets the team be told twice rather than never. A claim keeps others from telling at the same moment."""

    def __init__(
        self,
        *,
        writes: Writes,
        sites: Sites,
        rules: Rules,
        reading: Reading,
        claims: Claims,
        told: Recent,
        clock: Clock,
        zone: tzinfo,
        wording: Callable[[], Wording],
    ) -> None:
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._reading = reading
        self._claims = claims
        self._told = told
        self._clock = clock
        self._zone = zone
        self._wording = wording

    async def __call__(self, wanted: Wanted) -> bool:
        """As `HandOver`; False without a channel, or where Teams does not let the bot write there. Raises Busy where
        somebody else is at the same request."""
        site, channel = await self._sites.of(wanted.conversation), self._rules.handover_channel
        if channel is None or site is None:
            return False
        request = turn_id(wanted.conversation, wanted.message)
        async with self._claims.claimed(f"handover {request}") as mine:
            if not mine:
                raise Busy
            if await self._told.about(site, wanted.message) != request:
                try:
                    await self._tell(wanted, request, self._team_at(site, channel))
                except PlatformRefused as error:
                    log.warning("teams_handover_refused", error=type(error).__name__)
                    return False
                await self._told.note(site, wanted.message, request)
        return True

    def _team_at(self, site: Site, channel: str) -> Site:
        """The channel in the same organisation, at the same address."""
        return Site(tenant=site.tenant, chat=channel, place=Place.CHANNEL, service=site.service)

    async def _tell(self, wanted: Wanted, request: str, team: Site) -> None:
        language = self._rules.of(team).language or wanted.language
        asked, wording = await self._asked(request, team), self._wording()
        place = Conversation(
            platform=wanted.conversation.platform, workspace=team.tenant, channel=team.chat, thread=team.chat
        )
        errand = Errand(writes=self._writes, site=team, conversation=place, language=language, wording=wording)
        mention = Mention(id=wanted.user, name=wanted.name or wording.teams(language).somebody)
        try:
            await errand.post(wanted_note(wanted, asked, language, self._zone, mention, wording=wording).content)
        except PlatformRefused:
            # As of somebody whom Teams does not let us mention there.
            await errand.post(wanted_note(wanted, asked, language, self._zone, wording=wording).content)
        log.info("teams_handed_over", request=request)

    async def _asked(self, request: str, team: Site) -> Turn | None:
        """The message, read as somebody who has nothing but this channel: a private question stays private."""
        anybody = Viewer(user="", channel=team.chat, confined=self._rules.manners(team).confined)
        found = await self._reading.turns([request], anybody, self._clock())
        return found[0] if found else None
