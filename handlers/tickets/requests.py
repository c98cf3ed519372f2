"""Requests that go to a person, as tickets: whatever the platform, and how who asked is told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import tzinfo
from typing import TypeAlias

import structlog

from handlers.handover import Handed, Wanted
from handlers.quote_lines import in_marks, moment_text
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import StepRefused, TicketUnknown
from memory.model import Conversation, turn_id
from memory.text.language import LanguageCode
from memory.tickets import Ticket

log = structlog.get_logger()

#: Notes where the support team talks about a ticket, and the id of the turn that is shown there
#: (`handlers.tickets.relay.Relay.lay`).
Lay: TypeAlias = Callable[[Ticket, Conversation, str], Awaitable[None]]

_TITLE = 80


async def handed_to(wanted: Wanted, desk: TicketDesk) -> Handed:
    """What comes of a request at the desk, before anybody is told: its ticket, and until when support is away. Raises
    StoreUnavailable."""
    ticket = await _ticket_of(wanted, desk)
    if ticket is None:
        return Handed(ticket=None, away=desk.away())
    added = ticket.opened_by not in [turn_id(wanted.conversation, one) for one in _messages(wanted)]
    others = added and ticket.requester != (wanted.requester or wanted.user)
    return Handed(ticket=ticket, away=desk.away(), added=added, others=others)


async def _ticket_of(wanted: Wanted, desk: TicketDesk) -> Ticket | None:
    """None where nothing of the request was kept, so that none can be made."""
    actor = Actor(viewer=wanted.viewer, name=wanted.name, language=wanted.language)
    for message in _messages(wanted):
        turn = turn_id(wanted.conversation, message)
        try:
            return await desk.of_message(turn, actor, title=wanted.title, requester=wanted.requester)
        except (TicketUnknown, StepRefused) as error:
            log.info("request_without_ticket", error=type(error).__name__)
    return None


def _messages(wanted: Wanted) -> Sequence[str]:
    """Of which a ticket can be made, the first that was kept."""
    return [*dict.fromkeys((wanted.message, wanted.root or wanted.message))]


def told(words: str, handed: Handed, *, language: LanguageCode, zone: tzinfo, wording: Wording) -> str:
    """`words` about a request that was handed over, with its ticket, and when somebody will be there in the asker's
    `zone`; that it is no ticket of its own, where that is so; and which open ticket may be about the same."""
    about, said = wording.tickets(language), wording.phrases(language)
    lines = [about.of.format(ticket=handed.ticket.name, words=words) if handed.ticket else words]
    if handed.ticket and handed.added:
        lines.append((about.added_others if handed.others else about.added).format(ticket=handed.ticket.name))
    if handed.away is not None:
        lines.append(about.away.format(back=moment_text(handed.away.back, zone=zone, said=said)))
    if (same := handed.same_as) is not None:
        since, title = moment_text(same.opened_at, zone=zone, said=said), in_marks(same.title, said, _TITLE)
        button = about.same.format(ticket=same.name)
        lines.append(about.same_as.format(ticket=same.name, title=title, since=since, button=button))
    return "\n".join(lines)
