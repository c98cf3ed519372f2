"""The bot under load while everything around it fails.

    python -m bench.chaos [--minutes 20] [--people 50] [--rate 2] [--every 60] [--seed 1] [--json]

The strict Slack of the tests and a model's server run here, `helpdesk run` in a process of its own, with a flush every
ten seconds. People write `rate` messages a second in all; every `every` seconds something fails. What ends the process
or its files comes first, so that one process is seen from then on, and its memory with it. In the end each message must
have one answer, and nobody may have been told what another wrote alone; threads whose answers changed places are
counted. The exit code says
whether all figures were kept. Everything stays on this machine, and stops by itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

import click

from bench.chaos.load import Load, measure


@click.command(help=__doc__)
@click.option("--minutes", default=20.0, type=click.FloatRange(0.2, 24 * 60))
@click.option("--people", default=50, type=click.IntRange(2, 1000))
@click.option("--rate", default=2.0, type=click.FloatRange(0.1, 50))
@click.option("--every", default=60.0, type=click.FloatRange(5, 3600), help="Seconds between faults.")
@click.option("--seed", default=1)
@click.option("--json", "as_json", is_flag=True, help="One line; indented without it.")
def main(minutes: float, people: int, rate: float, every: float, seed: int, as_json: bool) -> None:
    load = Load(seconds=minutes * 60, people=people, rate=rate, every=every, seed=seed)
    with tempfile.TemporaryDirectory(prefix="helpdesk-chaos-") as folder:
        figures = asyncio.run(measure(Path(folder), load, tell=lambda line: click.echo(line, err=True)))
    click.echo(json.dumps(figures.shown(), indent=None if as_json else 1))
    sys.exit(0 if figures.kept else 1)


if __name__ == "__main__":
    main()
