"""Somebody says that their request is about the same as another ticket: it is closed, and they hear how that ends."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.markup.parts import Kind, Part, Span
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.handover import note_of
from handlers.teams.acts.scenes import Scene
from handlers.teams.acts.support_notes import SupportNotes
from handlers.teams.address import permalink
from handlers.teams.message import card_message
from handlers.teams.names import SAME_TICKET
from handlers.teams.pieces import button, buttons, elements, paragraph
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM, Place, Site
from handlers.teams.render_runs import Element
from handlers.teams.rules import Rules
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.endings import Endings
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import NotAllowed, PlatformRefused, StepRefused, TicketMoved, TicketUnknown
from memory.model import Turn
from memory.tickets import Ticket

log = structlog.get_logger()

#: Ids have none.
_JOINT = " "


def same_button(other: Ticket, request: str, language: str, wording: Wording) -> Element:
    """The button by which who asked says that the `request` (a turn's id) is about the same as the other ticket."""
    label = wording.tickets(language).same.format(ticket=other.name)
    return buttons(button(SAME_TICKET, label, f"{other.name}{_JOINT}{request}"), language=language)


class SameActs:
    """Of what a button says nothing is believed: who clicks must be able to read the request and to see the other
    ticket where they clicked, and only their own request is closed by it. A repeat goes by the key of its act.

    `handed` notes which message the support team's note on a request is, `told` of which changes who asked has heard.
    """

    def __init__(
        self,
        *,
        asked: Asked,
        tickets: Callable[[], TicketDesk],
        endings: Endings,
        notes: SupportNotes,
        rules: Rules,
        handed: Recent,
        told: Recent,
    ) -> None:
        self._asked = asked
        self._tickets = tickets
        self._endings = endings
        self._notes = notes
        self._rules = rules
        self._handed = handed
        self._told = told

    async def clicked(self, scene: Scene) -> None:
        """Somebody clicked it. Raises StoreUnavailable and as `Writes`."""
        other, _, request = scene.acted.inputs.get("value", "").partition(_JOINT)
        turn, key = await self._asked.turn(scene, request), scene.acted.delivery
        if turn is None or turn.ticket is None or key is None:
            await scene.say(scene.words.gone)
            return
        spoken = scene.about(turn)
        words = spoken.wording.tickets(spoken.language)
        actor = Actor(viewer=scene.placed, name=scene.acted.called, language=spoken.language)
        try:
            ticket = await self._tickets().seen(turn.ticket, actor)
            same = await self._endings.same(ticket, other, actor, key=key)
        except (StepRefused, TicketUnknown, TicketMoved) as error:
            log.info("teams_same_refused", error=type(error).__name__)
            await spoken.say(words.same_over.format(ticket=other))
        except NotAllowed:
            await spoken.say(words.not_agent)
        else:
            await self._tell(spoken, ticket, same, actor, key)
            await self._show(scene, turn, ticket)

    async def _tell(self, scene: Scene, ticket: Ticket, same: Ticket, actor: Actor, key: str) -> None:
        site, about = scene.acted.site, change_message(ticket, key)
        if await self._told.about(site, about) is not None:
            return
        words = scene.wording.tickets(scene.language)
        said = [await self._tickets().said(ticket, actor, key=key), words.following.format(other=same.name)]
        links = await self._links(scene, same)
        below = [Part(kind=Kind.PARAGRAPH, spans=(Span(text=same.name, url=link),)) for link in links]
        lines = elements([*map(paragraph, said), *below])
        shown = card_message(lines, language=scene.language, allowed_links=links, wording=scene.wording)
        await scene.show(shown)
        await self._told.note(site, about, ticket.name)

    async def _links(self, scene: Scene, same: Ticket) -> list[str]:
        """Where the other ticket's first message is, for those who may open it."""
        opener = await self._asked.readable(scene, same.opened_by)
        if opener is None or opener.conversation.platform != PLATFORM:
            return []
        link = permalink(opener.conversation, opener.message)
        return [link] if link else []

    async def _show(self, scene: Scene, turn: Turn, ticket: Ticket) -> None:
        """The support team's note shows that nothing is to be done any more."""
        site, channel = scene.acted.site, self._rules.handover_channel
        message = await note_of(self._handed, site, turn)
        if channel is None or message is None:
            return
        team = Site(tenant=site.tenant, chat=channel, place=Place.CHANNEL, service=site.service)
        note = await self._notes.at(team, message)
        now = await self._tickets().known(ticket.conversation.id, ticket.name)
        if note is None or now is None:
            return
        try:
            await self._notes.redraw(note, now, scene.alone)
        except PlatformRefused as error:
            log.warning("teams_note_unchanged", error=type(error).__name__)
