"""Requests that go to a person, as tickets: whatever the platform, and how who asked is told of it."""

from __future__ import annotations

from datetime import tzinfo

import structlog

from handlers.handover import Handed, Wanted
from handlers.replies import moment_text
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import StepRefused, TicketUnknown
from memory.model import turn_id
from memory.text.language import LanguageCode
from memory.tickets import Ticket

log = structlog.get_logger()


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
    `zone`."""
    about = wording.tickets(language)
    said = about.of.format(ticket=handed.ticket.name, words=words) if handed.ticket else words
    if handed.away is None:
        return said
    back = moment_text(handed.away.back, zone=zone, said=wording.phrases(language))
    return f"{said}\n{about.away.format(back=back)}"
