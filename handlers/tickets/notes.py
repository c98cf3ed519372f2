"""The notes to the support team go with what they show: the words of a request that was edited or taken back, the state
of its ticket, and requests that are deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from handlers.claims import Claims
from handlers.pauses import Pauses
from handlers.tickets.desk import TicketDesk
from handlers.tickets.ends import Ends
from handlers.tickets.voice import Voice
from memory.errors import PlatformUnavailable
from memory.lines import Line, Lines
from memory.model import Conversation
from memory.tickets import UNSETTLED, Ticket

log = structlog.get_logger()

_AT_ONCE = 100


class Notes:
    """Brings notes up to date over the lines of one platform. That one is not is durable with what made it so: whatever
    fails for now is owed still."""

    def __init__(
        self,
        *,
        lines: Lines,
        desk: Callable[[], TicketDesk],
        ends: Ends,
        claims: Claims,
        voice: Voice,
        close: Callable[[Ticket], Awaitable[None]],
        pauses: Pauses,
        watch: Callable[[Line], Awaitable[None]],
    ) -> None:
        """`close` ends a ticket of which agents' words are left when who asked is forgotten. `watch` sees to it that a
        note is stale when anything changes that it shows; it comes before the note is drawn."""
        self._lines = lines
        self._desk = desk
        self._ends = ends
        self._claims = claims
        self._voice = voice
        self._close = close
        self._pauses = pauses
        self._watch = watch

    async def watched(self, place: Conversation) -> None:
        """What the note at this place shows is followed from now on. Raises StoreUnavailable."""
        if (line := await self._lines.at(place)) is not None:
            await self._watch(line)

    async def stale(self, platform: str) -> list[Line]:
        """The lines whose notes are not what they ought to be, and that may be tried. Raises StoreUnavailable."""
        found = await self._lines.stale(platform, _AT_ONCE)
        return [line for line in found if self._pauses.due(_name(line))]

    async def shown(self, ticket: Ticket, place: Conversation, show: Callable[[], Awaitable[None]]) -> None:
        """Have `show` bring the note at this place up to date, and see to all other notes on the ticket: those that
        cannot be just now are owed. Raises StoreUnavailable, and what `show` raises."""
        line = await self._lines.at(place)
        if line is not None:
            await self._watch(line)
        await show()
        if line is not None:
            await self._lines.drawn(line)
        await self.bring(ticket, place.platform)

    async def bring(self, ticket: Ticket, platform: str) -> None:
        """Bring all notes on this ticket up to date; those that cannot be just now are owed. Raises
        StoreUnavailable."""
        for other in await self.stale(platform):
            if (other.conversation, other.ticket) == (ticket.conversation.id, ticket.name):
                await self.follow(other)

    async def follow(self, line: Line) -> None:
        """Bring the note of this line up to date. Raises StoreUnavailable."""
        async with self._claims.claimed(f"note {line.place.id}") as mine:
            if not mine:
                return
            if self._pauses.settled(_name(line), await self._done(line)):
                await self._lines.drawn(line)

    async def _done(self, line: Line) -> bool:
        try:
            await self._shown(line)
        except PlatformUnavailable as error:
            log.warning("note_owed", ticket=line.ticket, error=type(error).__name__)
            return False
        return True

    async def _shown(self, line: Line) -> None:
        ticket = await self._desk().known(line.conversation, line.ticket)
        if ticket is not None and not line.forgotten:
            await self._watch(line)
            await self._ends.reword(ticket, line)
            return
        await self._lines.shows(line, ())
        await self._ends.retire(line)
        if ticket is not None and ticket.state in UNSETTLED:
            # Others asked here as well, and would wait for somebody.
            if other := await self._desk().said_by_others(ticket):
                await self._voice.ended(ticket, other)
            await self._close(ticket)


def _name(line: Line) -> str:
    """What has `changed` since is tried at once."""
    return f"note {line.place.id} {line.changed}"
