"""The desks at which people are served: the bot's own, and that of tickets."""

from __future__ import annotations

from bot.application import Store
from bot.metrics import Metrics
from config.schema import Settings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.incidents.desk import IncidentDesk
from handlers.ports import Held, Noticed
from handlers.spoken import Spoken
from handlers.tickets.desk import TicketDesk
from handlers.tickets.reminders import Reminders
from handlers.tickets.silence import Silence
from handlers.wording_names import wording_of
from memory.index_ports import Encoder, KeyIndex
from memory.ports import Clock
from memory.recall.likeness import Likeness
from memory.recall.pipeline import Recall
from memory.text.glossary import Glossary


def desk_over(
    settings: Settings,
    clock: Clock,
    *,
    store: Store,
    recall: Recall,
    claims: Claims,
    metrics: Metrics,
    held: Held,
    noticed: Noticed,
) -> Desk:
    """`held` says where the bot does not answer, as a person does; `noticed` what others ask, too."""
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
        spoken=Spoken(reading=store.reading, personal=store.personal, default=settings.bot.language.value),
        redactor=store.redactor,
        wording=wording_of(settings.wording),
        held=held,
        noticed=noticed,
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


def likeness_over(settings: Settings, *, store: Store, index: KeyIndex, encoder: Encoder) -> Likeness:
    """What tells whether messages report the same."""
    return Likeness(reading=store.reading, index=index, encoder=encoder, glossary=Glossary(settings.glossary))


def incidents_over(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, tickets: TicketDesk
) -> IncidentDesk:
    """What notices that several people report one thing."""
    return IncidentDesk(
        box=store.incidents,
        likeness=likeness_over(settings, store=store, index=index, encoder=encoder),
        reading=store.reading,
        recorder=store.writing,
        tickets=tickets,
        settings=settings.incidents,
        bot=settings.bot,
        clock=clock,
        wording=wording_of(settings.wording),
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
