"""What a click on a note does to its ticket, and how one that came to nothing is told; the same on every platform."""

from __future__ import annotations

from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wording_tickets import TicketWords
from memory.errors import NotAllowed, StepRefused, TicketMoved, TicketUnknown
from memory.tickets import Step, Ticket

#: What a step raises where who clicked is to hear why it was not taken.
REFUSALS = (NotAllowed, StepRefused, TicketMoved, TicketUnknown)


async def take_step(desk: TicketDesk, ticket: Ticket, step: Step, actor: Actor, *, key: str) -> None:
    """A step that needs no words. `ticket` is as it stood when the click came. Raises as `TicketDesk.step` does."""
    if step is Step.TAKE and ticket.assignee not in (None, actor.called):
        # Who clicked saw a note on which nobody had it yet.
        raise TicketMoved
    await desk.step(ticket.name, step, actor, key=key)


async def refusal(error: Exception, ticket: str, desk: TicketDesk, actor: Actor, words: TicketWords) -> str:
    """Why a step was not taken, in the words of who clicked. Raises StoreUnavailable, and TicketUnknown where the
    ticket went in this very moment."""
    match error:
        case StepRefused():
            return words.refused.format(state=words.states[(await desk.seen(ticket, actor)).state])
        case TicketMoved():
            return words.moved
        case NotAllowed():
            return words.not_agent
    return words.unknown
