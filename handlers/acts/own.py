"""What belongs to one person: found for that person alone, and taken back when the person wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from handlers.wording_acts import ActWords
from memory.model import Viewer
from memory.personal import Kept, Personal, Request
from memory.ports import Clock
from memory.recall.profile import Profiles
from memory.remember.profiles import Profile
from memory.upkeep.forget import Forgotten

log = structlog.get_logger()

#: Requests that are looked at, of which the open ones are shown first.
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


class OwnRecords:
    """Looks up and forgets what is a person's own. Whoever calls has made sure that it is this person who asks."""

    def __init__(
        self,
        *,
        personal: Personal,
        profiles: Profiles,
        forget: Callable[[str], Awaitable[Forgotten]],
        clock: Clock,
    ) -> None:
        self._personal = personal
        self._profiles = profiles
        self._forget = forget
        self._clock = clock

    async def of(self, viewer: Viewer, name: str) -> Own:
        """What is the viewer's; `name` is what colleagues call the person, empty where it is not known. Raises
        StoreUnavailable."""
        now = self._clock()
        requests, kept = await asyncio.gather(
            self._personal.requests(viewer, now, _REQUESTS), self._personal.kept(viewer, now)
        )
        profile = await self._profiles.called(name, viewer, now) if name else None
        return Own(requests=sorted(requests, key=lambda one: not one.open), kept=kept, profile=profile)

    async def would_go(self, user: str) -> int:
        """How many messages forgetting would take, also those that the person wrote for others and may not read again.
        Raises StoreUnavailable."""
        return (await self._personal.kept(Viewer(user=user, agent=True), self._clock())).messages

    async def forgotten(self, user: str, words: ActWords) -> str:
        """Take back all that this person wrote; what came of it, in words. Raises StoreUnavailable."""
        try:
            async with asyncio.timeout(_FORGET_SECONDS):
                done = await self._forget(user)
        except TimeoutError:
            log.warning("forget_unfinished")
            return words.forget_unfinished
        return words.forgotten.format(count=done.messages) if done.messages else words.forgotten_none
