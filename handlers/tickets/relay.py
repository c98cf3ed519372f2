"""Words between who asked and the support team while a person has the ticket: which go where, and what that changes.

Right before words reach who asked it is looked whether a person has the ticket (`handlers.tickets.copies`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import structlog

from handlers.claims import Claims
from handlers.earlier import CALLED
from handlers.messages import IncomingMessage
from handlers.pauses import Pauses
from handlers.tickets.changes import change_message, support_message
from handlers.tickets.copies import Copies
from handlers.tickets.desk import TicketDesk
from handlers.tickets.ends import Refusal, Told
from handlers.tickets.records import Actor
from handlers.tickets.voice import Unpassed, Voice
from memory.errors import NotAllowed, PlatformUnavailable, StepRefused, TicketMoved, TicketUnknown
from memory.lines import Copy, Line, Lines, Side
from memory.model import Conversation, Role, Turn, Viewer, Visibility, turn_id
from memory.ports import Clock
from memory.tickets import UNSETTLED, State, Step, Ticket

log = structlog.get_logger()

_AT_ONCE = 100
#: An agent's words that begin so stay in the support team.
_TEAM_ONLY = ("//", "／／")


class Relay:
    """Passes words on over the lines of one platform. Every method raises StoreUnavailable."""

    def __init__(
        self,
        *,
        lines: Lines,
        desk: Callable[[], TicketDesk],
        copies: Copies,
        claims: Claims,
        clock: Clock,
        voice: Voice,
        pauses: Pauses,
    ) -> None:
        self._lines = lines
        self._desk = desk
        self._copies = copies
        self._claims = claims
        self._clock = clock
        self._voice = voice
        self._pauses = pauses

    async def lay(self, ticket: Ticket, place: Conversation, request: str | None = None) -> None:
        """The support team talks about this ticket at this place, where the turn of this id is shown; the same again
        changes nothing."""
        line = Line(ticket=ticket.name, conversation=ticket.conversation.id, place=place, request=request)
        await self._lines.lay(line, self._clock())

    async def at(self, place: Conversation) -> Line | None:
        """The line of which this is the support team's end."""
        return await self._lines.at(place)

    async def reminders(self, platform: str) -> list[Line]:
        """The lines on which somebody is to be reminded, and may be."""
        found = await self._lines.reminders(platform, _AT_ONCE)
        return [line for line in found if self._pauses.due(_reminder(line))]

    async def addressed(self, line: Line, said: IncomingMessage) -> IncomingMessage | None:
        """What an agent said at the support team's end, as a message to who asked; None where the ticket is gone."""
        ticket = await self._ticket(line)
        if ticket is None:
            return None
        return replace(
            said,
            conversation=ticket.conversation,
            message=support_message(said.message),
            visibility=ticket.visibility,
            requester=ticket.requester,
        )

    async def requester_end(self, line: Line) -> Conversation | None:
        """Where who asked reads what is passed on."""
        ticket = await self._ticket(line)
        return ticket.conversation if ticket else None

    async def not_kept(self, line: Line, said: IncomingMessage) -> None:
        """Tell an agent that what they said cannot be kept, and so was not passed on. Raises PlatformUnavailable."""
        ticket = await self._ticket(line)
        if ticket is None or line.forgotten:
            await self._voice.gone(line, said.author, said.text, said.message)
        else:
            await self._voice.not_passed(ticket, line, said.author, Unpassed.IMPOSSIBLE, said.message)

    async def owe(self, line: Line, turn: str, side: Side) -> bool:
        """The message is to be passed on, durable when this returns. Whether that is new."""
        return await self._lines.owe(line, Copy(turn=turn, side=side, at=self._clock()))

    async def ask(self, ticket: Ticket, words: str, actor: Actor, *, key: str) -> None:
        """Ask who asked something; they read it in their conversation. Raises as `TicketDesk.ask` does."""
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        turn = turn_id(ticket.conversation, change_message(ticket, key))
        new = line is not None and await self.owe(line, turn, Side.REQUESTER)
        try:
            await self._desk().ask(ticket.name, words, actor, key=key)
        except (NotAllowed, StepRefused, TicketMoved, TicketUnknown):
            if new:
                await self._lines.drop(turn)
            raise
        if line is not None:
            await self._copies.catch_up(line)

    async def explained(self, ticket: Ticket) -> Told:
        """See to it that who asked knows that words are passed on. Raises PlatformUnavailable."""
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        if line is None or line.told_at is not None:
            return Told.BEFORE
        explained = await self._voice.explain(ticket, line)
        if explained is not Told.IMPOSSIBLE:
            await self._lines.told(line, self._clock())
        return explained

    async def to_support(self, turn: Turn) -> bool:
        """Pass on what was said in a conversation that a person has taken over. False where nobody has it any more, so
        that an answer is owed. Raises PlatformUnavailable."""
        ticket = await self._desk().taken(turn.conversation)
        if ticket is None:
            return False
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        if turn.role is not Role.REQUESTER or turn.text == CALLED:
            return True
        if line is None:
            await self._nowhere(ticket, turn)
            return True
        known = await self.explained(ticket) is Told.BEFORE and turn.said_at >= (line.told_at or turn.said_at)
        if not known and ticket.visibility is Visibility.PRIVATE:
            # They wrote this for the bot alone: from now on they know better.
            log.info("private_words_kept", ticket=ticket.name)
            await self._copies.warned(ticket, line, turn, Side.SUPPORT)
            return True
        await self.owe(line, turn.id, Side.SUPPORT)
        await self._answered(ticket, turn, line)
        await self._copies.catch_up(line)
        return True

    async def remind(self, line: Line) -> None:
        """Remind whose turn it is, unless the ticket has changed since that was decided."""
        async with self._claims.claimed(f"line {line.place.id}") as mine:
            if mine and self._pauses.settled(_reminder(line), await self._is_reminded(line)):
                await self._lines.reminded(line)

    async def _is_reminded(self, line: Line) -> bool:
        ticket = await self._ticket(line)
        try:
            if ticket is not None and ticket.changes == line.reminder and ticket.state in UNSETTLED:
                side = Side.REQUESTER if ticket.state is State.WAITING_FOR_USER else Side.SUPPORT
                await self._voice.remind(ticket, line, side)
        except PlatformUnavailable as error:
            log.warning("reminder_owed", ticket=line.ticket, error=type(error).__name__)
            return False
        return True

    async def _nowhere(self, ticket: Ticket, turn: Turn) -> None:
        """The support team has no place where it talks about this ticket. Whoever has it reads a channel, but nothing
        that is written to the bot alone."""
        log.info("words_without_line", ticket=ticket.name)
        if ticket.visibility is Visibility.PRIVATE:
            await self._voice.unreached(ticket, turn, Refusal.FOR_GOOD)

    async def _answered(self, ticket: Ticket, turn: Turn, line: Line) -> None:
        """Who was asked has said something: it is the support team's turn."""
        if ticket.state is not State.WAITING_FOR_USER or turn.author != ticket.requester:
            return
        desk = self._desk()
        actor = Actor(viewer=Viewer(user=turn.author), name=turn.speaker or "", language=desk.spoken(ticket))
        try:
            await desk.step(ticket.name, Step.USER_ANSWERED, actor, key=f"answer-{turn.message}")
        except (NotAllowed, StepRefused, TicketMoved, TicketUnknown) as error:
            log.info("answer_changed_nothing", ticket=ticket.name, error=type(error).__name__)
        now = await self._ticket(line)
        if now is not None:
            await self._voice.show(now, line)

    async def _ticket(self, line: Line) -> Ticket | None:
        return await self._desk().known(line.conversation, line.ticket)


def _reminder(line: Line) -> str:
    return f"reminder {line.place.id} {line.reminder}"


def stays_in_team(words: str) -> bool:
    """Whether an agent's words are for the support team alone."""
    return words.lstrip().startswith(_TEAM_ONLY)
