"""Evolution over a page of episodes: reads what is linked to them, and writes the versions that come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.fact_ports import FactWriting
from memory.facts import Event, Link
from memory.index_ports import Encoder, KeyIndex
from memory.model import Episode, Note
from memory.ports import Clock, Writing
from memory.remember.common_ground import words_of
from memory.remember.evolution import Neighbour, evolved, ground_of
from memory.remember.keys import summary_keys_of
from memory.remember.notes import Noted

#: Linked notes that are heard for one note, the strongest links first.
_MOST_HEARD = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Surroundings:
    """Everything that a page of notes is evolved from."""

    episodes: Mapping[str, Episode]
    versions: Mapping[str, Sequence[Note]]
    links: Mapping[str, Sequence[Link]]
    events: Mapping[str, Sequence[Event]]


class Evolver:
    """Evolves notes, each at most once a call. The index is written first: a version that is stored is found by what
    it says."""

    def __init__(
        self, *, writing: Writing, facts: FactWriting, index: KeyIndex, encoder: Encoder, clock: Clock
    ) -> None:
        self._writing = writing
        self._facts = facts
        self._index = index
        self._encoder = encoder
        self._clock = clock

    async def evolve(self, episodes: Sequence[Episode]) -> int:
        """How many notes of these episodes have a new version. Raises StoreUnavailable, IndexUnavailable,
        EncoderUnavailable; what was not evolved is by the next run."""
        around = await self._surroundings(episodes)
        notes = await asyncio.to_thread(self._evolved, around)
        if notes:
            noted = [Noted(episode=around.episodes[note.episode], note=note) for note in notes]
            await self._index.put(await summary_keys_of(noted, self._encoder))
        for note in notes:
            await self._writing.store_note(note)
        return len(notes)

    async def _surroundings(self, episodes: Sequence[Episode]) -> _Surroundings:
        page = [episode.id for episode in episodes]
        links = {name: part[:_MOST_HEARD] for name, part in _by_end(await self._facts.links_of(page), page).items()}
        ends = {end for part in links.values() for link in part for end in (link.episode, link.other)}
        others = await self._writing.episodes_of(sorted(ends - set(page)))
        known = {episode.id: episode for episode in (*episodes, *others)}
        return _Surroundings(
            episodes=known,
            versions=await self._versions([*page, *sorted(ends - set(page))]),
            links=links,
            events=await self._events(page),
        )

    async def _versions(self, episodes: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """The versions of each note that count: the newest alone where the words made it."""
        newest = await self._writing.newest_notes(episodes)
        return {name: await self._facts.note_versions(name) if note.cause else [note] for name, note in newest.items()}

    async def _events(self, episodes: Sequence[str]) -> Mapping[str, Sequence[Event]]:
        facts = await self._facts.facts_of(episodes)
        events = await self._facts.events_of([fact.id for fact in facts]) if facts else []
        return {
            name: [event for event in events if own & set(event.facts)]
            for name in episodes
            if (own := {fact.id for fact in facts if fact.episode == name})
        }

    def _evolved(self, around: _Surroundings) -> list[Note]:
        notes = (self._next(name, links, around) for name, links in around.links.items() if name in around.versions)
        return [note for note in notes if note is not None]

    def _next(self, name: str, links: Sequence[Link], around: _Surroundings) -> Note | None:
        versions = around.versions[name]
        words = words_of(around.episodes[name], versions[-1])
        heard = (_neighbour(link, name, around) for link in links)
        neighbours = [each for each in heard if each is not None]
        return evolved(versions, words, neighbours, around.events.get(name, ()), self._clock())


def _neighbour(link: Link, name: str, around: _Surroundings) -> Neighbour | None:
    other = link.other if link.episode == name else link.episode
    if other not in around.episodes or other not in around.versions:
        return None
    note = ground_of(around.versions[other])
    return Neighbour(link=link, words=words_of(around.episodes[other], note), note=note)


def _by_end(links: Iterable[Link], episodes: Sequence[str]) -> dict[str, list[Link]]:
    """The links of each of these episodes, from either end; also of one that has none left."""
    found: dict[str, list[Link]] = {name: [] for name in episodes}
    for link in links:
        for end in {link.episode, link.other} & found.keys():
            found[end].append(link)
    return found
