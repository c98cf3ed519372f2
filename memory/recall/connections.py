"""What connects the best episodes with others: the events that they share, and the links of their notes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from config.recall import GraphSettings
from memory.fact_ports import FactReading
from memory.facts import Link, Telling
from memory.index_ports import Pointer
from memory.model import Episode, Question
from memory.ports import Reading
from memory.recall.pointers import pointers
from memory.recall.rerank import Scored

#: Most that is read for each episode: turns that tell its events, and links; both are usually a handful.
_TELLINGS, _LINKS = 60, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The events and links around some episodes, and the turns of the episodes that these lead to, with their texts by
    turn id."""

    told: Sequence[Telling] = ()
    links: Sequence[Link] = ()
    turns: Sequence[Pointer] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


class Connections:
    """Reads them in the asker's scope: three statements, whatever the memory holds."""

    def __init__(self, *, reading: Reading, facts: FactReading, settings: GraphSettings) -> None:
        self._reading = reading
        self._facts = facts
        self._settings = settings

    async def around(self, question: Question, scored: Sequence[Scored], most: int) -> Connected:
        """Around the episodes of the best turns; at most `most` turns of others. Raises StoreUnavailable."""
        best = _first((one.pointer.episode for one in scored), self._settings.episodes)
        if not best:
            return Connected()
        told, links = await asyncio.gather(
            self._facts.tellings(best, question.viewer, _TELLINGS * len(best)),
            self._facts.links(best, question.viewer, _LINKS * len(best)),
        )
        others = _first(_others(best, told, links), self._settings.episodes)
        episodes = await self._reading.episodes(others, question.viewer, question.until) if others else []
        share = most // max(len(episodes), 1)
        turns = [pointer for episode in episodes for pointer in _telling_first(episode, told)[:share]]
        texts = {turn.id: turn.text for episode in episodes for turn in episode.turns}
        return Connected(told=told, links=links, turns=turns, texts=texts)


def _first(names: Iterable[str], most: int) -> list[str]:
    """Each once, in their order."""
    return list(islice(dict.fromkeys(names), most))


def _others(best: Sequence[str], told: Sequence[Telling], links: Sequence[Link]) -> Iterator[str]:
    """The episodes that the best lead to, those of the better ones first, and of each the most closely linked first."""
    for name in best:
        ends = ((link.episode, link.other) for link in links)
        events = {one.event for one in told if one.episode == name}
        led_to = [
            *(other if one == name else one for one, other in ends if name in (one, other)),
            *(one.episode for one in told if one.event in events),
        ]
        yield from (other for other in led_to if other not in best)


def _telling_first(episode: Episode, told: Sequence[Telling]) -> list[Pointer]:
    tell = {one.turn for one in told}
    return sorted(pointers(episode), key=lambda pointer: (pointer.turn not in tell, pointer.position))
