"""What goes between who asked and the support team on one platform, put together over how that platform writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.application import Application
from bot.desks import silence_over
from handlers.changes import Changes
from handlers.claims import Claims
from handlers.incidents.rounds import IncidentRounds, Teller
from handlers.lanes import Lanes
from handlers.pauses import Pauses
from handlers.ports import Soon
from handlers.tickets.background import Background
from handlers.tickets.copies import Copies
from handlers.tickets.ends import Ends
from handlers.tickets.notes import Notes
from handlers.tickets.relay import Relay
from handlers.tickets.steps import TicketSteps
from handlers.tickets.support_end import SupportEnd
from handlers.tickets.voice import Voice
from memory.model import Conversation
from memory.tickets import State, Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportLines:
    """The parts that share what they know of the lines."""

    app: Application
    changes: Changes
    voice: Voice
    copies: Copies
    relay: Relay
    notes: Notes
    soon: Soon
    pauses: Pauses

    async def lay(self, ticket: Ticket, place: Conversation, request: str) -> None:
        """`Lay`: what the note at this place shows is followed from now on, and what is owed to the team of a ticket
        that came back is done at once. Raises StoreUnavailable."""
        await self.relay.lay(ticket, place, request)
        await self.notes.watched(place)
        if ticket.state is not State.REOPENED:
            return
        for line in await self.copies.waiting(place.platform):
            if (line.conversation, line.ticket) == (ticket.conversation.id, ticket.name):
                await self.copies.catch_up(line)
        await self.notes.bring(ticket, place.platform)

    def steps(self) -> TicketSteps:
        """What agents do with tickets."""
        return TicketSteps(
            tickets=lambda: self.app.tickets, relay=self.relay, notes=self.notes, voice=self.voice, soon=self.soon
        )

    def support_end(self, platform: str, lanes: Lanes, channel: Callable[[], str | None]) -> SupportEnd:
        """What hears agents in the support team's channel."""
        return SupportEnd(
            platform=platform,
            channel=channel,
            relay=self.relay,
            copies=self.copies,
            desk=lambda: self.app.desk,
            changes=self.changes,
            lanes=lanes,
            settings=lambda: self.app.settings,
            notes=self.notes,
        )


def background_over(app: Application) -> Background:
    """What looks up what stands behind a request."""
    store = app.store
    return Background(reading=store.reading, ledger=store.ledger, lines=store.lines, clock=app.clock)


def lines_over(app: Application, ends: Ends, changes: Changes, soon: Soon) -> SupportLines:
    """The lines of a platform that writes in this way."""
    pauses = Pauses()
    voice = Voice(ends=ends, desk=lambda: app.tickets, wording=lambda: app.desk.wording)
    copies = Copies(
        lines=app.store.lines,
        reading=app.store.reading,
        desk=lambda: app.tickets,
        withdraw=changes.deleted,
        claims=app.claims,
        clock=app.clock,
        voice=voice,
        kinds_in=app.store.redactor.kinds_in,
        pauses=pauses,
    )
    relay = Relay(
        lines=app.store.lines,
        desk=lambda: app.tickets,
        copies=copies,
        claims=app.claims,
        clock=app.clock,
        voice=voice,
        pauses=pauses,
    )
    notes = Notes(
        lines=app.store.lines,
        desk=lambda: app.tickets,
        ends=ends,
        claims=app.claims,
        voice=voice,
        close=lambda ticket: silence_over(app.settings, app.clock, app.store).end_forgotten(ticket),
        pauses=pauses,
        watch=background_over(app).watch,
    )
    return SupportLines(
        app=app,
        changes=changes,
        voice=voice,
        copies=copies,
        relay=relay,
        notes=notes,
        soon=soon,
        pauses=pauses,
    )


def incident_rounds_over(app: Application, teller: Teller) -> IncidentRounds:
    """What tells of incidents, round after round. Its claims are its own: a round ends before the next begins."""
    claims = Claims(app.store.leases, app.clock)
    return IncidentRounds(
        box=app.store.incidents, incidents=lambda: app.incidents, teller=teller, claims=claims, pauses=Pauses()
    )
