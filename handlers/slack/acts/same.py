"""Somebody says that their request is about the same as another ticket: it is closed, and they hear how that ends."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.incidents.clicks import subscription, subscription_in
from handlers.markup.parts import Span
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.names import SAME
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pieces import button, buttons, message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.acts.told_there import told_there
from handlers.slack.address import address_of, permalink
from handlers.slack.records import PLATFORM
from handlers.slack.render_blocks import Block
from handlers.slack.rules import Rules
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.endings import Endings
from handlers.tickets.records import Actor
from handlers.tickets.voice import Voice
from handlers.wordings import Wording
from memory.errors import NotAllowed, PlatformUnavailable, StepRefused, TicketMoved, TicketUnknown
from memory.lines import Lines
from memory.tickets import Ticket

log = structlog.get_logger()


def same_button(other: Ticket, request: str, language: str, wording: Wording) -> Block:
    """The button by which who asked says that the `request` (a turn's id) is about the same as the other ticket."""
    label = wording.tickets(language).same.format(ticket=other.name)
    return buttons(button(SAME, label, subscription(other.name, request)), language=language)


class SameActs:
    """Of what a button says nothing is believed: who clicks must be able to read the request and to see the other
    ticket where they clicked, and only their own request is closed by it. A repeat goes by the key of its act."""

    def __init__(
        self,
        *,
        asked: Asked,
        tickets: Callable[[], TicketDesk],
        endings: Endings,
        lines: Lines,
        voice: Voice,
        rules: Rules,
    ) -> None:
        self._asked = asked
        self._tickets = tickets
        self._endings = endings
        self._lines = lines
        self._voice = voice
        self._rules = rules

    async def clicked(self, scene: Scene) -> None:
        """Somebody clicked it. Raises StoreUnavailable and SlackClientError."""
        other, request = subscription_in(scene.acted.value or "")
        turn, key = await self._asked.turn(scene, request), scene.acted.trigger_id
        if turn is None or turn.ticket is None or key is None:
            await _say(scene, scene.words.gone)
            return
        spoken = spoken_of(turn, scene)
        words = spoken.wording.tickets(spoken.language)
        actor = Actor(viewer=scene.placed, name=scene.person.name, language=spoken.language)
        try:
            ticket = await self._tickets().seen(turn.ticket, actor)
            same = await self._endings.same(ticket, other, actor, key=key)
        except (StepRefused, TicketUnknown, TicketMoved) as error:
            log.info("slack_same_refused", error=type(error).__name__)
            await _say(scene, words.same_over.format(ticket=other))
        except NotAllowed:
            await _say(scene, words.not_agent)
        else:
            await self._told(spoken, ticket, same, actor, key)
            await self._show(ticket)

    async def _told(self, scene: Scene, ticket: Ticket, same: Ticket, actor: Actor, key: str) -> None:
        words = scene.wording.tickets(scene.language)
        said = [await self._tickets().said(ticket, actor, key=key), words.following.format(other=same.name)]
        told = message([block for line in said for block in paragraph(line)] + _link(same, scene))
        about = change_message(ticket, key)
        if not await told_there(scene.here, self._rules, ticket.conversation, ticket.requester, told, about):
            log.warning("slack_requester_untold", ticket=ticket.name)

    async def _show(self, ticket: Ticket) -> None:
        """The support team's note shows that nothing is to be done any more."""
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        now = await self._tickets().known(ticket.conversation.id, ticket.name)
        try:
            if line is not None and now is not None:
                await self._voice.show(now, line)
        except PlatformUnavailable as error:
            log.warning("slack_note_not_shown", ticket=ticket.name, error=type(error).__name__)


def _link(same: Ticket, scene: Scene) -> list[Block]:
    """Where the other ticket's conversation is, for those who may open it."""
    address = address_of(same.conversation)
    if (same.conversation.platform, address.workspace) != (PLATFORM, scene.here.workspace) or address.direct:
        return []
    return paragraph(Span(text=same.name, url=permalink(scene.here.home, address, address.thread)))


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))
