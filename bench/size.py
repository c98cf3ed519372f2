"""How much memory the running bot holds, and how soon a command answers, with a large memory on the default stores.

    python -m bench.size [--keys 100000] [--folder DIR] [--json]

The data folder is filled with made-up tickets. `helpdesk run` is started on it and asked over its socket; then the
resident memory of its process and of the search engine's is added up. At last it is asked again without a running bot:
from the start of a process to its answer.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

import click

from bench.cold_start import LIMIT as ANSWER_LIMIT
from bench.made_history import fill, made_history
from bench.processes import resident_megabytes, running, timed
from bench.question import questions
from bot.embeddings import open_encoder
from bot.wiring import system_clock
from config.loader import load_settings

LIMIT = 700.0
QUESTIONS = 20


async def filled(data: Path, keys: int) -> int:
    async with open_encoder(load_settings(None, {}).embeddings) as encoder:
        return await fill(data, keys, await made_history(encoder), encoder)


def measure(data: Path, count: int) -> dict[str, float]:
    """Megabytes before and after some questions, and seconds of a command on its own."""
    keys = asyncio.run(filled(data, count))
    asked = [question.text for question in questions(system_clock(), QUESTIONS)]
    ask = ("--user", "sato1", "--json")
    with running(data) as bot:
        before = resident_megabytes(bot)
        for text in asked:
            timed(data, "ask", text, *ask)
        own, engine = resident_megabytes(bot)
    return {
        "keys": keys,
        "started_mb": sum(before),
        "bot_mb": own,
        "engine_mb": engine,
        "mb": own + engine,
        "ask_alone_s": timed(data, "ask", asked[0], *ask),
    }


@click.command(help=__doc__)
@click.option("--keys", default=100_000, type=click.IntRange(100))
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Kept, and used again by the next.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(keys: int, folder: Path | None, as_json: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        figures = measure(place, keys)
    if as_json:
        click.echo(json.dumps(figures))
        return
    limits = {"mb": LIMIT, "ask_alone_s": ANSWER_LIMIT}
    for name, value in figures.items():
        limit = limits.get(name)
        verdict = "" if limit is None else f"  limit {limit:.1f} ({'kept' if value <= limit else 'MISSED'})"
        click.echo(f"{name:14} {value:9.1f}{verdict}")


if __name__ == "__main__":
    main()
