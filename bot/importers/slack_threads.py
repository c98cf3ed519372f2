"""A message of a Slack export is one turn, whether or not it had replies when the export was made.

Slack says that a message begins a thread only from its first reply on. What an earlier export had among the talk of its
channel moves into its thread when a later one has it there, and stays there when the earlier one comes again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.importers.run import Record
from memory.model import Conversation, Turn, turn_id
from memory.ports import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The two conversations in which a message may stand: that of its channel, and the thread that it begins."""

    channel: Conversation
    thread: Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A turn as it is recorded. `left` is what is stored of it among the talk of its channel, where that has to go;
    `moves` that its thread has nothing of it yet."""

    turn: Turn
    left: Turn | None = None
    moves: bool = False


class OneTurnEach:
    """Records turns of a Slack export, each message in one place. Who dies in between leaves a message in both, and the
    next import of it takes it out of the first, as it does with what was imported twice before this was looked after.

    `places` is filled by who reads the export, by ids of turns, and emptied here. `known` finds stored turns by their
    ids, `withdraw` takes turns back.
    """

    def __init__(
        self,
        record: Record,
        *,
        places: dict[str, Places],
        known: Callable[[Sequence[str]], Awaitable[Sequence[Turn]]],
        withdraw: Callable[[*tuple[str, ...]], Awaitable[None]],
    ) -> None:
        self._record = record
        self._places = places
        self._known = known
        self._withdraw = withdraw

    async def __call__(self, turns: Sequence[Turn]) -> Recorded:
        """What became of `turns`; one that only moves is a repeat. Raises StoreUnavailable."""
        found = [(turn, self._places.pop(turn.id, None)) for turn in turns]
        ids = [turn_id(place, turn.message) for turn, both in found if both for place in (both.channel, both.thread)]
        known = {one.id: one for one in await self._known(ids)} if ids else {}
        placed = [_placed(turn, both, known) if both else _Placed(turn=turn) for turn, both in found]
        moving = [replace(one.left, conversation=one.turn.conversation) for one in placed if one.left and one.moves]
        if moving:
            # In the words of then first, so that those which it has now are a revision.
            await self._record(moving)
        recorded = await self._record([one.turn for one in placed])
        await self._withdraw(*[one.left.id for one in placed if one.left])
        return recorded


def _placed(turn: Turn, places: Places, known: Mapping[str, Turn]) -> _Placed:
    left, there = (known.get(turn_id(place, turn.message)) for place in (places.channel, places.thread))
    if turn.conversation == places.channel and there is None:
        return _Placed(turn=turn)
    return _Placed(turn=replace(turn, conversation=places.thread), left=left, moves=there is None)
