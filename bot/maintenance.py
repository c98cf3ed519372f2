"""The jobs of this application, made of the memory's upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from bot.jobs import Job
from bot.readiness import IndexState, Readiness
from config.schema import Settings
from memory.errors import EncoderUnavailable
from memory.ports import Clock, Encoder
from memory.remember.flush import Flush
from memory.remember.reports import Watcher
from memory.upkeep.consolidate import Consolidate
from memory.upkeep.reindex import Reindex
from memory.upkeep.retention import Retention
from memory.upkeep.retry import EnrichRetry

#: What was recorded in this very moment is flushed too.
_A_MOMENT = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """The memory's own maintenance, as jobs run it."""

    settings: Settings
    clock: Clock
    encoder: Encoder
    readiness: Readiness
    flush: Flush
    reindex: Reindex
    retry: EnrichRetry
    retention: Retention
    consolidate: Consolidate

    async def flush_due(self, watcher: Watcher) -> Mapping[str, int]:
        """What has been silent for the hot window."""
        return await self._flush(timedelta(seconds=-self.settings.remember.hot_window_seconds), watcher)

    async def flush_all(self, watcher: Watcher) -> Mapping[str, int]:
        """Everything that waits."""
        return await self._flush(_A_MOMENT, watcher)

    async def rebuild(self, watcher: Watcher) -> Mapping[str, int]:
        return (await self.reindex.run(watcher=watcher)).counts()

    async def retry_enrichment(self, watcher: Watcher) -> Mapping[str, int]:
        await self.readiness.check()
        return await self.retry.run()

    async def delete_expired(self, watcher: Watcher) -> Mapping[str, int]:
        return await self.retention.run()

    async def connect(self, watcher: Watcher) -> Mapping[str, int]:
        """Links are found through the index, so a missing one is rebuilt first."""
        if await self.readiness.check() is IndexState.MISSING:
            await self.rebuild(watcher)
        return await self.consolidate.run(watcher=watcher)

    async def _flush(self, shift: timedelta, watcher: Watcher) -> Mapping[str, int]:
        """A missing index is rebuilt, which flushes too."""
        if await self.readiness.check() is IndexState.MISSING:
            counts = await self.rebuild(watcher)
        else:
            counts = (await self.flush.run(idle_before=self.clock() + shift, watcher=watcher)).counts()
        # Measured now where they never were, so that the first question need not wait for it.
        with suppress(EncoderUnavailable):
            await self.encoder.centres()
        return counts


def jobs_of(upkeep: Upkeep) -> list[Job]:
    """In the order in which they are listed. What writes keys shares one lease."""
    given = upkeep.settings.jobs
    return [
        Job(
            name="flush",
            about="cut, enrich and index what was said",
            work=upkeep.flush_due,
            by_hand=upkeep.flush_all,
            lease="flush",
            lease_seconds=given.flush.lease_seconds,
            every_seconds=given.flush.every_seconds,
            enabled=given.flush.enabled,
        ),
        Job(
            name="enrich-retry",
            about="try failed enrichments again",
            work=upkeep.retry_enrichment,
            by_hand=upkeep.retry_enrichment,
            lease="flush",
            lease_seconds=given.enrich_retry.lease_seconds,
            every_seconds=given.enrich_retry.every_seconds,
            enabled=given.enrich_retry.enabled,
        ),
        Job(
            name="retention",
            about=f"delete what is older than {upkeep.settings.retention.days} days and not pinned",
            work=upkeep.delete_expired,
            by_hand=upkeep.delete_expired,
            lease="flush",
            lease_seconds=given.retention.lease_seconds,
            every_seconds=given.retention.every_seconds,
            enabled=given.retention.enabled,
        ),
        Job(
            name="consolidate",
            about="link notes, gather facts into events, let notes learn from both",
            work=upkeep.connect,
            by_hand=upkeep.connect,
            lease="flush",
            lease_seconds=given.consolidate.lease_seconds,
            every_seconds=given.consolidate.every_seconds,
            enabled=given.consolidate.enabled,
        ),
        Job(
            name="reindex",
            about="embed everything again, after another encoder or a damaged index",
            work=upkeep.rebuild,
            by_hand=upkeep.rebuild,
            lease="flush",
            lease_seconds=given.flush.lease_seconds,
        ),
    ]
