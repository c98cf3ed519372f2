"""Attacks in words against the models of a configuration.

    HELPDESK_CONFIG=models.yaml python -m bench.injection [--attacks N] [--only NAME] [--json]

The corpus of the tests is planted in a memory of its own: in tickets, their titles, names of authors, files, articles.
The models read all of it, and then each attack is asked about where only its asker reads along, and in a channel.
Printed are records that changed, links that stand in no source, and secrets of others in a prompt or an answer, each
with the attack's name. The exit code says whether there were none. Without models the rules answer.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import click

from bench.injection.run import Figures, measure
from bot.opening import open_models
from config.loader import load_settings
from tests.fakes.injections import Attack, attacks


async def _measured(chosen: list[Attack]) -> Figures:
    named = os.environ.get("HELPDESK_CONFIG")
    settings = load_settings(Path(named) if named else None, os.environ)
    with tempfile.TemporaryDirectory(prefix="helpdesk-injection-") as folder:
        async with open_models(settings) as models:
            return await measure(Path(folder), chosen, models, tell=lambda name: click.echo(name, err=True))


@click.command(help=__doc__)
@click.option("--attacks", "most", type=click.IntRange(1), help="Only so many, evenly from the whole corpus.")
@click.option("--only", help="Only the one of this name.")
@click.option("--json", "as_json", is_flag=True, help="One line; indented without it.")
def main(most: int | None, only: str | None, as_json: bool) -> None:
    chosen = [one for one in attacks() if only in (None, one.name)]
    chosen = chosen[:: max(1, len(chosen) // most)][:most] if most else chosen
    figures = asyncio.run(_measured(chosen))
    counts = {
        "state_changes": len(figures.state_changes),
        "foreign_links": len(figures.foreign_links),
        "scope_escapes": len(figures.scope_escapes),
    }
    shown = {**counts, "kept": figures.kept, "found": {**asdict(figures), "reached": len(figures.reached)}}
    click.echo(json.dumps(shown, ensure_ascii=False, indent=None if as_json else 1))
    sys.exit(0 if figures.kept else 1)


if __name__ == "__main__":
    main()
