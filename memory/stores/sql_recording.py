"""Recording: one INSERT for turns that are new, and a look at the stored versions for the few that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, Table, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.ports import Recorded
from memory.stores.sql_engine import INSERTS, Database, parts
from memory.stores.sql_rows import TurnRow
from memory.stores.sql_stale_notes import turn_changed
from memory.stores.sql_ticket_rows import PAIR, index_tickets, keep_version, pair_of, pairs, with_tickets
from memory.stores.tables import turn_versions, turns, withdrawn
from memory.stores.ticket_rules import Pair
from memory.stores.words import CONTENT, Content, is_repeat

#: Run for each message: to make them anew would take longer than to run them.
_WITHDRAWN = select(withdrawn.c.turn_id).where(withdrawn.c.turn_id.in_(bindparam("ids", expanding=True)))
_NEW = {dialect: into(turns).on_conflict_do_nothing().returning(turns.c.id) for dialect, into in INSERTS.items()}

_CALLED = update(turns).where(turns.c.id == bindparam("turn"), turns.c.reply.is_(None)).values(reply=bindparam("state"))


async def record(database: Database, deliveries: Sequence[Sequence[TurnRow]]) -> list[Recorded]:
    """Write all deliveries in one transaction; what became of each, in the same order."""
    tallies = [Counter[str]() for _ in deliveries]
    arrivals = [(tally, row) for tally, rows in zip(tallies, deliveries, strict=True) for row in rows]
    if arrivals:
        async with database.writing() as connection:
            await index_tickets(database, connection, await _record(database, connection, arrivals))
    return [Recorded(**tally) for tally in tallies]


async def record_in(database: Database, connection: AsyncConnection, row: TurnRow) -> None:
    """Write one turn in a transaction that is under way."""
    await index_tickets(database, connection, await _record(database, connection, [(Counter(), row)]))


async def _record(
    database: Database, connection: AsyncConnection, arrivals: Sequence[tuple[Counter[str], TurnRow]]
) -> set[Pair]:
    """The tickets that are told otherwise by what was written."""
    gone = await _withdrawn(connection, [row["id"] for _, row in arrivals])
    first: dict[str, TurnRow] = {}
    for _, row in arrivals:
        if row["id"] not in gone:
            first.setdefault(row["id"], row)
    fresh = await with_tickets(database, connection, list(first.values()))
    inserted = await _insert(database, connection, fresh)
    touched = {pair_of(row) for row in fresh if row["id"] in inserted and row["ticket"] is not None}
    again = []
    for tally, row in arrivals:
        if row["id"] in gone:
            tally["repeated"] += 1
        elif row["id"] in inserted and row is first[row["id"]]:
            tally["new"] += 1
        else:
            again.append((tally, row))
    if again:
        touched |= await _record_again(database, connection, again)
    return touched


async def _withdrawn(connection: AsyncConnection, ids: Sequence[str]) -> set[str]:
    """Those that their authors took back."""
    found: set[str] = set()
    for some in parts(ids):
        found.update((await connection.execute(_WITHDRAWN, {"ids": some})).scalars())
    return found


async def _insert(database: Database, connection: AsyncConnection, rows: list[TurnRow]) -> set[str]:
    """The ids of those that were not there."""
    if not rows:
        return set()
    return set((await connection.execute(_NEW[database.dialect], rows)).scalars())


async def _record_again(
    database: Database, connection: AsyncConnection, again: Sequence[tuple[Counter[str], TurnRow]]
) -> set[Pair]:
    """A delivery equal to any stored version is a repeat, so that a late copy of old words undoes nothing."""
    touched: set[Pair] = set()
    known = await _known(connection, [row["id"] for _, row in again])
    erased = [(tally, row) for tally, row in again if row["id"] not in known]
    if erased:
        # They went while their locks were waited for.
        touched |= await _record(database, connection, erased)
    for tally, row in [(tally, row) for tally, row in again if row["id"] in known]:
        versions = known[row["id"]]
        words = tuple(row[name] for name in CONTENT)
        if is_repeat(words, versions):
            tally["repeated"] += 1
        else:
            touched |= await _revise(connection, row)
            versions.add(words)
            tally["revised"] += 1
        tally["called"] += await _called(connection, row)
    return touched


async def _called(connection: AsyncConnection, row: TurnRow) -> int:
    """1 for a turn that is addressed to the bot, and was only overheard before; else 0."""
    if row["reply"] is None:
        return 0
    return (await connection.execute(_CALLED, {"turn": row["id"], "state": row["reply"]})).rowcount


async def _known(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, set[Content]]:
    """The content of every stored version by turn; locks the turns until the transaction ends."""
    known: dict[str, set[Content]] = {}
    for some in parts(ids):
        current = select(turns.c.id, *_content(turns)).where(turns.c.id.in_(some)).order_by(turns.c.seq)
        older = select(turn_versions.c.turn_id, *_content(turn_versions)).where(turn_versions.c.turn_id.in_(some))
        for statement in (current.with_for_update(), older):
            for name, *words in await connection.execute(statement):
                known.setdefault(name, set()).add(tuple(words))
    return known


def _content(table: Table) -> list[Any]:
    return [table.c[name] for name in CONTENT]


async def _revise(connection: AsyncConnection, row: TurnRow) -> set[Pair]:
    """Keep the old words as a version; the new ones take their place and wait for the next flush. The tickets that the
    turn belonged to and belongs to."""
    place: Select[Any] = select(*PAIR).where(turns.c.id == row["id"])
    before = pairs((await connection.execute(place)).all())
    await keep_version(connection, row["id"])
    await turn_changed(connection, row["id"])
    kept = _KEPT if row["ticket"] is not None else _KEPT | _OF_TICKET
    fresh = {name: value for name, value in row.items() if name not in kept}
    await connection.execute(
        update(turns).where(turns.c.id == row["id"]).values(fresh).values(revision=turns.c.revision + 1)
    )
    return before | pairs((await connection.execute(place)).all())


#: What a revision does not touch.
_KEPT = frozenset(
    {"id", "conversation_id", "platform", "workspace", "channel", "thread", "message", "revision", "pinned", "reply"}
)
#: Nor one that says nothing of a ticket.
_OF_TICKET = {"ticket", "name_key"}
