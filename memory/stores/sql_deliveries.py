"""What an outside tracker is still to be told, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.model import Turn
from memory.stores.sql_engine import Database
from memory.stores.tables_tracker import ticket_deliveries
from memory.stores.ticket_rules import Standing
from memory.stores.words import name_key
from memory.tracker import Delivery, forgetting_id

_OWED = ticket_deliveries.c
_WAITS = _OWED.refused_at.is_(None)


class SqlDeliveries:
    """The port `Deliveries` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, now: datetime, limit: int) -> list[Delivery]:
        before = ticket_deliveries.alias()
        same_ticket = (before.c.key == _OWED.key) & (before.c.conversation_id == _OWED.conversation_id)
        behind = exists().where(same_ticket, before.c.seq < _OWED.seq, before.c.refused_at.is_(None))
        return await self._some(_WAITS, _OWED.next_at <= now, ~behind, limit=limit)

    async def told(self, turn: str) -> None:
        await self._database.change(delete(ticket_deliveries).where(_OWED.turn_id == turn))

    async def failed(self, turn: str, why: str, next_at: datetime) -> None:
        tried = update(ticket_deliveries).where(_OWED.turn_id == turn, _WAITS)
        await self._database.change(tried.values(why=why, next_at=next_at, tries=_OWED.tries + 1))

    async def refused(self, turn: str, why: str, at: datetime) -> None:
        given_up = update(ticket_deliveries).where(_OWED.turn_id == turn, _WAITS)
        await self._database.change(given_up.values(why=why, refused_at=at, tries=_OWED.tries + 1))

    async def listed(self, limit: int) -> list[Delivery]:
        return await self._some(limit=limit)

    async def of_ticket(self, ticket: str) -> list[Delivery]:
        return await self._some(_OWED.key == name_key(ticket))

    async def again(self, ticket: str, now: datetime) -> int:
        refused = update(ticket_deliveries).where(_OWED.key == name_key(ticket), _OWED.refused_at.is_not(None))
        fresh = refused.values(refused_at=None, tries=0, why="", next_at=now).returning(_OWED.seq)
        return len(await self._database.change(fresh))

    async def drop_old(self, before: datetime) -> int:
        gone = delete(ticket_deliveries).where(_OWED.refused_at < before).returning(_OWED.seq)
        return len(await self._database.change(gone))

    async def _some(self, *where: ColumnElement[bool], limit: int | None = None) -> list[Delivery]:
        wanted = select(ticket_deliveries).where(*where).order_by(_OWED.seq)
        found = wanted if limit is None else wanted.limit(max(limit, 0))
        return [_delivery(row) for row in await self._database.rows(found)]


async def owe(database: Database, connection: AsyncConnection, change: Turn, at: datetime) -> None:
    """The tracker is to be told of this change of a ticket, in the transaction that writes it."""
    row = _row(change.id, change.conversation.id, change.ticket or "", at)
    await connection.execute(database.insert(ticket_deliveries).values(row).on_conflict_do_nothing())


async def owe_forgotten(
    database: Database, connection: AsyncConnection, tickets: Sequence[Standing], at: datetime
) -> None:
    """The tracker is to be told that these tickets are forgotten, in the transaction that erases them."""
    for one in tickets:
        row = _row(forgetting_id(one.conversation_id, one.name), one.conversation_id, one.name, at)
        await connection.execute(database.insert(ticket_deliveries).values(row).on_conflict_do_nothing())


def _row(delivery: str, conversation: str, ticket: str, at: datetime) -> dict[str, object]:
    return {
        "turn_id": delivery,
        "conversation_id": conversation,
        "key": name_key(ticket),
        "name": ticket,
        "at": at,
        "next_at": at,
        "tries": 0,
        "why": "",
    }


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery(
        turn=row.turn_id,
        conversation=row.conversation_id,
        ticket=row.name,
        at=row.at,
        next_at=row.next_at,
        tries=row.tries,
        why=row.why,
        refused_at=row.refused_at,
    )
