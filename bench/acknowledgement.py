"""How long a writer waits until its turn is durable, against a bare SQLite insert of the same row in the same run.

    python -m bench.acknowledgement [--writers 50] [--each 20] [--folder DIR] [--json]

Both sides have the same number of writers at once, the same table with its indexes, WAL and a durable commit. Bare:
each writer is a thread with a connection of its own that inserts and commits. The ratio is that of the mean waits:
SQLite lets one of many waiting threads go on and on, which makes the bare median look as if nobody else were there.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median, quantiles

import click

from memory.model import Conversation, Role, Turn
from memory.redaction import RedactedTurn
from memory.stores.sql import open_store
from memory.stores.sql_rows import row_of

LIMIT = 2.0
_TEXT = "VPN に接続できません。再起動しても同じで、エラーは E-4711 です。 " * 4
_BUSY_SECONDS = 120


def turn(writer: int, number: int) -> Turn:
    """One message of usual length, as a chat platform delivers it; each writer has a conversation of its own."""
    return Turn(
        conversation=Conversation(platform="bench", workspace="w", channel="it-help", thread=f"INC-{writer}"),
        ticket=None,
        message=str(number),
        author=f"user-{writer}",
        role=Role.REQUESTER,
        text=_TEXT,
        said_at=datetime.now(UTC),
        requester=f"user-{writer}",
    )


def bare(file: Path, writers: int, each: int) -> list[float]:
    """Seconds until each insert was durable, with nothing around it."""

    def write(writer: int) -> list[float]:
        connection = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        rows = [_plain(turn(writer, number)) for number in range(each)]
        names = ", ".join(rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        waits = [_timed(connection, f"INSERT INTO turns ({names}) VALUES ({values})", row) for row in rows]
        connection.close()
        return waits

    with ThreadPoolExecutor(writers) as pool:
        return [wait for waits in pool.map(write, range(writers)) for wait in waits]


def _timed(connection: sqlite3.Connection, statement: str, row: dict[str, object]) -> float:
    start = time.perf_counter()
    connection.execute(statement, row)
    return time.perf_counter() - start


def _plain(said: Turn) -> dict[str, object]:
    """The row as the driver takes it."""
    row = row_of(RedactedTurn(said), datetime.now(UTC))
    return {name: str(value) if isinstance(value, datetime) else value for name, value in row.items()}


async def recorded(file: Path, writers: int, each: int) -> list[float]:
    """Seconds until each `record` returned."""
    async with open_store(f"sqlite:///{file}", busy_seconds=_BUSY_SECONDS, clock=lambda: datetime.now(UTC)) as store:
        # The first statement is compiled and the connection opened outside the measurement, as for the bare ones.
        await store.writing.record([turn(-1, 0)])

        async def write(writer: int) -> list[float]:
            waits = []
            for said in [turn(writer, number) for number in range(each)]:
                start = time.perf_counter()
                await store.writing.record([said])
                waits.append(time.perf_counter() - start)
            return waits

        return [wait for waits in await asyncio.gather(*map(write, range(writers))) for wait in waits]


async def migrated(file: Path) -> None:
    async with open_store(f"sqlite:///{file}", busy_seconds=_BUSY_SECONDS, clock=lambda: datetime.now(UTC)):
        return


def measure(folder: Path, writers: int, each: int) -> dict[str, float]:
    """Waits in milliseconds and turns a second of both sides and of one bare writer alone; the ratio of the waits."""
    asyncio.run(migrated(folder / "alone.db"))
    alone = bare(folder / "alone.db", 1, each * 5)
    asyncio.run(migrated(folder / "bare.db"))
    start = time.perf_counter()
    before = bare(folder / "bare.db", writers, each)
    middle = time.perf_counter()
    after = asyncio.run(recorded(folder / "recorded.db", writers, each))
    return {
        **_figures("alone", alone, sum(alone)),
        **_figures("bare", before, middle - start),
        **_figures("record", after, time.perf_counter() - middle),
        "ratio": mean(after) / mean(before),
    }


def _figures(name: str, waits: Sequence[float], seconds: float) -> dict[str, float]:
    milliseconds = [wait * 1000 for wait in waits]
    return {
        f"{name}_p50_ms": median(milliseconds),
        f"{name}_p95_ms": quantiles(milliseconds, n=20)[-1],
        f"{name}_mean_ms": mean(milliseconds),
        f"{name}_turns_per_second": len(waits) / seconds,
    }


@click.command()
@click.option("--writers", default=50, help="Writers at once.")
@click.option("--each", default=20, help="Turns that each writer records, one after the other.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the databases are made; default: a new folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(writers: int, each: int, folder: Path | None, as_json: bool) -> None:
    """Acknowledgement of a turn against a bare SQLite insert of the same row."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        figures = measure(Path(place), writers, each)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:25} {value:9.2f}")
    click.echo(f"{'limit':25} {LIMIT:9.2f}  ({'kept' if figures['ratio'] <= LIMIT else 'MISSED'})")


if __name__ == "__main__":
    main()
