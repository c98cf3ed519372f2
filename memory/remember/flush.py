"""The flush: pending turns become episodes, notes and keys. Marking them flushed is the last step, so that a process
that dies anywhere leaves work to do again and nothing half done: every step writes the same ids when it runs twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from config.schema import RememberSettings
from memory.errors import EncoderUnavailable, ModelUnavailable
from memory.model import Episode, Note
from memory.ports import Clock, Encoder, KeyIndex, Retry, Writing
from memory.remember.enricher import Enricher
from memory.remember.keys import keys_of
from memory.remember.notes import note_of
from memory.remember.reports import FlushReport, Progress, Watcher, nobody
from memory.remember.rules import RuleEnricher
from memory.remember.segments import cut

log = structlog.get_logger()

#: Conversations taken together, so that the encoder gets full batches.
_CONVERSATIONS_AT_ONCE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """An episode with the note its keys are made from."""

    episode: Episode
    note: Note
    postponed: bool = False


class Flush:
    """Cut, enrich, index, mark: run by the scheduler, by hand and after an import."""

    def __init__(
        self,
        *,
        writing: Writing,
        index: KeyIndex,
        encoder: Encoder,
        enricher: Enricher,
        settings: RememberSettings,
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._index = index
        self._encoder = encoder
        self._enricher = enricher
        self._settings = settings
        self._clock = clock
        self._rules = RuleEnricher()

    async def run(self, *, idle_before: datetime, watcher: Watcher = nobody) -> FlushReport:
        """Flush every conversation that is due: silent since before `idle_before`, or grown past the setting.

        Raises StoreUnavailable or IndexUnavailable; what was not marked is flushed by the next run. While the encoder
        is unavailable episodes are indexed by their words and stay pending.
        """
        total = FlushReport()
        seen: set[str] = set()
        while True:
            batch = await self._due(idle_before, seen)
            if not batch:
                return total
            seen.update(batch)
            total = _sum(total, await self._flush(batch))
            waiting = (await self._writing.counts())["pending"]
            watcher(Progress(done=total.episodes, total=total.episodes + waiting))

    async def _due(self, idle_before: datetime, seen: set[str]) -> list[str]:
        """Conversations that this run has not taken yet: one that stays pending must not keep the run alive."""
        limit = _CONVERSATIONS_AT_ONCE + len(seen)
        due = await self._writing.due(idle_before, self._settings.grown_to, limit)
        return [conversation for conversation in due if conversation not in seen][:_CONVERSATIONS_AT_ONCE]

    async def _flush(self, conversations: Sequence[str]) -> FlushReport:
        episodes = [episode for conversation in conversations for episode in await self._cut(conversation)]
        noted = await self._enrich(episodes)
        written, complete = await self._write_keys(noted)
        if complete:
            await self._writing.mark_flushed(episodes)
        return FlushReport(
            conversations=len(conversations),
            episodes=len(episodes),
            keys=written,
            postponed=sum(one.postponed for one in noted),
        )

    async def _cut(self, conversation: str) -> list[Episode]:
        turns = await self._writing.open_run(conversation)
        episodes = cut(
            turns,
            silence=timedelta(hours=self._settings.silence_hours),
            max_tokens=self._settings.episode_tokens,
        )
        vanished = await self._writing.store_episodes(conversation, episodes)
        # The keys of every recut episode go: a turn that moved or left must not be found where it no longer is.
        await self._index.remove([*vanished, *(episode.id for episode in episodes)])
        return episodes

    async def _enrich(self, episodes: Sequence[Episode]) -> list[_Noted]:
        """Notes of these episodes: the stored one where it is still of the same words, else a new version."""
        stored = await self._writing.newest_notes([episode.id for episode in episodes])
        return await asyncio.gather(*(self._note(episode, stored.get(episode.id)) for episode in episodes))

    async def _note(self, episode: Episode, stored: Note | None) -> _Noted:
        if stored is not None and stored.fingerprint == episode.fingerprint:
            return _Noted(episode=episode, note=stored)
        version = stored.version + 1 if stored else 1
        try:
            enrichment = await self._enricher.enrich(episode)
        except ModelUnavailable as error:
            return await self._postpone(episode, version, error)
        note = note_of(episode, version, enrichment, self._clock())
        await self._writing.store_note(note)
        return _Noted(episode=episode, note=note)

    async def _postpone(self, episode: Episode, version: int, error: ModelUnavailable) -> _Noted:
        """The rules' note serves, unstored, until a retry succeeds: the episode is searchable all the same."""
        wait = timedelta(seconds=self._settings.enrich_backoff_seconds)
        retry = Retry(episode=episode.id, error=type(error).__name__, attempts=1, next_at=self._clock() + wait)
        await self._writing.store_retry(retry)
        log.warning("enrichment_postponed", episode=episode.id, error=retry.error)
        note = note_of(episode, version, await self._rules.enrich(episode), self._clock())
        return _Noted(episode=episode, note=note, postponed=True)

    async def _write_keys(self, noted: Sequence[_Noted]) -> tuple[int, bool]:
        """The number of keys written, and whether they can be found by meaning too."""
        pairs = [(one.episode, one.note) for one in noted]
        try:
            keys = await keys_of(pairs, self._encoder)
        except EncoderUnavailable as error:
            log.warning("indexed_by_words_only", episodes=len(pairs), error=type(error).__name__)
            keys = await keys_of(pairs, None)
            await self._index.put(keys)
            return len(keys), False
        await self._index.put(keys)
        return len(keys), True


def _sum(one: FlushReport, other: FlushReport) -> FlushReport:
    return FlushReport(
        conversations=one.conversations + other.conversations,
        episodes=one.episodes + other.episodes,
        keys=one.keys + other.keys,
        postponed=one.postponed + other.postponed,
    )
