"""Resolved tickets that come back: who asked says that theirs is not solved, or asks for a person about it again."""

from __future__ import annotations

from datetime import UTC

import structlog

from handlers.acts.aside_replies import unhelped_reply
from handlers.acts.still import says_still
from handlers.acts.unhelped import is_unhelped
from handlers.earlier import said_before
from handlers.handover import Handed
from handlers.messages import OutgoingReply, plainly
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.tickets.requests import told
from handlers.wordings import Wording
from memory.errors import NotAllowed, StepRefused, TicketMoved, TicketUnknown
from memory.lines import Copy, Line, Lines, Side
from memory.model import Turn, Viewer, Visibility, turn_id
from memory.ports import Clock, Reading
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, State, Ticket

log = structlog.get_logger()


class Comebacks:
    """Opens resolved tickets again. That the support team is to be told is durable with it: the change itself is passed
    on to the thread of the note. Every method raises StoreUnavailable."""

    def __init__(self, *, desk: TicketDesk, reading: Reading, lines: Lines, clock: Clock, wording: Wording) -> None:
        self._desk = desk
        self._reading = reading
        self._lines = lines
        self._clock = clock
        self._wording = wording

    async def would(self, message: Turn, viewer: Viewer) -> Ticket | None:
        """The ticket that comes back where the viewer asks for a person about this message; None where none does."""
        ticket = await self._about(message, viewer)
        return ticket if ticket is not None and _returns(ticket, viewer) else None

    async def wanted(self, turn: str, actor: Actor) -> Ticket | None:
        """The settled ticket of ours that somebody asks for a person about with this message: open again, unless it is
        closed or somebody else's; None where the request is about no such one. Raises TicketUnknown where there is no
        such message to see."""
        message = await self._desk.message(turn, actor)
        ticket = await self._about(message, actor.viewer)
        if ticket is None or not _returns(ticket, actor.viewer):
            return ticket
        return await self._back(ticket, actor) or await self._about(message, actor.viewer)

    async def said(self, turn: Turn, viewer: Viewer, language: LanguageCode) -> OutgoingReply | None:
        """What is said to who wrote that their ticket, which was resolved, is not solved: it is open again, or has come
        back already. None where they said anything else, or of something else."""
        ticket = await self._unsolved(turn, viewer) if is_unhelped(turn.text) else None
        if ticket is not None and ticket.state is State.REOPENED:
            return unhelped_reply(turn.id, ticket.name, language, contact="", wording=self._wording)
        actor = Actor(viewer=viewer, name=turn.speaker or "", language=language)
        back = await self._back(ticket, actor, turn) if ticket else None
        if back is None:
            return None
        handed = Handed(ticket=back, away=self._desk.away(), back=True)
        words = self._wording.comebacks(language).came_back
        zone = turn.said_at.tzinfo or UTC
        return plainly(told(words, handed, language=language, zone=zone, wording=self._wording), language)

    async def _unsolved(self, turn: Turn, viewer: Viewer) -> Ticket | None:
        """What did not help is how their last ticket there was resolved, unless something else was asked since."""
        here = await self._desk.opened_in(turn.conversation, viewer)
        ticket = here[-1] if here and here[-1].requester == turn.author else None
        if ticket is None or ticket.state not in (State.RESOLVED, State.REOPENED):
            return None
        asked = (await said_before(turn, self._reading, viewer, self._clock())).asked
        return ticket if asked is None or asked.ticket == ticket.name else None

    async def _about(self, message: Turn, viewer: Viewer) -> Ticket | None:
        """The settled ticket that a message belongs to, or that its author says is not solved; None where another one
        is under way there, to which it is added."""
        here = await self._desk.opened_in(message.conversation, viewer)
        if any(one.state in UNSETTLED for one in here):
            return None
        said_in = next((one for one in here if one.name == message.ticket), None)
        if said_in is not None or not here or not says_still(message.text):
            return said_in
        return here[-1] if here[-1].state is State.RESOLVED and here[-1].requester == message.author else None

    async def _back(self, ticket: Ticket, actor: Actor, *said: Turn) -> Ticket | None:
        """It is open again, and what was `said` goes to the team where that may read it; None where somebody else
        changed it just now. The change is owed to the thread of the note before it is made."""
        key = f"again-{ticket.changes}"
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        change = turn_id(ticket.conversation, change_message(ticket, key))
        public = () if ticket.visibility is Visibility.PRIVATE else said
        owed = [one for one in (*(turn.id for turn in public), change) if line and await self._owe(line, one)]
        try:
            back = await self._desk.reopen(ticket, actor, key=key)
        except (NotAllowed, StepRefused, TicketMoved, TicketUnknown) as error:
            for one in owed:
                await self._lines.drop(one)
            log.info("ticket_not_reopened", error=type(error).__name__)
            return None
        log.info("ticket_came_back", ticket=ticket.name)
        return back

    async def _owe(self, line: Line, turn: str) -> bool:
        return await self._lines.owe(line, Copy(turn=turn, side=Side.SUPPORT, at=self._clock()))


def _returns(ticket: Ticket, viewer: Viewer) -> bool:
    """Whether it comes back where the viewer wants it to."""
    return ticket.state is State.RESOLVED and (viewer.agent or viewer.user == ticket.requester)
