"""Retention: what is past its time is deleted with everything made from it, unless it is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from config.schema import RetentionSettings
from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.index_ports import KeyIndex
from memory.ports import Clock, Writing

_EPISODES_AT_ONCE = 200


class Retention:
    """Deletes episodes whose last turn is older than the setting."""

    def __init__(
        self, *, writing: Writing, index: KeyIndex, audit: AuditLog, settings: RetentionSettings, clock: Clock
    ) -> None:
        self._writing = writing
        self._index = index
        self._audit = audit
        self._settings = settings
        self._clock = clock

    async def run(self) -> Mapping[str, int]:
        """Counts of deleted `episodes` and `turns`."""
        before = self._clock() - timedelta(days=self._settings.days)
        episodes = turns = 0
        while expired := await self._writing.expired(before, _EPISODES_AT_ONCE):
            ids = [episode.id for episode in expired]
            # Keys first: if the process dies here, the next run still finds the words and finishes.
            await self._index.remove(ids)
            erased = await self._writing.erase(ids)
            # A page at a time: a run that dies has said what it did.
            counts = {"episodes": len(ids), "turns": erased}
            await self._audit.append(AuditEntry(kind=AuditKind.EXPIRED, at=self._clock(), counts=counts))
            turns, episodes = turns + erased, episodes + len(ids)
        return {"episodes": episodes, "turns": turns}
