"""How long one command takes from its start to its answer: `python -m bench.cold_start [--tickets N] [--json]`.

Each question is a process of its own over a warm store, as scripts ask them; once without a running bot, which pays for
every import and for loading the encoder, and once through the socket of a running one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import click

#: Seconds within which the first answer of a warm store has to be there.
LIMIT = 3.0
HELP_LIMIT = 0.5
_SECONDS = 600


def tickets(count: int) -> str:
    """A history of `count` tickets of two messages, as JSONL."""
    rows = []
    for number in range(1, count + 1):
        ticket = {"ticket": f"INC-{number}", "visibility": "everyone", "channel": "it-desk"}
        day = f"2026-{number % 9 + 1:02}-{number % 27 + 1:02}"
        asked = f"Error E-{number:05} on printer prn-{number % 40}, nothing comes out."
        told = f"Restart the queue q-{number % 17} and try E-{number:05} again."
        rows += [
            {
                **ticket,
                "message": "1",
                "at": f"{day}T09:00:00+09:00",
                "author": "sato",
                "role": "requester",
                "text": asked,
            },
            {**ticket, "message": "2", "at": f"{day}T09:20:00+09:00", "author": "okabe", "role": "agent", "text": told},
        ]
    return "\n".join(json.dumps(row) for row in rows)


def measure(folder: Path, count: int, rounds: int) -> dict[str, float]:
    """Medians in seconds."""
    history = folder / "history.jsonl"
    history.write_text(tickets(count), encoding="utf-8")
    data = folder / "data"
    _timed(data, "import", str(history))
    ask = ("ask", "What helps against E-00007?", "--user", "sato", "--json")
    _timed(data, *ask)
    figures = {
        "help_s": _median(rounds, lambda: _timed(data, "--help")),
        "ask_alone_s": _median(rounds, lambda: _timed(data, *ask)),
    }
    with _running(data):
        return {**figures, "ask_running_s": _median(rounds, lambda: _timed(data, *ask))}


def _median(rounds: int, once: Callable[[], float]) -> float:
    return median(once() for _ in range(rounds))


def _timed(data: Path, *arguments: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        env={**os.environ, "HELPDESK_DATA": str(data)},
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=_SECONDS,
    )
    return time.perf_counter() - started


@contextmanager
def _running(data: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "run"],
        env={**os.environ, "HELPDESK_DATA": str(data)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stderr is not None:
            process.stderr.readline()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=60)


@click.command()
@click.option("--tickets", "count", default=100, help="Tickets that are remembered.")
@click.option("--rounds", default=5, help="Times that each command is started.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(count: int, rounds: int, as_json: bool) -> None:
    """From the start of a process to its answer."""
    with tempfile.TemporaryDirectory() as place:
        figures = measure(Path(place), count, rounds)
    if as_json:
        click.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        limit = {"help_s": HELP_LIMIT, "ask_alone_s": LIMIT}.get(name)
        verdict = "" if limit is None else f"  limit {limit:.1f} ({'kept' if value <= limit else 'MISSED'})"
        click.echo(f"{name:16} {value:6.2f}{verdict}")


if __name__ == "__main__":
    main()
