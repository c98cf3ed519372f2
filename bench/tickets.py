"""Whether lists of tickets take as long with many tickets as with few.

    python -m bench.tickets [--few 100] [--many 10000] [--times 200] [--folder DIR] [--json]

Two SQLite databases of imported tickets, three turns each; each read is asked of the one and of the other in turn, so
that whatever else the machine does counts for both. The figures are the 95th percentiles and their ratios.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

import click

from memory.model import Conversation, Role, Turn, Viewer, Visibility
from memory.stores.sql import SqlStore, open_store
from memory.tickets import TicketFilter

LIMIT = 2.0
_START = datetime(2026, 1, 1, tzinfo=UTC)
_PEOPLE = 25
_PAGE = 20
_TICKETS_AT_ONCE = 150
_AGENT = Viewer(user="agent", agent=True)
_MINE = Viewer(user="user-7")

#: What people ask for; each has as many answers in the small database as in the large one.
READS: dict[str, Callable[[SqlStore], Awaitable[object]]] = {
    "listed": lambda store: store.tickets.listed(_AGENT, TicketFilter(), None, _PAGE),
    "open": lambda store: store.tickets.listed(_AGENT, TicketFilter(open=True), None, _PAGE),
    "mine": lambda store: store.tickets.listed(_MINE, TicketFilter(requester=_MINE.user), None, 4),
    "named": lambda store: store.tickets.named(["INC-17", "inc-42"], _MINE),
}


def ticket(number: int) -> Iterator[Turn]:
    """Three turns of one ticket; four of five are settled."""
    person = f"user-{number % _PEOPLE}"
    statuses = ("open", "in progress", "in progress" if number % 5 == 0 else "resolved")
    for place, status in enumerate(statuses):
        yield Turn(
            conversation=Conversation(platform="bench", workspace="w", channel="it-help", thread=f"INC-{number}"),
            ticket=f"INC-{number}",
            message=str(place),
            author=person if place != 1 else "agent",
            role=Role.REQUESTER if place != 1 else Role.AGENT,
            text="VPN に接続できません。エラーは E-4711 です。",
            said_at=_START + timedelta(minutes=number * 10 + place),
            visibility=Visibility.EVERYONE,
            requester=person,
            title=f"VPN {number}" if place == 0 else None,
            status=status,
        )


async def fill(store: SqlStore, tickets: int) -> None:
    """Write so many tickets."""
    for first in range(0, tickets, _TICKETS_AT_ONCE):
        some = range(first, min(first + _TICKETS_AT_ONCE, tickets))
        await store.writing.record([turn for number in some for turn in ticket(number)])


async def measure(folder: Path, few: int, many: int, times: int) -> dict[str, float]:
    """For each read its milliseconds at p95 with few and with many tickets, and their ratio."""
    async with AsyncExitStack() as stack:
        stores = []
        for size in (few, many):
            url = f"sqlite:///{folder / f'{size}.db'}"
            store = await stack.enter_async_context(open_store(url, busy_seconds=60, clock=lambda: datetime.now(UTC)))
            await fill(store, size)
            stores.append(store)
        figures: dict[str, float] = {}
        for name, read in READS.items():
            few_ms, many_ms = await _p95(read, stores, times)
            figures |= {f"{name}_few_p95_ms": few_ms, f"{name}_many_p95_ms": many_ms, f"{name}_ratio": many_ms / few_ms}
    return figures | {"ratio": max(value for name, value in figures.items() if name.endswith("_ratio"))}


async def _p95(read: Callable[[SqlStore], Awaitable[object]], stores: list[SqlStore], times: int) -> list[float]:
    waits: list[list[float]] = [[] for _ in stores]
    for _ in range(times):
        for store, of_store in zip(stores, waits, strict=True):
            start = time.perf_counter()
            await read(store)
            of_store.append((time.perf_counter() - start) * 1000)
    return [quantiles(of_store, n=20)[-1] for of_store in waits]


@click.command()
@click.option("--few", default=100, help="Tickets in the small database.")
@click.option("--many", default=10_000, help="Tickets in the large one.")
@click.option("--times", default=200, help="How often each read is asked.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the databases are made; default: a new folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(few: int, many: int, times: int, folder: Path | None, as_json: bool) -> None:
    """Reads of tickets with many against few."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        figures = asyncio.run(measure(Path(place), few, many, times))
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:25} {value:9.2f}")
    click.echo(f"{'limit':25} {LIMIT:9.2f}  ({'kept' if figures['ratio'] <= LIMIT else 'MISSED'})")


if __name__ == "__main__":
    main()
