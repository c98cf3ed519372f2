"""`helpdesk memory history` and `helpdesk memory undo`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import print_json, work

_OPEN = "…"
_REASONS = {
    "replaced": "then",
    "corrected": "corrected to",
    "already_history": "told late, was then already",
}


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def history(id_: str, as_json: bool) -> None:
    """What was true when: the facts of a ticket, a message or an episode, of one fact, or on a subject, by its ID or
    name."""
    found = work("memory history", {"id": id_})
    if as_json:
        print_json(found)
        return
    _print(found["facts"])


@click.command()
@click.argument("id_", metavar="FACT")
@click.option("--why", default="", help="Kept with it.")
def undo(id_: str, why: str) -> None:
    """What ended FACT did not: it goes on being true. `helpdesk memory history` shows the ids of facts."""
    _print(work("memory undo", {"id": id_, "user": user_name(), "why": why})["facts"])


def _print(facts: Sequence[Mapping[str, Any]]) -> None:
    if not facts:
        click.echo("No facts are known about it.")
    for (subject, predicate), line in groupby(facts, key=lambda fact: (fact["subject"], fact["predicate"])):
        click.echo(f"{subject}: {predicate}")
        for fact in line:
            click.echo(_line(fact))


def _line(fact: Mapping[str, Any]) -> str:
    until = fact["valid_to"][:10] if fact["valid_to"] else _OPEN
    sources = ", ".join(fact["said_in"])
    dated = "" if fact["dated"] else ", no date given"
    ended = fact["ended"]
    after = f"; {_REASONS[ended['reason']]} {ended['value']}" if ended else ""
    return (
        f"  {fact['valid_from'][:10]} to {until:10}  {fact['value']}  "
        f"({sources}, known since {fact['known_from'][:10]}{dated}{after})  {fact['fact']}"
    )
