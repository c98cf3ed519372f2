"""The key of the placeholders, kept beside the words: all processes over one database use the same."""

from __future__ import annotations

from secrets import token_bytes

from sqlalchemy import select

from memory.stores.sql_engine import Database
from memory.stores.tables import redaction_keys

#: There is one so far.
_NAME = "placeholders"
_BYTES = 32


async def placeholder_key(database: Database) -> bytes:
    """The key; made the first time. Of several processes that make one at the same time, one does. Raises
    StoreUnavailable."""
    there = select(redaction_keys.c.key).where(redaction_keys.c.name == _NAME)
    async with database.reading() as connection:
        key = (await connection.execute(there)).scalar()
    if key is None:
        new = database.insert(redaction_keys).values(name=_NAME, key=token_bytes(_BYTES))
        async with database.writing() as connection:
            await connection.execute(new.on_conflict_do_nothing())
            key = (await connection.execute(there)).scalar_one()
    return bytes(key)
