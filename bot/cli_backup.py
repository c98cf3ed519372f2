"""`helpdesk backup` and `helpdesk restore`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bot.amounts import amount
from bot.cli_ask import user_name
from bot.cli_work import bars, print_json, say, work
from bot.places import here
from memory.errors import StoreFilled

_JSON = click.option("--json", "as_json", is_flag=True, help="One object for scripts.")


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@_JSON
def backup(path: Path, as_json: bool) -> None:
    """Write everything that the database holds to FILE, as it is at this moment. The bot may run meanwhile.

    Only you can read FILE. It is as secret as the database, and what is erased later stays in it.
    """
    done = work("backup", {"path": str(path.absolute()), "user": user_name()})
    if as_json:
        print_json(done)
        return
    say(f"Backed up {_size(done)}, to {done['path']}.")


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Also where the database is not empty: what it holds is destroyed.")
@click.option("--despite-hold", is_flag=True, help="Also where something of that is under legal hold.")
@click.option("--dry-run", is_flag=True, help="Only check FILE, and say what is in its place now.")
@click.option("--yes", is_flag=True, help="Do not ask again.")
@_JSON
def restore(path: Path, replace: bool, despite_hold: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Put the backup FILE into the database and write the search index anew. The bot must not run.

    What was erased since the backup was made is erased in it again, as far as the database that it replaces knows.
    """
    from bot.restoring import looked_at, put_back
    from memory.stores.sql_restore import Allowed

    allowed = Allowed(replace=replace, despite_hold=despite_hold, person=user_name())
    place = here(os.environ)
    if dry_run or (replace and not yes):
        with bars() as tell:
            found = asyncio.run(looked_at(place, path, tell))
        if dry_run:
            _print_look(found, as_json=as_json)
            return
        _confirm(found)
    with bars() as tell:
        done = asyncio.run(put_back(place, path, allowed, tell))
    if as_json:
        print_json(done)
    else:
        _print_done(done)


def _confirm(found: Mapping[str, Any]) -> None:
    there = found["there"]
    if there["rows"]:
        say(_what(found["backup"]), err=True)
        click.confirm(
            f"Destroy the {amount(there['messages'], 'message')} that the database holds now?", abort=True, err=True
        )


def _print_look(found: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    there = found["there"]
    say(_what(found["backup"]))
    say(f"The file is whole. The database holds {_size(there)} now.")
    if there["rows"]:
        say(str(StoreFilled()))
    if there["holds"]:
        say(f"Under legal hold there: {', '.join(there['holds'])}; only with --despite-hold is that destroyed.")


def _what(backup: Mapping[str, Any]) -> str:
    made = backup["made_at"][:16].replace("T", " ")
    return (
        f"The backup is of {made} UTC, by version {backup['program']} from {backup['database']} "
        f"(schema {backup['revision']}): {_size(backup)}."
    )


def _size(of: Mapping[str, Any]) -> str:
    return f"{amount(of['messages'], 'message')} ({amount(of['rows'], 'row')} in all)"


def _print_done(done: Mapping[str, Any]) -> None:
    made = done["backup"]["made_at"][:16].replace("T", " ")
    say(f"Restored {_size(done['backup'])}, of {made} UTC.")
    gone = done["carried"]
    if gone["messages"] or gone["people"]:
        again = f"{amount(gone['messages'], 'message')}; people forgotten: {gone['people']:,}"
        say(f"Erased since, and so erased again: {again}.")
    if not done["knew"]:
        say(
            f"What was erased after {made} UTC is back, as there was no database that knew of it: erase it again.",
            err=True,
        )
    if done["waiting"]:
        say(f"Messages that wait for a reply and get it when the bot runs: {done['waiting']:,}.")
    if done["indexed"] is not None:
        say(f"Indexed: {amount(done['indexed']['episodes'], 'episode')}, {amount(done['indexed']['keys'], 'key')}.")
