"""Who wants to hear how a ticket ends, in memory: the twin of the SQL store."""

from __future__ import annotations

from memory.followers import Follower
from memory.stores.in_memory_state import Memory
from memory.stores.words import name_key


class InMemoryFollowers:
    """The port `Followers` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._followers: dict[tuple[str, str, str], Follower] = {}

    async def follow(self, follower: Follower) -> bool:
        return self._followers.setdefault(_key(follower), follower) is follower

    async def owed(self, platform: str, limit: int) -> list[Follower]:
        going_on = {row.pair for row in self._memory.tickets() if row.is_open}
        ended = [
            one for key, one in self._followers.items() if key[:2] not in going_on and one.place.platform == platform
        ]
        return sorted(ended, key=lambda one: (one.at, name_key(one.ticket), one.person))[: max(limit, 0)]

    async def of(self, conversation: str, ticket: str, limit: int) -> list[Follower]:
        its = [one for key, one in self._followers.items() if key[:2] == (conversation, name_key(ticket))]
        return sorted(its, key=lambda one: (one.at, one.person))[: max(limit, 0)]

    async def told(self, follower: Follower) -> None:
        self._followers.pop(_key(follower), None)

    async def forget(self, person: str) -> None:
        self._followers = {key: one for key, one in self._followers.items() if one.person != person}


def _key(follower: Follower) -> tuple[str, str, str]:
    return follower.conversation, name_key(follower.ticket), follower.person
