"""The port of who left a channel: what was said there is no longer theirs to read, whatever they wrote in it."""

from __future__ import annotations

from collections.abc import Sequence
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


class Membership(Protocol):
    """Keeps who left. Every read looks at it in the same step, so that it holds from the moment it is noted.

    Who left takes part in none of the channel's conversations (see `memory.scope`), until they come back. Raises
    StoreUnavailable.
    """

    async def note(self, moves: Sequence[Move]) -> None:
        """Moves in any order, and again: for each person and channel the latest counts, of two at once the leaving."""
        ...
