"""Who follows a ticket hears once how it ended: where they wanted to, and no more than they may see there.

Whoever says that a request is about the same as somebody else's ticket follows that one; so does who asked, where an
outside tracker ends their ticket.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import structlog

from config.schema import AccessSettings
from handlers.access import viewer_of
from handlers.claims import Claims
from handlers.pauses import Pauses
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import Busy
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
        conversation how that one ends, and so does everybody who waited for this one. The other ticket. Raises as
        `TicketDesk.same` does, and Busy where its followers are just being told."""
        async with self._claims.claimed(_claim(ticket.name)) as mine:
            if not mine:
                raise Busy
            same = await self._desk().same(ticket.name, other, actor, key=key)
            await self._follow_on(ticket, same)
        await self._follow(same, ticket.requester, ticket, actor.language)
        log.info("ticket_followed", ticket=same.name)
        return same

    async def _follow_on(self, ticket: Ticket, same: Ticket) -> None:
        """Who waits for this ticket waits for the other one from now on; whose that is hears of it anyway."""
        while theirs := await self._followers.of(ticket.conversation.id, ticket.name, _AT_ONCE):
            for one in theirs:
                if (one.person, one.place) != (same.requester, same.conversation):
                    via, where = one.via or ticket.name, same.conversation.id
                    await self._followers.follow(replace(one, ticket=same.name, conversation=where, via=via))
                await self._followers.told(one)

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
        name = f"{_claim(follower.ticket)} {follower.person}"
        if not pauses.due(name):
            return False
        async with self._claims.claimed(_claim(follower.ticket)) as mine:
            if not mine:
                return False
            words, about = await self._ending(follower)
            if not pauses.settled(name, not words or await tells.tell(follower, words, about)):
                return False
            await self._followers.told(follower)
        return bool(words)

    async def _ending(self, follower: Follower) -> tuple[str, str]:
        """How it ended, as far as the follower may see that there, and by what it is known that this was said; empty
        where the ticket is gone, or open again. Another one than they know is named to those who may see it."""
        ticket = await self._desk().known(follower.conversation, follower.ticket)
        if ticket is None or ticket.state in UNSETTLED:
            return "", ""
        language: LanguageCode = "ja" if follower.language == "ja" else "en"
        words = self._wording().tickets(language)
        viewer = viewer_of(follower.person, follower.place.channel, self._access())
        seen = bool(await self._tickets.named([ticket.name], viewer))
        state = words.states[ticket.state]
        if seen and follower.via:
            standing = self._wording().standing(language)
            said = standing.ended_as_same.format(ticket=follower.via, other=ticket.name, state=state)
        else:
            said = words.ended.format(ticket=follower.via or ticket.name, state=state)
        learned = await self._learned(ticket, viewer) if seen else []
        return "\n".join([said, *learned]), f"ending {ticket.name} {ticket.changes} {follower.person}"

    async def _learned(self, ticket: Ticket, viewer: Viewer) -> list[str]:
        """What the last word on it says beside that it ended."""
        history = await self._tickets.history(ticket.name, viewer)
        told = [one.text for one in history if one.status == ticket.status]
        return told[-1].splitlines()[1:] if told else []


def _claim(ticket: str) -> str:
    """By which nobody is told of a ticket's end while it is settled whether it is one."""
    return f"ending {ticket}"
