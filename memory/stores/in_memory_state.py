"""What the in-memory store keeps, in plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memory.model import Episode, Note, Turn
from memory.ports import Retry
from memory.scope import narrowest
from memory.stores.words import Content


@dataclass(slots=True, kw_only=True)
class Kept:
    """A turn with what the store knows about it; `order` decides between equal times."""

    order: int
    turn: Turn
    recorded_at: datetime
    versions: set[Content]
    pending: bool = True
    pinned: bool = False
    episode: str | None = None

    @property
    def place(self) -> tuple[datetime, int]:
        return self.turn.said_at, self.order


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What is kept of an episode beside its turns."""

    ticket: str | None
    tokens: int


@dataclass(slots=True, kw_only=True)
class Memory:
    """Everything there is, in plain dictionaries."""

    turns: dict[str, Kept] = field(default_factory=dict)
    cuts: dict[str, Cut] = field(default_factory=dict)
    notes: dict[str, dict[int, Note]] = field(default_factory=dict)
    retries: dict[str, Retry] = field(default_factory=dict)
    recorded: int = 0

    def in_time(self) -> list[Kept]:
        return sorted(self.turns.values(), key=lambda kept: kept.place)

    def members(self) -> dict[str, list[Kept]]:
        """The turns of each episode, in time order."""
        found: dict[str, list[Kept]] = {}
        for kept in self.in_time():
            if kept.episode is not None:
                found.setdefault(kept.episode, []).append(kept)
        return found

    def episode(self, name: str, members: Iterable[Kept]) -> Episode:
        said = tuple(kept.turn for kept in members)
        return Episode(
            id=name,
            conversation=said[0].conversation,
            ticket=self.cuts[name].ticket,
            turns=said,
            scope=narrowest(said),
            tokens=self.cuts[name].tokens,
        )

    def newest_note(self, episode: str) -> Note | None:
        versions = self.notes.get(episode)
        return versions[max(versions)] if versions else None

    def forget(self, episodes: Iterable[str]) -> None:
        for name in episodes:
            self.cuts.pop(name, None)
            self.notes.pop(name, None)
            self.retries.pop(name, None)
