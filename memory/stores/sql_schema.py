"""Brings a database to the schema that this program knows, or says why not."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, inspect, text

from memory.errors import StoreForeign, StoreNewer, StoreUnavailable
from memory.stores.sql_engine import APPLICATION_ID, Database, remedy, unavailable
from memory.stores.tables_facts import facts

#: All our tables, those of the words among them.
_TABLES = facts.metadata.tables

#: Where the database notes its schema's revision.
VERSION_TABLE = "helpdesk_schema"

#: Revisions, oldest first: the names of the migration scripts say them, so that opening needs no Alembic.
_SCRIPTS = Path(__file__).parent / "migrations"

#: PostgreSQL's name for "someone is migrating"; any number that nobody else uses.
_MIGRATION_LOCK = APPLICATION_ID


async def prepare(database: Database) -> None:
    """Migrate the database where that is needed. Safe when several processes start at once.

    Raises StoreForeign, StoreNewer and StoreUnavailable.
    """
    if database.dialect == "sqlite":
        await asyncio.to_thread(_refuse_foreign_file, str(database.engine.url.database))
        await database.log_ahead()
    async with database.reading() as connection:
        current = await connection.run_sync(_is_current)
    if not current:
        async with database.writing() as connection:
            await connection.run_sync(_migrate)


def _is_current(connection: Connection) -> bool:
    """Raises StoreNewer for a revision that is not among ours."""
    known = sorted(script.name[1:].split("_")[0] for script in (_SCRIPTS / "versions").glob("r*_*.py"))
    revision = _revision(connection)
    if revision is not None and revision not in known:
        raise StoreNewer
    return revision == known[-1]


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
        _refuse_foreign_tables(connection)
    else:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    if _is_current(connection):
        # Somebody else did it while this one waited for the lock.
        return
    # Imported where a migration is due: it costs every other start a fifth of a second.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    """None for a database without our tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    revision: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return revision


def _refuse_foreign_tables(connection: Connection) -> None:
    """Others may have tables beside ours, but none of the same names."""
    if _revision(connection) is None and not _TABLES.keys().isdisjoint(inspect(connection).get_table_names()):
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
            raise StoreUnavailable(remedy(error)) from error
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
