"""Acts on their way through a process: on the disk before a platform is told that they arrived, and each done once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from memory.acts import ActBox, TakenAct
from memory.errors import StoreUnavailable
from memory.ports import Clock

log = structlog.get_logger()

#: A process that died leaves its acts to others after this long. Four looks fit in.
LEASE_SECONDS = 60
#: Acts that one look takes up: as many as may wait in lanes.
_AT_ONCE = 10_000

#: Does an act; whether nothing more is to be done about it.
Deed: TypeAlias = Callable[[], Awaitable[bool]]


class TakenActs:
    """The acts of one platform. `holder` names the process and the one that takes its place: what the one before had in
    its hands is free to it at once, where others wait until the lease has run out.

    An act is taken in and comes into the hands of this process in one step, so that what has to be quick waits for
    nothing else. The process holds on to it by looking (`left`) again and again.
    """

    def __init__(self, box: ActBox, *, platform: str, holder: str, clock: Clock) -> None:
        self._box = box
        self._platform = platform
        self._holder = holder
        self._clock = clock
        self._in_hand: set[str] = set()
        # Done since the last look, which may have found them undone a moment before: in hand until the next one.
        self._ended: set[str] = set()
        # Done, and the store could not be told.
        self._untold: set[str] = set()

    async def take(self, act: TakenAct) -> bool:
        """Durable when this returns. Whether it is this process's to do; else it was delivered before. Raises
        StoreUnavailable where it could not be kept."""
        if act.id in self._in_hand:
            return False
        self._in_hand.add(act.id)
        try:
            new = await self._box.take(act, self._holder, LEASE_SECONDS)
        except BaseException:
            self._in_hand.discard(act.id)
            raise
        if not new:
            self._in_hand.discard(act.id)
        return new

    async def do(self, id: str, deed: Deed) -> None:
        """Have an act that is in hand done. One that is cut off, or still owed, is found by a later look."""
        try:
            settled = await deed()
        except Exception:
            # A fault of ours, which would be the same again.
            await self.settle(id)
            raise
        except BaseException:
            self.let_go(id)
            raise
        if settled:
            await self.settle(id)
        else:
            self.let_go(id)

    def hold(self, id: str) -> None:
        """It is in hand from now on: no look finds it."""
        self._in_hand.add(id)

    def let_go(self, id: str) -> None:
        """Nobody has it in hand: a later look finds it, here or elsewhere."""
        self._in_hand.discard(id)

    async def settle(self, id: str) -> None:
        """Nothing more is to be done about it."""
        self.hold(id)
        try:
            await self._box.done(id)
        except StoreUnavailable as error:
            log.warning("act_not_settled", platform=self._platform, error=type(error).__name__)
            self._untold.add(id)
        else:
            self._ended.add(id)

    async def left(self) -> list[TakenAct]:
        """Acts that nobody has in hand, oldest first: those of a process that died, and those that were let go. They
        are kept from others for as long as the lease, and those in hand are again. Raises StoreUnavailable."""
        for id in tuple(self._untold):
            await self._box.done(id)
            self._untold.discard(id)
            self._ended.add(id)
        now, ended = self._clock(), frozenset(self._ended)
        if moot := await self._box.drop_old(now):
            log.warning("acts_moot", platform=self._platform, acts=moot)
        held = await self._box.claim(self._platform, self._holder, now, LEASE_SECONDS, _AT_ONCE)
        left = [act for act in held if act.id not in self._in_hand]
        self._in_hand -= ended
        self._ended -= ended
        return left
