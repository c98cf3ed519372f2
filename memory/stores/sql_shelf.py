"""What is known of articles, in SQL: one row for each."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from memory.knowledge.shelf import Shelved
from memory.stores import tables
from memory.stores.sql_engine import Database

_articles = tables.articles


class SqlShelf:
    """The port `Shelf` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def shelved(self) -> list[Shelved]:
        found = [Shelved(**row._mapping) for row in await self._database.rows(select(_articles))]
        # By code points, whatever order the database has for texts.
        return sorted(found, key=lambda one: (one.collection, one.path))

    async def shelve(self, articles: Sequence[Shelved]) -> None:
        if not articles:
            return
        write = self._database.insert(_articles)
        rows = [{column.name: getattr(one, column.name) for column in _articles.c} for one in articles]
        keys = [column.name for column in _articles.primary_key]
        fresh = {column.name: write.excluded[column.name] for column in _articles.c if column.name not in keys}
        async with self._database.writing() as connection:
            await connection.execute(write.on_conflict_do_update(index_elements=keys, set_=fresh), rows)
