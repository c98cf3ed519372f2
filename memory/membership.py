"""The port of who left a channel: what was said there is no longer theirs to read, whatever they wrote in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Somebody left a channel, or came into it, at a time that the platform tells."""

    platform: str
    channel: str
    member: str
    gone: bool
    at: datetime

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A channel in which something was said that not everybody may read, by the ids of a platform."""

    workspace: str
    channel: str


class Membership(Protocol):
    """Keeps who left. Every read looks at it in the same step, so that it holds from the moment it is noted.

    Who left takes part in none of the channel's conversations (see `memory.scope`), until they come back. Raises
    StoreUnavailable.
    """

    async def note(self, moves: Sequence[Move]) -> None:
        """Moves in any order, and again: for each person and channel the latest counts, of two at once the leaving."""
        ...

    async def circles(self, platform: str, after: str, limit: int) -> list[Circle]:
        """Up to `limit` of a platform's circles in the order of their channels, those after the channel `after`."""
        ...

    async def authors(self, platform: str, channel: str) -> Mapping[str, bool]:
        """Who wrote there what not everybody may read, the bot included, and whether they are known to have left."""
        ...
