"""Facts, events and links in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.facts import Event, Fact, Group, Link, Telling, Undo
from memory.model import Note, Scope, Viewer
from memory.scope import may_read
from memory.stores.fact_rules import (
    by_span,
    by_validity,
    cleaned_event,
    cleaned_link,
    cleaned_undo,
    keyword_keys,
    made_of,
    newest_validity,
    strongest,
    value_key,
)
from memory.stores.in_memory_state import Memory, shown_part
from memory.stores.words import storable


class InMemoryFactReading:
    """The port `FactReading` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def facts(self, ids: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        return self._seen(dict.fromkeys(ids), viewer, known_at)

    async def of_turns(self, turns: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        asked = set(turns)
        said = [name for name, sources in self._memory.sources.items() if not asked.isdisjoint(sources)]
        return by_validity(self._seen(said, viewer, known_at))

    async def on(self, groups: Sequence[Group], viewer: Viewer, known_at: datetime) -> list[Fact]:
        asked = {Group(subject=storable(group.subject), predicate=storable(group.predicate)) for group in groups}
        ours = [name for name, fact in self._memory.facts.items() if fact.group in asked]
        return by_validity(self._seen(ours, viewer, known_at))

    async def about(self, subjects: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        asked = {storable(name) for name in subjects}
        ours = [name for name, fact in self._memory.facts.items() if fact.group.subject in asked]
        return newest_validity(self._seen(ours, viewer, known_at))[: max(limit, 0)]

    async def naming(self, names: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        asked = set(map(value_key, names)) - {""}
        ours = [name for name, fact in self._memory.facts.items() if value_key(fact.value) in asked]
        return newest_validity(self._seen(ours, viewer, known_at))[: max(limit, 0)]

    async def undos(self, facts: Sequence[str], known_at: datetime) -> list[Undo]:
        asked = set(facts)
        found = [undo for undo in self._memory.undos.values() if undo.fact in asked and undo.counts(known_at)]
        return sorted(found, key=lambda undo: (undo.at, undo.fact, undo.by))

    async def tellings(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Telling]:
        memory, asked, scopes = self._memory, set(episodes), self._memory.scopes()
        ours = {event for name, event in memory.event_of.items() if memory.facts[name].episode in asked}
        seen = {name for name in ours if self._may_see_event(viewer, name, scopes)}
        found = {
            Telling(event=event, turn=turn, episode=episode)
            for fact, event in memory.event_of.items()
            if event in seen
            for turn in memory.sources[fact]
            if (episode := memory.turns[turn].episode)
        }
        return sorted(found)[: max(limit, 0)]

    async def links(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Link]:
        seen = self._seen_episodes(viewer)
        ours = (link for link in _with(self._memory, episodes) if seen.issuperset((link.episode, link.other)))
        return strongest(ours)[: max(limit, 0)]

    async def note_versions(self, episode: str, viewer: Viewer) -> list[Note]:
        return _versions(self._memory, episode) if episode in self._seen_episodes(viewer) else []

    def _seen(self, names: Iterable[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        known = [name for name in names if name in self._memory.facts and self._known(name, known_at)]
        scopes = self._memory.scopes() if known else {}
        return [self._memory.fact(name) for name in known if self._may_see(viewer, name, scopes)]

    def _known(self, name: str, known_at: datetime) -> bool:
        fact = self._memory.facts[name]
        held = fact.retired_at is None or fact.retired_at > known_at
        lapsed = any(since <= known_at < until for since, until in self._memory.lapses.get(name, []))
        return fact.recorded_at <= known_at and held and not lapsed

    def _may_see(self, viewer: Viewer, fact: str, scopes: Mapping[str, Scope]) -> bool:
        return all(may_read(viewer, scopes[turn]) for turn in self._memory.sources[fact])

    def _may_see_event(self, viewer: Viewer, event: str, scopes: Mapping[str, Scope]) -> bool:
        """All facts that its summary was made of count, also those that another event took over."""
        made_of = [fact for fact in self._memory.events[event].facts if fact in self._memory.facts]
        return all(self._may_see(viewer, fact, scopes) for fact in made_of)

    def _seen_episodes(self, viewer: Viewer) -> set[str]:
        scopes = self._memory.scopes()
        return {name for name, part in self._memory.members().items() if shown_part(part, viewer, scopes)}


class InMemoryFactWriting:
    """The port `FactWriting` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def store_facts(self, episode: str, facts: Sequence[Fact], at: datetime) -> int:
        made = made_of(facts, episode)
        if episode not in self._memory.cuts:
            return 0
        self._retire(episode, made, at)
        known = made.keys() & self._memory.facts.keys()
        for name in known:
            self._take_over(name, episode, at)
        there = self._memory.turns.keys()
        fresh = {name: fact for name, fact in made.items() if name not in known and there >= set(fact.turn_ids)}
        self._memory.facts |= fresh
        for name in known | fresh.keys():
            self._memory.sources[name] = [turn for turn in made[name].turn_ids if turn in there]
        return len(fresh)

    async def facts_of(self, episodes: Sequence[str]) -> list[Fact]:
        asked = set(episodes)
        return by_validity(self._held(name for name, fact in self._memory.facts.items() if fact.episode in asked))

    async def add_undo(self, undo: Undo) -> None:
        if self._memory.facts.keys() >= {undo.fact, undo.by}:
            known = self._memory.undos.get((undo.fact, undo.by))
            if known is None or known.until is not None:
                self._memory.undos[undo.fact, undo.by] = cleaned_undo(undo)

    async def take_back_undo(self, fact: str, by: str, at: datetime) -> None:
        known = self._memory.undos.get((fact, by))
        if known is not None and known.until is None:
            self._memory.undos[fact, by] = replace(known, until=at)

    async def store_event(self, event: Event) -> None:
        known = self._memory.events.get(event.id)
        members = [name for name in dict.fromkeys(event.facts) if name in self._memory.facts]
        if not members or (known is not None and known.version >= event.version):
            return
        kept = {name: owner for name, owner in self._memory.event_of.items() if owner != event.id}
        self._memory.event_of = kept | dict.fromkeys(members, event.id)
        self._memory.events[event.id] = replace(cleaned_event(event), facts=tuple(members))
        self._memory.drop_empty_events()

    async def events_of(self, facts: Sequence[str]) -> list[Event]:
        ours = {self._memory.event_of[name] for name in facts if name in self._memory.event_of}
        return by_span(map(self._memory.event, ours))

    async def events_near(self, keywords: Sequence[str], first: datetime, last: datetime, limit: int) -> list[Event]:
        asked = set(keyword_keys(keywords))
        shared = {name: len(asked.intersection(keyword_keys(e.keywords))) for name, e in self._memory.events.items()}
        near = [
            event
            for name, event in self._memory.events.items()
            if shared[name] and event.last_at >= first and event.first_at <= last
        ]
        newest = sorted(sorted(near, key=lambda event: event.id), key=lambda event: event.last_at, reverse=True)
        best = sorted(newest, key=lambda event: -shared[event.id])
        return [self._memory.event(event.id) for event in best[: max(limit, 0)]]

    async def store_links(self, episode: str, links: Sequence[Link]) -> None:
        kept = {pair: link for pair, link in self._memory.links.items() if pair[0] != episode}
        for link in links:
            if link.episode == episode and self._memory.cuts.keys() >= {episode, link.other}:
                kept.setdefault((episode, link.other), cleaned_link(link))
        self._memory.links = kept

    async def links_of(self, episodes: Sequence[str]) -> list[Link]:
        return strongest(_with(self._memory, episodes))

    async def note_versions(self, episode: str) -> list[Note]:
        return _versions(self._memory, episode)

    async def counts(self) -> Mapping[str, int]:
        return {
            "facts": sum(fact.retired_at is None for fact in self._memory.facts.values()),
            "events": len(self._memory.events),
            "links": len(self._memory.links),
            "undos": sum(undo.until is None for undo in self._memory.undos.values()),
        }

    def _held(self, names: Iterable[str]) -> list[Fact]:
        return [self._memory.fact(name) for name in names if self._memory.facts[name].retired_at is None]

    def _retire(self, episode: str, made: Mapping[str, Fact], at: datetime) -> None:
        """What a turn of this episode said and nothing says any more, whichever episode it was stored for."""
        gone = {
            name
            for name, fact in self._memory.facts.items()
            if fact.retired_at is None and name not in made and self._is_said_in(name, episode)
        }
        for name in gone:
            self._memory.facts[name] = replace(self._memory.facts[name], retired_at=at)
        self._memory.drop_events(gone)

    def _is_said_in(self, name: str, episode: str) -> bool:
        return any(self._memory.turns[turn].episode == episode for turn in self._memory.sources[name])

    def _take_over(self, name: str, episode: str, at: datetime) -> None:
        known = self._memory.facts[name]
        if known.retired_at is not None and known.retired_at < at:
            self._memory.lapses.setdefault(name, []).append((known.retired_at, at))
        self._memory.facts[name] = replace(known, episode=episode, retired_at=None)


def _with(memory: Memory, episodes: Sequence[str]) -> Iterable[Link]:
    """Links from or to these episodes."""
    asked = set(episodes)
    return (link for pair, link in memory.links.items() if not asked.isdisjoint(pair))


def _versions(memory: Memory, episode: str) -> list[Note]:
    return [note for _, note in sorted(memory.notes.get(episode, {}).items())]
