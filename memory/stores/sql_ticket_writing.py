"""Opening and changing tickets, in SQL: each in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, exists, func, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.errors import TicketUnknown
from memory.model import Turn
from memory.ports import Clock
from memory.redaction import RedactedTurn, redacted_turns
from memory.stores.sql_cut import lock, run_from
from memory.stores.sql_deliveries import owe
from memory.stores.sql_engine import Database, Turnstile, parts
from memory.stores.sql_recording import record_in
from memory.stores.sql_rows import row_of, turn_of
from memory.stores.sql_stale_notes import ticket_changed
from memory.stores.sql_ticket_rows import put, standings
from memory.stores.tables import turns, withdrawn
from memory.stores.tables_tickets import ticket_numbers, tickets
from memory.stores.ticket_rules import (
    Opened,
    Pair,
    already_opened,
    changeable,
    opening_turn,
    part_of,
    standing,
)
from memory.stores.words import cleaned, name_key, storable
from memory.text.redact import Redactor
from memory.tickets import Draft, State, told_by_tracker


class SqlTicketWriting:
    """The port `TicketWriting` on SQLite and PostgreSQL."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor, *, tracked: bool = False) -> None:
        """`tracked`: changes are owed to an outside tracker."""
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._tracked = tracked

    async def open(self, draft: Draft, opening: Turn, prefix: str) -> str:
        place = cleaned(opening).conversation.id
        async with self._database.deriving() as connection:
            await self._database.alone(connection, Turnstile.OPENING)
            wanted = select(turns).where(turns.c.id == draft.turn, turns.c.conversation_id == place)
            message = (await connection.execute(wanted)).one_or_none()
            if message is None:
                raise TicketUnknown
            known = already_opened(await standings(connection, place), draft.turn, message.ticket)
            if known is not None:
                return known
            name = await self._next_name(connection, storable(prefix))
            await _take_in(connection, message, name)
            first = part_of(replace(turn_of(message), ticket=name))
            opened = Opened(turn=draft.turn, category=draft.category)
            await put(self._database, connection, [standing((place, name_key(name)), [first], opened)])
            told = cleaned(opening_turn(opening, draft, name, first.said_at))
            [said] = await redacted_turns([told], self._redactor)
            await self._record(connection, said)
        return name

    async def change(self, name: str, seen: int, change: Turn) -> None:
        [turn] = await redacted_turns([cleaned(change)], self._redactor)
        async with self._database.deriving() as connection:
            if await _is_known(connection, turn.id):
                return
            row = changeable(await standings(connection, turn.conversation.id), name, seen, turn)
            said_at = max(turn.said_at, await _told_at(connection, row.pair) or turn.said_at)
            said = replace(turn, ticket=row.name, said_at=said_at)
            await self._record(connection, said)
            await ticket_changed(connection, row.pair)

    async def _record(self, connection: AsyncConnection, change: RedactedTurn) -> None:
        now = self._clock()
        await record_in(self._database, connection, row_of(change, now))
        if self._tracked and not told_by_tracker(change):
            await owe(self._database, connection, change, now)

    async def idle(self, states: Collection[State], before: datetime, limit: int) -> list[str]:
        silent = (tickets.c.state.in_(sorted(states)), tickets.c.changed_at < before, tickets.c.ours == true())
        wanted = select(tickets.c.name).where(*silent).order_by(tickets.c.changed_at, tickets.c.key)
        async with self._database.reading() as connection:
            return list((await connection.execute(wanted.limit(max(limit, 0)))).scalars())

    async def _next_name(self, connection: AsyncConnection, prefix: str) -> str:
        """A number that was never given, and no name that anything else has."""
        write = self._database.insert(ticket_numbers).values(prefix=name_key(prefix), last=1)
        after = {"last": ticket_numbers.c.last + 1}
        count = write.on_conflict_do_update(index_elements=["prefix"], set_=after).returning(ticket_numbers.c.last)
        while True:
            name = f"{prefix}-{(await connection.execute(count)).scalar_one()}"
            taken = exists().where(turns.c.name_key == name_key(name))
            if not (await connection.execute(select(taken))).scalar():
                return name


async def _take_in(connection: AsyncConnection, message: Row[Any], name: str) -> None:
    """What was said from this message on and belongs to no ticket belongs to this one, and waits for the next flush.

    Another revision, so that a flush that has read it without the ticket does not mark it as done."""
    here = turns.c.conversation_id == message.conversation_id
    free = select(turns.c.id).where(here, turns.c.ticket.is_(None), run_from(message))
    members = list((await connection.execute(free)).scalars())
    await lock(connection, members)
    ours = {"ticket": name, "name_key": name_key(name), "pending": True, "revision": turns.c.revision + 1}
    for some in parts(members):
        await connection.execute(update(turns).where(turns.c.id.in_(some)).values(ours))


async def _is_known(connection: AsyncConnection, turn: str) -> bool:
    """Whether this turn is recorded or was taken back."""
    known = or_(exists().where(turns.c.id == turn), exists().where(withdrawn.c.turn_id == turn))
    return bool((await connection.execute(select(known))).scalar())


async def _told_at(connection: AsyncConnection, ticket: Pair) -> datetime | None:
    """When anything became of the ticket last."""
    place, key = ticket
    tells = or_(turns.c.title.is_not(None), turns.c.status.is_not(None), turns.c.assignee.is_not(None))
    of_ticket = (turns.c.conversation_id == place, turns.c.name_key == key, turns.c.ticket.is_not(None))
    moment: datetime | None = (
        await connection.execute(select(func.max(turns.c.said_at)).where(*of_ticket, tells))
    ).scalar()
    return moment
