"""A connection to SQLite that goes to its thread once for each statement.

A connection of aiosqlite is a thread, and every call of it or of its cursors goes to that thread and back through the
event loop. SQLAlchemy makes a cursor, executes, fetches, closes and rolls back: five ways for one read. Here the thread
makes the cursor, executes, fetches and closes in one go, a BEGIN goes along with the statement behind it, and where no
transaction is open there is nothing to roll back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import aiosqlite

Execute: TypeAlias = Callable[[sqlite3.Cursor, str, Any], object]

#: Rows that aiosqlite's own cursors would fetch at a time; none is ever made here.
_ROWS_AT_ONCE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a statement left: its rows, the cursor's figures, and whether a transaction is open."""

    rows: Sequence[Any]
    description: Any
    rowcount: int
    lastrowid: int | None
    in_transaction: bool


class SqliteConnection(aiosqlite.Connection):
    """What SQLAlchemy's dialect for aiosqlite needs of a connection; not for use without it.

    Of aiosqlite's private names it uses `_execute`, `_conn` and `_thread`, and nothing else of ours does. A statement
    whose caller is cancelled is executed all the same: until the next one has come back, a transaction counts as open.
    """

    def __init__(self, file: str, **options: Any) -> None:
        super().__init__(partial(sqlite3.connect, file, **options), _ROWS_AT_ONCE)
        # One that was never closed must not keep the process from ending.
        self._thread.daemon = True
        self._begins = False
        self._open = False

    def begin_writing(self) -> None:
        """Begin with the next statement, taking the write lock; without one there is no transaction."""
        self._begins = True

    def cursor(self) -> Cursor:  # type: ignore[override]
        return Cursor(self)

    async def run(self, execute: Execute, sql: str, parameters: Any) -> Outcome:
        """One statement, `execute`d in one of a cursor's ways. Raises sqlite3.Error, and ValueError for a connection
        that is closed."""
        begins, self._begins, self._open = self._begins, False, True
        outcome: Outcome = await self._execute(  # type: ignore[no-untyped-call]
            _run, self._conn, begins, execute, sql, parameters
        )
        self._open = outcome.in_transaction
        return outcome

    async def commit(self) -> None:
        self._begins = False
        if self._open:
            await super().commit()
            self._open = False

    async def rollback(self) -> None:
        self._begins = False
        if self._open:
            await super().rollback()
            self._open = False


class Cursor:
    """The outcome of one statement, as SQLAlchemy takes it from a cursor."""

    arraysize = 1

    def __init__(self, connection: SqliteConnection) -> None:
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Cursor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def execute(self, sql: str, parameters: Any = ()) -> None:
        self._take(await self._connection.run(sqlite3.Cursor.execute, sql, parameters))

    async def executemany(self, sql: str, parameters: Any) -> None:
        self._take(await self._connection.run(sqlite3.Cursor.executemany, sql, parameters))

    async def fetchall(self) -> Sequence[Any]:
        rows, self._rows = self._rows, ()
        return rows

    async def close(self) -> None:
        """The thread has closed its own."""

    def _take(self, outcome: Outcome) -> None:
        self._rows, self.description = outcome.rows, outcome.description
        self.rowcount, self.lastrowid = outcome.rowcount, outcome.lastrowid


def _run(connection: sqlite3.Connection, begins: bool, execute: Execute, sql: str, parameters: Any) -> Outcome:
    """In the connection's thread."""
    cursor = connection.cursor()
    try:
        if begins:
            cursor.execute("BEGIN IMMEDIATE")
        execute(cursor, sql, parameters)
        return Outcome(
            rows=cursor.fetchall() if cursor.description else (),
            description=cursor.description,
            rowcount=cursor.rowcount,
            lastrowid=cursor.lastrowid,
            in_transaction=connection.in_transaction,
        )
    finally:
        cursor.close()
