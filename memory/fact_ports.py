"""What facts, events and links need from a store. As with the words, reading takes a viewer and writing answers nobody.

A fact may be read by whoever may read every turn that says so; a link or an event by whoever may read all that it is
made of: an event's newest summary may tell of facts that another event has taken over since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from memory.facts import Event, Fact, Group, Link, Telling, Undo
from memory.model import Note, Viewer


class FactReading(Protocol):
    """Facts for a person: those known at `known_at` (recorded by then and not retired yet), with the ends that their
    own words give. What other facts end is computed by `memory.remember.timeline`. Raises StoreUnavailable."""

    async def facts(self, ids: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        """These facts in the order of `ids`; unknown, unseen and unknown-then ones left out."""
        ...

    async def of_turns(self, turns: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        """What these turns say, by time of validity."""
        ...

    async def on(self, groups: Sequence[Group], viewer: Viewer, known_at: datetime) -> list[Fact]:
        """Everything on these matters, by time of validity: what a timeline is made from."""
        ...

    async def about(self, subjects: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        """Facts whose folded subject is one of these, newest validity first: profiles are made from them."""
        ...

    async def naming(self, names: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        """Facts whose folded value is one of these, newest validity first: what somebody has, or is called. A value of
        more than a hundred characters names nobody."""
        ...

    async def undos(self, facts: Sequence[str], known_at: datetime) -> list[Undo]:
        """Closings of these facts that somebody had undone then, and not taken that back."""
        ...

    async def tellings(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Telling]:
        """Which turns, of whatever episode, tell the events that facts of these episodes belong to; at most `limit`, in
        the order of the events' and the turns' ids."""
        ...

    async def links(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Link]:
        """The strongest `limit` links from or to the notes of these episodes, the strongest first."""
        ...

    async def note_versions(self, episode: str, viewer: Viewer) -> list[Note]:
        """Every version of the note, oldest first."""
        ...


class FactWriting(Protocol):
    """Facts, events and links as the write path and upkeep see them. Raises StoreUnavailable.

    A fact goes with any of its turns, an undo with either of its facts, a link with either of its episodes. An event
    goes with any of its facts, whose words its summary repeats, and is gathered again from the others.
    """

    async def store_facts(self, episode: str, facts: Sequence[Fact], at: datetime) -> int:
        """Write the facts of an episode over those that its turns said so far; the number of new ones. A fact that is
        there already stays as it is (another episode may take it over when turns were cut anew); one that is no longer
        made of these words is retired at `at`, and comes back when it is made again: at a moment between the two it is
        not known. Nothing is written about words that are gone, a whole episode's or one turn's of a fact. Raises
        InputRefused for a time that is none in UTC; then nothing is written."""
        ...

    async def facts_of(self, episodes: Sequence[str]) -> list[Fact]:
        """The facts of these episodes that are not retired, by time of validity."""
        ...

    async def add_undo(self, undo: Undo) -> None:
        """The same (fact, by) again changes nothing, unless it was taken back: then it counts from now on, and what was
        before is no longer known. Nothing is kept of facts that are not there."""
        ...

    async def take_back_undo(self, fact: str, by: str, at: datetime) -> None:
        """From `at` on `by` ends `fact` again; nothing changes where that is not undone."""
        ...

    async def store_event(self, event: Event) -> None:
        """Write a version of an event over an older one; a version that is not newer than what is there changes
        nothing. A fact belongs to one event, the one that named it last; facts that are not there are left out."""
        ...

    async def events_of(self, facts: Sequence[str]) -> list[Event]:
        """The newest version of the events that these facts belong to."""
        ...

    async def events_near(self, keywords: Sequence[str], first: datetime, last: datetime, limit: int) -> list[Event]:
        """The newest version of events that have one of these keywords, folded by `matter`, and a span that touches
        `first` to `last`, those with most of the keywords first, and the later ones among equals."""
        ...

    async def store_links(self, episode: str, links: Sequence[Link]) -> None:
        """Write the links that this note found over those it had found; those whose other end is gone are left out."""
        ...

    async def links_of(self, episodes: Sequence[str]) -> list[Link]:
        """Links from or to the notes of these episodes, the strongest first."""
        ...

    async def note_versions(self, episode: str) -> list[Note]:
        """Every version of the note, oldest first."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """How many `facts` (not retired), `events`, `links` and `undos` there are."""
        ...
