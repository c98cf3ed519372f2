"""Tickets, as the person sees and changes them who keeps the data folder: with an agent's eyes, in a direct message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import tzinfo
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import ListTickets, Named, Nothing, StepTicket
from bot.importers.tickets import COLUMNS
from bot.moments import shown
from bot.telling import JsonObject, Notice, Tell
from bot.use_cases_memory import KEEPER, turn_object
from handlers.tickets.records import Actor, Resolution
from memory.errors import TicketTaken, TicketUnknown
from memory.model import Turn, Viewer
from memory.tickets import UNSETTLED, Place, Step, Ticket, TicketFilter
from memory.tracker import Delivery

#: Tickets that are read at once.
_PAGE = 200
#: Steps that leave who has it no choice.
_BY_OWNER = frozenset((Step.TAKE, Step.HAND_BACK))


async def listed(app: Application, given: ListTickets, tell: Tell) -> JsonObject:
    """The tickets that changed last, and whether there are more."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    found = await app.store.tickets.listed(KEEPER, _filter(given), None, given.limit + 1)
    return {
        "tickets": [ticket_object(one, zone) for one in found[: given.limit]],
        "more": len(found) > given.limit,
    }


async def show(app: Application, given: Named, tell: Tell) -> JsonObject:
    """One ticket with its life and its words, all times in one `zone`. Raises TicketUnknown."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    ticket = await _named(app, given.id)
    history = await app.store.tickets.history(ticket.name, KEEPER)
    words = await app.store.reading.named(ticket.name, KEEPER, app.clock())
    owed = await app.store.deliveries.of_ticket(ticket.name)
    return {
        "ticket": ticket_object(ticket, zone),
        "history": [_change(turn, zone) for turn in history],
        "turns": [turn_object(turn, zone) for turn in words],
        "tracker": [_owed(delivery, zone) for delivery in owed],
        "zone": zone.key,
    }


async def export(app: Application, given: ListTickets, tell: Tell) -> JsonObject:
    """Up to `limit` tickets with all their words, as rows that an import takes again."""
    rows: list[JsonObject] = []
    count = 0
    async for ticket in _walk(app, given, given.limit + 1):
        count += 1
        if count > given.limit:
            tell(Notice(text=f"There are more tickets; --limit prints more than {given.limit:,}."))
            break
        turns = await app.store.reading.named(ticket.name, KEEPER, app.clock())
        rows += [_row(turn) for turn in turns if not turn.derived]
    return {"columns": list(COLUMNS), "rows": rows}


async def step(app: Application, given: StepTicket, tell: Tell) -> JsonObject:
    """Take a step with a ticket, for somebody. Raises TicketUnknown, TicketTaken, StepRefused, TicketMoved."""
    ticket = await _named(app, given.id)
    viewer = Viewer(user=given.user, agent=True)
    actor = Actor(viewer=viewer, name=await _name_of(app, given.user), language=app.tickets.spoken(ticket))
    changed = await _stepped(app, given, ticket, actor)
    return {"ticket": ticket_object(changed, ZoneInfo(app.settings.bot.time_zone))}


async def _stepped(app: Application, given: StepTicket, ticket: Ticket, actor: Actor) -> Ticket:
    """Who has it takes it once, and only they hand it back."""
    key = f"{given.step.value.replace(' ', '-')}-{ticket.changes}-{app.clock():%Y%m%d%H%M%S%f}"
    if given.step is Step.RESOLVE:
        resolution = Resolution(cause=given.cause.strip(), fix=given.fix.strip())
        return await app.tickets.resolve(ticket.name, resolution, actor, key=key)
    if given.step in _BY_OWNER and ticket.state in UNSETTLED and ticket.assignee is not None:
        if not await app.tickets.has(ticket, actor):
            raise TicketTaken(f"{ticket.assignee} has {ticket.name}; they can hand it back.")
        if given.step is Step.TAKE:
            return ticket
    return await app.tickets.step_from(ticket, given.step, actor, key=key)


async def _name_of(app: Application, user: str) -> str:
    """As whom colleagues know this person; empty where nobody told."""
    wrote = await app.store.personal.newest(Viewer(user=user), app.clock(), 1)
    return next((one.speaker for one in wrote if one.author == user and one.speaker), "")


async def owed_to_tracker(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """What an outside tracker is still to be told, and what it refused."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {"owed": [_owed(delivery, zone) for delivery in await app.store.deliveries.listed(_PAGE)]}


async def told_again(app: Application, given: Named, tell: Tell) -> JsonObject:
    """Have what an outside tracker refused of a ticket told again. Raises TicketUnknown."""
    ticket = await _named(app, given.id)
    return {"ticket": ticket.name, "again": await app.store.deliveries.again(ticket.name, app.clock())}


async def _walk(app: Application, given: ListTickets, most: int) -> AsyncIterator[Ticket]:
    after, left = None, most
    while left > 0:
        page = await app.store.tickets.listed(KEEPER, _filter(given), after, min(_PAGE, left))
        for ticket in page:
            yield ticket
        if len(page) < min(_PAGE, left):
            return
        after, left = Place(changed_at=page[-1].changed_at, name=page[-1].name), left - len(page)


async def _named(app: Application, name: str) -> Ticket:
    found = await app.store.tickets.named([name], KEEPER)
    if not found:
        raise TicketUnknown
    return found[0]


def _filter(given: ListTickets) -> TicketFilter:
    return TicketFilter(requester=given.user, assignee=given.assignee, open=given.open, category=given.category)


def ticket_object(ticket: Ticket, zone: tzinfo) -> JsonObject:
    """A ticket as data, its times in `zone`."""
    return {
        "ticket": ticket.name,
        "title": ticket.title,
        "category": ticket.category,
        "state": ticket.state.value,
        "status": ticket.status,
        "requester": ticket.requester,
        "assignee": ticket.assignee,
        "visibility": ticket.visibility.value,
        "opened_at": shown(ticket.opened_at, zone),
        "changed_at": shown(ticket.changed_at, zone),
    }


def _owed(delivery: Delivery, zone: tzinfo) -> JsonObject:
    return {
        "ticket": delivery.ticket,
        "delivery": delivery.turn,
        "at": shown(delivery.at, zone),
        "tries": delivery.tries,
        "why": delivery.why,
        "next_at": None if delivery.refused_at else shown(delivery.next_at, zone),
        "refused_at": shown(delivery.refused_at, zone) if delivery.refused_at else None,
    }


def _change(turn: Turn, zone: tzinfo) -> JsonObject:
    return {
        "at": shown(turn.said_at, zone),
        "by": turn.said_by,
        "status": turn.status,
        "assignee": turn.assignee,
        "title": turn.title,
        "said": turn.text,
    }


def _row(turn: Turn) -> JsonObject:
    """The columns of an import."""
    return {
        "ticket": turn.ticket,
        "message": turn.message,
        "at": turn.said_at.isoformat(),
        "author": turn.author,
        "role": turn.role.value,
        "text": turn.text,
        "channel": turn.conversation.channel,
        "visibility": turn.visibility.value,
        "title": turn.title,
        "status": turn.status,
        "assignee": turn.assignee,
        "speaker": turn.speaker,
    }
