"""Turns in the lanes of their conversations: one piece of work a turn, however often it is told while that waits."""

from __future__ import annotations

from functools import partial

from handlers.lanes import Lanes, Work
from memory.model import Turn


class TurnLanes:
    """What is being done, or waits to be done, for received turns: what was said first comes first."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._taken: set[str] = set()

    def holds(self, turn: str) -> bool:
        """Whether the turn of this id is being worked on, or will be."""
        return turn in self._taken

    def put(self, turn: Turn, work: Work) -> None:
        """Do this in its turn in the conversation's lane; nothing where the turn is held already. Raises Busy."""
        if self.holds(turn.id):
            return

        let_go = partial(self._taken.discard, turn.id)

        async def once() -> None:
            try:
                await work()
            finally:
                let_go()

        # A turn that is held though nobody works on it would be passed over for good.
        self._lanes.put(turn.conversation.id, once, turn.said_at.timestamp(), dropped=let_go)
        self._taken.add(turn.id)
