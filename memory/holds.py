"""The port of legal holds: conversations of which nothing may be lost, whoever takes it back or however old it is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A conversation (its id) under hold: under which name somebody put it there, who and when. `kept` is how many
    versions of messages are kept out of sight."""

    conversation: str
    name: str
    who: str
    at: datetime
    kept: int = 0

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVersion:
    """A version of a message that was taken back under hold."""

    turn: str
    revision: int
    conversation: str
    message: str
    author: str
    said_at: datetime
    text: str


class Holds(Protocol):
    """A message of such a conversation that is taken back is gone for everybody, and for every reader of the memory;
    its words are kept here, out of sight, until the hold ends. Retention passes such conversations over. Raises
    StoreUnavailable."""

    async def put(self, hold: Hold) -> bool:
        """Put a conversation under hold; False where it is already."""
        ...

    async def release(self, conversation: str) -> bool:
        """End a hold, with everything that was kept for it; False where there was none."""
        ...

    async def all(self) -> list[Hold]:
        """Every hold, the oldest first."""
        ...

    async def among(self, conversations: Collection[str]) -> list[Hold]:
        """The holds on these conversations."""
        ...

    async def of_author(self, author: str) -> list[Hold]:
        """The holds on conversations in which this person wrote, also what was taken back since."""
        ...

    async def kept(self, conversation: str) -> list[KeptVersion]:
        """What is kept out of sight of a conversation, in the order in which it was said."""
        ...

    async def destroy(self, turns: Collection[str]) -> int:
        """Destroy what is kept of these turns, hold or not; how many versions there were."""
        ...
