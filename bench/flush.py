"""What a flush waits for when notes are made by rule: `python -m bench.flush [--tickets 60] [--folder DIR] [--json]`.

Tickets of the shipped demo are recorded and flushed into new default stores with the built-in encoder, which is loaded
before. What runs at the same time counts once; `rest` is what is left of the whole.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from bench.made_history import demo_turns
from bench.stopwatches import Waits, Watched
from bot.embeddings import open_encoder
from bot.opening import INDEX
from bot.wiring_memory import flush_over
from config.loader import load_settings
from memory.model import Turn
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import open_store

#: Embedding is to be at least this share of a flush.
SHARE = 0.8


def some_tickets(count: int, now: datetime) -> list[Turn]:
    """The turns of the demo's first `count` tickets."""
    turns = demo_turns(now)
    names = list(dict.fromkeys(turn.ticket for turn in turns))[:count]
    return [turn for turn in turns if turn.ticket in names]


async def measure(folder: Path, count: int) -> dict[str, float]:
    """Seconds as a whole and by part, and the share of the embedding."""
    settings, now, waits = load_settings(None, {}), datetime.now(UTC), Waits()
    async with (
        open_encoder(settings.embeddings) as encoder,
        open_store(f"sqlite:///{folder / 'helpdesk.db'}", busy_seconds=60, clock=lambda: now) as store,
        open_edge_index(folder / INDEX) as index,
    ):
        await index.reset(await encoder.stamp())
        said = some_tickets(count, now)
        await store.writing.record(said)
        flush = flush_over(
            settings,
            lambda: now,
            store=replace(store, writing=_watched(store.writing, waits, "sql")),
            index=_watched(index, waits, "index"),
            encoder=_watched(encoder, waits, "embedding"),
            models={},
        )
        start = time.perf_counter()
        done = await flush.run(idle_before=now + timedelta(minutes=1))
        whole = time.perf_counter() - start
    parts = {f"{part}_s": waits.seconds(part) for part in ("embedding", "index", "sql")}
    return {
        "turns": len(said),
        "episodes": done.episodes,
        "keys": done.keys,
        "whole_s": whole,
        **parts,
        "rest_s": whole - waits.seconds(),
        "share": parts["embedding_s"] / whole,
    }


def _watched(port: Any, waits: Waits, part: str) -> Any:
    return Watched(port, waits, lambda _: part)


@click.command(help=__doc__)
@click.option("--tickets", default=60, help="Tickets that are remembered.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the stores are made; default: a new folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(tickets: int, folder: Path | None, as_json: bool) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        figures = asyncio.run(measure(Path(place), tickets))
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        click.echo(f"{name:12} {value:9.2f}")
    click.echo(f"{'limit':12} {SHARE:9.2f}  ({'kept' if figures['share'] >= SHARE else 'MISSED'})")


if __name__ == "__main__":
    main()
