"""Turns in the lanes of their conversations: one piece of work a turn, however often it is told while that waits, in
the order of the conversation, whichever of several processes answers."""

from __future__ import annotations

from collections import deque
from functools import partial

from handlers.claims import Claims
from handlers.lanes import Lanes, Work
from memory.mailbox import Mailbox
from memory.model import Turn

#: How often it is looked whether what was said before is answered, and for how long: longer than the claim of a process
#: that died lasts, with a round that takes up what it owed.
_LOOK_SECONDS, _LOOKS = 0.5, 180
#: Turns that were worked on here last.
_KNOWN = 1000
#: Turns that one look asks about; a conversation that owes more waits for them all the same.
_OWED = 20


class TurnLanes:
    """What is being done, or waits to be done, for received turns: what was said first comes first."""

    def __init__(self, lanes: Lanes, mailbox: Mailbox, claims: Claims) -> None:
        self._lanes = lanes
        self._mailbox = mailbox
        self._claims = claims
        self._taken: set[str] = set()
        self._tried: deque[str] = deque(maxlen=_KNOWN)

    def holds(self, turn: str) -> bool:
        """Whether the turn of this id is being worked on, or will be."""
        return turn in self._taken

    def put(self, turn: Turn, work: Work) -> None:
        """Do this in its turn in the conversation's lane; nothing where the turn is held already. Raises Busy."""
        if self.holds(turn.id):
            return
        # A turn that is held though nobody works on it would be passed over for good.
        self._line_up(turn, work, _LOOKS)
        self._taken.add(turn.id)

    def _line_up(self, turn: Turn, work: Work, looks: int) -> None:
        let_go = partial(self._taken.discard, turn.id)
        self._lanes.put(
            turn.conversation.id, partial(self._once, turn, work, looks), turn.said_at.timestamp(), dropped=let_go
        )

    async def _once(self, turn: Turn, work: Work, looks: int) -> None:
        again = False
        try:
            if looks and await self._comes_later(turn):
                again = await self._waited(turn, work, looks - 1)
            else:
                self._tried.append(turn.id)
                await work()
        finally:
            if not again:
                self._taken.discard(turn.id)

    async def _waited(self, turn: Turn, work: Work, looks: int) -> bool:
        """Whether the turn stands in its lane again, behind what is taken up meanwhile. Where the lanes are to end it
        is owed still."""
        self._lanes.leave(turn.conversation.id)
        if waited := await self._lanes.pause(_LOOK_SECONDS):
            self._line_up(turn, work, looks)
        return waited

    async def _comes_later(self, turn: Turn) -> bool:
        """Whether another process is to answer something first that was said before. What could not be answered here
        keeps nobody waiting, unless another process is at it."""
        for earlier in await self._mailbox.owed_before(turn, _OWED):
            if earlier not in self._tried or await self._claims.elsewhere(earlier):
                return True
        return False
