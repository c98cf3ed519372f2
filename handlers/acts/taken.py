"""Acts on their way through a process: on the disk before a platform is told that they arrived, and each done once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import structlog

from handlers.lanes import Lanes
from memory.acts import ActBox, TakenAct
from memory.errors import Busy, StoreUnavailable
from memory.ports import Clock

log = structlog.get_logger()

#: A process that died leaves its acts to others after this long. Four looks fit in.
LEASE_SECONDS = 60
#: Acts that one look takes up: as many as may wait in lanes.
_AT_ONCE = 10_000

#: Does an act; whether nothing more is to be done about it.
Deed: TypeAlias = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """How an act is done: in which lane, by which deed. `same` is what another click on the same thing has in common
    with it."""

    lane: str
    same: tuple[str | None, ...]
    deed: Deed


#: How an act that is on the disk is done; None where nothing can be made of it any more.
Revive: TypeAlias = Callable[[TakenAct], Awaitable[Doing | None]]


class TakenActs:
    """The acts of one platform. `holder` names the process and the one that takes its place: what the one before had in
    its hands is free to it at once, where others wait until the lease has run out.

    An act is taken in and comes into the hands of this process in one step, so that what has to be quick waits for
    nothing else. The process holds on to it by resuming again and again.
    """

    def __init__(self, box: ActBox, lanes: Lanes, *, platform: str, holder: str, clock: Clock) -> None:
        self._box = box
        self._lanes = lanes
        self._platform = platform
        self._holder = holder
        self._clock = clock
        self._under_way: set[tuple[str | None, ...]] = set()
        self._in_hand: set[str] = set()
        # Done since the last look, which may have found them undone a moment before: in hand until the next one.
        self._ended: set[str] = set()
        # Done, and the store could not be told.
        self._untold: set[str] = set()

    async def take(self, act: TakenAct, doing: Doing) -> None:
        """Durable when this returns, done later, once however often it is delivered. Whoever clicks twice before the
        first click is done has clicked once. Raises StoreUnavailable where it could not be kept."""
        if act.id in self._in_hand or not self._begun(doing):
            return
        self._in_hand.add(act.id)
        try:
            new = await self._box.take(act, self._holder, LEASE_SECONDS)
        except BaseException:
            self._let_go(act.id, doing)
            raise
        if new:
            self._line_up(act.id, doing)
        else:
            self._let_go(act.id, doing)

    async def first(self, act: TakenAct) -> bool:
        """Whether this is delivered for the first time, to any process; nothing is left to do about it. Raises
        StoreUnavailable."""
        if not await self._box.take(act, self._holder, LEASE_SECONDS):
            return False
        await self._settle(act.id)
        return True

    def take_unkept(self, doing: Doing) -> None:
        """What is lost with the process, and no harm done. Raises Busy when too much waits."""
        if not self._begun(doing):
            return
        ended = partial(self._under_way.discard, doing.same)

        async def once() -> None:
            try:
                await doing.deed()
            finally:
                ended()

        try:
            self._lanes.put(doing.lane, once, dropped=ended)
        except Busy:
            ended()
            raise

    async def resume(self, revive: Revive) -> int:
        """Take up what nobody has in hand: what a process that died was to do, and what was let go. How many. Raises
        StoreUnavailable, and what `revive` raises."""
        left = await self._left()
        for act in left:
            doing = await revive(act)
            if doing is None:
                log.warning("act_moot", platform=self._platform, act=act.id)
                await self._settle(act.id)
            else:
                self._under_way.add(doing.same)
                self._in_hand.add(act.id)
                self._line_up(act.id, doing)
        return len(left)

    def _begun(self, doing: Doing) -> bool:
        if doing.same in self._under_way:
            log.info("act_repeated", platform=self._platform)
            return False
        self._under_way.add(doing.same)
        return True

    def _line_up(self, id: str, doing: Doing) -> None:
        try:
            self._lanes.put(doing.lane, partial(self._do, id, doing), dropped=partial(self._let_go, id, doing))
        except Busy:
            # It is on the disk: a later look finds it.
            log.warning("act_put_off", platform=self._platform)
            self._let_go(id, doing)

    async def _do(self, id: str, doing: Doing) -> None:
        """One that is cut off, or still owed, is found by a later look."""
        try:
            settled = await doing.deed()
        except Exception:
            # A fault of ours, which would be the same again.
            await self._settle(id)
            raise
        except BaseException:
            self._in_hand.discard(id)
            raise
        finally:
            self._under_way.discard(doing.same)
        if settled:
            await self._settle(id)
        else:
            self._in_hand.discard(id)

    def _let_go(self, id: str, doing: Doing) -> None:
        """Nobody has it in hand: a later look finds it, here or elsewhere."""
        self._in_hand.discard(id)
        self._under_way.discard(doing.same)

    async def _settle(self, id: str) -> None:
        """Nothing more is to be done about it."""
        self._in_hand.add(id)
        try:
            await self._box.done(id)
        except StoreUnavailable as error:
            log.warning("act_not_settled", platform=self._platform, error=type(error).__name__)
            self._untold.add(id)
        else:
            self._ended.add(id)

    async def _left(self) -> list[TakenAct]:
        """Acts that nobody has in hand, oldest first. They are kept from others for as long as the lease, and those in
        hand are again. Raises StoreUnavailable."""
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
