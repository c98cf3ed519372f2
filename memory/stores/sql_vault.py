"""Sealed secrets in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select

from memory.stores.sql_engine import Database
from memory.stores.tables import Words, vault


class SqlVault:
    """The port `Vault` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        new = database.insert(vault)
        again = {"sealed": new.excluded.sealed, "at": new.excluded.at}
        self._kept = new.on_conflict_do_update(index_elements=[vault.c.name], set_=again)

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        rows = [{"name": name, "sealed": piece, "at": at} for name, piece in sealed.items()]
        if len(rows) == 1:
            await self._database.change(self._kept, rows[0])
        elif rows:
            async with self._database.writing() as connection:
                await connection.execute(self._kept, rows)

    async def sealed(self, name: str) -> bytes | None:
        return _first(await self._database.rows(select(vault.c.sealed).where(vault.c.name == name)))

    async def take(self, name: str) -> bytes | None:
        taken = delete(vault).where(vault.c.name == name).returning(vault.c.sealed)
        return _first(await self._database.change(taken))

    async def names(self, beginning: str) -> list[str]:
        # Not LIKE, which takes capitals for small letters in SQLite; sorted here, as each database sorts differently.
        fits = func.substr(vault.c.name, 1, len(beginning), type_=Words) == beginning
        return sorted(row.name for row in await self._database.rows(select(vault.c.name).where(fits)))

    async def drop(self, name: str) -> None:
        await self._database.change(delete(vault).where(vault.c.name == name))


def _first(rows: Sequence[Row[Any]]) -> bytes | None:
    return rows[0].sealed if rows else None
