"""The notes to the support team about incidents: each is a card, and is known again by the message that it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Reports
from handlers.incidents.words import about
from handlers.markup.parts import Part, Span
from handlers.teams.address import permalink
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.names import CONFIRM_INCIDENT, DISMISS_INCIDENT, END_INCIDENT
from handlers.teams.notebook import Notebook
from handlers.teams.pieces import button, elements, heading, items, paragraph
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM, Site
from handlers.teams.render_runs import Element
from handlers.teams.rules import Rules
from handlers.wording_incidents import IncidentWords
from handlers.wordings import SHIPPED, Wording
from memory.errors import PlatformRefused
from memory.incidents import Incident, Phase
from memory.model import Conversation, Turn, Viewer
from memory.text.language import LanguageCode

log = structlog.get_logger()

#: Notes of a channel whose buttons still do something.
_MOST = 500
_LANGUAGE = "language"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentNote:
    """A note of ours as it stands in Teams: which message of which channel it is, about which incident, in which
    language."""

    site: Site
    message: str
    incident: str
    language: LanguageCode


class IncidentNotes:
    """Writes the notes, and draws them anew. Every method raises StoreUnavailable; those that write, as `Writes`."""

    def __init__(
        self,
        *,
        incidents: Callable[[], IncidentDesk],
        writes: Writes,
        rules: Rules,
        notebook: Notebook,
        wording: Callable[[], Wording],
    ) -> None:
        self._incidents = incidents
        self._writes = writes
        self._rules = rules
        self._known = Recent(notebook, "incident", _MOST)
        self._wording = wording

    async def post(self, incident: Incident, team: Site, language: LanguageCode) -> None:
        """Tell the team."""
        said = incident_note(incident, await self._reports(incident, team), language, wording=self._wording())
        posted = await self._errand(team, language).post(said.content)
        if posted:
            await self._known.note(team, posted, incident.id, **{_LANGUAGE: language})

    async def at(self, site: Site, message: str) -> IncidentNote | None:
        """The note that this message is; None where it is none on an incident."""
        noted = await self._known.noted(site, message)
        if noted is None:
            return None
        language: LanguageCode = "ja" if noted[_LANGUAGE] == "ja" else "en"
        return IncidentNote(site=site, message=message, incident=noted["about"], language=language)

    async def redraw(self, note: IncidentNote, incident: Incident) -> None:
        """Show the incident as it stands now."""
        reports = await self._reports(incident, note.site)
        said = incident_note(incident, reports, note.language, wording=self._wording())
        try:
            await self._errand(note.site, note.language).replace(note.message, said.content)
        except PlatformRefused as error:
            # Somebody deleted it, or Teams lets it be changed no more.
            log.warning("teams_incident_note_unchanged", error=type(error).__name__)

    async def _reports(self, incident: Incident, team: Site) -> Reports:
        """As far as somebody who has nothing but this channel may see them."""

        def link(turn: Turn) -> str | None:
            where = turn.conversation
            here = (where.platform, where.workspace) == (PLATFORM, team.tenant)
            return permalink(where, turn.message) if here else None

        anybody = Viewer(user="", channel=team.chat, confined=self._rules.manners(team).confined)
        return await self._incidents().reports(incident.id, anybody, link)

    def _errand(self, team: Site, language: LanguageCode) -> Errand:
        place = Conversation(platform=PLATFORM, workspace=team.tenant, channel=team.chat, thread=team.chat)
        return Errand(writes=self._writes, site=team, conversation=place, language=language, wording=self._wording())


def incident_note(
    incident: Incident, reports: Reports, language: LanguageCode, *, wording: Wording = SHIPPED
) -> TeamsMessage:
    """What support is told, with what can be said of it while it goes on. Of what people asked there is not a word, but
    the way to it, as far as those who read the note may go there."""
    words = wording.incidents(language)
    told = words.noted.format(people=incident.people, about=about(incident, words))
    where = words.standing.format(ticket=incident.ticket, phase=words.phases[incident.phase])
    return card_message(
        elements([heading(told), *_reported(incident, reports, words), paragraph(where)]),
        language=language,
        allowed_links=reports.links,
        actions=_rulings(incident, words),
        wording=wording,
    )


def _reported(incident: Incident, reports: Reports, words: IncidentWords) -> list[Part]:
    numbered = enumerate(reports.links, start=1)
    linked = items(Span(text=words.report.format(number=number), url=link) for number, link in numbered)
    rest = [] if reports.complete else [paragraph(words.reports_shown.format(ticket=incident.ticket))]
    return [*linked, *rest]


def _rulings(incident: Incident, words: IncidentWords) -> list[Element]:
    if not incident.going_on:
        return []
    known = button(CONFIRM_INCIDENT, words.confirm, style="positive")
    rest = [button(END_INCIDENT, words.end), button(DISMISS_INCIDENT, words.dismiss)]
    return rest if incident.phase is Phase.CONFIRMED else [known, *rest]
