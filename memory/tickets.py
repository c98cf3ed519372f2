"""Tickets: requests that get an owner, a state and an end.

A ticket's words are turns like all others, and so is each change of it: a turn of the ticket's conversation that says
who did what and carries the new status, assignee or title. The turns are the truth. What is kept beside them is an
index over them, one row a ticket without any words of it, by which tickets are listed without reading all turns; it is
written in the transaction that writes, takes back or erases the turns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.errors import StepRefused
from memory.model import SHARED, Conversation, Turn, Viewer, Visibility, require_aware


class State(StrEnum):
    """Where a ticket stands. The value is what stands in `Turn.status` when this program writes it."""

    OPEN = "open"
    WAITING_FOR_USER = "waiting for user"
    WAITING_FOR_SUPPORT = "waiting for support"
    RESOLVED = "resolved"
    CLOSED = "closed"
    REOPENED = "reopened"


#: By what an outside tracker is known as the author of a change.
TRACKER = "tracker"

#: States in which something is still to be done.
UNSETTLED = frozenset((State.OPEN, State.WAITING_FOR_USER, State.WAITING_FOR_SUPPORT, State.REOPENED))


class Step(StrEnum):
    """What somebody does with a ticket."""

    TAKE = "take"
    ASK_USER = "ask user"
    USER_ANSWERED = "user answered"
    HAND_BACK = "hand back"
    RESOLVE = "resolve"
    LEARN = "learn"
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
    Step.LEARN: (frozenset((State.RESOLVED,)), State.RESOLVED),
    Step.CLOSE: (UNSETTLED | {State.RESOLVED}, State.CLOSED),
    Step.REOPEN: (_SETTLED, State.REOPENED),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A ticket as it stands, for whoever may see the message that opened it.

    `title` and `status` are the last ones given in words that the viewer may see; without a title the message's first
    sentence, as it is now, stands for it, and the name where that message is gone (`opener_gone`); not `titled` is one
    that has only its name. The rest is told of the ticket as it is: `state` is what its last status means, whatever
    tool wrote it (`memory.text.statuses.state_of`), `assignee` None where nobody has it. `changes` is the number of its
    turns that carry a title, a status or an assignee: whoever changes it says which count was seen. `opened_by` is the
    id of the message that was made a ticket, or the first turn that is left of it; `changed_at` the time of its last.
    `ours`: it was opened here, and not imported.
    """

    name: str
    ours: bool
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
    opener_gone: bool = False

    @property
    def titled(self) -> bool:
        return self.title != self.name

    def __post_init__(self) -> None:
        require_aware(self.opened_at, "opened_at")
        require_aware(self.changed_at, "changed_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to become a ticket: a message that was recorded (`turn`, its id), under a title that people read; None
    where the message's own first sentence is to stand for it.

    `category` is one of the administrator's names, not words of the message: it stays when those are taken back."""

    turn: str
    title: str | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketFilter:
    """Which tickets are looked for; None is any. `open` by `Ticket.state`. Of a `requester` who was forgotten there are
    only those that were made since."""

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
    """Tickets for a person: those of which the viewer may see the message that opened it. Raises StoreUnavailable."""

    async def listed(self, viewer: Viewer, which: TicketFilter, after: Place | None, limit: int) -> list[Ticket]:
        """Up to `limit` tickets, the one that changed last first (by name where two changed at once). What is asked for
        costs the same however many there are; those that the viewer may not see are walked past."""
        ...

    async def named(self, names: Sequence[str], viewer: Viewer) -> list[Ticket]:
        """These tickets in the order of `names`; case and width do not count; unknown or unseen ones left out. Where
        several conversations have a ticket of one name it is ours, or else the oldest."""
        ...

    async def of_conversation(self, conversation: str, viewer: Viewer) -> list[Ticket]:
        """A conversation's tickets, the oldest first; at most one of those that this program opened is unsettled."""
        ...

    async def history(self, name: str, viewer: Viewer) -> list[Turn]:
        """The turns by which title, status or assignee of a ticket changed, as far as the viewer may see them, and
        before them the message that opened it; oldest first."""
        ...


class TicketWriting(Protocol):
    """Opens and changes tickets: sees everything, answers nobody. Raises StoreUnavailable.

    Turns that change a ticket of ours are words like all others: whoever makes them sees to it that they may be read by
    those who may read the message that opened it, and that they are their author's to take back. An `assignee` of ""
    says that nobody has it any more. A turn that comes before the last change by its clock is given that one's time.
    """

    async def open(self, draft: Draft, opening: Turn, prefix: str) -> str:
        """Make a ticket of a recorded message, durable when this returns; its name, `prefix` and a number that no other
        ticket has (HD-1, HD-2, …). The same message again is the same ticket.

        `opening` is another turn of the conversation that says so; it is recorded with the ticket's name, the title of
        the draft, if any, and, where it gives none, the status `State.OPEN`. What was said in the conversation from
        that message on and belongs to no ticket belongs to this one from now on, and is pending again. So does what is
        said there until the ticket is settled, however late it is delivered, unless the delivery names a ticket itself.

        Raises TicketUnknown where the message is not there, StepRefused where it belongs to another ticket or the
        conversation has one of ours that is not settled."""
        ...

    async def change(self, name: str, seen: int, change: Turn) -> None:
        """Record the turn that changes a ticket of ours in its conversation, durable when this returns; the same
        message again changes nothing. Raises TicketUnknown, TicketMoved where the ticket's `changes` is not `seen` any
        more, StepRefused where a settled ticket would come back beside another one of ours that is not settled."""
        ...

    async def idle(self, states: Collection[State], before: datetime, limit: int) -> list[str]:
        """The names of up to `limit` tickets of ours in one of these states, of which nothing was heard since `before`;
        the one that has been silent longest first. What is asked for costs the same however many there are."""
        ...


def shared_place(ticket: Ticket) -> Conversation:
    """Where what was learned from this ticket is shared: by itself, so that it is as private as nothing beside it."""
    workspace = ticket.conversation.workspace
    return Conversation(platform=SHARED, workspace=workspace, channel=SHARED, thread=ticket.name)


def is_resolution(turn: Turn) -> bool:
    """Whether this is what a support agent said of how a ticket of ours was resolved."""
    resolved = turn.status == State.RESOLVED and turn.ticket is not None
    return turn.conversation.platform == SHARED or (resolved and turn.message.startswith(f"{turn.ticket}-"))


def opening_message(message: str) -> str:
    """The name of the message that says that a ticket was made of this one."""
    return f"{message}-ticket"


def told_key(delivery: str) -> str:
    """By what a change is known that an outside tracker told with this delivery."""
    return f"{TRACKER}-{delivery}"


def told_by_tracker(turn: Turn) -> bool:
    """Whether this change of a ticket is one that an outside tracker told."""
    return turn.ticket is not None and turn.message.startswith(f"{turn.ticket}-{told_key('')}")


def is_change(turn: Turn) -> bool:
    """Whether this is the record of what was done to a ticket of ours, whoever did it: a person, an outside tracker, or
    this program, as when it closes one that nobody answered."""
    if turn.ticket is None or turn.ticket == turn.conversation.thread:
        return False  # what was imported goes by its ticket's name
    made = turn.message.startswith(f"{turn.ticket}-") or turn.message.endswith(opening_message(""))
    return made and turn.status is not None


def is_bookkeeping(turn: Turn) -> bool:
    """Whether this only says that something was done to a ticket of ours, as that it was opened or taken. What was
    asked or resolved is in a support agent's own words."""
    if not is_change(turn) or (turn.status == State.WAITING_FOR_USER and not told_by_tracker(turn)):
        return False
    return not (turn.status == State.RESOLVED and "\n" in turn.text)


def next_state(step: Step, state: State) -> State:
    """Where this step leads from there. Raises StepRefused."""
    allowed, after = STEPS[step]
    if state not in allowed:
        raise StepRefused
    return after
