"""The line between who asked and the support team: where the team talks about a ticket, and what was passed on.

No words are kept here. A copy is owed before it is made, so that a process that dies owes it still; what it says is
what its turn says, and it goes when the turn was taken back.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.model import Conversation, require_aware
from memory.tickets import State


class Side(StrEnum):
    """Where a copy stands: with who asked, or with the support team."""

    REQUESTER = "requester"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Where the support team talks about a ticket: `place` is the thread of a note on it, `conversation` the id of the
    ticket's own conversation. `told_at` is when who asked was told that words are passed on, None before.

    `reminder` is the ticket's number of changes at which somebody is to be reminded, None where nobody is. `request` is
    the id of the turn that the note shows, None where that is not known. `forgotten`: who asked was forgotten.
    `changed` says up to what the note is to be brought, and means nothing else."""

    ticket: str
    conversation: str
    place: Conversation
    told_at: datetime | None = None
    reminder: int | None = None
    request: str | None = None
    forgotten: bool = False
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A message that is to stand on the other side, too: the id of its `turn`, owed since `at`. `message` is the
    platform's id of the copy, None until it is made, `revision` that of the turn when it was. `begun`: somebody tried
    to make it, and whether it stands there is known only once it is made. `withdrawn`: the turn was taken back."""

    turn: str
    side: Side
    at: datetime
    message: str | None = None
    revision: int = 0
    begun: bool = False
    withdrawn: bool = False

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


class Lines(Protocol):
    """Keeps lines and copies. Shows nobody anything. Raises StoreUnavailable."""

    async def lay(self, line: Line, at: datetime) -> None:
        """Durable when this returns. A line at the same place changes nothing; a ticket may have several."""
        ...

    async def at(self, place: Conversation) -> Line | None:
        """The line at this place."""
        ...

    async def of_ticket(self, conversation: str, ticket: str) -> Line | None:
        """The line of a ticket that was laid last."""
        ...

    async def told(self, line: Line, at: datetime) -> None:
        """Who asked was told that words are passed on; the first time counts."""
        ...

    async def owe(self, line: Line, copy: Copy) -> bool:
        """A copy is to be made, durable when this returns. Whether that is new: the same turn again changes nothing."""
        ...

    async def behind(self, line: Line) -> list[Copy]:
        """The copies of this line that are not made, say something else than their turn does now, or whose turn was
        taken back; in the order in which their turns were said. A turn that was erased for its age leaves its copy."""
        ...

    async def begin(self, turn: str) -> None:
        """The copy of this turn is being made, durable when this returns."""
        ...

    async def undo(self, turn: str) -> None:
        """It certainly does not stand there: it is as if nobody had begun."""
        ...

    async def made(self, turn: str, message: str, revision: int) -> None:
        """The copy of this turn stands there, as that revision of it."""
        ...

    async def drop(self, turn: str) -> None:
        """There is no copy of this turn any more, or there will be none; an unknown one is no error."""
        ...

    async def waiting(self, platform: str, since: datetime, limit: int) -> list[Line]:
        """Up to `limit` lines of this platform of which copies that are owed since `since` or later are `behind`."""
        ...

    async def silent(self, states: Collection[State], before: datetime, limit: int) -> list[Line]:
        """The lines of up to `limit` tickets in one of these states of which nothing was heard since `before`, and of
        which nobody was reminded since they changed last; the one that has been silent longest first."""
        ...

    async def remind(self, line: Line, changes: int) -> None:
        """Somebody is to be reminded of the ticket, which has changed so often; durable when this returns. The same
        number again changes nothing."""
        ...

    async def reminders(self, platform: str, limit: int) -> list[Line]:
        """Up to `limit` lines of this platform with a `reminder`."""
        ...

    async def reminded(self, line: Line) -> None:
        """The reminder of this line was given, or is none any more."""
        ...

    async def stale(self, platform: str, limit: int) -> list[Line]:
        """Up to `limit` lines of this platform whose notes are not what they ought to be: the turn of the `request` got
        other words or went, the ticket changed or went, or who asked is `forgotten`. That is durable with what
        happened."""
        ...

    async def shows(self, line: Line, turns: Collection[str]) -> None:
        """The note of this line shows something of the turns of these ids as well, and of no others, durable when this
        returns: it is stale as well when one of them gets other words or goes."""
        ...

    async def drawn(self, line: Line) -> None:
        """The note of this line is as it ought to be, as far as the line knows: what `changed` since makes it stale."""
        ...

    async def forget(self, person: str) -> None:
        """Who asked for the tickets of this requester is `forgotten`, durable when this returns."""
        ...
