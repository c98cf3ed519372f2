"""The port of followers: who wants to hear how somebody else's ticket ends, and where. No words are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import Conversation, require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Follower:
    """Somebody who is to hear at `place`, in `language`, how a ticket ends. `conversation` is the id of that of the
    ticket. `via` is the ticket that they said they wait for, where that one was closed as being about the same; ""
    where it is this one."""

    ticket: str
    conversation: str
    person: str
    place: Conversation
    language: str
    at: datetime
    via: str = ""

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


class Followers(Protocol):
    """Keeps followers. Raises StoreUnavailable."""

    async def follow(self, follower: Follower) -> bool:
        """Durable when this returns. Whether this person follows the ticket only from now on: who does again stays
        where the first time was."""
        ...

    async def owed(self, platform: str, limit: int) -> list[Follower]:
        """Up to `limit` followers on this platform whose ticket is settled, or no longer there; the oldest first."""
        ...

    async def of(self, conversation: str, ticket: str, limit: int) -> list[Follower]:
        """Up to `limit` followers of this ticket, on any platform; the oldest first."""
        ...

    async def told(self, follower: Follower) -> None:
        """This follower heard of it, or will not: nothing is kept."""
        ...

    async def forget(self, person: str) -> None:
        """Nothing is kept of what this person wanted to hear."""
        ...
