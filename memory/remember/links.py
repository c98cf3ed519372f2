"""Links: what a note has to do with the notes that are there already, and why.

Near ones are found through the index, by meaning, by exact names and by rare words, so that a note costs the same
however large the memory is. What they share is then read off the words of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.fact_ports import FactWriting
from memory.facts import Link
from memory.index_ports import Centre, Encoder, KeyIndex, Probe, Terms, Vector
from memory.model import Episode, KeyKind, Note
from memory.ports import Clock, Writing
from memory.recall.calibration import Aim, aim
from memory.recall.centres import MemoryCentres
from memory.remember.breadth import KEEPER, as_wide, reader_of
from memory.remember.common_ground import Words, common_ground, strength, words_of
from memory.remember.keys import summary_meaning
from memory.remember.link_reasons import LinkReasons, Pair, reason_for
from memory.remember.notes import Noted
from memory.remember.rarity import Rarity, rarity_of
from memory.text.sparse import exact_terms, question_terms

#: Links that one note finds.
MOST_LINKS = 5
#: How likely two notes must be to hang together.
_LEAST_STRENGTH = 0.5
#: Keys that each search returns.
_NEAREST = 8
#: Names and keywords that are searched for.
_ASKED = 24
RULES = "rules"
#: Notes that are remembered to have looked; then all may look once more.
_REMEMBERED = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """How many notes looked for links, and how many new ones there are."""

    looked: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A note with those that may have to do with it: the levelled cosine of each, 0 where it was found by words."""

    words: Words
    meanings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """A link with what it joins."""

    link: Link
    words: Words
    other: Words


