"""`helpdesk audit`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from bot.cli_work import print_json, say, work

_SINCE = click.option("--since", metavar="DATE", help="From this day or moment on; from the first entry otherwise.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One object for scripts.")


@click.group()
def audit() -> None:
    """What was done: by administrators, by deletion, by hand-over, and what answers stood on. Ids, no words."""


@audit.command("list")
@_SINCE
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Most entries to show.")
@_JSON
def list_(since: str | None, limit: int, as_json: bool) -> None:
    """The newest entries, in the order in which they were written."""
    found = work("audit list", {"since": since, "limit": limit})
    if as_json:
        print_json(found)
        return
    for entry in found["entries"]:
        say(_line(entry))
    if not found["entries"]:
        say("Nothing was noted.")
    if found["more"]:
        say(f"There are older ones; --limit shows more than {limit:,}.", err=True)


@audit.command()
@_SINCE
@click.option(
    "--known",
    metavar="NUMBER:DIGEST",
    help="The last entry, as an earlier run printed it: shows that none was cut off since.",
)
@_JSON
def verify(since: str | None, known: str | None, as_json: bool) -> int:
    """Whether anything was changed or taken out. Exit code 1 says that it was."""
    found = work("audit verify", {"since": since, "known": known})
    if as_json:
        print_json(found)
    else:
        _print(found)
    return 1 if found["faults"] else 0


def _print(found: Mapping[str, Any]) -> None:
    for one in found["faults"]:
        say(f"entry {one['number']:,}: {one['fault']}")
    if found["faults"]:
        say(f"The log does not stand: {len(found['faults'])} of its entries are not as they were written.")
    else:
        say(f"The log stands. Entries: {found['records']:,}, of which the details were forgotten: {found['erased']:,}.")
    say(f"Last entry {found['last']}")


def _line(entry: Mapping[str, Any]) -> str:
    parts = [f"{entry['number']}  {entry['at'][:16].replace('T', ' ')}  {entry['kind']}"]
    if entry["forgotten"]:
        parts.append("(details forgotten)")
    if entry["person"]:
        parts.append(f"by {entry['person']}")
    parts += entry["about"]
    if entry["sources"]:
        parts.append(f"from {', '.join(entry['sources'])}")
    parts += [f"{count:,} {name}" for name, count in entry["counts"].items()]
    return "  ".join(parts)
