"""What a chat hears while a person has its ticket and the bot only listens: in Teams nothing that is written there is
passed on, and silence alone would tell nobody so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import structlog

from handlers.acts.asides import Aside, aside_in
from handlers.files import without_files
from handlers.teams.errand import Errand
from handlers.teams.message import plain_message
from handlers.teams.recent import Recent
from handlers.teams.records import Place
from handlers.tickets.desk import TicketDesk
from memory.errors import DeliveryUnknown
from memory.model import Role, Turn
from memory.tickets import Ticket

log = structlog.get_logger()


class Listening:
    """Says once each time that somebody has a ticket that the bot only listens, and how that person is reached; whoever
    asks for a person hears it again. `contact` is whom the administrator named, empty where nobody."""

    def __init__(self, *, tickets: Callable[[], TicketDesk], told: Recent, contact: Callable[[], str]) -> None:
        self._tickets = tickets
        self._told = told
        self._contact = contact

    async def heard(self, errand: Errand, turn: Turn) -> bool:
        """Something was said to the bot. False where nobody has the ticket any more, so that an answer is owed. Raises
        StoreUnavailable and as `Writes`."""
        ticket = await self._tickets().taken(turn.conversation)
        if ticket is None:
            return False
        # The name of this time that somebody has it: each change of a ticket has its number.
        taking = f"{ticket.name}-{ticket.changes}"
        if await self._is_owed(errand, turn, taking):
            try:
                await errand.post(plain_message("\n".join(self._lines(errand, ticket))).content)
            except DeliveryUnknown as error:
                log.warning("teams_listening_unconfirmed", ticket=ticket.name, error=type(error).__name__)
            else:
                await self._told.note(errand.site, taking, turn.id)
        return True

    async def _is_owed(self, errand: Errand, turn: Turn, taking: str) -> bool:
        if aside_in(without_files(turn.text)) is Aside.PERSON:
            return True
        return turn.role is not Role.AGENT and await self._told.about(errand.site, taking) is None

    def _lines(self, errand: Errand, ticket: Ticket) -> Iterator[str]:
        here, name = errand.wording.teams(errand.language), ticket.assignee
        yield here.listening.format(ticket=ticket.name, name=name)
        if errand.site.place is Place.PERSONAL:
            yield here.listening_unread.format(name=name)
        yield here.listening_else
        if contact := self._contact():
            yield errand.wording.acts(errand.language).contact_named.format(contact=contact)
