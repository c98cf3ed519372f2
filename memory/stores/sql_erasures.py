"""What was erased since a backup was made: carried over from the database that the backup takes the place of.

That database knows it from what erasing leaves behind: the ids of turns that come no more, and entries of the audit log
that have lost their details. The backup still has these details, so that it shows there who was forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.knowledge.articles import place_of
from memory.model import reply_id, turn_id
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_mailbox import take_back
from memory.stores.tables import articles, turns, withdrawn
from memory.stores.tables_acts import acts
from memory.stores.tables_audit import audit, audit_details
from memory.stores.tables_feedback import corrections, feedback
from memory.stores.tables_followers import ticket_followers
from memory.stores.tables_holds import kept_versions
from memory.stores.tables_incidents import incident_subscribers

#: What goes with a person beside their words, by the column that names them; as `memory.upkeep.forget` has it.
_PERSONAL: tuple[tuple[Table, ColumnElement[Any]], ...] = (
    (feedback, feedback.c.author),
    (corrections, corrections.c.author),
    (incident_subscribers, incident_subscribers.c.person),
    (ticket_followers, ticket_followers.c.person),
    (acts, acts.c.person),
    (audit_details, audit_details.c.person),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasures:
    """What a database knows of erasures: when each turn was taken back, of which turns words are kept out of sight
    under a hold all the same, and by number the digests of the entries of the audit log that lost their details."""

    withdrawn: Mapping[str, datetime]
    kept: Collection[str]
    emptied: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedOver:
    """How many messages of a backup were taken back again, and what else of how many people who were forgotten."""

    messages: int = 0
    people: int = 0


async def follows(connection: AsyncConnection, audited: str | None) -> bool:
    """Whether this database is what became of one of which `audited` was the last entry of the audit log: only then
    does it know what was erased since."""
    number, _, digest = (audited or "0:").partition(":")
    return await connection.scalar(select(audit.c.digest).where(audit.c.number == int(number))) == digest


async def erasures_in(connection: AsyncConnection) -> Erasures:
    """What this database, which is migrated, knows."""
    back = {row.turn_id: row.at for row in await connection.execute(select(withdrawn))}
    for row in await connection.execute(select(articles.c.collection, articles.c.path, articles.c.gone)):
        # Sections that left are no erasure: what the folder says decides, and a section of that name may come again.
        for name in row.gone:
            back.pop(turn_id(place_of(row.collection, row.path), name), None)
    kept = set((await connection.execute(select(kept_versions.c.turn).distinct())).scalars())
    details = audit_details.c.number == audit.c.number
    without = select(audit.c.number, audit.c.digest).outerjoin(audit_details, details)
    emptied = await connection.execute(without.where(audit_details.c.number.is_(None)))
    return Erasures(withdrawn=back, kept=kept, emptied={row.number: row.digest for row in emptied})


async def carry_over(database: Database, connection: AsyncConnection, known: Erasures, now: datetime) -> CarriedOver:
    """Erase in this database, in the transaction that is under way, what another one knows to be erased."""
    people = await _forgotten(connection, known)
    doomed = await _there(connection, known.withdrawn)
    for person in people:
        doomed |= await _of(connection, person)
    if known.withdrawn:
        gone = [{"turn_id": turn, "at": at} for turn, at in known.withdrawn.items()]
        await connection.execute(database.insert(withdrawn).on_conflict_do_nothing(), gone)
    # In an order of its own, so that a second time is the same.
    for turn in sorted(doomed):
        await take_back(database, connection, turn, known.withdrawn.get(turn, now))
    await _destroy(connection, {*known.withdrawn, *doomed} - {*known.kept})
    for person in people:
        for table, column in _PERSONAL:
            await connection.execute(delete(table).where(column == person))
    return CarriedOver(messages=len(doomed), people=len(people))


async def _forgotten(connection: AsyncConnection, known: Erasures) -> list[str]:
    """Whom entries name here that are without a name there. The digests show that the entries are the same."""
    found: set[str] = set()
    for some in parts(list(known.emptied)):
        same = select(audit.c.number, audit.c.digest, audit_details.c.person).join_from(
            audit, audit_details, audit.c.number == audit_details.c.number
        )
        named = same.where(audit.c.number.in_(some), audit_details.c.person.is_not(None))
        rows = await connection.execute(named)
        found.update(row.person for row in rows if row.digest == known.emptied[row.number])
    return sorted(found)


async def _there(connection: AsyncConnection, ids: Iterable[str]) -> set[str]:
    """Those of these turns that are there."""
    found: set[str] = set()
    for some in parts(list(ids)):
        found.update((await connection.execute(select(turns.c.id).where(turns.c.id.in_(some)))).scalars())
    return found


async def _of(connection: AsyncConnection, person: str) -> set[str]:
    """What the person wrote, and the bot's replies to it, as far as they are there."""
    wrote = select(turns.c.id, turns.c.conversation_id, turns.c.message).where(turns.c.author == person)
    own = (await connection.execute(wrote)).all()
    replies = await _there(connection, [reply_id(row.conversation_id, row.message) for row in own])
    return {row.id for row in own} | replies


async def _destroy(connection: AsyncConnection, ids: Iterable[str]) -> None:
    """What is kept of these turns for a hold: there it was destroyed, or never kept."""
    for some in parts(list(ids)):
        await connection.execute(delete(kept_versions).where(kept_versions.c.turn.in_(some)))
