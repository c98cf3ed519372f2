"""Databases as earlier versions of the program left them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, Executable, Table, select

from memory.stores.sql_engine import address, connect
from memory.stores.sql_schema import begin, known_revisions, migrate, tables_of
from tests.fakes.old_rows import Row, put

#: What was put into a database: by table, in the order of the numbers.
Put: TypeAlias = Mapping[str, Sequence[Row]]


async def migrated_to(url: str, revision: str, rows: Sequence[Executable]) -> None:
    """Bring a database to this revision of the schema, and put rows into it."""
    database = connect(address(url), 5)
    async with database.writing() as connection:
        await connection.run_sync(_upgrade, revision)
        for row in rows:
            await connection.execute(row)
    await database.close()


def _upgrade(connection: Connection, revision: str) -> None:
    begin(connection)
    migrate(connection, revision)


# --- with rows in every table -----------------------------------------------------------------------------------------


async def walked(url: str, stops: Sequence[str]) -> Put:
    """Bring an empty database to each of these versions after the other, and put rows into every table there."""
    made: dict[str, list[Row]] = {}
    database = connect(address(url), 5)
    async with database.writing() as connection:
        for revision in stops:
            await connection.run_sync(_upgrade, revision)
            for table, row in (await connection.run_sync(put, number_of(revision))).items():
                made.setdefault(table, []).append(row)
    await database.close()
    return made


def number_of(revision: str) -> int:
    """That of the rows of this version."""
    return known_revisions().index(revision) + 1


async def rows_in(url: str) -> Mapping[str, list[Row]]:
    """Every row of a database, by table and in the order of keys."""
    database = connect(address(url), 5)
    async with database.reading() as connection:
        found = await connection.run_sync(lambda inner: {table.name: _rows(inner, table) for table in tables_of(inner)})
    await database.close()
    return found


def _rows(connection: Connection, table: Table) -> list[Row]:
    return [
        {name: _in_utc(value) for name, value in row._mapping.items()}
        for row in connection.execute(select(table).order_by(*table.primary_key))
    ]


def _in_utc(value: Any) -> Any:
    if not isinstance(value, datetime):
        return value
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
