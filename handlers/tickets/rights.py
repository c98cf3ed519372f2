"""Which steps who may take with a ticket."""

from __future__ import annotations

from handlers.tickets.records import Actor
from memory.errors import NotAllowed
from memory.tickets import Step, Ticket

#: What a requester may do with an own ticket; the rest is for support agents.
_OWN_STEPS = frozenset((Step.USER_ANSWERED, Step.RESOLVE, Step.CLOSE, Step.REOPEN))


def require_allowed(ticket: Ticket, step: Step, actor: Actor) -> None:
    """Support agents take every step, a requester some with an own ticket. Raises NotAllowed."""
    own = actor.viewer.user == ticket.requester
    if not actor.viewer.agent and not (own and step in _OWN_STEPS):
        raise NotAllowed
