"""The port of what is known of each article: its last edition, and the names of its sections. No words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.knowledge.articles import place_of
from memory.model import Conversation, require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """An article as it was last taken in. `digest` is that of its file, "" while it is being taken in or where there is
    none any more; `edition` counts from 1. `sections` are the messages of its sections in their order, `gone` those
    that were taken back."""

    collection: str
    path: str
    title: str
    digest: str
    edition: int
    sections: tuple[str, ...]
    gone: tuple[str, ...]
    at: datetime

    def __post_init__(self) -> None:
        require_aware(self.at, "at")

    @property
    def conversation(self) -> Conversation:
        return place_of(self.collection, self.path)


class Shelf(Protocol):
    """Kept beside the words. Raises StoreUnavailable."""

    async def shelved(self) -> list[Shelved]:
        """Every article that there is or was, by collection and path."""
        ...

    async def shelve(self, articles: Sequence[Shelved]) -> None:
        """Write these over what was known of the same collections and paths, all or none."""
        ...
