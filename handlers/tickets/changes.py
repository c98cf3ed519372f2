"""Each change of a ticket as a turn of its conversation: who did what, in words, with the state that follows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from handlers.tickets.records import Actor, Resolution
from handlers.wording_tickets import TicketWords
from memory.model import Role, Turn, Visibility, turn_id
from memory.tickets import State, Step, Ticket, opening_message, shared_place

_SAID: Mapping[Step, str] = {
    Step.TAKE: "taken",
    Step.ASK_USER: "asked_elsewhere",
    Step.USER_ANSWERED: "answered",
    Step.HAND_BACK: "handed_back",
    Step.CLOSE: "closed",
    Step.REOPEN: "reopened",
}
_SUPPORT = "-support"


def change_message(ticket: Ticket, key: str) -> str:
    """The name of the message by which an act on a ticket is kept."""
    return f"{ticket.name}-{key}"


def support_message(message: str) -> str:
    """The name, in the ticket's conversation, of what was said at the support team's end."""
    return f"{message}{_SUPPORT}"


def said_by_support(turn: Turn) -> bool:
    """Whether support said this of a request. In an own one a support agent is who asks, and speaks for support at the
    team's end only."""
    return turn.role is Role.AGENT or turn.message.endswith(_SUPPORT)


def change_id(ticket: Ticket, key: str) -> str:
    """The id of the turn by which an act on a ticket is kept."""
    return turn_id(ticket.conversation, change_message(ticket, key))


def owner_after(ticket: Ticket, step: Step, actor: Actor) -> str | None:
    """Who has it from then on; None where that stays as it is. Who asks something has it, where nobody
    had; what comes back is for whoever takes it then."""
    if step is Step.TAKE or (step is Step.ASK_USER and ticket.assignee is None):
        return actor.called
    return "" if step in (Step.HAND_BACK, Step.REOPEN) else None


def opened_turn(message: Turn, actor: Actor, requester: str, *, now: datetime, said: str) -> Turn:
    """What says that a ticket was made of this message, as the request of this person, or else of its author. No word
    of the message is in it: those are its author's to take back."""
    author = message.author if message.role is Role.REQUESTER else message.requester
    asks = requester or author
    return Turn(
        conversation=message.conversation,
        ticket=None,
        message=opening_message(message.message),
        author=actor.viewer.user,
        speaker=actor.name or None,
        # Of words of its own, as those of an incident are, the bot itself makes the ticket.
        role=Role.BOT if (message.role, message.author) == (Role.BOT, actor.viewer.user) else actor.role(asks),
        text=said,
        said_at=max(now, message.said_at),
        visibility=message.visibility,
        requester=asks,
    )


def shared_turn(ticket: Ticket, actor: Actor, text: str, now: datetime) -> Turn:
    """What was learned from a ticket, in words that everybody may read; the same ticket again is the same message."""
    return Turn(
        conversation=shared_place(ticket),
        ticket=None,
        message="resolution",
        author=actor.viewer.user,
        speaker=actor.name or None,
        role=Role.AGENT,
        text=text,
        said_at=now,
        visibility=Visibility.EVERYONE,
        requester=actor.viewer.user,
    )


def change_turn(
    ticket: Ticket, after: State, actor: Actor, *, key: str, now: datetime, owner: str | None, said: str
) -> Turn:
    """The turn that records a change; `key` names the act, so that the same act again is the same turn. `owner` is who
    has the ticket from then on, None where that stays as it is."""
    return Turn(
        conversation=ticket.conversation,
        ticket=ticket.name,
        message=change_message(ticket, key),
        author=actor.viewer.user,
        speaker=actor.name or None,
        role=actor.role(ticket.requester),
        text=said,
        said_at=max(now, ticket.changed_at),
        visibility=ticket.visibility,
        requester=ticket.requester,
        status=after.value,
        assignee=owner,
    )


def sentence(ticket: Ticket, step: Step, actor: Actor, words: TicketWords) -> str:
    """What a step that needs no words of its own is told as."""
    pattern: str = getattr(words, _SAID[step])
    return pattern.format(ticket=ticket.name, name=actor.called)


def resolved(ticket: Ticket, resolution: Resolution, words: TicketWords) -> str:
    """The note of a resolution: one line each for what it was and what helped."""
    parts = [words.resolved.format(ticket=ticket.name)]
    if resolution.cause.strip():
        parts.append(words.cause.format(words=resolution.cause.strip()))
    if resolution.fix.strip():
        parts.append(words.fix.format(words=resolution.fix.strip()))
    return "\n".join(parts)
