"""`helpdesk memory`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from bot.cli_ask import user_name
from bot.cli_work import print_json, say, work


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
    for line in _profile(found["profile"]):
        say(line)
    for turn in found["turns"]:
        say(_line(turn))
    for episode in found["episodes"]:
        say(f"\nepisode {episode['episode']}: {episode['turns']} turns, about {episode['tokens']:,} tokens")
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
    say(f"Pinned: {len(done['episodes'])} episodes of {id_}.")


@memory.command()
@click.argument("id_", metavar="ID")
def unpin(id_: str) -> None:
    """Let retention delete ID again when its time comes."""
    done = work("memory unpin", {"id": id_, "user": user_name()})
    say(f"No longer pinned: {len(done['episodes'])} episodes of {id_}.")


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


def _profile(profile: Mapping[str, Any] | None) -> Iterator[str]:
    """What holds and what held, newest first, and what says so."""
    if profile is None:
        return
    yield profile["subject"]
    for attribute in profile["attributes"]:
        yield f"  {attribute['predicate']}"
        for one in (*attribute["current"], *attribute["history"]):
            until = one["valid_to"][:10] if one["valid_to"] else "…"
            yield f"    {one['valid_from'][:10]} to {until:10}  {one['value']}  ({', '.join(one['said_in'])})"


def _line(turn: Mapping[str, Any]) -> str:
    mark = " (the bot's own words)" if turn["derived"] else ""
    text = " ".join(turn["text"].split())
    room = f"#{turn['room']} " if turn["room"] else ""
    return f"{turn['at'][:16].replace('T', ' ')}  {turn['turn']}  {room}{turn['speaker']}{mark}: {text}"
