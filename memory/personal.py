"""The port of what belongs to one person: their requests, how much of theirs is kept, and their own words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import Conversation, Turn, Viewer, require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A conversation about one person's own matter, as a list of tickets shows it: what people said there for that
    person, as far as the viewer may see it. The bot's own turns are no part of it.

    `message` is its first message, None where that is gone; `title` the ticket's, or its first words where it has none.
    `open` is False where its status says that it is settled; without a status it is open. `opened_at` and `changed_at`
    are the times of its first and its last message.
    """

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

    async def requests(self, viewer: Viewer, until: datetime, limit: int) -> list[Request]:
        """Up to `limit` requests of the viewer, as they were at `until`, the one that changed last first."""
        ...

    async def kept(self, viewer: Viewer, until: datetime) -> Kept:
        """How much the viewer wrote up to `until`, wherever it was, that may be seen here."""
        ...

    async def written(self, viewer: Viewer, after: str | None, limit: int) -> list[Turn]:
        """The viewer's own words, whenever they were said, in the order of their ids, after the id `after`: a walk that
        can be resumed, and that goes on while what it passed is deleted."""
        ...
