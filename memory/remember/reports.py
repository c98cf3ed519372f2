"""What the write path says about its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a long piece of work is: `done` of `total` units. The total may grow while it runs."""

    done: int
    total: int


#: Told from time to time while something long runs.
Watcher = Callable[[Progress], None]


def nobody(_: Progress) -> None:
    """A watcher for work that nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushReport:
    """Counts of one flush. `postponed` episodes are searchable by their words and wait in the retry list."""

    conversations: int = 0
    episodes: int = 0
    keys: int = 0
    postponed: int = 0

    def counts(self) -> Mapping[str, int]:
        return {
            "conversations": self.conversations,
            "episodes": self.episodes,
            "keys": self.keys,
            "postponed": self.postponed,
        }
