"""Brings a database to the schema that this program knows, or says why not."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Column, Connection, MetaData, Table, inspect, text
from sqlalchemy.engine.interfaces import ReflectedColumn

from memory.errors import StoreForeign, StoreNewer, StoreUnavailable
from memory.stores.sql_engine import APPLICATION_ID, Database, remedy, unavailable
from memory.stores.tables_all import METADATA

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
    await approach(database)
    async with database.reading() as connection:
        current = await connection.run_sync(_is_current)
    if not current:
        async with database.writing() as connection:
            await connection.run_sync(_migrate)


async def approach(database: Database) -> None:
    """What comes before the first statement: a SQLite file that is not ours is left alone, and ours logs ahead.

    Raises StoreForeign and StoreUnavailable.
    """
    if database.dialect == "sqlite":
        await asyncio.to_thread(_refuse_foreign_file, str(database.engine.url.database))
        await database.log_ahead()


def known_revisions() -> list[str]:
    """Those of the schema that this program knows, oldest first."""
    return sorted(script.name[1:].split("_")[0] for script in (_SCRIPTS / "versions").glob("r*_*.py"))


def tables_of(connection: Connection) -> list[Table]:
    """Our tables with the columns that they have in this database, whatever its revision, each after those that it
    refers to."""
    found = inspect(connection)
    names = set(found.get_table_names())
    there = [table.name for table in METADATA.sorted_tables if table.name in names]
    columns, keys = found.get_multi_columns(filter_names=there), found.get_multi_pk_constraint(filter_names=there)
    return [_table(name, columns[None, name], keys[None, name]["constrained_columns"]) for name in there]


def _table(name: str, columns: Iterable[ReflectedColumn], key: Collection[str]) -> Table:
    made = (
        Column(one["name"], one["type"], primary_key=one["name"] in key, nullable=one["nullable"]) for one in columns
    )
    return Table(name, MetaData(), *made)


def begin(connection: Connection) -> str | None:
    """Be the only one to migrate until the transaction ends; the revision that is there, None without our tables.

    Raises StoreForeign and StoreNewer.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
        _refuse_foreign_tables(connection)
    else:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    _is_current(connection)
    return revision_of(connection)


def migrate(connection: Connection, revision: str = "head") -> None:
    """Take every step up to this revision, in the connection's transaction."""
    # Imported where a migration is due: it costs every other start a fifth of a second.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def revision_of(connection: Connection) -> str | None:
    """None for a database without our tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    revision: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return revision


def _is_current(connection: Connection) -> bool:
    """Raises StoreNewer for a revision that is not among ours."""
    known, revision = known_revisions(), revision_of(connection)
    if revision is not None and revision not in known:
        raise StoreNewer
    return revision == known[-1]


def _migrate(connection: Connection) -> None:
    if begin(connection) != known_revisions()[-1]:
        # Nobody else did it while this one waited for the lock.
        migrate(connection)


def _refuse_foreign_tables(connection: Connection) -> None:
    """Others may have tables beside ours, but none of the same names."""
    if revision_of(connection) is None and not METADATA.tables.keys().isdisjoint(inspect(connection).get_table_names()):
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
