"""Retention: what is past its time is deleted with everything made from it, unless it is pinned."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import structlog

from config.schema import RetentionSettings
from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.errors import NotYet
from memory.index_ports import KeyIndex
from memory.ports import Clock, Writing

log = structlog.get_logger()

_EPISODES_AT_ONCE = 200
#: What was done less than so long ago may be dated by a clock that has just leapt. Less than the day between two looks.
_SETTLED = timedelta(hours=20)
#: A desk on which nothing is done for so long is rare.
_LATELY = timedelta(days=7)
_RECORDS = 500
_NOTHING: Mapping[str, int] = {"episodes": 0, "turns": 0}


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

    async def in_time(self) -> Mapping[str, int]:
        """As `run`, but nothing where the clock may have leapt: what is deleted too early does not come back.

        In the week before the last day something was done, or nothing was ever done at all; else this look is noted,
        and the look of the next day finds it. So a clock that is wrong has a day in which to be put right. Raises
        NotYet, which says from when it will delete, where something is past its time.
        """
        now = self._clock()
        if await self._settled(now) or not await self._audit.page(0, 1):
            return await self.run()
        log.warning("retention_waits", day=f"{now:%Y-%m-%d}")
        await self._audit.append(AuditEntry(kind=AuditKind.EXPIRED, at=now, counts=_NOTHING))
        if await self._writing.expired(self._before(), 1):
            since = await self._settles(now)
            raise NotYet(
                "Nothing is deleted yet: where nothing was done before today the clock may be wrong; "
                f"what is older than {self._settings.days} days goes from "
                f"{since.astimezone(UTC):%Y-%m-%d %H:%M} UTC on."
            )
        return _NOTHING

    async def _settles(self, now: datetime) -> datetime:
        """From when on something will have been done before the last day, if the clock stays as it is."""
        newest = await self._audit.newest(now - _SETTLED - _LATELY, _RECORDS)
        return min((record.at for record in newest if now - _SETTLED <= record.at <= now), default=now) + _SETTLED

    async def _settled(self, now: datetime) -> bool:
        """Whether anything was done in that week. Records of a clock that was put back since have later dates, and
        stand before others: so the newest are looked at one by one, and numbers compared only where there are many."""
        week = now - _SETTLED - _LATELY
        newest = await self._audit.newest(week, _RECORDS)
        if len(newest) < _RECORDS:
            return any(record.at < now - _SETTLED for record in newest)
        return await self._audit.before(now - _SETTLED) > await self._audit.before(week)

    async def run(self) -> Mapping[str, int]:
        """Counts of deleted `episodes` and `turns`."""
        before = self._before()
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

    def _before(self) -> datetime:
        return self._clock() - timedelta(days=self._settings.days)
