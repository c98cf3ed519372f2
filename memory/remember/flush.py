"""The flush: pending turns become episodes, notes and keys. Marking them flushed is the last step, so that a process
that dies anywhere leaves work to do again and nothing half done: every step writes the same ids when it runs twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from config.schema import RememberSettings
from memory.errors import EncoderUnavailable, ModelUnavailable, TokensSpent
from memory.index_ports import KeyIndex
from memory.model import Episode, Note
from memory.ports import Clock, Retry, Writing
from memory.remember.enricher import Enricher
from memory.remember.notes import Noted
from memory.remember.noting import Noting
from memory.remember.reports import FlushReport, Progress, Watcher, nobody
from memory.remember.segments import cut

log = structlog.get_logger()

#: Conversations taken together, so that the encoder gets full batches.
_CONVERSATIONS_AT_ONCE = 16


class Flush:
    """Cut, enrich, index, mark: run by the scheduler, by hand and after an import."""

    def __init__(
        self,
        *,
        writing: Writing,
        index: KeyIndex,
        noting: Noting,
        enricher: Enricher,
        settings: RememberSettings,
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._index = index
        self._noting = noting
        self._enricher = enricher
        self._settings = settings
        self._clock = clock

    async def run(self, *, idle_before: datetime, watcher: Watcher = nobody) -> FlushReport:
        """Flush every conversation that is due: silent since before `idle_before`, or grown past the setting.

        Raises StoreUnavailable or IndexUnavailable; what was not marked is flushed by the next run. While the encoder
        is unavailable episodes are indexed by their words and stay pending.
        """
        total, all_turns = FlushReport(), (await self._writing.counts())["pending"]
        seen: set[str] = set()
        while True:
            batch = await self._due(idle_before, seen)
            if not batch:
                await self._writing.end_rebuild()
                return total
            seen.update(batch)
            total = _sum(total, await self._flush(batch))
            waiting = (await self._writing.counts())["pending"]
            watcher(Progress(done=max(0, all_turns - waiting), total=all_turns))

    async def of(self, conversations: Sequence[str]) -> FlushReport:
        """Flush these conversations now, whether or not they are due. Raises what `run` raises."""
        total = FlushReport()
        for start in range(0, len(conversations), _CONVERSATIONS_AT_ONCE):
            total = _sum(total, await self._flush(conversations[start : start + _CONVERSATIONS_AT_ONCE]))
        return total

    async def _due(self, idle_before: datetime, seen: set[str]) -> list[str]:
        """Conversations that this run has not taken yet: one that stays pending must not keep the run alive."""
        limit = _CONVERSATIONS_AT_ONCE + len(seen)
        due = await self._writing.due(idle_before, self._settings.grown_to, limit)
        return [conversation for conversation in due if conversation not in seen][:_CONVERSATIONS_AT_ONCE]

    async def _flush(self, conversations: Sequence[str]) -> FlushReport:
        episodes = await self._cut(conversations)
        noted = await self._enrich(episodes)
        written, complete = await self._write_keys(noted)
        if complete:
            await self._writing.mark_flushed(episodes)
        return FlushReport(
            conversations=len(conversations),
            episodes=len(episodes),
            keys=written,
            postponed=sum(one.provisional for one in noted),
        )

    async def _cut(self, conversations: Sequence[str]) -> list[Episode]:
        """The keys of every recut episode go: a turn that moved or left must not be found where it no longer is. They
        go together, as each removal waits for the disk, and also where a later conversation cannot be stored."""
        found: list[Episode] = []
        stale: list[str] = []
        try:
            for conversation in conversations:
                episodes, vanished = await self._cut_one(conversation)
                found += episodes
                stale += [*vanished, *(episode.id for episode in episodes)]
        finally:
            await self._index.remove(stale)
        return found

    async def _cut_one(self, conversation: str) -> tuple[list[Episode], list[str]]:
        """The episodes of a conversation, and the ids of those that are no longer."""
        turns = await self._writing.open_run(conversation)
        episodes = cut(
            turns,
            silence=timedelta(hours=self._settings.silence_hours),
            max_tokens=self._settings.episode_tokens,
        )
        return episodes, await self._writing.store_episodes(conversation, episodes)

    async def _enrich(self, episodes: Sequence[Episode]) -> list[Noted]:
        stored = await self._writing.newest_notes([episode.id for episode in episodes])
        return await asyncio.gather(*(self._note(episode, stored.get(episode.id)) for episode in episodes))

    async def _note(self, episode: Episode, stored: Note | None) -> Noted:
        try:
            return await self._noting.note(episode, stored, self._enricher)
        except ModelUnavailable as error:
            await self._postpone(episode, error)
            return await self._noting.note_by_rule(episode, stored)

    async def _postpone(self, episode: Episode, error: ModelUnavailable) -> None:
        """The rules' note serves until a retry succeeds: the episode is searchable all the same."""
        if isinstance(error, TokensSpent):  # nobody was asked, so that is no attempt
            attempts, next_at = 0, error.renewed
        else:
            attempts, next_at = 1, self._clock() + timedelta(seconds=self._settings.enrich_backoff_seconds)
        retry = Retry(episode=episode.id, error=type(error).__name__, attempts=attempts, next_at=next_at)
        await self._writing.store_retry(retry)
        log.warning("enrichment_postponed", episode=episode.id, error=retry.error)

    async def _write_keys(self, noted: Sequence[Noted]) -> tuple[int, bool]:
        """The number of keys written, and whether they can be found by meaning too."""
        try:
            return await self._noting.write_keys(noted), True
        except EncoderUnavailable as error:
            log.warning("indexed_by_words_only", episodes=len(noted), error=type(error).__name__)
            return await self._noting.write_keys_by_words(noted), False


def _sum(one: FlushReport, other: FlushReport) -> FlushReport:
    return FlushReport(
        conversations=one.conversations + other.conversations,
        episodes=one.episodes + other.episodes,
        keys=one.keys + other.keys,
        postponed=one.postponed + other.postponed,
    )
