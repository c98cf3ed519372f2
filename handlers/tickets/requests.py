"""Requests that go to a person, as tickets: whatever the platform, and how who asked is told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import tzinfo
from typing import TypeAlias

import structlog

from handlers.characters import one_line
from handlers.handover import Handed, Wanted
from handlers.quote_lines import moment_text
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


async def ticket_of(wanted: Wanted, desk: TicketDesk) -> Ticket | None:
    """The ticket of a request; None where nothing of it was kept, so that none can be made. Raises StoreUnavailable."""
    actor = Actor(viewer=wanted.viewer, name=wanted.name, language=wanted.language)
    for message in dict.fromkeys((wanted.message, wanted.root or wanted.message)):
        try:
            return await desk.of_message(turn_id(wanted.conversation, message), actor, title=wanted.title)
        except (TicketUnknown, StepRefused) as error:
            log.info("request_without_ticket", error=type(error).__name__)
    return None


def told(words: str, handed: Handed, *, language: LanguageCode, zone: tzinfo, wording: Wording) -> str:
    """`words` about a request that was handed over, with its ticket, and when somebody will be there in the asker's
    `zone`; and which open ticket may be about the same."""
    about, said = wording.tickets(language), wording.phrases(language)
    lines = [about.of.format(ticket=handed.ticket.name, words=words) if handed.ticket else words]
    if handed.away is not None:
        lines.append(about.away.format(back=moment_text(handed.away.back, zone=zone, said=said)))
    if (same := handed.same_as) is not None:
        since, title = moment_text(same.opened_at, zone=zone, said=said), one_line(same.title, _TITLE)
        button = about.same.format(ticket=same.name)
        lines.append(about.same_as.format(ticket=same.name, title=title, since=since, button=button))
    return "\n".join(lines)
