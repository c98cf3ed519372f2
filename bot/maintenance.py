"""The jobs of this application, made of the memory's upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.jobs import Job, Work
from bot.readiness import IndexState, Readiness
from bot.report.posting import WeeklyReport
from config.schema import JobSettings, Settings
from handlers.tickets.reminders import Reminders
from handlers.tickets.silence import Silence
from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.errors import EncoderUnavailable
from memory.index_ports import Encoder
from memory.knowledge.sync import Sync
from memory.ports import Clock
from memory.remember.flush import Flush
from memory.remember.reports import Watcher, nobody
from memory.upkeep.consolidate import Consolidate
from memory.upkeep.examine import Examine, Mend
from memory.upkeep.reindex import Reindex
from memory.upkeep.retention import Retention
from memory.upkeep.retry import EnrichRetry
from memory.upkeep.stored_secrets import RedactStored

#: What was recorded in this very moment is flushed too.
_A_MOMENT = timedelta(seconds=1)
#: How often it is looked whether the report of a week is due.
_REPORT_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """The memory's own maintenance, as jobs run it."""

    settings: Settings
    clock: Clock
    encoder: Encoder
    readiness: Readiness
    audit: AuditLog
    flush: Flush
    reindex: Reindex
    retry: EnrichRetry
    retention: Retention
    consolidate: Consolidate
    sync: Sync
    silence: Silence
    reminders: Reminders
    report: WeeklyReport
    secrets: RedactStored
    examine: Examine
    mend: Mend

    async def flush_due(self, watcher: Watcher) -> Mapping[str, int]:
        """What has been silent for the hot window."""
        return await self._flush(timedelta(seconds=-self.settings.remember.hot_window_seconds), watcher)

    async def flush_all(self, watcher: Watcher) -> Mapping[str, int]:
        """Everything that waits."""
        return await self._flush(_A_MOMENT, watcher)

    async def rebuild(self, watcher: Watcher) -> Mapping[str, int]:
        return (await self.reindex.run(watcher=watcher)).counts()

    async def retry_enrichment(self, watcher: Watcher) -> Mapping[str, int]:
        await self.readiness.prepare()
        return await self.retry.run()

    async def delete_expired(self, watcher: Watcher) -> Mapping[str, int]:
        return await self.retention.in_time()

    async def delete_expired_at_once(self, watcher: Watcher) -> Mapping[str, int]:
        """Whoever asks for it knows what day it is."""
        return await self.retention.run()

    async def connect(self, watcher: Watcher) -> Mapping[str, int]:
        """Links are found through the index, so it is made whole first."""
        await self._make_whole(watcher)
        return await self.consolidate.run(watcher=watcher)

    async def take_in_articles(self, watcher: Watcher) -> Mapping[str, int]:
        """Articles are indexed at once, and contradicted by what is found, so the index is made whole first."""
        await self._make_whole(watcher)
        counts = (await self.sync.run(watcher=watcher)).counts()
        if counts["changed"] or counts["removed"]:
            done = AuditEntry(kind=AuditKind.ARTICLES_SYNCED, at=self.clock(), counts=counts)
            await self.audit.append(done)
        return counts

    async def redact_stored(self, watcher: Watcher) -> Mapping[str, int]:
        """What was unmade is cut, noted and indexed anew at once."""
        taken_out = await self.secrets.run(watcher=watcher)
        if taken_out.episodes:
            await self.flush_all(nobody)
        return taken_out.counts()

    async def repair(self, watcher: Watcher) -> Mapping[str, int]:
        """The index is made whole first. The counts are of what was found."""
        await self._make_whole(watcher)
        found = await self.examine.run(self.mend, watcher=watcher)
        if not found.sound:
            await self.flush_all(nobody)
        return found.counts()

    async def look_after_tickets(self, watcher: Watcher) -> Mapping[str, int]:
        return {**await self.silence.end(), **await self.reminders.decide()}

    async def post_report(self, watcher: Watcher) -> Mapping[str, int]:
        return await self.report.run()

    async def post_report_now(self, watcher: Watcher) -> Mapping[str, int]:
        return await self.report.by_hand()

    async def _make_whole(self, watcher: Watcher) -> None:
        if await self.readiness.prepare() is not IndexState.READY:
            await self.flush_all(watcher)

    async def _flush(self, shift: timedelta, watcher: Watcher) -> Mapping[str, int]:
        """A missing index is rebuilt, which flushes too; a rebuild that was cut off is finished, however short ago
        anything was said."""
        state = await self.readiness.prepare()
        if state is IndexState.MISSING:
            counts = await self.rebuild(watcher)
        else:
            wait = _A_MOMENT if state is IndexState.REBUILDING else shift
            counts = (await self.flush.run(idle_before=self.clock() + wait, watcher=watcher)).counts()
        # Measured now where they never were, so that the first question need not wait for it.
        with suppress(EncoderUnavailable):
            await self.encoder.centres()
        return counts


def jobs_of(upkeep: Upkeep) -> list[Job]:
    """In the order in which they are listed. What writes keys shares one lease."""
    given, days = upkeep.settings.jobs, upkeep.settings.retention.days
    flush = _scheduled("flush", "cut, enrich and index what was said", upkeep.flush_due, given.flush)
    sync = JobSettings(every_seconds=max(10, round(60 * upkeep.settings.knowledge.sync_minutes)))
    expiring = upkeep.delete_expired, given.retention
    again = "embed everything again, after another encoder or a damaged index"
    return [
        replace(flush, by_hand=upkeep.flush_all),
        _scheduled("enrich-retry", "try failed enrichments again", upkeep.retry_enrichment, given.enrich_retry),
        replace(
            _scheduled("retention", f"delete what is older than {days} days and not pinned", *expiring),
            by_hand=upkeep.delete_expired_at_once,
        ),
        _scheduled("knowledge-sync", "take in what changed in the knowledge base", upkeep.take_in_articles, sync),
        _scheduled(
            "consolidate",
            "link notes, gather facts into events, let notes learn from both",
            upkeep.connect,
            given.consolidate,
        ),
        replace(
            _scheduled(
                "tickets", "remind of tickets, close what nobody answers", upkeep.look_after_tickets, given.tickets
            ),
            lease="tickets",
        ),
        _report(upkeep),
        replace(_scheduled("reindex", again, upkeep.rebuild, given.flush), every_seconds=None),
        replace(
            _scheduled("redact", "take secrets out of what is stored already", upkeep.redact_stored, given.flush),
            every_seconds=None,
        ),
        replace(
            _scheduled("repair", "mend what `helpdesk memory audit` finds", upkeep.repair, given.flush),
            every_seconds=None,
        ),
    ]


def _report(upkeep: Upkeep) -> Job:
    """Looked after often, so that a bot that was down at the hour is not late by much."""
    slack, teams = upkeep.settings.slack, upkeep.settings.teams
    wanted = any(one is not None and one.report_channel is not None for one in (slack, teams))
    job = _scheduled(
        "weekly-report",
        "post the report of the week",
        upkeep.post_report,
        JobSettings(enabled=wanted, every_seconds=_REPORT_SECONDS),
    )
    return replace(job, by_hand=upkeep.post_report_now, lease=job.name)


def _scheduled(name: str, about: str, work: Work, given: JobSettings) -> Job:
    return Job(
        name=name,
        about=about,
        work=work,
        by_hand=work,
        lease="flush",
        lease_seconds=given.lease_seconds,
        every_seconds=given.every_seconds,
        enabled=given.enabled,
    )
