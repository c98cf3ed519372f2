"""The port of what belongs to one person: how much of theirs is kept, and their own words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import Conversation, Turn, Viewer, require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A ticket of one person as a list shows it, at the message that opened it: `message`, None where that is gone.
    `open` is False where it is settled."""

    conversation: Conversation
    message: str | None
    ticket: str | None
    title: str
    status: str | None
    open: bool
    opened_at: datetime
    changed_at: datetime

    def __post_init__(self) -> None:
        require_aware(self.opened_at, "opened_at")
        require_aware(self.changed_at, "changed_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How many messages a person wrote that are kept, and the times of the first and the last; None without any."""

    messages: int
    first_at: datetime | None = None
    last_at: datetime | None = None


class Personal(Protocol):
    """What the viewer may see of what is the viewer's own. Raises StoreUnavailable."""

    async def kept(self, viewer: Viewer, until: datetime) -> Kept:
        """How much the viewer wrote up to `until`, wherever it was, that may be seen here."""
        ...

    async def newest(self, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        """The viewer's own last words up to `until`, newest first."""
        ...

    async def wrote_in(self, viewer: Viewer, since: datetime, until: datetime, limit: int) -> list[str]:
        """Ids of the episodes in which the viewer said something seen here from `since` to `until`, the newest first,
        at most `limit`."""
        ...

    async def asked_open(self, viewer: Viewer, limit: int) -> list[str]:
        """Ids of the episodes of the viewer's open tickets of which the opening is seen here, the one that changed last
        first, at most `limit`."""
        ...

    async def written(self, viewer: Viewer, after: str | None, limit: int) -> list[Turn]:
        """The viewer's own words, whenever they were said, in the order of their ids, after the id `after`: a walk that
        can be resumed, and that goes on while what it passed is deleted."""
        ...
