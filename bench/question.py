"""What one question waits for when no model is configured, and how that grows with the memory.

    python -m bench.question [--keys 10000 --keys 100000] [--large] [--folder DIR] [--json]

The default stores are filled with made-up tickets from size to size; then the whole read path answers 40 different
questions with the built-in encoder. Each is asked once, since a repeated one would not be embedded again. What runs at
the same time counts once, so the parts may add up to more than the whole; `python` is what is left of the whole.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import click

from bench.made_history import demo_turns, fill, made_history
from bench.stopwatches import Waits, Watched
from bot.embeddings import open_encoder
from bot.kept_encoder import KeptEncoder
from bot.opening import INDEX
from bot.wiring import system_clock
from bot.wiring_memory import contradictions_over, facts_over
from config.loader import load_settings
from memory.model import DIRECT, Question, Viewer
from memory.recall.connections import Connections
from memory.recall.pipeline import Recall
from memory.recall.ticket_states import TicketStates
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import open_store

QUESTIONS = 40
_WARM_UP = 4
#: Embedding is to be at least this share of a question at 100,000 keys, and the rest to grow no more than this.
SHARE = 0.5
GROWTH = 3.0
LARGE = 1_000_000
PARTS = ("embedding", "index", "search", "idf", "sql", "python")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question: milliseconds as a whole and by part; `rest` is the whole without the wait for the embedding."""

    whole: float
    rest: float
    parts: dict[str, float]


def questions(now: datetime, count: int) -> list[Question]:
    """Those of the demo, then its tickets' titles; half in Japanese. Everyone asks for the first time."""
    lines = (resources.files("bot") / "demo_history" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    titles = list(dict.fromkeys(turn.title for turn in demo_turns(now) if turn.title))
    texts = [*asked, *titles][:count]
    return [
        Question(text=text, viewer=Viewer(user=f"sato{number % 10}", channel=DIRECT), now=now)
        for number, text in enumerate(texts)
    ]


async def ask_all(data: Path, asked: Sequence[Question]) -> list[Asked]:
    """Each question once, over the stores in `data`, as a process does that has just started."""
    settings, waits = load_settings(None, {}), Waits()
    url = f"sqlite:///{data / 'helpdesk.db'}"
    async with (
        open_encoder(settings.embeddings) as encoder,
        open_store(url, busy_seconds=60, clock=system_clock) as store,
        open_edge_index(data / INDEX) as index,
    ):
        kept: Any = Watched(KeptEncoder(encoder, data), waits, lambda _: "embedding")
        reading: Any = Watched(store.reading, waits, lambda _: "sql")
        facts: Any = Watched(store.facts, waits, lambda _: "sql")
        ledger: Any = Watched(store.ledger, waits, lambda _: "sql")
        keys: Any = Watched(index, waits, lambda name: name)
        recall = Recall(
            reading=reading,
            personal=store.personal,
            facts=facts_over(settings, reading, facts),
            connections=Connections(reading=reading, facts=facts, settings=settings.recall.graph),
            index=keys,
            encoder=kept,
            assistants=None,
            master=None,
            ledger=ledger,
            settings=settings.recall,
            contradictions=contradictions_over(settings, store),
            tickets=TicketStates(store.tickets),
            addresses={},
            clock=system_clock,
        )
        found = []
        for one in asked:
            found.append(await _ask(recall, one, waits))
            await store.ledger.settle()  # written behind the answer: nobody who asks waits for it
        return found[_WARM_UP:]


async def _ask(recall: Recall, question: Question, waits: Waits) -> Asked:
    waits.clear()
    start = time.perf_counter()
    await recall.answer(question)
    whole = time.perf_counter() - start
    parts = {
        "embedding": waits.seconds("embedding"),
        "index": waits.seconds("search", "idf", "sample"),
        "search": waits.seconds("search"),
        "idf": waits.seconds("idf"),
        "sql": waits.seconds("sql"),
        "python": whole - waits.seconds(),
    }
    return Asked(
        whole=whole * 1000,
        rest=(whole - parts["embedding"]) * 1000,
        parts={name: seconds * 1000 for name, seconds in parts.items()},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Milliseconds at one size of the memory, `share` the median share of the embedding."""

    keys: int
    p50: dict[str, float]
    p95: dict[str, float]
    share: float


def summed(keys: int, asked: Sequence[Asked]) -> Size:
    columns = {
        "whole": [one.whole for one in asked],
        "rest": [one.rest for one in asked],
        **{part: [one.parts[part] for one in asked] for part in PARTS},
    }
    return Size(
        keys=keys,
        p50={name: round(median(values), 1) for name, values in columns.items()},
        p95={name: round(quantiles(values, n=20)[-1], 1) for name, values in columns.items()},
        share=round(median(one.parts["embedding"] / one.whole for one in asked), 3),
    )


async def measure(folder: Path, sizes: Sequence[int], count: int = QUESTIONS) -> list[Size]:
    """From size to size, in one folder that grows."""
    asked = questions(datetime.now(UTC), count + _WARM_UP)
    async with open_encoder(load_settings(None, {}).embeddings) as encoder:
        history = await made_history(encoder)
        measured = []
        for size in sizes:
            keys = await fill(folder, size, history, encoder)
            measured.append(summed(keys, await ask_all(folder, asked)))
        return measured


def figures(measured: Sequence[Size]) -> dict[str, object]:
    """One object; `growth` is the rest at the largest size over that at the smallest."""
    growth = measured[-1].p50["rest"] / measured[0].p50["rest"]
    shares = {f"share_{size.keys // 1000}k": size.share for size in measured}
    return {**shares, "growth": round(growth, 2), "sizes": [asdict(size) for size in measured]}


@click.command(help=__doc__)
@click.option("--keys", "sizes", multiple=True, type=click.IntRange(100), default=(10_000, 100_000))
@click.option("--large", is_flag=True, help=f"{LARGE:,} keys too; filling takes half an hour.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Kept, and used again by the next.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(sizes: tuple[int, ...], large: bool, folder: Path | None, as_json: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        measured = asyncio.run(measure(place, sorted({*sizes, *((LARGE,) if large else ())})))
    if as_json:
        click.echo(json.dumps(figures(measured)))
        return
    names = ("whole", "rest", *PARTS)
    click.echo(f"{'ms (p50/p95)':14}" + "".join(f"{name:>15}" for name in names) + f"{'share':>8}")
    for size in measured:
        cells = "".join(f"{size.p50[name]:>8.1f}/{size.p95[name]:<6.0f}" for name in names)
        click.echo(f"{size.keys:<14,}{cells}{size.share:>8.2f}")
    click.echo(f"growth of the rest: {figures(measured)['growth']}")


if __name__ == "__main__":
    main()
