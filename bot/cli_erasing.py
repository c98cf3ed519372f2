"""`helpdesk memory forget` and `helpdesk holds`."""

from __future__ import annotations

import click

from bot.amounts import amount
from bot.cli_ask import user_name
from bot.cli_work import print_json, say, work
from memory.errors import WrongUse


@click.command()
@click.option("--user", help="Everything that this person wrote, wherever it was.")
@click.option("--conversation", metavar="NAME", help="Everything in the conversation of this ticket or message.")
@click.option("--ticket", metavar="NAME", help="Everything that belongs to this ticket.")
@click.option("--message", metavar="NAME", help="One message, as in INC-1007/3.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("--despite-hold", is_flag=True, help="Also what is under legal hold.")
@click.option("--yes", is_flag=True, help="Do not ask again.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def forget(dry_run: bool, despite_hold: bool, yes: bool, as_json: bool, **named: str | None) -> None:
    """Erase what was said for good, with everything that was made of it. Name exactly one of --user, --conversation,
    --ticket and --message."""
    given = [(what, name) for what, name in named.items() if name is not None]
    if len(given) != 1:
        raise WrongUse("Name exactly one of --user, --conversation, --ticket and --message.")
    [(what, name)] = given
    asked = {"what": what, "id": name, "dry_run": True, "despite_hold": despite_hold, "by": user_name()}
    done = work("memory forget", asked)
    if not dry_run:
        refused = done["holds"] and not despite_hold
        if not yes and not refused:
            click.confirm(
                f"Erase {amount(done['messages'], 'message')} of {what} {name} for good?", abort=True, err=True
            )
        done = work("memory forget", {**asked, "dry_run": False})
    if as_json:
        print_json(done)
        return
    say(f"{'Would erase' if dry_run else 'Erased'} {amount(done['messages'], 'message')} of {what} {name}.")
    if done["holds"]:
        say(f"Under legal hold: {', '.join(done['holds'])}; only with --despite-hold is that erased.")
    if done["audit_entries"]:
        say(f"Entries of the audit log whose details were erased: {done['audit_entries']:,}.")
    if done["kept_versions_destroyed"]:
        say(f"Versions kept out of sight that were destroyed: {done['kept_versions_destroyed']:,}.")


@click.group()
def holds() -> None:
    """Legal holds: nothing of these conversations is lost, whoever deletes it and however old it is."""


@holds.command()
@click.argument("name")
def add(name: str) -> None:
    """Put the conversation of the ticket or message NAME under hold."""
    done = work("holds add", {"id": name, "user": user_name()})
    say(f"Under hold: {name}." if done["new"] else f"{name} is under hold already.")


@holds.command()
@click.argument("name")
def release(name: str) -> None:
    """End the hold NAME; what was taken back under it is destroyed."""
    done = work("holds release", {"id": name, "user": user_name()})
    destroyed = amount(done["destroyed"], "hidden version")
    say(f"Released: {name}. Destroyed: {destroyed} of messages that had been taken back.")


@holds.command("list")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def list_(as_json: bool) -> None:
    """Every hold."""
    found = work("holds list", {})
    if as_json:
        print_json(found)
        return
    for one in found["holds"]:
        say(f"{one['at'][:10]}  {one['name']}, by {one['who']}, {amount(one['kept'], 'version')} kept out of sight")
    if not found["holds"]:
        say("Nothing is under hold.")


@holds.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def show(name: str, as_json: bool) -> None:
    """What was taken back under the hold NAME."""
    found = work("holds show", {"id": name})
    if as_json:
        print_json(found)
        return
    for one in found["kept"]:
        say(f"{one['said_at'][:16].replace('T', ' ')}  {one['author']} (version {one['revision']}): {one['text']}")
    if not found["kept"]:
        say("Nothing was taken back.")
