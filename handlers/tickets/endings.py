"""Who follows a ticket hears once how it ended: where they wanted to, and no more than they may see there.

Whoever says that a request is about the same as somebody else's ticket follows that one; so does who asked, where an
outside tracker ends their ticket.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import structlog

from config.schema import AccessSettings
from handlers.access import viewer_of
from handlers.claims import Claims
from handlers.pauses import Pauses
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import TicketUnknown
from memory.followers import Follower, Followers
from memory.model import Viewer
from memory.ports import Clock
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, Ticket, TicketReading

log = structlog.get_logger()

_AT_ONCE = 20


class Tells(Protocol):
    """How a platform tells who follows a ticket."""

    async def tell(self, follower: Follower, words: str, about: str) -> bool:
        """Say it where the follower wants to hear it, once for what it is `about`. Whether nothing is left to do: it
        was said, or never can be. Raises StoreUnavailable."""
        ...


class Endings:
    """Keeps who follows what, and tells them. Every method raises StoreUnavailable."""

    def __init__(
        self,
        *,
        followers: Followers,
        tickets: TicketReading,
        desk: Callable[[], TicketDesk],
        access: Callable[[], AccessSettings],
        claims: Claims,
        clock: Clock,
        wording: Callable[[], Wording],
    ) -> None:
        self._followers = followers
        self._tickets = tickets
        self._desk = desk
        self._access = access
        self._claims = claims
        self._clock = clock
        self._wording = wording

    async def same(self, ticket: Ticket, other: str, actor: Actor, *, key: str) -> Ticket:
        """Close a ticket, which is about the same as another one that the actor may see; who made it hears in its
        conversation how that one ends. The other ticket. Raises as `TicketDesk.same` does."""
        same = await self._desk().same(ticket.name, other, actor, key=key)
        await self._follow(same, ticket.requester, ticket, actor.language)
        log.info("ticket_followed", ticket=same.name)
        return same

    async def tell_requester(self, ticket: Ticket) -> None:
        """Who asked is to hear in the ticket's own conversation that it ended."""
        await self._follow(ticket, ticket.requester, ticket, self._desk().spoken(ticket))

    async def _follow(self, ticket: Ticket, person: str, at: Ticket, language: LanguageCode) -> None:
        follower = Follower(
            ticket=ticket.name,
            conversation=ticket.conversation.id,
            person=person,
            place=at.conversation,
            language=language,
            at=self._clock(),
        )
        await self._followers.follow(follower)

    async def go(self, platform: str, tells: Tells, pauses: Pauses) -> int:
        """Tell those on this platform whose ticket has ended; how many. What the platform refuses for now is tried in
        a later round."""
        return sum([await self._hears(one, tells, pauses) for one in await self._followers.owed(platform, _AT_ONCE)])

    async def _hears(self, follower: Follower, tells: Tells, pauses: Pauses) -> bool:
        name = f"ending {follower.ticket} {follower.person}"
        if not pauses.due(name):
            return False
        async with self._claims.claimed(name) as mine:
            if not mine:
                return False
            words, about = await self._ending(follower)
            if not pauses.settled(name, not words or await tells.tell(follower, words, about)):
                return False
            await self._followers.told(follower)
        return bool(words)

    async def _ending(self, follower: Follower) -> tuple[str, str]:
        """How it ended, as far as the follower may see that there, and by what it is known that this was said; empty
        where the ticket is gone, or open again."""
        ticket = await self._desk().known(follower.conversation, follower.ticket)
        if ticket is None or ticket.state in UNSETTLED:
            return "", ""
        language: LanguageCode = "ja" if follower.language == "ja" else "en"
        words = self._wording().tickets(language)
        said = words.ended.format(ticket=ticket.name, state=words.states[ticket.state])
        learned = await self._learned(ticket, follower, language)
        return "\n".join([said, *learned]), f"ending {ticket.name} {ticket.changes} {follower.person}"

    async def _learned(self, ticket: Ticket, follower: Follower, language: LanguageCode) -> list[str]:
        """What the last word on it says beside that it ended."""
        viewer: Viewer = viewer_of(follower.person, follower.place.channel, self._access())
        try:
            actor = Actor(viewer=viewer, name="", language=language)
            seen = await self._desk().seen(ticket.name, actor)
        except TicketUnknown:
            return []
        history = await self._tickets.history(seen.name, viewer)
        told = [one.text for one in history if one.status == ticket.status]
        return told[-1].splitlines()[1:] if told else []