class Linker:
    """Links notes whose keys are in the index. With `reasons` a model words the strongest of a batch, in one call."""

    def __init__(
        self,
        *,
        writing: Writing,
        facts: FactWriting,
        index: KeyIndex,
        encoder: Encoder,
        clock: Clock,
        reasons: LinkReasons | None = None,
    ) -> None:
        self._writing = writing
        self._facts = facts
        self._index = index
        self._encoder = encoder
        self._centres = MemoryCentres(encoder, index)
        self._clock = clock
        self._reasons = reasons
        self._looked: dict[str, str] = {}

    async def link(self, noted: Sequence[Noted]) -> Linked:
        """Write the links of those of these notes that have found none since their words made them; a note looks once
        in the life of this object.

        Nothing is linked to itself, or a second time from the other end.
        Raises StoreUnavailable, IndexUnavailable, and EncoderUnavailable; `consolidate` then links these notes later.
        """
        known = await self._facts.links_of([one.episode.id for one in noted])
        wanted = [one for one in noted if self._waits(one, known)]
        if not wanted:
            return Linked()
        found = await self._candidates(wanted)
        others = await self._others(found)
        rarity = await rarity_of([word for each in found for word in _asked(each.words)], self._index)
        drawn = await asyncio.to_thread(self._drawn, found, others, rarity, known)
        worded = await self._worded([one for each in drawn.values() for one in each], known)
        for episode in drawn:
            await self._facts.store_links(episode, [link for link in worded if link.episode == episode])
        self._remember(wanted)
        new = {(link.episode, link.other) for link in worded} - {(link.episode, link.other) for link in known}
        return Linked(looked=len(wanted), links=len(new))

    def _waits(self, noted: Noted, known: Sequence[Link]) -> bool:
        """Whether a note has found no links since its words made it, and may not have looked for any."""
        episode, note = noted.episode, noted.note
        if noted.provisional or all(turn.derived for turn in episode.turns):
            return False
        own = [link for link in known if link.episode == episode.id]
        found = any(note.cause or link.made_at >= note.made_at for link in own)
        return not found and self._looked.get(episode.id) != note.fingerprint

    def _remember(self, looked: Sequence[Noted]) -> None:
        if len(self._looked) > _REMEMBERED:
            self._looked.clear()
        self._looked.update((one.episode.id, one.note.fingerprint) for one in looked)

    async def _candidates(self, noted: Sequence[Noted]) -> list[_Found]:
        centres = await self._centres.at(self._clock())
        vectors = await self._encoder.passages([summary_meaning(one.episode, one.note) for one in noted])
        return [
            await self._near(words_of(one.episode, one.note), vector, centres)
            for one, vector in zip(noted, vectors, strict=True)
        ]

    async def _near(self, words: Words, vector: Vector, centres: Mapping[str, Centre]) -> _Found:
        """The nearest notes that readers of this one may see, then the nearest of all."""
        level = aim(vector, words.language, {name: _passages_alike(centre) for name, centre in centres.items()})
        meanings: dict[str, float] = {}
        for viewer in (reader_of(words.episode.scope), KEEPER):
            until = max(self._clock(), words.episode.last_at)
            hits = await self._index.search(_probes(words, level), viewer, until, _NEAREST)
            for hit in (hit for part in hits[: len(centres)] for hit in part):
                meanings[hit.pointer.episode] = level.meaning(hit.score, hit.pointer.language)
            for hit in (hit for part in hits[len(centres) :] for hit in part):
                meanings.setdefault(hit.pointer.episode, 0.0)
        meanings.pop(words.episode.id, None)
        return _Found(words=words, meanings=meanings)

    async def _others(self, found: Iterable[_Found]) -> list[tuple[Episode, Note]]:
        """The candidates that are really there, with their notes."""
        ids = list(dict.fromkeys(name for each in found for name in each.meanings))
        episodes = await self._writing.episodes_of(ids)
        notes = await self._writing.newest_notes(ids)
        return [(episode, notes[episode.id]) for episode in episodes if episode.id in notes]

    def _drawn(
        self,
        found: Sequence[_Found],
        others: Sequence[tuple[Episode, Note]],
        rarity: Rarity,
        before: Sequence[Link],
    ) -> dict[str, list[_Drawn]]:
        """The best links of each note; two of this batch that found each other are linked once."""
        known = {episode.id: words_of(episode, note) for episode, note in others}
        taken = {(link.other, link.episode) for link in before}
        drawn: dict[str, list[_Drawn]] = {}
        for each in found:
            name = each.words.episode.id
            free = {other: meaning for other, meaning in each.meanings.items() if (name, other) not in taken}
            drawn[name] = self._best(replace(each, meanings=free), known, rarity)
            taken.update((one.link.other, name) for one in drawn[name])
        return drawn

    def _best(self, found: _Found, known: Mapping[str, Words], rarity: Rarity) -> list[_Drawn]:
        """Those that readers of this note may follow come first: they are of use to most."""
        near = (name for name in found.meanings if name in known)
        links = [link for name in near if (link := self._link(found, known[name], rarity)) is not None]
        return sorted(links, key=_usefulness)[:MOST_LINKS]

    def _link(self, found: _Found, other: Words, rarity: Rarity) -> _Drawn | None:
        shared = common_ground(found.words, other, rarity, found.meanings[other.episode.id])
        sure = strength(shared)
        if sure < _LEAST_STRENGTH:
            return None
        link = Link(
            episode=found.words.episode.id,
            other=other.episode.id,
            reason=reason_for(shared, found.words.language),
            strength=sure,
            made_by=RULES,
            made_at=self._clock(),
        )
        return _Drawn(link=link, words=found.words, other=other)

    async def _worded(self, drawn: Sequence[_Drawn], before: Sequence[Link]) -> list[Link]:
        """The links with their reasons: by rule, or by the model that words the strongest of them."""
        known = {(link.episode, link.other): link for link in before}
        links = [_said_before(one.link, known.get((one.link.episode, one.link.other))) for one in drawn]
        if self._reasons is None:
            return links
        by_rule = [place for place, link in enumerate(links) if link.made_by == RULES]
        by_rule.sort(key=lambda place: -links[place].strength)
        said = await self._reasons.reasons([_pair(drawn[place]) for place in by_rule])
        for number, reason in said.items():
            place = by_rule[number]
            links[place] = replace(links[place], reason=reason, made_by=self._reasons.made_by)
        return links


def _usefulness(one: _Drawn) -> tuple[bool, float, str]:
    return not as_wide(one.other.episode, one.words.episode), -one.link.strength, one.link.other


def _said_before(link: Link, before: Link | None) -> Link:
    """A link found again, with the reason that a model gave it while it is as strong as it was."""
    if before is None or before.made_by == RULES or before.strength != link.strength:
        return link
    return replace(link, reason=before.reason, made_by=before.made_by)


def _pair(one: _Drawn) -> Pair:
    return Pair(one=one.words, other=one.other, reason=one.link.reason)


def _asked(words: Words) -> tuple[str, ...]:
    return (*words.names[:_ASKED], *words.keywords)


def _probes(words: Words, level: Aim) -> list[Probe]:
    """By meaning in each language, then by exact names (its ticket's among them), then by keywords."""
    by_meaning = [Probe(kind=KeyKind.SUMMARY, language=name, dense=level.vector) for name in level.offsets]
    exact = exact_terms(" ".join((words.episode.name, *words.names[:_ASKED])))
    return [*by_meaning, *_by_words(exact), *_by_words(question_terms(" ".join(words.keywords)))]


def _by_words(terms: Terms) -> list[Probe]:
    return [Probe(kind=KeyKind.SUMMARY, terms=terms)] if terms.ids else []


def _passages_alike(centre: Centre) -> Centre:
    """Two notes are compared, and neither asks."""
    return Centre(question=centre.passage, passage=centre.passage)
