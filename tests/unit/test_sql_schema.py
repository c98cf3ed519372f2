"""Opening a database: ours, new, somebody else's, newer, or none at all."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from memory.errors import ConfigInvalid, StoreForeign, StoreNewer, StoreUnavailable
from memory.ports import Recorded
from memory.stores.sql import open_store
from memory.stores.sql_engine import APPLICATION_ID, address, connect
from memory.stores.sql_schema import VERSION_TABLE
from memory.stores.tables import metadata
from tests.fakes import postgres
from tests.fakes.source import imports, modules
from tests.fakes.turns import turn
from tests.fakes.words import Watch


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "help desk%20 & co?.db"


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database that nobody has opened yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'new.db'}"
        return
    postgres.require()
    async with postgres.database() as address_of_new:
        yield address_of_new


async def opens(url: str) -> Recorded:
    async with open_store(url, busy_seconds=5, clock=Watch()) as store:
        return await store.writing.record([turn(1)])


async def execute(url: str, *statements: str) -> None:
    database = connect(address(url), 5)
    async with database.writing() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await database.close()


def foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.commit()


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


async def test_the_migrations_make_exactly_the_tables_that_the_code_knows(url: str) -> None:
    await opens(url)
    database = connect(address(url), 5)
    async with database.reading() as connection:
        assert await connection.run_sync(_differences) == []
    await database.close()


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
    return list(compare_metadata(context, metadata))


def test_whoever_needs_all_tables_gets_those_of_every_module() -> None:
    [everything] = [module for module in modules() if module.name == "memory/stores/tables_all.py"]
    with_tables = {module.dotted for module in modules() if module.name.startswith("memory/stores/tables")}
    assert with_tables - {everything.dotted} <= set(imports(everything))


async def test_a_database_is_made_once_and_kept(url: str) -> None:
    assert await opens(url) == Recorded(new=1)
    assert await opens(url) == Recorded(repeated=1)


async def test_several_may_open_a_new_database_at_once(url: str) -> None:
    outcomes = await asyncio.gather(*(opens(url) for _ in range(5)))
    assert sorted(outcome.new for outcome in outcomes) == [0, 0, 0, 0, 1]


async def test_who_comes_while_somebody_is_at_work_on_a_new_file_waits(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        opening = asyncio.create_task(opens(f"sqlite:///{tmp_path / 'new.db'}"))
        # Long enough for several tries; where it is not, nothing is shown, and nothing fails.
        await asyncio.wait({opening}, timeout=0.5)
        assert not opening.done()
        other.execute("ROLLBACK")
        assert await opening == Recorded(new=1)


_OPEN = """
import asyncio, sys
from tests.unit.test_sql_schema import opens
print(asyncio.run(opens(sys.argv[1])).new)
"""


def test_several_processes_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _OPEN, f"sqlite:///{tmp_path / 'new.db'}"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    ended = [process.communicate(timeout=60) for process in started]
    assert sorted(out.strip() for out, _ in ended) == [b"0", b"0", b"1"], ended


async def test_our_files_say_that_they_are_ours(file: Path) -> None:
    await opens(f"sqlite:///{quote(str(file))}")
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_file_of_another_program_is_refused_and_left_as_it_is(file: Path) -> None:
    foreign(file)
    before = everything_in(file.parent)
    with pytest.raises(StoreForeign, match="belongs to something else"):
        await opens(f"sqlite:///{quote(str(file))}")
    assert everything_in(file.parent) == before


async def test_a_file_with_another_programs_mark_is_refused_even_without_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA application_id = 17")
        connection.commit()
    with pytest.raises(StoreForeign):
        await opens(f"sqlite:///{quote(str(file))}")


@pytest.mark.parametrize("content", [b"no database at all\n", b"x" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
async def test_a_file_that_is_no_database_is_refused(file: Path, content: bytes) -> None:
    write(file, content)
    with pytest.raises(StoreForeign):
        await opens(f"sqlite:///{quote(str(file))}")
    assert everything_in(file.parent) == {file.name: content}


async def test_an_empty_file_is_a_new_database(file: Path) -> None:
    write(file, b"")
    assert await opens(f"sqlite:///{quote(str(file))}") == Recorded(new=1)


async def test_a_folder_that_does_not_exist_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"store\.url"):
        await opens(f"sqlite:///{tmp_path / 'nowhere' / 'x.db'}")
    with pytest.raises(StoreUnavailable):
        await opens(f"sqlite:///{tmp_path}")


async def test_a_database_of_a_newer_program_is_refused_and_left_as_it_is(url: str) -> None:
    await opens(url)
    await execute(url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreNewer, match="newer version"):
        await opens(url)


async def test_other_tables_in_postgresql_are_left_alone_but_ours_must_be_free() -> None:
    postgres.require()
    async with postgres.database() as url:
        await execute(url, "CREATE TABLE recipes (name TEXT)")
        assert await opens(url) == Recorded(new=1)
    async with postgres.database() as url:
        await execute(url, "CREATE TABLE notes (name TEXT)")
        with pytest.raises(StoreForeign, match="another program"):
            await opens(url)


@pytest.mark.parametrize(
    "wrong", ["", "nonsense", "mysql://host/db", "sqlite://", "sqlite:///:memory:", "sqlite+pysqlcipher:///"]
)
async def test_an_address_that_cannot_be_used_is_a_mistake_in_the_configuration(wrong: str) -> None:
    with pytest.raises(ConfigInvalid, match=r"store\.url"):
        await opens(wrong)


@pytest.mark.parametrize(
    ("plain", "driven"),
    [
        ("sqlite:////srv/x.db", "sqlite+aiosqlite:////srv/x.db"),
        ("postgres://u:p@h/d", "postgresql+asyncpg://u:***@h/d"),
        ("postgresql://u@h:5433/d?sslmode=require", "postgresql+asyncpg://u@h:5433/d?ssl=require"),
        ("postgresql+psycopg://u@h/d", "postgresql+asyncpg://u@h/d"),
    ],
)
def test_the_driver_is_ours_to_choose(plain: str, driven: str) -> None:
    assert str(address(plain)) == driven


async def test_a_server_that_is_not_there_is_said_plainly() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await opens("postgresql://u:secret@127.0.0.1:9/nothing")


async def test_a_database_that_does_not_exist_is_said_plainly() -> None:
    postgres.require()
    async with postgres.database() as url:
        missing = url.replace("/test_", "/missing_")
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await opens(missing)
