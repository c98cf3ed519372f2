"""The order of a thread where a reply could not be brought: nothing that was said later is answered before it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta

from memory.mailbox import Mailbox
from memory.model import Turn
from memory.ports import Clock

#: Threads of which it is known that a reply is owed.
_KEPT = 1000


class Owed:
    """Knows the first reply that each thread waits for. The next round, which takes up all that is owed, begins with
    it; what comes in between waits for that round, and no longer than `seconds` since the first one failed."""

    def __init__(self, mailbox: Mailbox, seconds: Callable[[], float], clock: Clock) -> None:
        self._mailbox = mailbox
        self._seconds = seconds
        self._clock = clock
        self._first: OrderedDict[str, tuple[Turn, datetime]] = OrderedDict()

    async def before(self, turn: Turn) -> bool:
        """Whether a reply to an earlier message of the thread is owed. Raises StoreUnavailable."""
        first, since = self._first.get(turn.conversation.id, (turn, self._clock()))
        if first.said_at >= turn.said_at:
            return False
        late = self._clock() - since > timedelta(seconds=self._seconds())
        if late or not await self._mailbox.waits(first.id):
            del self._first[turn.conversation.id]
            return False
        return True

    def note(self, turn: Turn, *, owed: bool) -> None:
        """What came of bringing the reply to this turn."""
        place = turn.conversation.id
        known = self._first.get(place)
        if known is not None and known[0].id == turn.id:
            if not owed:
                del self._first[place]
        elif owed and (known is None or turn.said_at < known[0].said_at):
            self._first[place] = (turn, self._clock())
            while len(self._first) > _KEPT:
                self._first.popitem(last=False)
