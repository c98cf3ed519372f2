"""The museum of the demo's history as a Slack workspace, and that history as its people wrote it there."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from importlib import resources
from typing import Any

from bot.importers.demo_history import relative_moment
from tests.fakes.slack.cast import BOT, TEAM
from tests.fakes.slack.world import Person, Team, World

SATO, LUCAS, TANAKA, EMMA, NAKAGAWA = "U0SATO", "U0LUCAS", "U0TANAKA", "U0EMMA", "U0NAKAGAWA"
#: The support agents.
OKABE, NADIA = "U0OKABE", "U0NADIA"
AGENTS = (OKABE, NADIA)
ITDESK, GALLERY, COLLECTIONS, FINANCE, SUPPORT = "C0ITDESK", "C0GALLERY", "C0COLLECTIONS", "C0FINANCE", "C0SUPPORT"
#: What a private message is in, in the history as in the memory.
_DIRECT = "dm"
_CHANNELS = {"it-desk": ITDESK, "gallery-ops": GALLERY, "collections": COLLECTIONS, "finance": FINANCE}
#: By the name in the history: what people see, and the language of their Slack.
PEOPLE = {
    "sato": ("佐藤", "ja-JP"),
    "lucas": ("Lucas", "en-GB"),
    "tanaka": ("田中", "ja-JP"),
    "emma": ("Emma", "en-GB"),
    "nakagawa": ("中川", "ja-JP"),
    "chloe": ("Chloe", "en-GB"),
    "mori": ("森", "ja-JP"),
    "priya": ("Priya", "en-GB"),
    "yamaguchi": ("山口", "ja-JP"),
    "kobayashi": ("小林", "ja-JP"),
    "okabe": ("岡部", "ja-JP"),
    "nadia": ("Nadia", "en-GB"),
}


def user_id(name: str) -> str:
    """The Slack id of somebody in the history; the bot of old is the bot of now."""
    return BOT if name == "helpbot" else f"U0{name.upper()}"


def shown(name: str) -> str:
    """What colleagues call somebody in the history."""
    return PEOPLE[name][0] if name in PEOPLE else name


def museum() -> World:
    """Its people and channels, with nothing said yet."""
    me = Person(id=BOT, name="helpdesk", real_name="Helpdesk", display_name="Helpdesk", is_bot=True, bot_id="B0BOT")
    world = World(me=me)
    world.teams[TEAM] = Team(id=TEAM, name="汐見 Museum", domain="shiomi")
    people = [
        Person(id=user_id(name), name=name, real_name=shown, display_name=shown, locale=locale)
        for name, (shown, locale) in PEOPLE.items()
    ]
    world.people = {person.id: person for person in (*people, me)}
    _add_channels(world)
    for person in people:
        world.add_channel("", kind="im", members=(person.id, BOT), id=f"D{person.id[1:]}")
    return world


def _add_channels(world: World) -> None:
    everyone = tuple(world.people)
    closed = {
        COLLECTIONS: ("collections", ("U0KOBAYASHI", "U0CHLOE", EMMA, *AGENTS)),
        FINANCE: ("finance", (NAKAGAWA, SATO, *AGENTS)),
        SUPPORT: ("it-support", AGENTS),
    }
    world.add_channel("it-desk", kind="public", members=everyone, id=ITDESK, topic="Ask IT・ITの相談")
    world.add_channel("gallery-ops", kind="public", members=everyone, id=GALLERY)
    for id, (name, members) in closed.items():
        world.add_channel(name, kind="private", members=(*members, BOT), id=id)


def history(now: datetime, only: Collection[str] = ()) -> str:
    """The demo's tickets, all or some, as JSONL for `helpdesk import`: by Slack's ids, dated from `now`."""
    return told(now, only, user_id, _CHANNELS)


def told(now: datetime, only: Collection[str], person: Callable[[str], str], channels: Mapping[str, str]) -> str:
    """The same by the ids of any platform: of a person, and of the channels."""
    shipped = (resources.files("bot") / "demo_history" / "history.jsonl").read_text(encoding="utf-8")
    rows = (row for row in map(json.loads, shipped.splitlines()) if not only or row["ticket"] in only)
    moment = relative_moment(now)
    return "".join(f"{json.dumps(_row(row, moment, person, channels), ensure_ascii=False)}\n" for row in rows)


def _row(
    row: Mapping[str, Any],
    moment: Callable[[str], datetime],
    person: Callable[[str], str],
    channels: Mapping[str, str],
) -> Mapping[str, Any]:
    said = {**row, "at": moment(row["at"]).isoformat(), "author": person(row["author"])}
    said["speaker"] = shown(row["author"])
    if row["channel"] != _DIRECT:
        said["channel"] = channels[row["channel"]]
    if "assignee" in row:
        said["assignee"] = shown(row["assignee"])
    return said
