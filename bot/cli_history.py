"""`helpdesk memory history`, `helpdesk memory undo` and `helpdesk memory rollback`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import print_json, say, work

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
    if not found["facts"] and not found["notes"]:
        say("Nothing is known about it.")
    _print(found["facts"])
    for note in found["notes"]:
        say(_version(note))


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("version", type=click.IntRange(1))
def rollback(id_: str, version: int) -> None:
    """The note of ID says again what it said in VERSION; `helpdesk memory history` lists the versions."""
    now = work("memory rollback", {"id": id_, "version": version})
    say(f"The note of {id_} is at version {now['version']}: {now['summary']}")


@click.command()
@click.argument("id_", metavar="FACT")
@click.option("--why", default="", help="Kept with it.")
def undo(id_: str, why: str) -> None:
    """What ended FACT did not: it goes on being true. `helpdesk memory history` shows the ids of facts."""
    _print(work("memory undo", {"id": id_, "user": user_name(), "why": why})["facts"])


def _print(facts: Sequence[Mapping[str, Any]]) -> None:
    for (subject, predicate), line in groupby(facts, key=lambda fact: (fact["subject"], fact["predicate"])):
        say(f"{subject}: {predicate}")
        for fact in line:
            say(_line(fact))


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


def _version(note: Mapping[str, Any]) -> str:
    """One version of a note, with what changed since the one before."""
    why = f", {note['cause']}" if note["cause"] else ""
    lines = [f"note {note['episode']} version {note['version']} ({note['made_at'][:10]}, {note['made_by']}{why})"]
    if not note["changes"]:
        lines.append(f"    {note['summary']}")
    for change in note["changes"]:
        lines.extend(f"  - {change['part']}: {item}" for item in change["removed"])
        lines.extend(f"  + {change['part']}: {item}" for item in change["added"])
    return "\n".join(lines)
