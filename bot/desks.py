"""The desks at which people are served: the bot's own, and that of tickets."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.application import Store
from bot.metrics import Metrics
from config.schema import Settings
from handlers.access import viewer_of
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.corrections import Corrections
from handlers.incidents.desk import IncidentDesk
from handlers.offers import Offers
from handlers.pace import Pace, Windows
from handlers.ports import PLAIN, Answers, Around, Held
from handlers.spoken import Spoken
from handlers.tickets.comebacks import Comebacks
from handlers.tickets.desk import TicketDesk
from handlers.tickets.reminders import Reminders
from handlers.tickets.silence import Silence
from handlers.wording_names import wording_of
from memory.index_ports import Encoder, KeyIndex
from memory.model import Turn
from memory.ports import Clock
from memory.recall.likeness import Likeness
from memory.text.glossary import Glossary
from memory.text.language import LanguageCode
from memory.upkeep.withdraw import Withdraw


def desk_over(
    settings: Settings,
    clock: Clock,
    *,
    store: Store,
    recall: Answers,
    claims: Claims,
    metrics: Metrics,
    around: Around,
) -> Desk:
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
        spoken=_spoken_over(settings, store),
        redactor=store.redactor,
        wording=wording_of(settings.wording),
        around=around,
    )


def pace_over(settings: Settings, clock: Clock, windows: Windows, *, store: Store, held: Held) -> Pace:
    """What tells those who write too much."""
    speaks = _spoken_over(settings, store)

    async def spoken(turn: Turn) -> LanguageCode:
        viewer = viewer_of(turn.author, turn.conversation.channel, settings.access)
        return await speaks.of(turn, replace(viewer, confined=True), PLAIN)

    return Pace(settings.limits, windows, clock, held=held, spoken=spoken, wording=wording_of(settings.wording))


def _spoken_over(settings: Settings, store: Store) -> Spoken:
    return Spoken(reading=store.reading, personal=store.personal, default=settings.bot.language.value)


def corrections_over(settings: Settings, clock: Clock, store: Store, index: KeyIndex) -> Corrections:
    """What takes in that an answer was wrong."""
    return Corrections(
        reading=store.reading,
        facts=store.facts,
        ledger=store.ledger,
        feedback=store.feedback,
        recorder=store.writing,
        withdraw=Withdraw(store.mailbox, index, store.feedback),
        predicates=settings.remember.predicates,
        clock=clock,
        language=settings.bot.language.value,
    )


def _clock_there(settings: Settings, clock: Clock) -> Clock:
    """The same clock as it hangs at the desk: what is done by a click is dated like what people say there."""
    zone = ZoneInfo(settings.bot.time_zone)
    return lambda: clock().astimezone(zone)


def tickets_over(settings: Settings, clock: Clock, store: Store) -> TicketDesk:
    """Tickets over the store."""
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        recorder=store.writing,
        settings=settings.tickets,
        clock=_clock_there(settings, clock),
        wording=wording_of(settings.wording),
        language=settings.bot.language.value,
        agents=settings.access.agents,
    )


def comebacks_over(settings: Settings, clock: Clock, store: Store, tickets: TicketDesk) -> Comebacks:
    """What opens resolved tickets again."""
    wording = wording_of(settings.wording)
    return Comebacks(desk=tickets, reading=store.reading, lines=store.lines, clock=clock, wording=wording)


def offers_over(settings: Settings, store: Store, tickets: TicketDesk, comebacks: Comebacks) -> Offers:
    """What says with replies of what a ticket would be made."""
    wording = wording_of(settings.wording)
    return Offers(reading=store.reading, under_way=tickets.under_way, returning=comebacks.would, wording=wording)


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
        clock=_clock_there(settings, clock),
        wording=wording_of(settings.wording),
    )


def silence_over(settings: Settings, clock: Clock, store: Store) -> Silence:
    """What closes tickets of which nothing was heard for long."""
    return Silence(
        tickets=store.tickets,
        writing=store.ticket_writing,
        settings=settings.tickets,
        bot=settings.bot,
        clock=_clock_there(settings, clock),
        wording=wording_of(settings.wording),
    )


def reminders_over(settings: Settings, clock: Clock, store: Store) -> Reminders:
    """What decides who is reminded of a ticket."""
    return Reminders(lines=store.lines, tickets=store.tickets, settings=settings.tickets, clock=clock)
