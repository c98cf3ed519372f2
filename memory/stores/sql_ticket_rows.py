"""The rows of tickets in SQL: worked out anew, in the transaction that writes or deletes turns of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.stores.sql_engine import Database, Turnstile, parts
from memory.stores.sql_rows import IN_TIME, TurnRow, turn_of
from memory.stores.sql_stale_notes import tickets_gone
from memory.stores.tables import turn_versions, turns
from memory.stores.tables_tickets import tickets
from memory.stores.ticket_rules import (
    Opened,
    Pair,
    Part,
    Standing,
    belonging,
    has_lost,
    is_forgotten,
    last_of_left,
    standing,
)
from memory.tickets import State

#: What tells which ticket a turn belongs to.
PAIR = (turns.c.conversation_id, turns.c.name_key, turns.c.ticket)

#: Asked for each message: to make it anew would take longer than to run it.
_OURS = select(tickets).where(
    tickets.c.conversation_id.in_(bindparam("places", expanding=True)), tickets.c.ours == true()
)
_PART = (
    turns.c.id.label("turn"),
    *(turns.c[field.name] for field in fields(Part) if field.name != "turn"),
)


def pairs(rows: Iterable[Row[Any]]) -> set[Pair]:
    """The tickets that these turns, with the columns `PAIR`, belong to."""
    return {(row.conversation_id, row.name_key) for row in rows if row.ticket is not None}


def pair_of(row: TurnRow) -> Pair:
    """The ticket that a turn to be written belongs to."""
    return row["conversation_id"], row["name_key"]


def standing_of(row: Row[Any]) -> Standing:
    return Standing(**{field.name: getattr(row, field.name) for field in fields(Standing)})


async def standings(connection: AsyncConnection, conversation: str) -> list[Standing]:
    """The rows of a conversation's tickets."""
    here = select(tickets).where(tickets.c.conversation_id == conversation)
    return [standing_of(row) for row in await connection.execute(here)]


async def with_tickets(database: Database, connection: AsyncConnection, rows: list[TurnRow]) -> list[TurnRow]:
    """New turns with the tickets that they belong to, where they name none."""
    places = [row["conversation_id"] for row in rows if row["ticket"] is None]
    if not places:
        return rows
    await database.beside_others(connection, Turnstile.OPENING)
    found: dict[str, list[Standing]] = {}
    for some in parts(places):
        for row in await connection.execute(_OURS, {"places": some}):
            found.setdefault(row.conversation_id, []).append(standing_of(row))
    return [_with_ticket(row, found.get(row["conversation_id"], ())) for row in rows] if found else rows


def _with_ticket(row: TurnRow, ours: Sequence[Standing]) -> TurnRow:
    ticket = None if row["ticket"] is not None else belonging(ours, row["said_at"])
    return row | {"ticket": ticket.name, "name_key": ticket.key} if ticket else row


async def index_tickets(database: Database, connection: AsyncConnection, touched: Iterable[Pair]) -> list[Standing]:
    """Work out the rows of these tickets; one without turns has none. Returns those that are forgotten by this, as
    they were."""
    wanted, forgotten = sorted(set(touched)), list[Standing]()
    if not wanted:
        return forgotten
    # Two that write turns of one ticket at once must not each leave out what the other has not committed.
    await database.alone(connection, Turnstile.INDEXING)
    for some in parts(wanted):
        said, known = await _said(connection, some), await _known(connection, some)
        there = [_standing(pair, said[pair], known.get(pair)) for pair in some if pair in said]
        await put(database, connection, there)
        gone = [{"place": place, "name": key} for place, key in some if (place, key) not in said]
        if gone:
            this = (tickets.c.conversation_id == bindparam("place")) & (tickets.c.key == bindparam("name"))
            await connection.execute(delete(tickets).where(this), gone)
            await tickets_gone(connection, [(one["place"], one["name"]) for one in gone])
        left = {pair: {part.turn for part in said.get(pair, ())} for pair in some}
        forgotten += [row for row in known.values() if is_forgotten(row, left.get(row.pair, ()))]
    return forgotten


def _standing(pair: Pair, said: Sequence[Part], known: Standing | None) -> Standing:
    opened = Opened(turn=known.opened_by, category=known.category) if known and known.ours else None
    gone = known is not None and known.requester_gone
    lost = has_lost(known, {part.turn for part in said})
    return standing(pair, said, opened, opener_gone=lost, requester_gone=gone)


async def disown(database: Database, connection: AsyncConnection, person: str) -> None:
    """The requests of this person are nobody's any more."""
    # A row that is being worked out anew would be written over this.
    await database.alone(connection, Turnstile.INDEXING)
    await connection.execute(update(tickets).where(tickets.c.requester == person).values(requester_gone=true()))


async def settled_among(connection: AsyncConnection, of: Iterable[Pair]) -> list[Pair]:
    """Those of these tickets that are settled."""
    known = await _known(connection, wanted) if (wanted := list(of)) else {}
    return [pair for pair, row in known.items() if not row.is_open]


async def keep_settled(connection: AsyncConnection, of: Iterable[Pair]) -> None:
    """Tickets that were settled stay so although who settled them is forgotten: what is left says so instead."""
    for place, key in of:
        of_ticket = (turns.c.conversation_id == place, turns.c.name_key == key, turns.c.ticket.is_not(None))
        rows = (await connection.execute(select(turns).where(*of_ticket).order_by(*IN_TIME))).all()
        last = last_of_left([turn_of(row) for row in rows])
        if last is not None:
            await keep_version(connection, last.id)
            fresh = {"status": State.CLOSED.value, "pending": True, "revision": turns.c.revision + 1}
            await connection.execute(update(turns).where(turns.c.id == last.id).values(fresh))


async def keep_version(connection: AsyncConnection, turn: str) -> None:
    """A turn as it stands becomes one of its older versions."""
    columns = [column.name for column in turn_versions.c if column.name != "turn_id"]
    old = select(turns.c.id, *(turns.c[name] for name in columns)).where(turns.c.id == turn)
    await connection.execute(insert(turn_versions).from_select(["turn_id", *columns], old))


async def put(database: Database, connection: AsyncConnection, rows: Sequence[Standing]) -> None:
    """Write these rows over what is there of them."""
    if not rows:
        return
    write = database.insert(tickets)
    fresh = {column.name: write.excluded[column.name] for column in tickets.c if not column.primary_key}
    again = write.on_conflict_do_update(index_elements=["conversation_id", "key"], set_=fresh)
    await connection.execute(again, [asdict(row) for row in rows])


async def _said(connection: AsyncConnection, of: Sequence[Pair]) -> Mapping[Pair, list[Part]]:
    """The turns of these tickets, in time order."""
    places, keys = zip(*of, strict=True)
    those = (turns.c.conversation_id.in_(set(places)), turns.c.name_key.in_(set(keys)), turns.c.ticket.is_not(None))
    found: dict[Pair, list[Part]] = {}
    for row in await connection.execute(select(turns.c.name_key, *PAIR[:1], *_PART).where(*those).order_by(*IN_TIME)):
        part = Part(**{field.name: getattr(row, field.name) for field in fields(Part)})
        found.setdefault((row.conversation_id, row.name_key), []).append(part)
    return found


async def _known(connection: AsyncConnection, of: Sequence[Pair]) -> Mapping[Pair, Standing]:
    """The rows of these tickets as they were."""
    places, keys = zip(*of, strict=True)
    those = select(tickets).where(tickets.c.conversation_id.in_(set(places)), tickets.c.key.in_(set(keys)))
    rows = map(standing_of, await connection.execute(those))
    return {row.pair: row for row in rows}
