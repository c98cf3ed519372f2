"""The notes to the support team: each is the card of its ticket, and is known again by the message that it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from typing import TypeVar

import structlog

from handlers.handover import Handed, Wanted
from handlers.teams.acts.wanted_note import NOTHING_LEARNED, wanted_note, words_note
from handlers.teams.address import permalink
from handlers.teams.errand import Errand, Writes
from handlers.teams.mention import Mention
from handlers.teams.message import TeamsMessage, card_message, plain_message
from handlers.teams.notebook import Notebook
from handlers.teams.pieces import elements, paragraph
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM, Site
from handlers.teams.rules import Rules
from handlers.tickets.background import Background
from handlers.tickets.desk import TicketDesk
from handlers.tickets.note_lines import behind_lines
from handlers.tickets.records import Actor, Shared
from handlers.wordings import Wording
from memory.errors import PlatformRefused, TicketUnknown
from memory.model import Conversation, Turn, Viewer
from memory.ports import Clock, Reading
from memory.text.language import LanguageCode
from memory.tickets import State, Ticket

log = structlog.get_logger()

#: Notes of a channel whose buttons still do something.
_MOST = 2_000
_TICKET, _USER, _LANGUAGE, _SHOWN = "ticket", "user", "language", "shown"

#: With these eyes it is looked whether a message is still there.
_EYES = Viewer(user="", agent=True)

Posted = TypeVar("Posted")


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportNote:
    """A note of ours as it stands in Teams: which message of which channel it is, which `request` (a turn's id) of
    whom (`user`) it is about, and which ticket, in which language. `shown` is the message below it with the request's
    words, empty where there is none. None of the words is noted."""

    site: Site
    message: str
    request: str
    user: str
    ticket: str
    language: LanguageCode
    shown: str = ""


class SupportNotes:
    """Writes the notes, and draws them anew. Every method raises StoreUnavailable; those that write, as `Writes`."""

    def __init__(
        self,
        *,
        writes: Writes,
        rules: Rules,
        reading: Reading,
        notebook: Notebook,
        tickets: Callable[[], TicketDesk],
        clock: Clock,
        zone: tzinfo,
        wording: Callable[[], Wording],
        background: Background,
    ) -> None:
        self._writes = writes
        self._rules = rules
        self._reading = reading
        self._known = Recent(notebook, "note", _MOST)
        self._tickets = tickets
        self._clock = clock
        self._zone = zone
        self._wording = wording
        self._background = background

    async def post(self, wanted: Wanted, handed: Handed, request: str, team: Site) -> str | None:
        """Tell the team; the id of the message where Teams tells one."""
        language = self._language(wanted, team)
        posted = await self._drawn(wanted, handed, request, team, language, self._errand(team, language).post)
        if posted and handed.ticket:
            about = {_TICKET: handed.ticket.name, _USER: wanted.user, _LANGUAGE: language}
            await self._known.note(team, posted, request, **about)
        return posted

    async def show(self, wanted: Wanted, team: Site, note: str | None) -> None:
        """Show the words that the person wants to be shown, below the note."""
        language = self._language(wanted, team)
        said = words_note(wanted.words, language, wording=self._wording())
        shown = await self._errand(team, language, note).post(said.content)
        if shown and note and (known := await self.at(team, note)):
            await self._note(replace(known, shown=shown))

    async def at(self, site: Site, message: str) -> SupportNote | None:
        """The note that this message is; None where it is none on a ticket, or the ticket was deleted."""
        noted = await self._known.noted(site, message)
        if noted is None or not noted[_TICKET]:
            return None
        return SupportNote(
            site=site,
            message=message,
            request=noted["about"],
            user=noted[_USER],
            ticket=noted[_TICKET],
            language="ja" if noted[_LANGUAGE] == "ja" else "en",
            shown=noted.get(_SHOWN, ""),
        )

    async def _note(self, note: SupportNote) -> None:
        about = {_TICKET: note.ticket, _USER: note.user, _LANGUAGE: note.language, _SHOWN: note.shown}
        await self._known.note(note.site, note.message, note.request, **about)

    async def redraw(self, note: SupportNote, ticket: Ticket, viewer: Viewer) -> None:
        """Show the ticket as it stands now. What else the note says is read anew, with the eyes of who acts and of the
        channel: what was forgotten meanwhile is no longer there."""
        wanted = await self._wanted(note, ticket, viewer)
        desk = self._tickets()
        handed = Handed(ticket=ticket, away=desk.away(), earlier=await desk.before(ticket, viewer))
        write = partial(self._errand(note.site, note.language).replace, note.message)
        try:
            await self._drawn(wanted, handed, note.request, note.site, note.language, write)
        except PlatformRefused as error:
            # Somebody deleted it, or Teams lets it be changed no more.
            log.warning("teams_note_unchanged", error=type(error).__name__)

    async def reword(self, note: SupportNote) -> None:
        """Have what stands below the note say what the message says now; of one that is gone nothing."""
        there = await self._reading.turns([note.request], _EYES, self._clock())
        await self._agreed(note, words_note(there[0].text, note.language, wording=self._wording()) if there else None)

    async def retire(self, note: SupportNote) -> None:
        """Leave nothing of the note, and of what stands below it, but that its ticket was deleted."""
        said = self._wording().tickets(note.language).deleted.format(ticket=note.ticket)
        card = card_message(elements(paragraph(said)), language=note.language, wording=self._wording())
        await _tried(self._errand(note.site, note.language).replace(note.message, card.content))
        await self._agreed(note, None)
        await self._note(replace(note, ticket="", user="", shown=""))

    async def _agreed(self, note: SupportNote, said: TeamsMessage | None) -> None:
        if not note.shown:
            return
        errand = self._errand(note.site, note.language, note.message)
        if said is not None:
            await _tried(errand.replace(note.shown, said.content))
        else:
            gone = plain_message(self._wording().tickets(note.language).asked_gone)
            await _tried(errand.remove(note.shown, gone.content))
            await self._note(replace(note, shown=""))

    async def _drawn(
        self,
        wanted: Wanted,
        handed: Handed,
        request: str,
        team: Site,
        language: LanguageCode,
        write: Callable[[Mapping[str, object]], Awaitable[Posted]],
    ) -> Posted:
        anybody, wording = self._anybody(team), self._wording()
        found = await self._reading.turns([request], anybody, self._clock())
        reader = Actor(viewer=anybody, name="", language=language)
        fix, learned = await self._begun(handed.ticket, reader) if handed.ticket else ("", NOTHING_LEARNED)
        asked = found[0] if found else None
        behind = await self._behind(asked, handed.ticket, anybody, language)
        there = found or await self._reading.turns([request], _EYES, self._clock())
        note = partial(
            wanted_note,
            wanted,
            handed,
            asked,
            language,
            self._zone,
            fix=fix,
            learned=learned,
            behind=behind,
            unshown="" if there else wording.tickets(language).asked_gone,
            wording=wording,
        )
        mention = Mention(id=wanted.user, name=wanted.name or wording.teams(language).somebody)
        try:
            return await write(note(mention=mention).content)
        except PlatformRefused:
            # As of somebody whom Teams does not let us mention there.
            return await write(note().content)

    async def _behind(
        self, asked: Turn | None, ticket: Ticket | None, anybody: Viewer, language: LanguageCode
    ) -> Sequence[str]:
        """What stands behind the request, as far as the channel may see it; nothing where it may not see the message
        itself."""
        if asked is None:
            return ()
        found = await self._background.of(asked, anybody)
        return behind_lines(found, ticket, language=language, wording=self._wording())

    async def _begun(self, ticket: Ticket, reader: Actor) -> tuple[str, Shared]:
        """With what the forms of the note begin: no more than everybody who sees the note may read."""
        desk = self._tickets()
        if ticket.state is not State.RESOLVED:
            return await desk.last_words(ticket.name, reader), NOTHING_LEARNED
        try:
            return "", await desk.learned(ticket.name, reader)
        except TicketUnknown:
            return "", NOTHING_LEARNED

    async def _wanted(self, note: SupportNote, ticket: Ticket, viewer: Viewer) -> Wanted:
        """What was wanted, from what is remembered of it."""
        now = self._clock()
        found = await self._reading.turns([note.request], viewer, now)
        said = [*found, *await self._reading.named(ticket.name, viewer, now)]
        name = next((one.speaker for one in said if one.author == note.user and one.speaker), "")
        asked: Turn | None = found[0] if found else None
        return Wanted(
            conversation=asked.conversation if asked else ticket.conversation,
            message=asked.message if asked else "",
            viewer=Viewer(user=note.user),
            language=note.language,
            name=name,
            link=permalink(asked.conversation, asked.message) if asked else None,
            said_at=asked.said_at if asked else None,
        )

    def _anybody(self, team: Site) -> Viewer:
        """Who has nothing but this channel: a private question stays private."""
        return Viewer(user="", channel=team.chat, confined=self._rules.manners(team).confined)

    def _language(self, wanted: Wanted, team: Site) -> LanguageCode:
        return self._rules.of(team).language or wanted.language

    def _errand(self, team: Site, language: LanguageCode, thread: str | None = None) -> Errand:
        place = Conversation(platform=PLATFORM, workspace=team.tenant, channel=team.chat, thread=thread or team.chat)
        return Errand(writes=self._writes, site=team, conversation=place, language=language, wording=self._wording())


async def _tried(call: Awaitable[None]) -> None:
    """What Teams lets be changed no more, somebody deleted, or will not have changed."""
    try:
        await call
    except PlatformRefused as error:
        log.warning("teams_note_unchanged", error=type(error).__name__)
