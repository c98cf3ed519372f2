"""`helpdesk incidents`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import print_json, say, work


@click.group()
def incidents() -> None:
    """Look at trouble that several people report at once, and say what it is."""


@incidents.command(name="list")
@click.option("--all", "everything", is_flag=True, help="Those that are over or were dismissed, too.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="Most incidents to show.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def list_(everything: bool, limit: int, as_json: bool) -> None:
    """Incidents that are going on, the one that began last first."""
    found = work("incidents list", {"going_on": not everything, "limit": limit})
    if as_json:
        print_json(found)
        return
    for incident in found["incidents"]:
        say(_line(incident))
    if not found["incidents"]:
        say("No incidents yet." if everything else "No incident is going on.")
    if found["more"]:
        say(f"There are more; --limit shows more than {limit}.", err=True)


@incidents.command()
@click.argument("name", metavar="TICKET")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def show(name: str, as_json: bool) -> None:
    """One incident, by its TICKET, with the questions by which people report it."""
    found = work("incidents show", {"id": name})
    if as_json:
        print_json(found)
        return
    say(_line(found["incident"]))
    for turn in found["turns"]:
        say(f"  {_minute(turn['at'])}  {turn['speaker']}: {' '.join(turn['text'].split())}")


@incidents.command()
@click.argument("name", metavar="TICKET")
@click.option("--by", "user", default=user_name, help="Who says so; you, where it is not given.")
@click.option("--title", default="", help="What everybody is told that it is.")
def confirm(name: str, user: str, title: str) -> None:
    """It is one known problem."""
    _rule(name, "confirmed", user, title)


@incidents.command()
@click.argument("name", metavar="TICKET")
@click.option("--by", "user", default=user_name, help="Who says so; you, where it is not given.")
def dismiss(name: str, user: str) -> None:
    """They are separate problems."""
    _rule(name, "dismissed", user)


@incidents.command()
@click.argument("name", metavar="TICKET")
@click.option("--by", "user", default=user_name, help="Who says so; you, where it is not given.")
@click.option("--fix", default="", help="What helped; it is kept in the ticket, which everybody may read.")
def end(name: str, user: str, fix: str) -> None:
    """It is over; whoever wanted to hear of it is told."""
    _rule(name, "over", user, fix)


def _rule(name: str, phase: str, user: str, words: str = "") -> None:
    given = {"id": name, "phase": phase, "user": user, "words": words}
    say(_line(work("incidents rule", given)["incident"]))


def _line(incident: Mapping[str, Any]) -> str:
    title = f": {incident['title']}" if incident["title"] else ""
    name = incident["ticket"] or incident["id"]
    return f"{_minute(incident['began_at'])}  {name}  {incident['phase']}, {incident['people']} people{title}"


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
