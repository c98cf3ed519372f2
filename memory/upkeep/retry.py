"""Enrichment that failed is tried again, later and later, and in the end left to the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from config.schema import RememberSettings
from memory.errors import ModelUnavailable, TokensSpent
from memory.model import Episode
from memory.ports import Clock, Retry, Writing
from memory.remember.enricher import Enricher
from memory.remember.noting import Noting

_RETRIES_AT_ONCE = 50


class EnrichRetry:
    """Works through the retry list."""

    def __init__(
        self,
        *,
        writing: Writing,
        noting: Noting,
        enricher: Enricher,
        rules: Enricher,
        settings: RememberSettings,
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._noting = noting
        self._enricher = enricher
        self._settings = settings
        self._clock = clock
        self._rules = rules

    async def run(self) -> Mapping[str, int]:
        """Counts of episodes `enriched`, `postponed` once more, and `left_to_rules` for good."""
        counts = {"enriched": 0, "postponed": 0, "left_to_rules": 0}
        for retry in await self._writing.due_retries(self._clock(), _RETRIES_AT_ONCE):
            for episode in await self._writing.episodes_of([retry.episode]):
                counts[await self._retry(retry, episode)] += 1
        return counts

    async def _retry(self, retry: Retry, episode: Episode) -> str:
        try:
            await self._finish(episode, self._enricher)
        except TokensSpent as error:  # nobody was asked, so that is no attempt
            await self._writing.store_retry(replace(retry, error=type(error).__name__, next_at=error.renewed))
            return "postponed"
        except ModelUnavailable as error:
            if retry.attempts < self._settings.enrich_attempts:
                await self._writing.store_retry(self._later(retry, error))
                return "postponed"
            await self._finish(episode, self._rules)
            return "left_to_rules"
        return "enriched"

    async def _finish(self, episode: Episode, enricher: Enricher) -> None:
        stored = (await self._writing.newest_notes([episode.id])).get(episode.id)
        # A stored note of these words is from a try that died before its keys were written: no model is asked again.
        await self._noting.write_keys([await self._noting.note(episode, stored, enricher)])
        await self._writing.drop_retries([episode.id])

    def _later(self, retry: Retry, error: ModelUnavailable) -> Retry:
        wait = timedelta(seconds=self._settings.enrich_backoff_seconds * 2**retry.attempts)
        return Retry(
            episode=retry.episode,
            error=type(error).__name__,
            attempts=retry.attempts + 1,
            next_at=self._clock() + wait,
        )
