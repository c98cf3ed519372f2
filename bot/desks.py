"""The desks at which people are served: the bot's own, and that of tickets."""

from __future__ import annotations

from bot.application import Store
from bot.metrics import Metrics
from config.schema import Settings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.ports import Held
from handlers.tickets.desk import TicketDesk
from handlers.tickets.reminders import Reminders
from handlers.tickets.silence import Silence
from handlers.wording_names import wording_of
from memory.ports import Clock
from memory.recall.pipeline import Recall


def desk_over(
    settings: Settings,
    clock: Clock,
    *,
    store: Store,
    recall: Recall,
    claims: Claims,
    metrics: Metrics,
    held: Held,
) -> Desk:
    """`held` says where the bot does not answer, as a person does."""
    return Desk(
        recall=recall,
        recorder=store.writing,
        mailbox=store.mailbox,
        reading=store.reading,
        claims=claims,
        access=settings.access,
        bot=settings.bot,
        knowledge=settings.knowledge,
        clock=clock,
        answered=metrics.answered,
        redactor=store.redactor,
        wording=wording_of(settings.wording),
        held=held,
    )


def tickets_over(settings: Settings, clock: Clock, store: Store) -> TicketDesk:
    """Tickets over the store."""
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        recorder=store.writing,
        settings=settings.tickets,
        clock=clock,
        wording=wording_of(settings.wording),
        language=settings.bot.language.value,
    )


def silence_over(settings: Settings, clock: Clock, store: Store) -> Silence:
    """What closes tickets of which nothing was heard for long."""
    return Silence(
        tickets=store.tickets,
        writing=store.ticket_writing,
        settings=settings.tickets,
        bot=settings.bot,
        clock=clock,
        wording=wording_of(settings.wording),
    )


def reminders_over(settings: Settings, clock: Clock, store: Store) -> Reminders:
    """What decides who is reminded of a ticket."""
    return Reminders(lines=store.lines, tickets=store.tickets, settings=settings.tickets, clock=clock)
