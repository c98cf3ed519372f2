"""Words on their way between who asked and the support team, while a person has the ticket: attributed, in order, once.

What is to be passed on is owed before it is passed on, and each copy follows its message: other words change it, and it
goes when the message is taken back. Whatever fails for now is owed still.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from handlers.claims import Claims
from handlers.messages import IncomingMessage
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.tickets.voice import Explained, Refusal, Unpassed, Voice
from memory.errors import NotAllowed, PlatformUnavailable, StepRefused, TicketMoved, TicketUnknown
from memory.lines import Copy, Line, Lines, Side
from memory.model import Conversation, Role, Turn, Viewer, Visibility, turn_id
from memory.ports import Clock, Reading
from memory.tickets import UNSETTLED, State, Step, Ticket

log = structlog.get_logger()

#: With these eyes it is looked at what is passed on. It is shown to nobody but the two ends of the line.
_EYES = Viewer(user="", agent=True)
#: So long a copy may be owed of which there is no message yet.
_MOMENT = timedelta(minutes=2)
#: Older copies follow their messages no longer.
_LASTING = timedelta(days=30)
_AT_ONCE = 100
#: For so long it is not tried by itself to reach a team whose place is closed; new words try it at once.
_PAUSE = timedelta(minutes=3)
#: An agent's words that begin so stay in the support team.
_TEAM_ONLY = ("//", "／／")


class Relay:
    """Passes words on over the lines of one platform. Every method raises StoreUnavailable."""

    def __init__(
        self,
        *,
        lines: Lines,
        reading: Reading,
        desk: Callable[[], TicketDesk],
        withdraw: Callable[[Conversation, str], Awaitable[None]],
        claims: Claims,
        clock: Clock,
        voice: Voice,
        kinds_in: Callable[[str], Sequence[str]],
    ) -> None:
        """`kinds_in` says which kinds of secrets were taken out of words."""
        self._lines = lines
        self._reading = reading
        self._desk = desk
        self._withdraw = withdraw
        self._claims = claims
        self._clock = clock
        self._voice = voice
        self._kinds_in = kinds_in
        self._closed: dict[str, datetime] = {}

    async def lay(self, ticket: Ticket, place: Conversation) -> None:
        """The support team talks about this ticket at this place; the same again changes nothing."""
        line = Line(ticket=ticket.name, conversation=ticket.conversation.id, place=place)
        await self._lines.lay(line, self._clock())

    async def at(self, place: Conversation) -> Line | None:
        """The line of which this is the support team's end."""
        return await self._lines.at(place)

    async def waiting(self, platform: str) -> list[Line]:
        """The lines on which something is still to be done, and may be."""
        now = self._clock()
        self._closed = {place: until for place, until in self._closed.items() if until > now}
        found = await self._lines.waiting(platform, now - _LASTING, _AT_ONCE)
        return [line for line in found if line.place.id not in self._closed]

    async def reminders(self, platform: str) -> list[Line]:
        """The lines on which somebody is to be reminded."""
        return await self._lines.reminders(platform, _AT_ONCE)

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

    async def not_kept(self, line: Line, agent: str) -> None:
        """Tell an agent that what they said cannot be kept, and so was not passed on. Raises PlatformUnavailable."""
        ticket = await self._ticket(line)
        if ticket is not None:
            await self._voice.not_passed(ticket, line, agent, Unpassed.IMPOSSIBLE)

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
            await self.catch_up(line, sure=turn if new else "")

    async def explained(self, ticket: Ticket) -> Explained:
        """See to it that who asked knows that words are passed on. Raises PlatformUnavailable."""
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        if line is None or line.told_at is not None:
            return Explained.BEFORE
        explained = await self._voice.explain(ticket, line)
        if explained is not Explained.IMPOSSIBLE:
            await self._lines.told(line, self._clock())
        return explained

    async def to_support(self, turn: Turn) -> bool:
        """Pass on what was said in a conversation that a person has taken over. False where nobody has it any more, so
        that an answer is owed. Raises PlatformUnavailable."""
        ticket = await self._desk().taken(turn.conversation)
        if ticket is None:
            return False
        line = await self._lines.of_ticket(ticket.conversation.id, ticket.name)
        if line is None or turn.role is not Role.REQUESTER:
            return True
        known = await self.explained(ticket) is Explained.BEFORE and turn.said_at >= (line.told_at or turn.said_at)
        if not known and ticket.visibility is Visibility.PRIVATE:
            # They wrote this for the bot alone: from now on they know better.
            log.info("private_words_kept", ticket=ticket.name)
            await self._warned(ticket, line, turn, Side.SUPPORT)
            return True
        new = await self.owe(line, turn.id, Side.SUPPORT)
        await self._answered(ticket, turn, line)
        await self.catch_up(line, sure=turn.id if new else "")
        return True

    async def catch_up(self, line: Line, *, sure: str = "") -> None:
        """Make the copies of this line what they ought to be, in order; what fails for now is owed still. `sure` is a
        turn of which it is known that nobody has tried to pass it on before."""
        async with self._claims.claimed(f"line {line.place.id}") as mine:
            ticket = await self._ticket(line) if mine else None
            if ticket is None:
                return
            seen: set[str] = set()
            # What was owed meanwhile found this line taken, and is left to whoever has it.
            while behind := [copy for copy in await self._lines.behind(line) if copy.turn not in seen]:
                for copy in behind:
                    seen.add(copy.turn)
                    try:
                        await self._settle(ticket, line, copy, sure=copy.turn == sure)
                    except PlatformUnavailable as error:
                        log.warning("words_owed", ticket=line.ticket, error=type(error).__name__)
                        return

    async def remind(self, line: Line) -> None:
        """Remind whose turn it is, unless the ticket has changed since that was decided."""
        async with self._claims.claimed(f"line {line.place.id}") as mine:
            ticket = await self._ticket(line) if mine else None
            try:
                if ticket is not None and ticket.changes == line.reminder and ticket.state in UNSETTLED:
                    side = Side.REQUESTER if ticket.state is State.WAITING_FOR_USER else Side.SUPPORT
                    await self._voice.remind(ticket, line, side)
                if mine:
                    await self._lines.reminded(line)
            except PlatformUnavailable as error:
                log.warning("reminder_owed", ticket=line.ticket, error=type(error).__name__)

    async def _settle(self, ticket: Ticket, line: Line, copy: Copy, *, sure: bool) -> None:
        turn = await self._turn(copy.turn)
        if turn is None:
            await self._gone(ticket, line, copy)
        elif copy.message is not None:
            await self._voice.change(ticket, line, turn, copy)
            await self._warned(ticket, line, turn, copy.side)
            await self._lines.made(turn.id, copy.message, turn.revision)
        elif copy.side is Side.REQUESTER and not await self._is_taken(ticket):
            await self._refused(ticket, line, turn, Unpassed.NOBODYS)
        else:
            message = await self._voice.post(ticket, line, turn, copy.side, sure=sure)
            if not isinstance(message, Refusal):
                await self._warned(ticket, line, turn, copy.side)
                await self._lines.made(turn.id, message, turn.revision)
                log.info("words_passed_on", ticket=ticket.name, side=copy.side.value)
            elif copy.side is Side.REQUESTER:
                await self._refused(ticket, line, turn, Unpassed.IMPOSSIBLE)
            else:
                await self._unreached(ticket, line, turn, message)

    async def _gone(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        if copy.withdrawn and copy.message is not None:
            await self._voice.remove(ticket, line, copy)
        if copy.withdrawn or copy.at < self._clock() - _MOMENT:
            await self._lines.drop(copy.turn)

    async def _is_taken(self, ticket: Ticket) -> bool:
        """Its conversation may have another one that is."""
        taken = await self._desk().taken(ticket.conversation)
        return taken is not None and taken.name == ticket.name

    async def _refused(self, ticket: Ticket, line: Line, turn: Turn, why: Unpassed) -> None:
        """What nobody was told is not remembered as said."""
        await self._voice.not_passed(ticket, line, turn.author, why)
        await self._withdraw(turn.conversation, turn.message)
        await self._lines.drop(turn.id)

    async def _warned(self, ticket: Ticket, line: Line, turn: Turn, side: Side) -> None:
        """The bot gives no answer under which whoever pasted a secret would be told."""
        if kinds := self._kinds_in(turn.text):
            await self._voice.warn(ticket, line, turn, side, kinds)

    async def _unreached(self, ticket: Ticket, line: Line, turn: Turn, why: Refusal) -> None:
        """The support team cannot be reached: who wrote it is not left to wait for an answer. Raises
        PlatformUnavailable where it is owed still."""
        await self._voice.unreached(ticket, turn, why)
        if why is Refusal.FOR_NOW:
            self._closed[line.place.id] = self._clock() + _PAUSE
            raise PlatformUnavailable
        await self._lines.drop(turn.id)

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

    async def _turn(self, name: str) -> Turn | None:
        found = await self._reading.turns([name], _EYES, self._clock())
        return found[0] if found else None

    async def _ticket(self, line: Line) -> Ticket | None:
        return await self._desk().known(line.conversation, line.ticket)


def support_message(message: str) -> str:
    """The name, in the ticket's conversation, of what was said at the support team's end."""
    return f"{message}-support"


def stays_in_team(words: str) -> bool:
    """Whether an agent's words are for the support team alone."""
    return words.lstrip().startswith(_TEAM_ONLY)
