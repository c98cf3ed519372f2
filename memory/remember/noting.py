"""From an episode to its note and its facts: what the flush and the retries of enrichment have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from config.schema import PredicateSettings
from memory.fact_ports import FactWriting
from memory.facts import Fact
from memory.index_ports import Encoder, KeyIndex
from memory.model import Episode, Note
from memory.ports import Clock, Writing
from memory.remember.article_notes import headings_of, is_article
from memory.remember.enricher import Enricher, Enrichment
from memory.remember.extraction.facts import facts_of
from memory.remember.keys import keys_of
from memory.remember.notes import Noted, note_of
from memory.remember.rules import RuleEnricher


class Noting:
    """Enriches episodes and keeps what came of it; writes their keys."""

    def __init__(
        self,
        *,
        writing: Writing,
        facts: FactWriting,
        index: KeyIndex,
        encoder: Encoder,
        predicates: Mapping[str, PredicateSettings],
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._facts = facts
        self._index = index
        self._encoder = encoder
        self._predicates = predicates
        self._clock = clock
        self._rules = RuleEnricher(predicates)

    async def note(self, episode: Episode, stored: Note | None, enricher: Enricher) -> Noted:
        """The stored note where it is still of the same words, else a new version. Raises ModelUnavailable.

        The facts are stored first: a note that is there shows that they are too.
        """
        if stored is not None and stored.fingerprint == episode.fingerprint:
            return Noted(episode=episode, note=stored)
        enrichment = headings_of(episode) if is_article(episode) else await enricher.enrich(episode)
        await self._store_facts(episode, enrichment)
        note = note_of(episode, _next_version(stored), enrichment, self._clock())
        await self._writing.store_note(note)
        return Noted(episode=episode, note=note)

    async def note_by_rule(self, episode: Episode, stored: Note | None) -> Noted:
        """A note by the rules, which is not stored: a better one is waited for. Their facts are."""
        enrichment = headings_of(episode) if is_article(episode) else await self._rules.enrich(episode)
        await self._store_facts(episode, enrichment)
        note = note_of(episode, _next_version(stored), enrichment, self._clock())
        return Noted(episode=episode, note=note, provisional=True)

    async def write_keys(self, noted: Sequence[Noted]) -> int:
        """Write the keys of these episodes, and of their facts, by meaning and by words; how many there were. Raises
        EncoderUnavailable and IndexUnavailable."""
        return await self._put(noted, self._encoder)

    async def write_keys_by_words(self, noted: Sequence[Noted]) -> int:
        """The same while there is no encoder."""
        return await self._put(noted, None)

    async def _put(self, noted: Sequence[Noted], encoder: Encoder | None) -> int:
        keys = await keys_of(await self._with_facts(noted), encoder)
        await self._index.put(keys)
        return len(keys)

    async def _with_facts(self, noted: Sequence[Noted]) -> list[Noted]:
        by_episode: dict[str, list[Fact]] = {}
        for fact in await self._facts.facts_of([one.episode.id for one in noted]):
            by_episode.setdefault(fact.episode, []).append(fact)
        return [replace(one, facts=tuple(by_episode.get(one.episode.id, ()))) for one in noted]

    async def _store_facts(self, episode: Episode, enrichment: Enrichment) -> None:
        """What an article says how things are done is nobody's word on how they are: it makes no facts."""
        if is_article(episode):
            return
        await self._facts.store_facts(episode.id, facts_of(episode, enrichment, self._predicates), self._clock())


def _next_version(stored: Note | None) -> int:
    return stored.version + 1 if stored else 1
