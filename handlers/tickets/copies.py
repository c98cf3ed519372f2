"""Copies of what was said, each at the other end of its line: attributed, in order, once.

A copy is owed before it is made, and follows its message: other words change it, and it goes when the message is taken
back. Whatever fails for now is owed still.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import structlog

from handlers.claims import Claims
from handlers.replies import leaks_in
from handlers.tickets.desk import TicketDesk
from handlers.tickets.ends import Refusal
from handlers.tickets.voice import Unpassed, Voice
from memory.errors import DeliveryUnknown, PlatformUnavailable
from memory.lines import Copy, Line, Lines, Side
from memory.model import Conversation, Turn, Viewer
from memory.ports import Clock, Reading
from memory.tickets import Ticket

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
#: Of a copy that may stand there or not nobody knows which message it is.
_UNKNOWN = ""


class Copies:
    """Makes the copies over the lines of one platform. Every method raises StoreUnavailable."""

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

    async def waiting(self, platform: str) -> list[Line]:
        """The lines on which something is still to be done, and may be."""
        now = self._clock()
        self._closed = {place: until for place, until in self._closed.items() if now < until <= now + _PAUSE}
        found = await self._lines.waiting(platform, now - _LASTING, _AT_ONCE)
        return [line for line in found if line.place.id not in self._closed]

    async def catch_up(self, line: Line) -> None:
        """Make the copies of this line what they ought to be, in order; what fails for now is owed still."""
        async with self._claims.claimed(f"line {line.place.id}") as mine:
            ticket = await self._desk().known(line.conversation, line.ticket) if mine else None
            if ticket is None:
                return
            seen: set[str] = set()
            # What was owed meanwhile found this line taken, and is left to whoever has it.
            while behind := [copy for copy in await self._lines.behind(line) if copy.turn not in seen]:
                for copy in behind:
                    seen.add(copy.turn)
                    try:
                        await self._settle(ticket, line, copy)
                    except PlatformUnavailable as error:
                        log.warning("words_owed", ticket=line.ticket, error=type(error).__name__)
                        return

    async def warned(self, ticket: Ticket, line: Line, turn: Turn, side: Side) -> None:
        """The bot gives no answer under which whoever pasted a secret would be told."""
        if leaks := leaks_in(turn.text, self._kinds_in):
            await self._voice.warn(ticket, line, turn, side, leaks)

    async def _settle(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        turn = await self._turn(copy.turn)
        if turn is None:
            await self._gone(ticket, line, copy)
        elif copy.message is not None:
            await self._voice.change(ticket, line, turn, copy)
            await self.warned(ticket, line, turn, copy.side)
            await self._lines.made(turn.id, copy.message, turn.revision)
        elif copy.side is Side.REQUESTER and line.forgotten:
            await self._voice.gone(line, turn.author, turn.text, turn.id)
            await self._unsaid(turn)
        elif copy.side is Side.REQUESTER and not await self._is_taken(ticket):
            await self._refused(ticket, line, turn, Unpassed.NOBODYS)
        else:
            await self._pass_on(ticket, line, turn, copy)

    async def _pass_on(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> None:
        message = await self._posted(ticket, line, turn, copy)
        if message is Refusal.UNSURE:
            await self._unsure(ticket, line, turn, copy.side)
        elif not isinstance(message, Refusal):
            await self.warned(ticket, line, turn, copy.side)
            await self._lines.made(turn.id, message, turn.revision)
            log.info("words_passed_on", ticket=ticket.name, side=copy.side.value)
        elif copy.side is Side.REQUESTER:
            await self._refused(ticket, line, turn, Unpassed.IMPOSSIBLE)
        else:
            await self._unreached(ticket, line, turn, message)

    async def _posted(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> str | Refusal:
        """That it is tried is noted before: whoever comes after a process that died must know."""
        if not copy.begun:
            await self._lines.begin(turn.id)
        try:
            message = await self._voice.post(ticket, line, turn, copy.side, sure=not copy.begun)
        except DeliveryUnknown:
            raise
        except PlatformUnavailable:
            await self._lines.undo(turn.id)
            raise
        if message is Refusal.FOR_NOW:
            await self._lines.undo(turn.id)
        return message

    async def _unsure(self, ticket: Ticket, line: Line, turn: Turn, side: Side) -> None:
        """It may stand there: it is not said twice, and who wrote it can see to it."""
        if side is Side.SUPPORT:
            await self._voice.unreached(ticket, turn, Refusal.UNSURE)
        else:
            await self._voice.not_passed(ticket, line, turn.author, Unpassed.UNSURE, turn.id)
        await self._lines.made(turn.id, _UNKNOWN, turn.revision)
        log.warning("words_unconfirmed", ticket=ticket.name, side=side.value)

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
        await self._voice.not_passed(ticket, line, turn.author, why, turn.id)
        await self._unsaid(turn)

    async def _unsaid(self, turn: Turn) -> None:
        """What nobody was told is not remembered as said."""
        await self._withdraw(turn.conversation, turn.message)
        await self._lines.drop(turn.id)

    async def _unreached(self, ticket: Ticket, line: Line, turn: Turn, why: Refusal) -> None:
        """The support team cannot be reached: who wrote it is not left to wait for an answer. Raises
        PlatformUnavailable where it is owed still."""
        await self._voice.unreached(ticket, turn, why)
        if why is Refusal.FOR_NOW:
            self._closed[line.place.id] = self._clock() + _PAUSE
            raise PlatformUnavailable
        await self._lines.drop(turn.id)

    async def _turn(self, name: str) -> Turn | None:
        found = await self._reading.turns([name], _EYES, self._clock())
        return found[0] if found else None
