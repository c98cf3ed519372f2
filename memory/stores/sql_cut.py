"""The pieces of SQL behind cutting and erasing episodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_cut import drop_facts, said_in
from memory.stores.sql_rows import BACK_IN_TIME, IN_TIME
from memory.stores.sql_stale_notes import turns_go
from memory.stores.sql_ticket_rows import PAIR, index_tickets, pairs
from memory.stores.tables import episodes, turns
from memory.stores.tables_facts import links
from memory.stores.ticket_rules import Standing


def newest_start(conversation: str, turn: Row[Any]) -> Select[Any]:
    """Where the newest episode starts that begins before `turn`: walks back to the nearest first turn of an episode."""
    earlier = turns.alias()
    same = earlier.c.episode_id == turns.c.episode_id
    is_first = ~exists().where(same, _before(earlier.c, turns.c)).correlate(turns)
    cut = and_(turns.c.conversation_id == conversation, turns.c.episode_id.is_not(None))
    return select(*IN_TIME).where(cut, _before(turns.c, turn), is_first).order_by(*BACK_IN_TIME).limit(1)


def run_from(start: Row[Any]) -> ColumnElement[bool]:
    """The turns from `start` on, itself included."""
    later = or_(turns.c.said_at > start.said_at, turns.c.seq >= start.seq)
    return and_(turns.c.said_at >= start.said_at, later)


def _before(one: Any, other: Any) -> ColumnElement[bool]:
    """`one` stands before `other`; said twice over so that an index on the time can be used."""
    return and_(one.said_at <= other.said_at, or_(one.said_at < other.said_at, one.seq < other.seq))


async def lock(connection: AsyncConnection, members: Sequence[str]) -> None:
    """Lock these turns until the transaction ends, in the order in which recording locks them: as they came."""
    for some in parts(members):
        await connection.execute(select(turns.c.id).where(turns.c.id.in_(some)).order_by(turns.c.seq).with_for_update())


async def episodes_with(connection: AsyncConnection, members: Sequence[str]) -> set[str]:
    """The episodes that these turns belong to so far."""
    found: set[str] = set()
    for some in parts(members):
        cut = select(turns.c.episode_id).where(turns.c.id.in_(some), turns.c.episode_id.is_not(None)).distinct()
        found.update((await connection.execute(cut)).scalars())
    return found


async def uncut(connection: AsyncConnection, which: ColumnElement[bool]) -> None:
    """These turns belong to no episode any more, and wait for the next flush."""
    await connection.execute(update(turns).where(which).values(episode_id=None, pending=True))


async def unlink(connection: AsyncConnection, ids: Sequence[str]) -> None:
    """These episodes are no more, with their notes and links, and what they were cut from waits for the next flush.
    Without its row nothing that a flush under way has made of the whole is kept."""
    for some in parts(ids):
        await connection.execute(delete(links).where(links.c.episode.in_(some) | links.c.other.in_(some)))
        await uncut(connection, turns.c.episode_id.in_(some))
        await drop_empty(connection, set(some))


async def present(connection: AsyncConnection, members: Sequence[str]) -> set[str]:
    """Those of these turns that are there."""
    found: set[str] = set()
    for some in parts(members):
        found.update((await connection.execute(select(turns.c.id).where(turns.c.id.in_(some)))).scalars())
    return found


async def drop_empty(connection: AsyncConnection, ids: set[str]) -> set[str]:
    """Delete those of these episodes that have no turn any more; notes and retries go with them."""
    dropped: set[str] = set()
    for some in parts(sorted(ids)):
        empty = ~exists().where(turns.c.episode_id == episodes.c.id)
        gone = delete(episodes).where(episodes.c.id.in_(some), empty).returning(episodes.c.id)
        dropped.update((await connection.execute(gone)).scalars())
    return dropped


async def still_there(connection: AsyncConnection, episode: str) -> bool:
    """Whether the episode exists, now and until the transaction ends: nothing is written about erased words."""
    there = select(episodes.c.id).where(episodes.c.id == episode).with_for_update(read=True)
    return (await connection.execute(there)).one_or_none() is not None


async def erase(database: Database, connection: AsyncConnection, ids: Sequence[str]) -> tuple[int, list[Standing]]:
    """Delete these episodes and their turns; versions, notes, retries, links, and facts, events and tickets that tell
    any of their words go with them. The number of turns, and the tickets that are forgotten by it."""
    # In the order in which recording locks them.
    doomed: Select[Any] = select(*PAIR).where(turns.c.episode_id.in_(ids)).order_by(turns.c.seq).with_for_update()
    of_tickets = pairs((await connection.execute(doomed)).all())
    said = await said_in(connection, ids)
    await turns_go(connection, select(turns.c.id).where(turns.c.episode_id.in_(ids)))
    deleted = await connection.execute(delete(turns).where(turns.c.episode_id.in_(ids)))
    await connection.execute(delete(episodes).where(episodes.c.id.in_(ids)))
    await drop_facts(connection, said)
    return deleted.rowcount, await index_tickets(database, connection, of_tickets)
