"""Requests that are about the same as an open ticket: whoever makes a ticket hears of the other one."""

from __future__ import annotations

from dataclasses import replace

import structlog

from handlers.handover import Handed, HandOver, Wanted
from memory.errors import EncoderUnavailable, IndexUnavailable, StoreUnavailable
from memory.model import Viewer
from memory.ports import Clock, Reading
from memory.recall.likeness import Likeness
from memory.tickets import UNSETTLED, Ticket, TicketReading

log = structlog.get_logger()


class Duplicates:
    """Finds open tickets about the same, with the eyes of who asks."""

    def __init__(self, *, likeness: Likeness, reading: Reading, tickets: TicketReading, clock: Clock) -> None:
        self._likeness = likeness
        self._reading = reading
        self._tickets = tickets
        self._clock = clock

    async def of(self, ticket: Ticket, viewer: Viewer) -> Ticket | None:
        """The open ticket that says most nearly the same and that the viewer may see, None where none does. Raises
        StoreUnavailable, EncoderUnavailable and IndexUnavailable."""
        now = self._clock()
        for turn in await self._reading.turns([ticket.opened_by], viewer, now):
            earlier = await self._likeness.earlier(turn, viewer, now)
            names = dict.fromkeys(one.ticket for one in earlier if one.ticket and one.ticket != ticket.name)
            known = await self._tickets.named(list(names), viewer)
            return next((one for one in known if one.state in UNSETTLED), None)
        return None


class ComparedHandOver:
    """The hook `HandOver` over another one: what came of it says which open ticket may be the same."""

    def __init__(self, hand_over: HandOver, duplicates: Duplicates) -> None:
        self._hand_over = hand_over
        self._duplicates = duplicates

    async def __call__(self, wanted: Wanted) -> Handed | None:
        """As `HandOver`. Nothing fails because others could not be compared with it."""
        handed = await self._hand_over(wanted)
        # What was added to a ticket, or is about an old one, does not say what that one is about.
        if handed is None or handed.ticket is None or handed.added or handed.back or handed.over:
            return handed
        try:
            return replace(handed, same_as=await self._duplicates.of(handed.ticket, wanted.viewer))
        except (StoreUnavailable, EncoderUnavailable, IndexUnavailable) as error:
            log.warning("duplicates_not_looked_for", error=type(error).__name__)
            return handed
