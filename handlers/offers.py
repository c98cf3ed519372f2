"""What is said with a reply of the way to a person: of what a ticket would be made, or that one is under way there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

from handlers.acts.matters import is_matter
from handlers.called import is_call, stands_for
from handlers.files import without_files
from handlers.messages import OutgoingReply
from handlers.wordings import Wording
from memory.answers import AnswerKind
from memory.model import Conversation, Turn, Viewer
from memory.ports import Reading
from memory.tickets import Ticket

#: The ticket that is under way in a conversation, as somebody sees it. Raises StoreUnavailable.
UnderWay: TypeAlias = Callable[[Conversation, Viewer], Awaitable[Ticket | None]]


#: The ticket that comes back where somebody asks for a person about a message. Raises StoreUnavailable.
Returning: TypeAlias = Callable[[Turn, Viewer], Awaitable[Ticket | None]]


class Offers:
    """Sees to it that nobody is promised a ticket that is not made."""

    def __init__(self, *, reading: Reading, under_way: UnderWay, returning: Returning, wording: Wording) -> None:
        self._reading = reading
        self._returning = returning
        self._under_way = under_way
        self._wording = wording

    async def told(self, reply: OutgoingReply, turn: Turn, viewer: Viewer) -> OutgoingReply:
        """The reply to a turn with what a click for a person would lead to. Raises StoreUnavailable."""
        if reply.answer is None and not reply.to_person:
            return reply
        ticket = await self._under_way(turn.conversation, viewer)
        if ticket is None and (back := await self._back(reply, turn, viewer)) is not None:
            said = self._wording.comebacks(reply.language).would_come_back.format(ticket=back.name)
            return replace(reply, notes=(*reply.notes, said))
        if ticket is None or ticket.opened_by in (turn.id, reply.about):
            return replace(reply, matter=await self._matter(turn, viewer))
        return self._beside(reply, turn, ticket)

    def _beside(self, reply: OutgoingReply, turn: Turn, ticket: Ticket) -> OutgoingReply:
        """A click adds to that ticket. Who made it is told where else a new one would be offered."""
        words, own = self._wording.tickets(reply.language), ticket.requester == turn.author
        if own and (reply.answer is None or reply.answer.kind is not AnswerKind.ABSTAINED):
            return reply
        said = (words.under_way if own else words.under_way_others).format(ticket=ticket.name)
        return replace(reply, notes=(*reply.notes, said))

    async def _back(self, reply: OutgoingReply, turn: Turn, viewer: Viewer) -> Ticket | None:
        """The ticket that a click brings back: it is asked about the message that the reply is about."""
        about = turn.id if reply.about is None else reply.about
        said = [turn] if about == turn.id else await self._reading.turns([about], viewer, turn.said_at)
        return await self._returning(said[0], viewer) if said else None

    async def _matter(self, turn: Turn, viewer: Viewer) -> str:
        """Words on which a person could work; empty where there are none."""
        words = without_files((await stands_for(turn, self._reading, viewer)).text)
        return words if is_matter(words) and not is_call(words) else ""
