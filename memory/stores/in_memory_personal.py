"""What belongs to one person, in memory: the twin of the SQL store."""

from __future__ import annotations

from datetime import datetime

from memory.model import Turn, Viewer
from memory.personal import Kept
from memory.scope import may_read
from memory.stores.in_memory_state import Memory
from memory.stores.words import storable


class InMemoryPersonal:
    """The port `Personal` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def kept(self, viewer: Viewer, until: datetime) -> Kept:
        said = [turn.said_at for turn in self._own(viewer) if turn.said_at <= until]
        return Kept(messages=len(said), first_at=min(said, default=None), last_at=max(said, default=None))

    async def newest(self, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        said = [turn for turn in self._own(viewer) if turn.said_at <= until]
        return sorted(said, key=lambda turn: (turn.said_at, turn.id), reverse=True)[: max(limit, 0)]

    async def wrote_in(self, viewer: Viewer, since: datetime, until: datetime, limit: int) -> list[str]:
        episodes = {kept.turn.id: kept.episode for kept in self._memory.in_time()}
        last = {
            episode: turn.said_at
            for turn in self._own(viewer)
            if since <= turn.said_at <= until and (episode := episodes[turn.id]) is not None
        }
        return sorted(sorted(last), key=last.__getitem__, reverse=True)[: max(limit, 0)]

    async def asked_open(self, viewer: Viewer, limit: int) -> list[str]:
        scopes = self._memory.scopes()
        episodes = {kept.turn.id: kept.episode for kept in self._memory.in_time()}
        changed: dict[str, datetime] = {}
        for row in self._memory.tickets():
            theirs = row.requester == storable(viewer.user) and not row.requester_gone
            if row.is_open and theirs and may_read(viewer, scopes[row.opened_by]):
                seen = [turn for turn in self._memory.said_in(row.pair) if may_read(viewer, scopes[turn.id])]
                here = {episode for turn in seen if (episode := episodes[turn.id]) is not None}
                changed |= {one: max(row.changed_at, changed.get(one, row.changed_at)) for one in here}
        return sorted(sorted(changed), key=changed.__getitem__, reverse=True)[: max(limit, 0)]

    async def written(self, viewer: Viewer, after: str | None, limit: int) -> list[Turn]:
        said = sorted(self._own(viewer), key=lambda turn: turn.id)
        return [turn for turn in said if after is None or turn.id > after][: max(limit, 0)]

    def _own(self, viewer: Viewer) -> list[Turn]:
        return [turn for turn in self._seen(viewer) if turn.author == storable(viewer.user)]

    def _seen(self, viewer: Viewer) -> list[Turn]:
        """In time order."""
        scopes = self._memory.scopes()
        return [kept.turn for kept in self._memory.in_time() if may_read(viewer, scopes[kept.turn.id])]
