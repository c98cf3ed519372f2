"""The key of the placeholders, kept beside the words: all processes over one database use the same."""

from __future__ import annotations

from secrets import token_bytes

from sqlalchemy import select

from memory.ports import Clock
from memory.stores.sql_engine import Database
from memory.stores.tables import vault

_NAME = "redaction key"
_BYTES = 32


async def placeholder_key(database: Database, clock: Clock) -> bytes:
    """The key; made the first time. Of several processes that make one at the same time, one does. Raises
    StoreUnavailable."""
    there = select(vault.c.sealed).where(vault.c.name == _NAME)
    async with database.reading() as connection:
        key = (await connection.execute(there)).scalar()
    if key is None:
        new = database.insert(vault).values(name=_NAME, sealed=token_bytes(_BYTES), at=clock())
        async with database.writing() as connection:
            await connection.execute(new.on_conflict_do_nothing())
            key = (await connection.execute(there)).scalar_one()
    return bytes(key)
