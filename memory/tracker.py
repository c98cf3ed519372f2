"""The port of outside trackers: what one is told of tickets, what comes back, and what it is still to be told.

A change is owed to the tracker from the transaction on that writes it, and that a ticket is forgotten from that which
erases it. No words are kept for that: what the tracker is told is what the turn that made the change says when it is
told.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import Role, derived_id, require_aware
from memory.tickets import State


def forgetting_id(conversation: str, ticket: str) -> str:
    """The id of the delivery that says that this ticket of a conversation is forgotten: no turn is left to say so."""
    return derived_id("forgotten", conversation, ticket)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A change of a ticket that the tracker is to be told, owed since `at`: `turn` is the id of the turn that made it,
    and of the delivery; where the ticket is forgotten, see `forgetting_id`. `tries` were in vain so far, the last one
    as `why` says; it is not tried again before `next_at`. `refused_at`: since then it is not tried at all."""

    turn: str
    conversation: str
    ticket: str
    at: datetime
    next_at: datetime
    tries: int = 0
    why: str = ""
    refused_at: datetime | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")
        require_aware(self.next_at, "next_at")

    @property
    def forgotten(self) -> bool:
        """Whether it is that the ticket is forgotten."""
        return self.turn == forgetting_id(self.conversation, self.ticket)


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketWords:
    """What is told of a ticket only where the tracker may have its words: its title, who asked, and who made the change
    and said what with it."""

    title: str
    requester: str
    by: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketNews:
    """One change of a ticket as a tracker is told it. `delivery` is the same each time it is told. `assignee` is who
    has the ticket from then on: "" nobody, None where that did not change. `role`: as whom the change was made."""

    delivery: str
    ticket: str
    opened: bool
    state: State
    assignee: str | None
    category: str | None
    role: Role
    at: datetime
    words: TicketWords | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketForgotten:
    """What is told of a ticket whose request was taken back, or is past its time: that nothing of it is kept here."""

    delivery: str
    ticket: str
    at: datetime

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


class Tracker(Protocol):
    """An outside tracker."""

    async def tell(self, news: TicketNews | TicketForgotten) -> None:
        """Returns once the tracker has it. Raises TrackerUnavailable where it may take it later, and TrackerRefused
        where it never will."""
        ...


class Deliveries(Protocol):
    """Keeps what a tracker is still to be told. Raises StoreUnavailable.

    What is owed is put here by `TicketWriting`, where it was opened for a tracker; a change that the tracker itself
    told is not owed to it. That a ticket is forgotten is put here by `Mailbox.withdraw` and `Writing.erase`, once, with
    the message that opened it."""

    async def due(self, now: datetime, limit: int) -> list[Delivery]:
        """Of up to `limit` tickets the first change that is neither told nor refused, where it may be tried by now; the
        one that has been owed longest first."""
        ...

    async def told(self, turn: str) -> None:
        """The tracker has it, or there is nothing to tell: nothing is kept of it."""
        ...

    async def failed(self, turn: str, why: str, next_at: datetime) -> None:
        """It was tried in vain, and is to be tried again from `next_at` on."""
        ...

    async def refused(self, turn: str, why: str, at: datetime) -> None:
        """It is not tried again; the later changes of its ticket are."""
        ...

    async def listed(self, limit: int) -> list[Delivery]:
        """Up to `limit` of all that is kept, in the order in which it came."""
        ...

    async def of_ticket(self, ticket: str) -> list[Delivery]:
        """What is kept of the ticket of ours of this name, in that order."""
        ...

    async def again(self, ticket: str, now: datetime) -> int:
        """What was refused of this ticket is tried again from now on, as if it never had been. How many."""
        ...

    async def drop_old(self, before: datetime) -> int:
        """What was refused before that is gone. How many."""
        ...
