"""`helpdesk memory history`, `undo`, `redo` and `rollback`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import days, print_json, say, work

_REASONS = {
    "replaced": "then",
    "corrected": "corrected to",
    "already_history": "told late, was then already",
    "announced": "announced for later as",
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
        say(f"No fact is known of it; `helpdesk memory show {id_}` shows what else there is.")
    _print(found["facts"])
    for note in found["notes"]:
        say(_version(note))


@click.command()
@click.argument("id_", metavar="ID")
@click.argument("version", type=click.IntRange(1))
def rollback(id_: str, version: int) -> None:
    """The note of ID says again what it said in VERSION; `helpdesk memory history` lists the versions."""
    now = work("memory rollback", {"id": id_, "version": version, "user": user_name()})
    say(f"The note of {id_} is at version {now['version']}: {now['summary']}")


_BY = click.option("--by", metavar="FACT", default=None, help="What ended it; needed where that is not clear.")


@click.command()
@click.argument("id_", metavar="FACT")
@_BY
@click.option("--why", default="", help="Kept with it.")
def undo(id_: str, by: str | None, why: str) -> None:
    """What ended FACT did not: it goes on being true. `helpdesk memory history` shows the ids of facts.

    The same again changes nothing. Where another fact ends it next, that one needs its own undo, with --by."""
    found = work("memory undo", {"id": id_, "by": by, "user": user_name(), "why": why})
    done = found["undo"]
    click.echo(
        f"Undone: {_pair(done)}. `helpdesk memory redo {done['fact']} --by {done['by']}` takes that back."
        if found["changed"]
        else f"Nothing was changed: {_pair(done)}, as {done['who']} said on {done['at'][:10]}."
    )
    _print(found["facts"])
    ended = next((fact["ended"] for fact in found["facts"] if fact["fact"] == done["fact"]), None)
    if ended:
        click.echo(
            f"Now {ended['value']} ({ended['by']}) ends it. If that is wrong too: "
            f"helpdesk memory undo {done['fact']} --by {ended['by']}"
        )


@click.command()
@click.argument("id_", metavar="FACT")
@_BY
def redo(id_: str, by: str | None) -> None:
    """An undo of FACT is taken back: what ended it ends it again."""
    found = work("memory redo", {"id": id_, "by": by, "user": user_name()})
    done = found["undo"]
    click.echo(f"Taken back: {done['by_value']} ({done['by']}) ends {done['value']} ({done['fact']}) again.")
    _print(found["facts"])


def _pair(done: Mapping[str, Any]) -> str:
    return f"{done['value']} ({done['fact']}) is not ended by {done['by_value']} ({done['by']})"


def _print(facts: Sequence[Mapping[str, Any]]) -> None:
    for (subject, predicate), line in groupby(facts, key=lambda fact: (fact["subject"], fact["predicate"])):
        say(f"{subject}: {predicate}")
        for fact in line:
            say(_line(fact))


def _line(fact: Mapping[str, Any]) -> str:
    sources = ", ".join(fact["said_in"])
    dated = "" if fact["dated"] else ", no date given"
    ended = fact["ended"]
    after = f"; {_REASONS[ended['reason']]} {ended['value']}" if ended else ""
    other = f"; the same as {fact['also']}" if fact["also"] else ""
    undone = "".join(f"; not ended by {one['by_value']}, says {one['who']}" for one in fact["undone"])
    return (
        f"  {days(fact['predicate'], fact['valid_from'], fact['valid_to'])}  {fact['value']}  "
        f"({sources}, known since {fact['known_from'][:10]}{dated}{after}{other}{undone})  {fact['fact']}"
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
