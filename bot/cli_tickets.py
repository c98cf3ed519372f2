"""`helpdesk tickets`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import print_json, say, work

_COMMANDS = {
    "take": "Take a ticket over, in the name of --by.",
    "hand back": "Hand back a ticket that --by has.",
    "close": "Close a ticket.",
    "reopen": "Open a settled ticket again.",
}


@click.group()
def tickets() -> None:
    """Look at tickets and work on them, with a support agent's eyes."""


def _which(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which tickets are chosen."""
    options = (
        click.option(
            "--open/--settled", "open_", default=None, help="Only those still to be done, or only the others."
        ),
        click.option("--user", help="Only this requester's."),
        click.option("--assignee", help="Only those that this person has."),
        click.option("--category", help="Only those of this category."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@tickets.command(name="list")
@_which
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="Most tickets to show.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def list_(
    open_: bool | None, user: str | None, assignee: str | None, category: str | None, limit: int, as_json: bool
) -> None:
    """Tickets, the one that changed last first."""
    found = work("tickets list", _asked(open_, user, assignee, category, limit))
    if as_json:
        print_json(found)
        return
    for ticket in found["tickets"]:
        say(_line(ticket))
    if not found["tickets"]:
        say(
            "There is no such ticket."
            if any(_asked(open_, user, assignee, category, 0).values())
            else "No tickets yet."
        )
    if found["more"]:
        say(f"There are more; --limit shows more than {limit}.", err=True)


@tickets.command()
@click.argument("name", metavar="TICKET")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def show(name: str, as_json: bool) -> None:
    """One TICKET: where it stands, what became of it, and its words."""
    found = work("tickets show", {"id": name})
    if as_json:
        print_json(found)
        return
    ticket = found["ticket"]
    say(_line(ticket))
    say(f"times: {found['zone']}")
    say(f"requester {_requester(found)}, opened {_minute(ticket['opened_at'])}, category {ticket['category'] or '-'}")
    say("\nhistory")
    for change in found["history"]:
        say(f"  {_minute(change['at'])}  {change['by']}: {_changed(change)}")
    for owed in found["tracker"]:
        say(f"  outside tracker: {_owed(owed)}")
    say("\nwords")
    for turn in found["turns"]:
        mark = " (the bot's own words)" if turn["derived"] else ""
        say(f"  {_minute(turn['at'])}  {turn['speaker']}{mark}: {' '.join(turn['text'].split())}")


@tickets.command()
@click.option("--again", metavar="TICKET", help="Tell again what it refused of this ticket.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def tracker(again: str | None, as_json: bool) -> None:
    """What the outside tracker is still to be told, and what it refused; the newest may be missing beyond 200."""
    if again is not None:
        count = work("tickets tracker again", {"id": again})["again"]
        say(f"{again}: {count} of its changes will be told again." if count else f"Nothing of {again} was refused.")
        return
    found = work("tickets tracker", {})
    if as_json:
        print_json(found)
        return
    for owed in found["owed"]:
        say(f"{owed['ticket']}  {_owed(owed)}")
    if not found["owed"]:
        say("The outside tracker has been told everything, or there is none.")


@tickets.command()
@_which
@click.option("--format", "syntax", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--limit", type=click.IntRange(1, 10_000), default=1000, show_default=True, help="Most tickets.")
def export(
    open_: bool | None, user: str | None, assignee: str | None, category: str | None, syntax: str, limit: int
) -> None:
    """Print tickets with all their words, as a file that `helpdesk import` reads."""
    found = work("tickets export", _asked(open_, user, assignee, category, limit))
    if syntax == "jsonl":
        for row in found["rows"]:
            say(json.dumps({key: value for key, value in row.items() if value is not None}, ensure_ascii=False))
        return
    page = io.StringIO()
    writer = csv.DictWriter(page, found["columns"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(found["rows"])
    click.echo(page.getvalue(), nl=False)


@tickets.command()
@click.argument("name", metavar="TICKET")
@click.option("--by", "user", default=user_name, help="Who resolves it; you, where it is not given.")
@click.option("--cause", default="", help="What was wrong.")
@click.option("--fix", default="", help="What helped.")
def resolve(name: str, user: str, cause: str, fix: str) -> None:
    """Resolve TICKET, with what was learned."""
    step = {"id": name, "step": "resolve", "user": user, "cause": cause, "fix": fix}
    say(_line(work("tickets step", step)["ticket"]))


def _step_command(step: str, about: str) -> click.Command:
    def take_step(name: str, user: str) -> None:
        say(_line(work("tickets step", {"id": name, "step": step, "user": user})["ticket"]))

    who = click.option("--by", "user", default=user_name, help="Who does it; you, where it is not given.")
    return click.command(step.replace(" ", "-"), help=about)(click.argument("name", metavar="TICKET")(who(take_step)))


for each, about in _COMMANDS.items():
    tickets.add_command(_step_command(each, about))


def _asked(
    open_: bool | None, user: str | None, assignee: str | None, category: str | None, limit: int
) -> dict[str, Any]:
    return {"open": open_, "user": user, "assignee": assignee, "category": category, "limit": limit}


def _line(ticket: Mapping[str, Any]) -> str:
    owner = f", with {ticket['assignee']}" if ticket["assignee"] else ""
    return f"{_minute(ticket['changed_at'])}  {ticket['ticket']}  {ticket['state']}{owner}: {ticket['title']}"


def _requester(found: Mapping[str, Any]) -> str:
    """By name where something of theirs is there, as their words are shown below."""
    requester = found["ticket"]["requester"]
    return next((turn["speaker"] for turn in found["turns"] if turn["author"] == requester), requester or "-")


def _owed(owed: Mapping[str, Any]) -> str:
    """What became of telling one change."""
    why = f" {owed['why']}" if owed["why"] else ""
    if owed["refused_at"]:
        return f"the change of {_minute(owed['at'])} was refused {_minute(owed['refused_at'])}.{why}"
    tried = f"tries so far: {owed['tries']}, next" if owed["tries"] else "to be told"
    return f"the change of {_minute(owed['at'])}: {tried} {_minute(owed['next_at'])}.{why}"


def _changed(change: Mapping[str, Any]) -> str:
    values = [f"{name} {change[name]}" for name in ("title", "status", "assignee") if change[name] is not None]
    return ", ".join(values) or "asked"


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
