"""The pathways: ways to find what a question asks for, each admitting on its own. Words are searched
while the question is still being embedded, so there is a search for words and one for meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from memory.index_ports import KeyIndex, Pointer, Probe, Terms
from memory.model import KeyKind, Question
from memory.recall.calibration import Aim, share_of_mass
from memory.recall.widening import Widened, all_terms, widened
from memory.text.glossary import NO_GLOSSARY, Glossary, Named
from memory.text.sparse import exact_terms, question_terms


class Pathway(StrEnum):
    """By what an episode came in."""

    ALIGNMENT = "global"
    ASSOCIATION = "semantic"
    SYMBOLIC = "symbolic"
    ASSOCIATIVE = "associative"


class Channel(StrEnum):
    """One signal about a turn. Words are BM25; meaning is a levelled cosine. The last four are known only after a
    first ranking: what the best turns say or are, and how they lie to one another."""

    WORDS_TURN = "words_turn"
    WORDS_WINDOW = "words_window"
    WORDS_WIDE = "words_wide"
    WORDS_EPISODE = "words_episode"
    MEANING_TURN = "meaning_turn"
    MEANING_WINDOW = "meaning_window"
    MEANING_EPISODE = "meaning_episode"
    MEANING_SUMMARY = "meaning_summary"
    MEANING_STATEMENT = "meaning_statement"
    WORDS_FACT = "words_fact"
    MEANING_FACT = "meaning_fact"
    EXACT = "exact"
    SPEAKER = "speaker"
    PERIOD = "period"
    OWN = "own"
    ASKS = "asks"
    GRAPH = "graph"
    SPREAD = "spread"
    RESOLVED = "resolved"


PATHWAY_OF: Mapping[Channel, Pathway] = {
    Channel.WORDS_TURN: Pathway.SYMBOLIC,
    Channel.WORDS_WINDOW: Pathway.SYMBOLIC,
    Channel.WORDS_WIDE: Pathway.SYMBOLIC,
    Channel.WORDS_EPISODE: Pathway.SYMBOLIC,
    Channel.EXACT: Pathway.SYMBOLIC,
    Channel.MEANING_TURN: Pathway.ASSOCIATION,
    Channel.MEANING_STATEMENT: Pathway.ASSOCIATION,
    Channel.WORDS_FACT: Pathway.SYMBOLIC,
    Channel.MEANING_FACT: Pathway.ASSOCIATION,
    Channel.MEANING_SUMMARY: Pathway.ALIGNMENT,
    Channel.GRAPH: Pathway.ASSOCIATIVE,
}

_WORDS: Mapping[KeyKind, Channel] = {
    KeyKind.TURN: Channel.WORDS_TURN,
    KeyKind.WINDOW: Channel.WORDS_WINDOW,
    KeyKind.WIDE: Channel.WORDS_WIDE,
    KeyKind.SUMMARY: Channel.WORDS_EPISODE,
    KeyKind.FACT: Channel.WORDS_FACT,
}
_MEANING: Mapping[KeyKind, Channel] = {
    KeyKind.TURN: Channel.MEANING_TURN,
    KeyKind.STATEMENT: Channel.MEANING_STATEMENT,
    KeyKind.FACT: Channel.MEANING_FACT,
    KeyKind.SUMMARY: Channel.MEANING_SUMMARY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A calibrated hit: `value` is about 0 for nothing and 1 for everything."""

    pointer: Pointer
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What each channel found, best first; what a channel did not return counts as nothing."""

    channels: Mapping[Channel, Sequence[Found]] = field(default_factory=dict)

    def beside(self, others: Findings) -> Findings:
        """These and others, of other channels."""
        return Findings(channels={**self.channels, **others.channels})

    def without(self, channels: Set[Channel]) -> Findings:
        """These, but for some channels."""
        return Findings(channels={name: found for name, found in self.channels.items() if name not in channels})


async def by_words(question: Question, index: KeyIndex, limit: int, glossary: Glossary = NO_GLOSSARY) -> Findings:
    """What has the question's words or, worth a little less, other names of what it asks about, and what has the exact
    names in it, in the asker's scope. Needs no encoder."""
    terms, exact, names = question_terms(question.text), exact_terms(question.text), glossary.named(question.text)
    weighed = await _weighed(index, terms, names) if names else None
    words = {kind: weighed[kind].terms if weighed else terms for kind in _WORDS}
    probes = [*_word_probes(words), *_exact_probes(exact)]
    hits, masses = await asyncio.gather(
        index.search([probe for _, probe in probes], question.viewer, question.until, limit),
        _masses(index, None if weighed else terms, exact),
    )
    if weighed:
        masses |= {(_WORDS[kind], kind): one.mass for kind, one in weighed.items()}
    channels: dict[Channel, list[Found]] = {}
    for (channel, probe), found in zip(probes, hits, strict=True):
        mass = masses[channel, probe.kind]
        # A text that calls a thing by several names is not worth more than one that has the whole question.
        values = (Found(pointer=hit.pointer, value=min(1.0, share_of_mass(hit.score, mass))) for hit in found)
        channels.setdefault(channel, []).extend(values)
    return Findings(channels=channels)


async def by_meaning(question: Question, aim: Aim, index: KeyIndex, limit: int) -> Findings:
    """What means something like the question, in the asker's scope; each language by itself."""
    probes = [
        (channel, Probe(kind=kind, language=language, dense=aim.vector))
        for kind, channel in _MEANING.items()
        for language in aim.offsets
    ]
    hits = await index.search([probe for _, probe in probes], question.viewer, question.until, limit)
    channels: dict[Channel, list[Found]] = {}
    for (channel, _), found in zip(probes, hits, strict=True):
        values = (Found(pointer=hit.pointer, value=aim.meaning(hit.score, hit.pointer.language)) for hit in found)
        channels.setdefault(channel, []).extend(values)
    return Findings(channels=channels)


async def _weighed(index: KeyIndex, asked: Terms, names: Sequence[Named]) -> Mapping[KeyKind, Widened]:
    """For each kind of key, in which words may be of another rarity."""
    terms = all_terms(asked, names)
    rarities = await asyncio.gather(*(index.idf(kind, terms) for kind in _WORDS))
    return {kind: widened(asked, names, rarity) for kind, rarity in zip(_WORDS, rarities, strict=True)}


def _word_probes(terms: Mapping[KeyKind, Terms]) -> list[tuple[Channel, Probe]]:
    return [(_WORDS[kind], Probe(kind=kind, terms=asked)) for kind, asked in terms.items() if asked.ids]


def _exact_probes(exact: Terms) -> list[tuple[Channel, Probe]]:
    """Turns that name it, and episodes that do: a ticket's own id stands only in the episode's words."""
    if not exact.ids:
        return []
    return [(Channel.EXACT, Probe(kind=kind, terms=exact)) for kind in (KeyKind.TURN, KeyKind.SUMMARY)]


async def _masses(index: KeyIndex, terms: Terms | None, exact: Terms) -> dict[tuple[Channel, KeyKind], float]:
    """The IDF mass of the question for each search by words; of its words only where they are given."""
    wanted = [(channel, kind, terms) for kind, channel in _WORDS.items()] if terms else []
    wanted += [(Channel.EXACT, kind, exact) for kind in (KeyKind.TURN, KeyKind.SUMMARY)]
    rarities = await asyncio.gather(*(index.idf(kind, asked.ids) for _, kind, asked in wanted if asked.ids))
    present = [(channel, kind) for channel, kind, asked in wanted if asked.ids]
    return {name: sum(rarity.values()) for name, rarity in zip(present, rarities, strict=True)}
