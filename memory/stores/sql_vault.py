"""Sealed secrets in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, func, select

from memory.stores.sql_engine import Database
from memory.stores.tables import Words, vault


class SqlVault:
    """The port `Vault` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        rows = [{"name": name, "sealed": piece, "at": at} for name, piece in sealed.items()]
        new = self._database.insert(vault)
        kept = new.on_conflict_do_update(
            index_elements=[vault.c.name], set_={"sealed": new.excluded.sealed, "at": new.excluded.at}
        )
        async with self._database.writing() as connection:
            await connection.execute(kept, rows)

    async def sealed(self, name: str) -> bytes | None:
        async with self._database.reading() as connection:
            return (await connection.execute(select(vault.c.sealed).where(vault.c.name == name))).scalar()

    async def take(self, name: str) -> bytes | None:
        taken = delete(vault).where(vault.c.name == name).returning(vault.c.sealed)
        async with self._database.writing() as connection:
            return (await connection.execute(taken)).scalar()

    async def names(self, beginning: str) -> list[str]:
        # Not LIKE, which takes capitals for small letters in SQLite; sorted here, as each database sorts differently.
        fits = func.substr(vault.c.name, 1, len(beginning), type_=Words) == beginning
        async with self._database.reading() as connection:
            return sorted((await connection.execute(select(vault.c.name).where(fits))).scalars())

    async def drop(self, name: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(vault).where(vault.c.name == name))
