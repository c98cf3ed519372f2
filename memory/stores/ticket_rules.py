"""What the row of a ticket says, worked out from its turns, and which ticket a turn belongs to, in every store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.errors import StepRefused, TicketMoved, TicketUnknown
from memory.model import Conversation, Turn, Visibility
from memory.stores.words import last_given, name_key
from memory.text.statuses import is_settled, state_of
from memory.text.titles import title_of
from memory.tickets import UNSETTLED, Draft, Place, State, Ticket, is_resolution

#: A ticket: its conversation's id and the key of its name.
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What of a turn counts for the row of its ticket."""

    turn: str
    ticket: str
    requester: str
    visibility: str
    channel: str
    said_at: datetime
    title: str | None
    status: str | None
    assignee: str | None

    @property
    def tells(self) -> bool:
        return (self.title, self.status, self.assignee) != (None, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What was decided when this program made a ticket of the message `turn`."""

    turn: str
    category: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The row of a ticket. `ours`: this program opened it. `settled_at` is since when it is settled, or None.
    `opener_gone`: the message that opened it is no longer there, and `opened_by` is what is left. `requester_gone`: who
    asked was forgotten, and it is nobody's request any more."""

    conversation_id: str
    key: str
    name: str
    ours: bool
    opened_by: str
    category: str | None
    requester: str
    visibility: str
    channel: str
    state: str
    assignee: str | None
    opened_at: datetime
    changed_at: datetime
    settled_at: datetime | None
    changes: int
    opener_gone: bool
    requester_gone: bool

    @property
    def pair(self) -> Pair:
        return self.conversation_id, self.key

    @property
    def is_open(self) -> bool:
        return self.settled_at is None


def part_of(turn: Turn) -> Part:
    """What counts of a turn that belongs to a ticket."""
    return Part(
        turn=turn.id,
        ticket=turn.ticket or "",
        requester=turn.requester,
        visibility=turn.visibility.value,
        channel=turn.conversation.channel,
        said_at=turn.said_at,
        title=turn.title,
        status=turn.status,
        assignee=turn.assignee,
    )


def standing(
    pair: Pair,
    said: Sequence[Part],
    opened: Opened | None,
    *,
    opener_gone: bool = False,
    requester_gone: bool = False,
) -> Standing:
    """The row of the ticket that these turns are: at least one, in time order. Whose request it is the first turn says
    that tells of a ticket of ours: in a thread people ask for themselves, whoever began it."""
    first = next((part for part in said if opened and part.turn == opened.turn), said[0])
    asked = next((part for part in said if opened and part.tells), first)
    return Standing(
        conversation_id=pair[0],
        key=pair[1],
        name=first.ticket,
        ours=opened is not None,
        opened_by=first.turn,
        category=opened.category if opened else None,
        requester=asked.requester,
        visibility=first.visibility,
        channel=first.channel,
        state=state_of(last_given([part.status for part in said])).value,
        assignee=last_given([part.assignee for part in said]) or None,
        opened_at=first.said_at,
        changed_at=said[-1].said_at,
        settled_at=_settled_at(said),
        changes=sum(part.tells for part in said),
        opener_gone=opener_gone,
        requester_gone=requester_gone,
    )


def has_lost(known: Standing | None, left: Collection[str]) -> bool:
    """Whether a ticket, as its row was, of which these turns are left is without the message that opened it."""
    return known is not None and (known.opener_gone or known.opened_by not in left)


def is_forgotten(known: Standing, left: Collection[str]) -> bool:
    """Whether a ticket of ours, as its row was, is forgotten now that these turns are left: with the message that
    opened it goes what it is about."""
    return known.ours and not known.opener_gone and known.opened_by not in left


def last_of_left(said: Sequence[Turn]) -> Turn | None:
    """Of what is left in time order of a ticket that was settled, the turn that has to say so; None where that is said,
    or nobody is left to say it."""
    told = last_given([turn.status for turn in said])
    last = next((turn for turn in reversed(said) if not turn.derived), None)
    return None if is_settled(told) else last


def _settled_at(said: Iterable[Part]) -> datetime | None:
    """When it was settled without having come back since."""
    since: datetime | None = None
    for part in said:
        if part.status is not None:
            since = None if state_of(part.status) in UNSETTLED else since or part.said_at
    return since


def belonging(tickets: Iterable[Standing], said_at: datetime) -> Standing | None:
    """The ticket of ours that something said in its conversation belongs to: the newest of those open at that time."""
    then = [
        one
        for one in tickets
        if one.ours and one.opened_at <= said_at and (one.settled_at is None or said_at <= one.settled_at)
    ]
    return max(then, key=lambda one: (one.opened_at, one.key), default=None)


def ticket_of(row: Standing, place: Conversation, opener: str, title: str | None, status: str | None) -> Ticket:
    """A ticket for people; `opener` is the text of the message that opened it, title and status as the viewer may see
    them."""
    return Ticket(
        name=row.name,
        ours=row.ours,
        conversation=place,
        opened_by=row.opened_by,
        requester=row.requester,
        visibility=Visibility(row.visibility),
        title=title or ("" if row.opener_gone else title_of(opener)) or row.name,
        category=row.category,
        status=status,
        state=State(row.state),
        assignee=row.assignee,
        opened_at=row.opened_at,
        changed_at=row.changed_at,
        changes=row.changes,
        opener_gone=row.opener_gone,
    )


def chosen(rows: Iterable[Standing]) -> dict[str, Standing]:
    """By key, the ticket that a name means: ours, or else the oldest."""
    found: dict[str, Standing] = {}
    for row in sorted(rows, key=lambda row: (not row.ours, row.opened_at, row.conversation_id)):
        found.setdefault(row.key, row)
    return found


def behind(row: Standing, after: Place | None) -> bool:
    """Whether a list that goes on at `after` has this ticket still to come."""
    if after is None or row.changed_at != after.changed_at:
        return after is None or row.changed_at < after.changed_at
    return row.key > name_key(after.name)


def history_of(said: Iterable[Turn], opened_by: str) -> list[Turn]:
    """Of a ticket's turns in time order the one that opened it, and those that gave a title, a status or an assignee
    another value, or said anew how it was resolved."""
    known: tuple[str | None, ...] = (None, None, None)
    found = []
    for turn in said:
        given = (turn.title, turn.status, turn.assignee)
        now = tuple(new if new is not None else old for new, old in zip(given, known, strict=True))
        if now != known or turn.id == opened_by or is_resolution(turn):
            found.append(turn)
        known = now
    return found


# --- what may be done -------------------------------------------------------------------------------------------------


def opening_turn(opening: Turn, draft: Draft, name: str, not_before: datetime) -> Turn:
    """The turn that opens a ticket, as it is recorded."""
    status = opening.status or State.OPEN.value
    return replace(opening, ticket=name, title=draft.title, status=status, said_at=max(opening.said_at, not_before))


def already_opened(rows: Iterable[Standing], message: str, ticket: str | None) -> str | None:
    """The name of the ticket that was made of this message, None where one can be; `rows` are its conversation's
    tickets, `ticket` is the one that it belongs to. Raises StepRefused."""
    ours = [row for row in rows if row.ours]
    same = next((row.name for row in ours if row.opened_by == message), None)
    if same is None and (ticket is not None or any(row.is_open for row in ours)):
        raise StepRefused
    return same


def changeable(rows: Sequence[Standing], name: str, seen: int, change: Turn) -> Standing:
    """The ticket of ours, among those of its conversation, that may be changed by this turn. Raises TicketUnknown,
    TicketMoved and StepRefused."""
    ours = [row for row in rows if row.ours]
    row = next((row for row in ours if row.key == name_key(name)), None)
    if row is None:
        raise TicketUnknown
    if row.changes != seen:
        raise TicketMoved
    comes_back = not row.is_open and change.status is not None and state_of(change.status) in UNSETTLED
    if comes_back and (other := next((one.name for one in ours if one.is_open), None)) is not None:
        raise StepRefused(f"{other} is under way in the conversation of {row.name}; resolve or close {other} first.")
    return row
