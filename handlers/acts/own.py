"""What belongs to one person: found for that person alone, and taken back when the person wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from handlers.wording_acts import ActWords
from memory.lines import Lines
from memory.model import Turn, Viewer, reply_id
from memory.personal import Kept, Personal, Request
from memory.ports import Clock, Reading
from memory.recall.profile import Profiles
from memory.remember.profiles import Profile
from memory.tickets import UNSETTLED, Ticket, TicketFilter, TicketReading
from memory.upkeep.forget import Forgotten

log = structlog.get_logger()

#: Tickets that are looked at, of which the open ones are shown first.
_REQUESTS = 100
#: How long one run of forgetting may take; the next one does the rest.
_FORGET_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What belongs to one person, as that person may see it: requests (open ones first), how much is kept, and what is
    on record under the person's name."""

    requests: Sequence[Request]
    kept: Kept
    profile: Profile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldGo:
    """What forgetting would take: so many messages, and so many open requests, imported ones among them, that would end
    by it."""

    messages: int
    requests: int = 0


class OwnRecords:
    """Looks up and forgets what is a person's own. Whoever calls has made sure that it is this person who asks."""

    def __init__(
        self,
        *,
        personal: Personal,
        tickets: TicketReading,
        lines: Lines,
        reading: Reading,
        profiles: Profiles,
        forget: Callable[[str], Awaitable[Forgotten]],
        clock: Clock,
    ) -> None:
        self._personal = personal
        self._tickets = tickets
        self._lines = lines
        self._reading = reading
        self._profiles = profiles
        self._forget = forget
        self._clock = clock

    async def of(self, viewer: Viewer, name: str) -> Own:
        """What is the viewer's; `name` is what colleagues call the person, empty where it is not known. Raises
        StoreUnavailable."""
        now = self._clock()
        requests, kept = await asyncio.gather(self._requests(viewer), self._personal.kept(viewer, now))
        profile = await self._profiles.called(name, viewer, now) if name else None
        return Own(requests=sorted(requests, key=lambda one: not one.open), kept=kept, profile=profile)

    async def _requests(self, viewer: Viewer) -> list[Request]:
        """The viewer's tickets, the one that changed last first, each as a request at the message that opened it. What
        else was asked is nobody's task: the bot answered it."""
        tickets = await self._tickets.listed(viewer, TicketFilter(requester=viewer.user), None, _REQUESTS)
        turns = await self._reading.turns([one.opened_by for one in tickets], viewer, self._clock())
        opened_by = {turn.id: turn for turn in turns}
        return [_request(one, opened_by[one.opened_by]) for one in tickets if one.opened_by in opened_by]

    async def would_go(self, user: str) -> WouldGo:
        """What forgetting would take, also what the person wrote for others and may not read again. Of requests a
        hundred at most are counted. Raises StoreUnavailable."""
        everywhere = Viewer(user=user, agent=True)
        its = TicketFilter(requester=user, open=True)
        kept, requests = await asyncio.gather(
            self._personal.kept(everywhere, self._clock()), self._tickets.listed(everywhere, its, None, _REQUESTS)
        )
        return WouldGo(messages=kept.messages, requests=sum([await self._ends(one, everywhere) for one in requests]))

    async def _ends(self, ticket: Ticket, everywhere: Viewer) -> bool:
        """Whether this ticket ends when who asked is forgotten: it is closed where the support team has a note of it,
        and is no more where nobody else said anything. Others, as imported ones with words of agents, stay open."""
        if ticket.ours and await self._lines.of_ticket(ticket.conversation.id, ticket.name):
            return True
        named = await self._reading.named(ticket.name, everywhere, self._clock())
        said = [one for one in named if one.conversation == ticket.conversation and one.ticket is not None]
        own = [one for one in said if one.author == everywhere.user]
        gone = {one.id for one in own} | {reply_id(one.conversation.id, one.message) for one in own}
        return gone.issuperset(one.id for one in said)

    async def forgotten(self, user: str, words: ActWords) -> str:
        """Take back all that this person wrote; what came of it, in words. Raises StoreUnavailable."""
        try:
            async with asyncio.timeout(_FORGET_SECONDS):
                done = await self._forget(user)
        except TimeoutError:
            log.warning("forget_unfinished")
            return words.forget_unfinished
        said = words.forgotten.format(count=done.messages) if done.messages else words.forgotten_none
        return f"{said} {words.forgotten_held}" if done.held else said


def _request(ticket: Ticket, opened_by: Turn) -> Request:
    return Request(
        conversation=ticket.conversation,
        # What is left of it may be a reply of the bot, which is nowhere by that name.
        message=None if ticket.opener_gone else opened_by.message,
        ticket=ticket.name,
        title=ticket.title,
        status=ticket.status,
        open=ticket.state in UNSETTLED,
        opened_at=ticket.opened_at,
        changed_at=ticket.changed_at,
    )
