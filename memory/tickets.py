"""Tickets: requests that get an owner, a state and an end.

A ticket's words are turns like all others, and so is each change of it: a turn of the ticket's conversation that says
who did what and carries the new status, assignee or title. The turns are the truth. What this port keeps beside them is
an index over them, one row a ticket, by which tickets are listed without reading their words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.errors import StepRefused
from memory.model import Conversation, Turn, Viewer, Visibility, require_aware


class State(StrEnum):
    """Where a ticket stands. The value is what stands in `Turn.status` when this program writes it."""

    OPEN = "open"
    WAITING_FOR_USER = "waiting for user"
    WAITING_FOR_SUPPORT = "waiting for support"
    RESOLVED = "resolved"
    CLOSED = "closed"
    REOPENED = "reopened"


#: States in which something is still to be done.
UNSETTLED = frozenset((State.OPEN, State.WAITING_FOR_USER, State.WAITING_FOR_SUPPORT, State.REOPENED))


class Step(StrEnum):
    """What somebody does with a ticket."""

    TAKE = "take"
    ASK_USER = "ask user"
    USER_ANSWERED = "user answered"
    HAND_BACK = "hand back"
    RESOLVE = "resolve"
    CLOSE = "close"
    REOPEN = "reopen"


_SETTLED = frozenset((State.RESOLVED, State.CLOSED))

#: From which states a step may be taken, and where it leads.
STEPS: dict[Step, tuple[frozenset[State], State]] = {
    Step.TAKE: (UNSETTLED, State.WAITING_FOR_SUPPORT),
    Step.ASK_USER: (UNSETTLED, State.WAITING_FOR_USER),
    Step.USER_ANSWERED: (frozenset((State.WAITING_FOR_USER,)), State.WAITING_FOR_SUPPORT),
    Step.HAND_BACK: (UNSETTLED, State.OPEN),
    Step.RESOLVE: (UNSETTLED, State.RESOLVED),
    Step.CLOSE: (UNSETTLED | {State.RESOLVED}, State.CLOSED),
    Step.REOPEN: (_SETTLED, State.REOPENED),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A ticket as it stands, as far as the viewer may see it.

    `status` is the last one given, in whatever words; `state` what it means, by `memory.text.statuses` where another
    tool wrote it. `changes` counts what became of it: whoever changes it says which count was seen. `opened_by` is the
    message that was made a ticket. `changed_at` is the time of its last turn.
    """

    name: str
    conversation: Conversation
    opened_by: str
    requester: str
    visibility: Visibility
    title: str
    category: str | None
    status: str | None
    state: State
    assignee: str | None
    opened_at: datetime
    changed_at: datetime
    changes: int

    def __post_init__(self) -> None:
        require_aware(self.opened_at, "opened_at")
        require_aware(self.changed_at, "changed_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to become a ticket: a message that was recorded (`turn`, its id), under a title that people read."""

    turn: str
    title: str
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketFilter:
    """Which tickets are looked for; None is any. `open` by `Ticket.state`."""

    requester: str | None = None
    assignee: str | None = None
    open: bool | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a list goes on: behind the ticket of this name that changed then."""

    changed_at: datetime
    name: str


class TicketReading(Protocol):
    """Tickets for a person: those of which the viewer may see the message that opened it, told from what the viewer may
    see of the rest. Raises StoreUnavailable."""

    async def listed(self, viewer: Viewer, which: TicketFilter, after: Place | None, limit: int) -> list[Ticket]:
        """Up to `limit` tickets, the one that changed last first (by name where two changed at once). Costs the same
        however many there are."""
        ...

    async def named(self, names: Sequence[str], viewer: Viewer) -> list[Ticket]:
        """These tickets in the order of `names`; case and width do not count; unknown or unseen ones left out."""
        ...

    async def of_conversation(self, conversation: str, viewer: Viewer) -> list[Ticket]:
        """A conversation's tickets, the oldest first; at most one of those that this program opened is unsettled."""
        ...

    async def history(self, name: str, viewer: Viewer) -> list[Turn]:
        """The turns by which title, status or assignee of a ticket changed, the first one included, oldest first."""
        ...


class TicketWriting(Protocol):
    """Opens and changes tickets: sees everything, answers nobody. Raises StoreUnavailable."""

    async def open(self, draft: Draft, opening: Turn, prefix: str) -> str:
        """Make a ticket of a recorded message, durable when this returns; its name, `prefix` and a number that no other
        ticket has (HD-1, HD-2, …). The same message again is the same ticket.

        `opening` is the turn that says so, without the ticket's name; it is recorded with it. What was said in the
        conversation from that message on belongs to the ticket from now on, and so does all that is said there until
        the ticket is settled. Raises TicketUnknown where the message is not there, StepRefused where the conversation
        has another ticket of ours that is not settled."""
        ...

    async def change(self, name: str, seen: int, change: Turn) -> None:
        """Record the turn that changes a ticket of ours, durable when this returns; the same message again changes
        nothing. Raises TicketMoved where the ticket's `changes` is not `seen` any more, TicketUnknown."""
        ...

    async def index(self, conversations: Sequence[str]) -> None:
        """Write the rows of these conversations' tickets anew from the turns: those that were imported, those whose
        turns were edited, taken back or erased. A ticket without turns has no row."""
        ...


def next_state(step: Step, state: State) -> State:
    """Where this step leads from there. Raises StepRefused."""
    allowed, after = STEPS[step]
    if state not in allowed:
        raise StepRefused
    return after
