"""Gathering facts into events over a page of episodes: through keywords, links and ids, never by looking at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from memory.fact_ports import FactReading, FactWriting
from memory.facts import ACCOUNT, Event, Fact
from memory.index_ports import KeyIndex
from memory.model import Episode
from memory.ports import Writing
from memory.remember.breadth import KEEPER, scope_class
from memory.remember.events import TOUCHES, Happening, belong_together, event_of, happening_of, merged, says_the_same
from memory.remember.rarity import rarity_of

#: Events that are looked at for one happening.
_NEAR = 30
#: How often a happening that grew looks for more.
_ROUNDS = 6
#: A link this strong says that two notes are about the same.
_CLOSE = 0.7
#: Facts that are held are known by then.
_EVER = datetime(9000, 1, 1, tzinfo=UTC)


class Gatherer:
    """Writes the events of episodes whose links are made. What is an event already is left as it is, unless its facts
    changed."""

    def __init__(self, *, writing: Writing, facts: FactWriting, reading: FactReading, index: KeyIndex) -> None:
        self._writing = writing
        self._facts = facts
        self._reading = reading
        self._index = index

    async def gather(self, episodes: Sequence[Episode]) -> int:
        """How many events were written. Raises StoreUnavailable, IndexUnavailable; the next run does the rest."""
        told = await self._facts.facts_of([episode.id for episode in episodes])
        facts = [fact for fact in told if fact.predicate != ACCOUNT]
        if not facts:
            return 0
        events = await self._facts.events_of([fact.id for fact in facts])
        tickets = {episode.id: episode.ticket or "" for episode in episodes}
        written = await self._refresh(events, tickets)
        gathered = {name for event in events for name in event.facts}
        for part in _starts(fact for fact in facts if fact.id not in gathered):
            written += await self._place(happening_of(part, tickets), tickets)
        return written

    async def _refresh(self, events: Sequence[Event], tickets: dict[str, str]) -> int:
        """Events whose facts are no longer those that they were made of, or no longer seen in one place."""
        held = await self._members(events, tickets)
        written = 0
        for event in events:
            for part in _by_place(_held(event, held)):
                written += await self._write(happening_of(part, tickets, event.version), [event])
        return written

    async def _place(self, happening: Happening, tickets: dict[str, str]) -> int:
        """Join what belongs together with it, and whatever belongs together with that."""
        whole, absorbed = happening, dict[str, Event]()
        for _ in range(_ROUNDS):
            linked, common = await self._linked(whole), await self._common(whole)
            near = [event for event in await self._near(whole, common, linked) if event.id not in absorbed]
            held = await self._members(near, tickets)
            before = whole
            for event in near:
                facts = _held(event, held)
                part = happening_of(facts, tickets, event.version) if facts else None
                if part is not None and belong_together(whole, part, common=common, linked=linked):
                    whole = merged(whole, part)
                    absorbed[event.id] = event
            if whole is before:
                break
        return await self._write(whole, list(absorbed.values()))

    async def _near(
        self, whole: Happening, common: Collection[str], linked: Collection[frozenset[str]]
    ) -> Iterable[Event]:
        """Events that share a ticket or a name with it, and those of the episodes that it is closely linked with."""
        names = sorted(whole.names.difference(common))
        first, last = whole.first_at - TOUCHES, whole.last_at + TOUCHES
        near = await self._facts.events_near(names, first, last, _NEAR) if names else []
        others = sorted({end for pair in linked for end in pair} - whole.episodes)
        facts = await self._facts.facts_of(others) if others else []
        beside = await self._facts.events_of([fact.id for fact in facts]) if facts else []
        return {event.id: event for event in (*near, *beside[:_NEAR])}.values()

    async def _linked(self, whole: Happening) -> frozenset[frozenset[str]]:
        links = await self._facts.links_of(sorted(whole.episodes))
        return frozenset(frozenset((link.episode, link.other)) for link in links if link.strength >= _CLOSE)

    async def _common(self, whole: Happening) -> frozenset[str]:
        """Those of its names that too many episodes have to say that anything is the same."""
        rarity = await rarity_of(whole.names, self._index)
        return frozenset(name for name in whole.names if not rarity.name_connects(name))

    async def _members(self, events: Sequence[Event], tickets: dict[str, str]) -> Mapping[str, Fact]:
        """The facts of these events that are still held, by id; `tickets` learns those of their episodes."""
        names = list(dict.fromkeys(name for event in events for name in event.facts))
        facts = await self._reading.facts(names, KEEPER, _EVER) if names else []
        if unknown := sorted({fact.episode for fact in facts} - tickets.keys()):
            episodes = await self._writing.episodes_of(unknown)
            tickets.update((episode.id, episode.ticket or "") for episode in episodes)
        return {fact.id: fact for fact in facts}

    async def _write(self, happening: Happening, before: Sequence[Event]) -> int:
        event = event_of(happening)
        if any(says_the_same(event, old) for old in before):
            return 0
        await self._facts.store_event(event)
        return 1


def _held(event: Event, held: Mapping[str, Fact]) -> list[Fact]:
    return [held[name] for name in event.facts if name in held]


def _starts(facts: Iterable[Fact]) -> list[list[Fact]]:
    """What starts an event: the facts of one episode that are seen in one place."""
    by_episode: dict[str, list[Fact]] = {}
    for fact in facts:
        by_episode.setdefault(fact.episode, []).append(fact)
    return [part for facts in by_episode.values() for part in _by_place(facts)]


def _by_place(facts: Iterable[Fact]) -> list[list[Fact]]:
    parts: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        parts.setdefault(scope_class(fact.scope), []).append(fact)
    return list(parts.values())
