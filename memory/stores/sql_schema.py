"""Brings a database to the schema that this program knows, or says why not."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from memory.errors import StoreForeign, StoreNewer, StoreUnavailable
from memory.stores.sql_engine import APPLICATION_ID, Database, unavailable
from memory.stores.tables import metadata

#: Where the database notes its schema's revision.
VERSION_TABLE = "helpdesk_schema"

#: PostgreSQL's name for "someone is migrating"; any number that nobody else uses.
_MIGRATION_LOCK = APPLICATION_ID


async def prepare(database: Database) -> None:
    """Migrate the database where that is needed. Safe when several processes start at once.

    Raises StoreForeign, StoreNewer and StoreUnavailable.
    """
    if database.dialect == "sqlite":
        await asyncio.to_thread(_refuse_foreign_file, str(database.engine.url.database))
    async with database.reading() as connection:
        current = await connection.run_sync(_is_current)
    if not current:
        async with database.writing() as connection:
            await connection.run_sync(_migrate)


def _is_current(connection: Connection) -> bool:
    """Raises StoreNewer for a revision that is not among ours."""
    known = ScriptDirectory.from_config(_config())
    revision = _revision(connection)
    if revision is not None and revision not in {script.revision for script in known.walk_revisions()}:
        raise StoreNewer
    return revision == known.get_current_head()


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
        _refuse_foreign_tables(connection)
    else:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


def _refuse_foreign_tables(connection: Connection) -> None:
    """Others may have tables beside ours, but none of the same names."""
    if _revision(connection) is None and not metadata.tables.keys().isdisjoint(inspect(connection).get_table_names()):
        raise StoreForeign("The database has tables of another program under our names; give us a database of our own.")


def _refuse_foreign_file(path: str) -> None:
    """Look before the first connection: that would already turn a foreign file into WAL mode."""
    if not Path(path).exists():
        return
    with unavailable():
        try:
            mark, tables = _look(path)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise StoreForeign from error
            raise StoreUnavailable from error
    if mark != APPLICATION_ID and (mark or tables):
        raise StoreForeign


def _look(path: str) -> tuple[int, int]:
    """A file's application id and how many tables and the like it has."""
    connection = sqlite3.connect(f"file:{quote(str(Path(path).absolute()))}?mode=rw", uri=True)
    try:
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
        return mark, connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    finally:
        connection.close()
