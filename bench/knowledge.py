"""How much of a knowledge base is embedded again when some of its articles change.

    python -m bench.knowledge [--articles 2000] [--changed 10] [--json]

Made-up articles of three sections are taken in over the default stores, looked at again, and taken in once more after
some were edited. Counted are the texts that were embedded; `others` are those that belong to no edited article, and
should be none. The encoder is one without a model: how many texts it is given does not depend on it, and the seconds
tell what everything else costs.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from bot.application import Application
from bot.opening import INDEX
from bot.wiring import assembled, system_clock
from config.loader import load_settings
from memory.index_ports import Vectors
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import open_store

_SETTINGS = "knowledge: {collections: [{name: made-up, folder: articles}]}\n"


class Counting(HashingEncoder):
    """Keeps which texts it embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts.extend(texts)
        return await super().passages(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What one run of the job embedded, and how long it took."""

    texts: tuple[str, ...]
    seconds: float


def article(number: int, edition: str) -> str:
    """Every sentence has the mark of its article, so that it is known whose a text is."""
    mark = mark_of(number)
    return (
        f"# Service {mark}\n\nThe service {mark} prints labels for the warehouse.\n\n"
        f"## How to restart {mark}\n\nOpen the console of {mark}. Choose restart in {mark}, {edition}.\n\n"
        f"## {mark} の申請\n\n{mark} の利用申請はポータルから行います。{mark} の承認は上長です。\n"
    )


def mark_of(number: int) -> str:
    return f"svc-{number:05d}"


async def measure(folder: Path, articles: int, changed: int) -> Mapping[str, float]:
    """Texts and seconds of the first run, of one where nothing changed, and of one after `changed` edits."""
    (folder / "articles").mkdir()
    _write(folder, range(articles), "first edition")
    async with _opened(folder) as (app, encoder):
        first = await _take_in(app, encoder)
        idle = await _take_in(app, encoder)
        edited = range(0, articles, max(1, articles // changed))[:changed]
        _write(folder, edited, "second edition")
        again = await _take_in(app, encoder)
    marks = [mark_of(number) for number in edited]
    return {
        "articles": articles,
        "changed": len(marks),
        "first_texts": len(first.texts),
        "first_s": first.seconds,
        "idle_texts": len(idle.texts),
        "idle_s": idle.seconds,
        "changed_texts": len(again.texts),
        "changed_s": again.seconds,
        "others": sum(not any(mark in text for mark in marks) for text in again.texts),
    }


def _write(folder: Path, numbers: Sequence[int], edition: str) -> None:
    for number in numbers:
        (folder / "articles" / f"{number:05d}.md").write_text(article(number, edition), encoding="utf-8")


@asynccontextmanager
async def _opened(folder: Path) -> AsyncIterator[tuple[Application, Counting]]:
    (folder / "desk.yaml").write_text(_SETTINGS, encoding="utf-8")
    settings = load_settings(folder / "desk.yaml", {})
    url = f"sqlite:///{folder / 'helpdesk.db'}"
    async with (
        open_store(url, busy_seconds=60, clock=system_clock) as store,
        open_edge_index(folder / INDEX) as index,
    ):
        counting = Counting()
        app = assembled(settings, folder, system_clock, store=store, index=index, encoder=counting, models={})
        # An empty index is made before anything is counted.
        await app.jobs.run("flush")
        yield app, counting


async def _take_in(app: Application, encoder: Counting) -> Taken:
    encoder.texts.clear()
    start = time.perf_counter()
    await app.jobs.run("knowledge-sync")
    return Taken(texts=tuple(encoder.texts), seconds=time.perf_counter() - start)


@click.command(help=__doc__)
@click.option("--articles", default=2000, type=click.IntRange(1))
@click.option("--changed", default=10, type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(articles: int, changed: int, as_json: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), articles, changed))
    click.echo(json.dumps(found) if as_json else "\n".join(f"{name:<14} {value:,.6g}" for name, value in found.items()))


if __name__ == "__main__":
    main()
