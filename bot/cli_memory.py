"""`helpdesk memory`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from bot.amounts import amount
from bot.cli_ask import user_name
from bot.cli_work import days, print_json, say, work


@click.group()
def memory() -> None:
    """Look at what is remembered, with a support agent's eyes."""


@memory.command()
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def show(id_: str, as_json: bool) -> None:
    """A ticket, a message (INC-1007/3) or an episode by its ID; or what is known of a person or a system, by its
    name."""
    found = work("memory show", {"id": id_})
    if as_json:
        print_json(found)
        return
    for ticket in found["tickets"]:
        state = ", ".join(str(ticket[name]) for name in ("title", "status", "assignee") if ticket[name])
        say(f"{ticket['ticket']}: {state or 'no state'} (requester {ticket['requester']})")
    for line in _known(found):
        say(line)
    for turn in found["turns"]:
        say(_line(turn))
    for line in _more(found, id_):
        say(line)
    for episode in found["episodes"]:
        size = f"{amount(episode['turns'], 'turn')}, about {amount(episode['tokens'], 'token')}"
        say(f"\nepisode {episode['episode']}: {size}")
        if episode["summary"]:
            say(f"  note {episode['note_version']} by {episode['made_by']}: {episode['summary']}")
            say(f"  keywords: {', '.join(episode['keywords']) or '-'}")


@memory.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True, help="Most turns to show.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def search(query: str, limit: int, as_json: bool) -> None:
    """The turns that fit QUERY best."""
    found = work("memory search", {"query": query, "limit": limit, "user": user_name()})
    if as_json:
        print_json(found)
        return
    for turn in found["found"]:
        parts = ", ".join(f"{name} {score:.2f}" for name, score in turn["scores"].items())
        say(f"{turn['score']:.2f} ({parts})  {_line(turn)}")
    if not found["found"]:
        say("Nothing fits.")


@memory.command()
@click.argument("id_", metavar="ID")
def pin(id_: str) -> None:
    """Keep the ticket, message or episode ID whatever its age."""
    done = work("memory pin", {"id": id_, "user": user_name()})
    say(f"Pinned: {amount(len(done['episodes']), 'episode')} of {id_}.")


@memory.command()
@click.argument("id_", metavar="ID")
def unpin(id_: str) -> None:
    """Let retention delete ID again when its time comes."""
    done = work("memory unpin", {"id": id_, "user": user_name()})
    say(f"No longer pinned: {amount(len(done['episodes']), 'episode')} of {id_}.")


@memory.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended without a loss.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def audit(repair: bool, as_json: bool) -> int:
    """Whether what is remembered has its sources, can be found, and holds no secrets. Exit code 1 says that something
    was found."""
    counts = work("jobs run", {"name": "repair"})["counts"] if repair else work("memory audit", {})["counts"]
    if as_json:
        print_json(counts)
    else:
        for name, about in _FOUND.items():
            say(f"{counts[name]:>9,}  {about}")
    return 1 if any(count for name, count in counts.items() if name != "unused") else 0


_FOUND = {
    "secrets": "turns or notes with a secret in their words",
    "stray": "episodes with keys in the index that lead nowhere",
    "unfound": "episodes that lack keys in the index",
    "duplicates": "facts that say what another one says of the same messages (they stay)",
    "echoes": "facts that stand on the bot's own words alone",
    "orphans": "facts, events, notes, links and episodes that have lost their source",
    "unused": "episodes on which no answer has stood since answers are noted (nothing is wrong with them)",
}


def _known(found: Mapping[str, Any]) -> Iterator[str]:
    """What is known by a name: what is told of it, what is told of others with it, its tickets and what it wrote."""
    if found["profile"] is None:
        return
    called = found["also_called"]
    yield from _profile(found["profile"], f" (also called {', '.join(called)})" if called else "")
    if found["elsewhere"]:
        yield "is named in what is told of"
    for profile in found["elsewhere"]:
        yield from (f"  {line}" for line in _profile(profile, ""))
    yield from _tickets("has", found["held"], "--assignee", found)
    yield from _tickets("asked for", found["asked"], "--user", found)
    wrote = found["wrote"]
    if wrote["messages"]:
        yield f"wrote {amount(wrote['messages'], 'message')}, from {wrote['first_at'][:10]} to {wrote['last_at'][:10]}"


def _more(found: Mapping[str, Any], name: str) -> Iterator[str]:
    if found.get("more_mentions"):
        yield f"… and {found['more_mentions']:,} more that name it; `helpdesk memory search {name}` shows them."


def _tickets(what: str, listed: Mapping[str, Any], option: str, found: Mapping[str, Any]) -> Iterator[str]:
    if not listed["tickets"]:
        return
    yield f"{what}, the one that changed last first:"
    for ticket in listed["tickets"]:
        yield f"    {ticket['ticket']}  {ticket['title']}  ({ticket['state']})"
    if listed["more"]:
        yield f"    … and more; `helpdesk tickets list {option} {found['profile']['subject']}` lists them."


def _profile(profile: Mapping[str, Any], also: str) -> Iterator[str]:
    """What holds and what held, newest first, and what says so."""
    yield f"{profile['subject']}{also}"
    for attribute in profile["attributes"]:
        yield f"  {attribute['predicate']}"
        for one in (*attribute["current"], *attribute["history"]):
            when = days(attribute["predicate"], one["valid_from"], one["valid_to"])
            yield f"    {when}  {one['value']}  ({', '.join(one['said_in'])})"


def _line(turn: Mapping[str, Any]) -> str:
    mark = " (the bot's own words)" if turn["derived"] else ""
    text = " ".join(turn["text"].split())
    room = f"#{turn['room']} " if turn["room"] else ""
    return f"{turn['at'][:16].replace('T', ' ')}  {turn['turn']}  {room}{turn['speaker']}{mark}: {text}"
