"""Legal holds, in SQL."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.holds import Hold, KeptVersion
from memory.stores.sql_engine import Database, parts
from memory.stores.tables import turn_versions, turns
from memory.stores.tables_holds import holds, kept_versions

_HELD = turns.c.conversation_id.in_(select(holds.c.conversation))
_PLACE = (turns.c.conversation_id, turns.c.message)
_COLUMNS = ["turn", "revision", "conversation", "message", "author", "said_at", "text"]
_KEPT = select(func.count()).where(kept_versions.c.conversation == holds.c.conversation).scalar_subquery()


async def keep(connection: AsyncConnection, turn: str) -> None:
    """Before a turn is deleted: all its versions go out of sight where its conversation is under hold. Whoever puts it
    under hold at the same time waits for the end of this transaction, or this one for theirs."""
    newest = select(turns.c.id, turns.c.revision, *_PLACE, turns.c.author, turns.c.said_at, turns.c.text)
    older = select(
        turns.c.id,
        turn_versions.c.revision,
        *_PLACE,
        turn_versions.c.author,
        turn_versions.c.said_at,
        turn_versions.c.text,
    ).join_from(turns, turn_versions, turn_versions.c.turn_id == turns.c.id)
    for versions in (newest, older):
        await connection.execute(insert(kept_versions).from_select(_COLUMNS, versions.where(turns.c.id == turn, _HELD)))


class SqlHolds:
    """The port `Holds` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, hold: Hold) -> bool:
        values = {name: getattr(hold, name) for name in ("conversation", "name", "who", "at")}
        new = self._database.insert(holds).values(values).on_conflict_do_nothing()
        async with self._database.deriving() as connection:
            return bool((await connection.execute(new)).rowcount)

    async def release(self, conversation: str) -> bool:
        async with self._database.deriving() as connection:
            await connection.execute(delete(kept_versions).where(kept_versions.c.conversation == conversation))
            return bool((await connection.execute(delete(holds).where(holds.c.conversation == conversation))).rowcount)

    async def all(self) -> list[Hold]:
        return await self._holds(literal(True))

    async def among(self, conversations: Collection[str]) -> list[Hold]:
        return [
            hold for some in parts(list(conversations)) for hold in await self._holds(holds.c.conversation.in_(some))
        ]

    async def of_author(self, author: str) -> list[Hold]:
        wrote = select(turns.c.conversation_id).where(turns.c.author == author, _HELD)
        taken_back = select(kept_versions.c.conversation).where(kept_versions.c.author == author)
        return await self._holds(or_(holds.c.conversation.in_(wrote), holds.c.conversation.in_(taken_back)))

    async def kept(self, conversation: str) -> list[KeptVersion]:
        here: Select[Any] = select(kept_versions).where(kept_versions.c.conversation == conversation)
        order = (kept_versions.c.said_at, kept_versions.c.turn, kept_versions.c.revision)
        async with self._database.reading() as connection:
            return [KeptVersion(**row._mapping) for row in await connection.execute(here.order_by(*order))]

    async def destroy(self, turns: Collection[str]) -> int:
        async with self._database.writing() as connection:
            each = [delete(kept_versions).where(kept_versions.c.turn.in_(some)) for some in parts(list(turns))]
            return sum([(await connection.execute(one)).rowcount for one in each])

    async def _holds(self, which: ColumnElement[bool]) -> list[Hold]:
        found: Select[Any] = select(holds, _KEPT.label("kept")).where(which).order_by(holds.c.at, holds.c.name)
        async with self._database.reading() as connection:
            return [Hold(**row._mapping) for row in await connection.execute(found)]
