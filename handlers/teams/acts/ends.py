"""How the bot writes at both ends of a line in Teams: where it was asked, and in the thread of the team's note.

Teams lets a bot read nothing back: what may stand there is never said a second time.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.markup.parts import Span
from handlers.teams.acts.support_notes import SupportNotes
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import TeamsMessage, card_message, plain_message
from handlers.teams.outlet import taken
from handlers.teams.pieces import elements, paragraph
from handlers.teams.recent import Recent
from handlers.teams.records import Place
from handlers.teams.render_runs import rich_text, runs
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.tickets.ends import Customs, End, Notice, Refusal, Spoken, Told
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown, MessageRefused, PlatformRefused
from memory.lines import Line
from memory.model import Conversation, Viewer
from memory.tickets import Ticket

log = structlog.get_logger()

#: Of up to four bytes each, beside which a card has room for the rest.
_CHARACTERS = 4_000
_BOLD = frozenset(("bold",))
#: With these eyes it is looked who wants what on a note; of the words it shows what its channel may see.
_EYES = Viewer(user="", agent=True)


class TeamsEnds:
    """The port `Ends` for Teams. `told` notes in each chat what was said there."""

    longest = _CHARACTERS

    def __init__(
        self,
        *,
        writes: Writes,
        sites: Sites,
        rules: Rules,
        notes: SupportNotes,
        told: Recent,
        wording: Callable[[], Wording],
    ) -> None:
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._notes = notes
        self._told = told
        self._wording = wording

    async def customs(self, place: Conversation) -> Customs:
        site = await self._sites.of(place)
        if site is None:
            return Customs()
        hears_all = site.place is Place.PERSONAL or self._rules.policy(site).answer == "always"
        language, threads = self._rules.manners(site).language, site.place is Place.CHANNEL
        return Customs(language=language, by_name=not hears_all, threads=threads)

    async def post(self, end: End, said: Spoken, about: str, *, sure: bool) -> str | Refusal:
        if not sure:
            return Refusal.UNSURE
        errand = await self._errand(end.place)
        if errand is None:
            return Refusal.FOR_GOOD
        try:
            return await taken(errand.post, self._copied(said, errand.language), about) or ""
        except DeliveryUnknown:
            return Refusal.UNSURE
        except MessageRefused:
            return Refusal.FOR_GOOD
        except PlatformRefused as error:
            log.warning("teams_line_refused", error=type(error).__name__)
            return Refusal.FOR_NOW

    async def change(self, end: End, said: Spoken, message: str) -> None:
        errand = await self._errand(end.place)
        try:
            if errand is not None:
                await errand.replace(message, self._copied(said, errand.language).content)
        except PlatformRefused as error:
            log.warning("teams_copy_unchanged", error=type(error).__name__)

    async def remove(self, end: End, message: str, instead: str) -> None:
        errand = await self._errand(end.place)
        try:
            if errand is not None:
                await errand.remove(message, plain_message(instead).content)
        except PlatformRefused as error:
            # Somebody deleted it, or the bot is not there any more.
            log.info("teams_copy_gone", error=type(error).__name__)

    async def tell(self, notice: Notice) -> Told:
        errand = await self._errand(notice.end.place)
        if errand is None:
            return Told.IMPOSSIBLE
        if await self._told.about(errand.site, notice.about) is not None:
            return Told.BEFORE
        try:
            await errand.post(plain_message(notice.words).content)
        except DeliveryUnknown:
            return Told.UNSURE
        except PlatformRefused as error:
            log.warning("teams_notice_refused", error=type(error).__name__)
            return Told.IMPOSSIBLE
        await self._told.note(errand.site, notice.about, notice.about)
        return Told.NOW

    async def show(self, ticket: Ticket, line: Line) -> None:
        site = await self._sites.of(line.place)
        note = await self._notes.at(site, line.place.thread) if site else None
        if note is not None:
            await self._notes.redraw(note, ticket, _EYES)

    async def reword(self, ticket: Ticket, line: Line) -> None:
        """All that a note says is read anew whenever it is drawn."""
        await self.show(ticket, line)
        site = await self._sites.of(line.place)
        if site and (note := await self._notes.at(site, line.place.thread)):
            await self._notes.reword(note)

    async def retire(self, line: Line) -> None:
        site = await self._sites.of(line.place)
        if site and (note := await self._notes.at(site, line.place.thread)):
            await self._notes.retire(note)

    async def _errand(self, place: Conversation) -> Errand | None:
        """None where the bot is not any more."""
        site = await self._sites.of(place)
        if site is None:
            return None
        language = self._rules.manners(site).language or "en"
        return Errand(writes=self._writes, site=site, conversation=place, language=language, wording=self._wording())

    def _copied(self, said: Spoken, language: str) -> TeamsMessage:
        """Who speaks, and the words line by line, of which nothing is parsed; more lines than a card holds as one."""
        heading = rich_text(runs([Span(text=said.heading, styles=_BOLD)]))
        lines = [line for text in said.paragraphs for line in text.splitlines() if line.strip()]
        try:
            body = [heading, *elements(map(paragraph, lines))]
            return card_message(body, language=language, wording=self._wording())
        except ValueError:
            body = [heading, *elements(map(paragraph, said.paragraphs))]
            return card_message(body, language=language, wording=self._wording())
