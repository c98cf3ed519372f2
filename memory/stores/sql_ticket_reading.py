"""Tickets for people, out of SQL: the viewer is part of every statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Subquery, and_, case, or_, select

from memory.model import Conversation, Turn, Viewer
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_rows import IN_TIME, in_order, told_of
from memory.stores.sql_scope import may_see
from memory.stores.sql_ticket_rows import standing_of
from memory.stores.tables import turns
from memory.stores.tables_tickets import tickets
from memory.stores.ticket_rules import Standing, chosen, history_of, ticket_of
from memory.stores.words import name_key
from memory.tickets import Place, Ticket, TicketFilter

#: Made once, as in `sql_scope`.
_SAID = turns.alias("said")


class SqlTicketReading:
    """The port `TicketReading` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def listed(self, viewer: Viewer, which: TicketFilter, after: Place | None, limit: int) -> list[Ticket]:
        wanted = _seen(viewer).where(*_fits(which), *_behind(after)).order_by(*_newest(tickets)).limit(max(limit, 0))
        page = wanted.subquery("page")
        return [_ticket(row) for row in await self._database.rows(_told(page, viewer).order_by(*_newest(page)))]

    async def named(self, names: Sequence[str], viewer: Viewer) -> list[Ticket]:
        keys = list(dict.fromkeys(map(name_key, names)))
        found: dict[str, Ticket] = {}
        for some in parts(keys):
            rows = await self._database.rows(
                _told(_seen(viewer).where(tickets.c.key.in_(some)).subquery("page"), viewer)
            )
            by_pair = {(row.conversation_id, row.key): row for row in rows}
            meant = chosen(map(standing_of, rows))
            found |= {key: _ticket(by_pair[row.pair]) for key, row in meant.items()}
        return in_order(keys, found)

    async def of_conversation(self, conversation: str, viewer: Viewer) -> list[Ticket]:
        page = _seen(viewer).where(tickets.c.conversation_id == conversation).subquery("page")
        rows = await self._database.rows(_told(page, viewer).order_by(page.c.opened_at, page.c.key))
        return [_ticket(row) for row in rows]

    async def history(self, name: str, viewer: Viewer) -> list[Turn]:
        rows = await self._database.rows(_seen(viewer).where(tickets.c.key == name_key(name)))
        row = chosen(map(standing_of, rows)).get(name_key(name))
        return [] if row is None else await self._changes(row, viewer)

    async def _changes(self, ticket: Standing, viewer: Viewer) -> list[Turn]:
        of_ticket = and_(
            turns.c.conversation_id == ticket.conversation_id,
            turns.c.name_key == ticket.key,
            turns.c.ticket.is_not(None),
        )
        tells = or_(turns.c.title.is_not(None), turns.c.status.is_not(None), turns.c.assignee.is_not(None))
        wanted = select(turns).where(of_ticket, or_(tells, turns.c.id == ticket.opened_by), may_see(viewer, turns))
        return history_of(map(told_of, await self._database.rows(wanted.order_by(*IN_TIME))), ticket.opened_by)


def _seen(viewer: Viewer) -> Select[Any]:
    return select(tickets).where(may_see(viewer, tickets))


def _fits(which: TicketFilter) -> Iterator[ColumnElement[bool]]:
    for name in ("requester", "assignee", "category"):
        if (wanted := getattr(which, name)) is not None:
            yield tickets.c[name] == wanted
    if which.requester is not None:
        yield tickets.c.requester_gone.is_(False)
    if which.open is not None:
        yield tickets.c.settled_at.is_(None) if which.open else tickets.c.settled_at.is_not(None)


def _behind(after: Place | None) -> Iterator[ColumnElement[bool]]:
    """Said twice over so that an index on the time can be used."""
    if after is not None:
        yield tickets.c.changed_at <= after.changed_at
        yield or_(tickets.c.changed_at < after.changed_at, tickets.c.key > name_key(after.name))


def _newest(page: Any) -> list[ColumnElement[Any]]:
    return [page.c.changed_at.desc(), page.c.key, page.c.conversation_id]


def _told(page: Subquery, viewer: Viewer) -> Select[Any]:
    """Tickets with the message that opened each, and the last title and status that the viewer may see. What is about
    to be taken back gives no title."""
    words = case((turns.c.going, ""), else_=turns.c.text).label("opener")
    opener = (turns.c.platform, turns.c.workspace, turns.c.thread, words)
    title = _last(page, _SAID.c.title, viewer, ~_SAID.c.going)
    last = (title.label("last_title"), _last(page, _SAID.c.status, viewer).label("last_status"))
    # Looked at again: the message may have been hidden since.
    seen = and_(turns.c.id == page.c.opened_by, may_see(viewer, turns))
    return select(page, *opener, *last).select_from(page).join(turns, seen)


def _last(page: Subquery, column: ColumnElement[Any], viewer: Viewer, *besides: ColumnElement[bool]) -> Any:
    of_ticket = and_(
        _SAID.c.conversation_id == page.c.conversation_id, _SAID.c.name_key == page.c.key, _SAID.c.ticket.is_not(None)
    )
    given = select(column).where(of_ticket, column.is_not(None), may_see(viewer, _SAID), *besides)
    return given.order_by(_SAID.c.said_at.desc(), _SAID.c.seq.desc()).limit(1).correlate(page).scalar_subquery()


def _ticket(row: Row[Any]) -> Ticket:
    place = Conversation(platform=row.platform, workspace=row.workspace, channel=row.channel, thread=row.thread)
    return ticket_of(standing_of(row), place, row.opener, row.last_title, row.last_status)
