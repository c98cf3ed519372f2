"""Databases as earlier versions of the program left them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Executable

from memory.stores.sql_engine import APPLICATION_ID, address, connect
from memory.stores.sql_schema import migrate


async def migrated_to(url: str, revision: str, rows: Sequence[Executable]) -> None:
    """Bring a database to this revision of the schema, and put rows into it."""
    database = connect(address(url), 5)
    async with database.writing() as connection:
        await connection.run_sync(_upgrade, revision)
        for row in rows:
            await connection.execute(row)
    await database.close()


def _upgrade(connection: Connection, revision: str) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(connection, revision)
