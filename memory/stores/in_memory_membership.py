"""Who left a channel, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.membership import Circle, Move
from memory.model import Turn, Visibility
from memory.stores.in_memory_state import Memory
from memory.stores.words import storable


class InMemoryMembership:
    """The port `Membership` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def note(self, moves: Sequence[Move]) -> None:
        for move in moves:
            place = (move.platform, storable(move.channel), storable(move.member))
            known = self._memory.moves.get(place)
            if known is None or (move.at, move.gone) >= (known.at, known.gone):
                self._memory.moves[place] = move

    async def circles(self, platform: str, after: str, limit: int) -> list[Circle]:
        places = sorted({(one.conversation.channel, one.conversation.workspace) for one in self._closed(platform)})
        first = {channel: workspace for channel, workspace in reversed(places) if channel > after}
        return [Circle(workspace=first[channel], channel=channel) for channel in sorted(first)[: max(limit, 0)]]

    async def authors(self, platform: str, channel: str) -> Mapping[str, bool]:
        wrote = {one.author for one in self._closed(platform) if one.conversation.channel == channel}
        left = {who: self._memory.moves.get((platform, channel, who)) for who in wrote}
        return {who: move is not None and move.gone for who, move in left.items()}

    def _closed(self, platform: str) -> list[Turn]:
        said = (turn for turn in self._memory.said() if turn.visibility is Visibility.CHANNEL)
        return [turn for turn in said if turn.conversation.platform == platform]
