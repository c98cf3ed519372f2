"""What an outside tracker says became of a ticket: taken as a support agent's act, once, in the ticket's own scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from handlers.tickets.desk import TicketDesk
from handlers.tickets.endings import Endings
from handlers.tickets.records import Actor, Resolution
from memory.errors import TicketMoved
from memory.model import Viewer
from memory.tickets import TRACKER, UNSETTLED, State, Step, Ticket, told_key

#: It sees what a support agent sees.
_VIEWER = Viewer(user=TRACKER, agent=True)
_STEPS = {
    State.OPEN: Step.HAND_BACK,
    State.WAITING_FOR_USER: Step.ASK_USER,
    State.WAITING_FOR_SUPPORT: Step.TAKE,
    State.RESOLVED: Step.RESOLVE,
    State.CLOSED: Step.CLOSE,
    State.REOPENED: Step.REOPEN,
}
#: In which somebody has it, if the tracker says who.
_OWNED = frozenset((State.WAITING_FOR_USER, State.WAITING_FOR_SUPPORT, State.RESOLVED, State.CLOSED))
#: A change that comes in the same moment as others is tried so often.
_MOST_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """A tracker's word on a ticket: into which state it went, by whom, and who has it, None where nothing is said of
    that. `delivery` is the same each time that this is told. `resolution` counts where it is resolved; `assignee` where
    somebody waits or it ends by this, and not where it was settled before, or is open or reopened."""

    delivery: str
    ticket: str
    state: State
    by: str
    assignee: str | None = None
    resolution: Resolution = field(default_factory=Resolution)


async def take_in(tracked: Tracked, desk: TicketDesk, endings: Endings) -> Ticket:
    """The ticket as it stands then; what is so already, or was told before, changes nothing. Where it ended by this,
    who asked is told. Raises TicketUnknown, TicketElsewhere, StepRefused, TicketMoved and StoreUnavailable."""
    for left in reversed(range(_MOST_TRIES)):
        try:
            ticket = await _changed(tracked, desk)
        except TicketMoved:
            if not left:
                raise
        else:
            if await _ended_by(tracked, ticket, desk):
                await endings.tell_requester(ticket)
            return ticket
    raise TicketMoved


async def _ended_by(tracked: Tracked, ticket: Ticket, desk: TicketDesk) -> bool:
    """Whether the ticket is over because of this very delivery, however often that was told."""
    actor = Actor(viewer=_VIEWER, name=tracked.by, language="en")
    return ticket.state not in UNSETTLED and bool(await desk.said(ticket, actor, key=told_key(tracked.delivery)))


async def _changed(tracked: Tracked, desk: TicketDesk) -> Ticket:
    seer = Actor(viewer=_VIEWER, name=tracked.by, language="en")
    ticket = await desk.seen(tracked.ticket, seer)
    key = told_key(tracked.delivery)
    if await desk.said(ticket, seer, key=key):
        return ticket
    if ticket.state is tracked.state is State.RESOLVED:
        return await _learned(tracked, ticket, desk, key)
    if _has_another(tracked, ticket):
        ticket = await _taken(tracked, ticket, desk, key)
    if ticket.state is tracked.state:
        return ticket
    step = _STEPS[tracked.state]
    # Where the tracker does not say who takes it, that stays as it is.
    taker = ticket.assignee if step is Step.TAKE else None
    actor = Actor(viewer=_VIEWER, name=taker or tracked.by, language=desk.spoken(ticket))
    if step is Step.RESOLVE:
        return await desk.resolve(ticket.name, tracked.resolution, actor, key=key)
    return await desk.step(ticket.name, step, actor, key=key)


def _has_another(tracked: Tracked, ticket: Ticket) -> bool:
    """Whether the tracker says that somebody has it who does not have it here."""
    told = tracked.assignee is not None and tracked.assignee != ticket.assignee
    return told and tracked.state in _OWNED and ticket.state in UNSETTLED


async def _taken(tracked: Tracked, ticket: Ticket, desk: TicketDesk, key: str) -> Ticket:
    """Whoever takes it has it from then on: an act of its own, but where nothing else is told."""
    actor = Actor(viewer=_VIEWER, name=tracked.assignee or "", language=desk.spoken(ticket))
    own = key if tracked.state is State.WAITING_FOR_SUPPORT else f"{key}-owner"
    return await desk.step(ticket.name, Step.TAKE, actor, key=own)


async def _learned(tracked: Tracked, ticket: Ticket, desk: TicketDesk, key: str) -> Ticket:
    """Of a ticket that is resolved already it may be told only now, or otherwise than before, what helped."""
    actor = Actor(viewer=_VIEWER, name=tracked.by, language=desk.spoken(ticket))
    if tracked.resolution == Resolution() or await desk.says(ticket, tracked.resolution, actor):
        return ticket
    return await desk.learn(ticket.name, tracked.resolution, actor, key=key)
