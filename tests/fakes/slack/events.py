"""The JSON of events and of what people press, in the shapes that Slack sends."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from typing import Any
from zlib import crc32

from tests.fakes.slack.world import Channel, Json, Person, World

TOKEN = re.compile(r"<[@#!][^<>\s][^<>]*>|<(?:https?://|mailto:)[^<>\s|]+(?:\|[^<>]*)?>")
TYPED_URL = re.compile(r"https?://[!-;=?-~]+")
HANDLE = re.compile(r"@([A-Za-z0-9_.\-]+)")


def typed(text: str, world: World) -> str:
    """What Slack makes of typed words: & < > escaped, links in angle brackets, @name of a known person its token."""
    whole, last = [], 0
    for token in TOKEN.finditer(text):
        whole += [_plain(text[last : token.start()], world), token[0]]
        last = token.end()
    return "".join([*whole, _plain(text[last:], world)])


def _plain(text: str, world: World) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    linked = TYPED_URL.sub(lambda url: f"<{url[0]}>", escaped)
    known = {person.name: person.id for person in world.people.values()}
    return HANDLE.sub(lambda name: f"<@{known[name[1]]}>" if name[1] in known else name[0], linked)


def blocks_of(text: str) -> list[Json]:
    """The rich_text block that Slack adds to a person's message."""
    section = {"type": "rich_text_section", "elements": list(_elements(text))}
    return [{"type": "rich_text", "block_id": f"r{crc32(text.encode()):08x}", "elements": [section]}]


def _elements(text: str) -> Iterator[Json]:
    last = 0
    for token in TOKEN.finditer(text):
        if token.start() > last:
            yield {"type": "text", "text": unescape(text[last : token.start()])}
        yield _element(token[0][1:-1])
        last = token.end()
    if last < len(text):
        yield {"type": "text", "text": unescape(text[last:])}


def _element(inside: str) -> Json:
    target, _, shown = inside.partition("|")
    if target.startswith("@"):
        return {"type": "user", "user_id": target[1:]}
    if target.startswith("#"):
        return {"type": "channel", "channel_id": target[1:]}
    if target.startswith("!subteam^"):
        return {"type": "usergroup", "usergroup_id": target.removeprefix("!subteam^")}
    if target.startswith("!"):
        return {"type": "broadcast", "range": target[1:]}
    return {"type": "link", "url": unescape(target), **({"text": unescape(shown)} if shown else {})}


def message_event(channel: Channel, message: Json) -> Json:
    """A `message` event of a posted message."""
    kept = {name: value for name, value in message.items() if name != "reactions"}
    about = {"channel": channel.id, "event_ts": message["ts"], "channel_type": channel.type}
    return {**kept, **about}


def mention_event(channel: Channel, message: Json) -> Json:
    """The `app_mention` of the same message: no channel_type, no subtype."""
    kept = {name: value for name, value in message.items() if name not in ("reactions", "subtype")}
    return {**kept, "type": "app_mention", "channel": channel.id, "event_ts": message["ts"]}


def changed_event(channel: Channel, message: Json, previous: Json, ts: str) -> Json:
    about = {"channel": channel.id, "hidden": True, "ts": ts, "event_ts": ts, "channel_type": channel.type}
    return {
        "type": "message", "subtype": "message_changed", "message": message, "previous_message": previous, **about,
    }  # fmt: skip


def deleted_event(channel: Channel, previous: Json, ts: str) -> Json:
    about = {"channel": channel.id, "hidden": True, "ts": ts, "event_ts": ts, "channel_type": channel.type}
    gone = {"deleted_ts": previous["ts"], "previous_message": previous}
    return {"type": "message", "subtype": "message_deleted", **gone, **about}


def team_of(world: World, person: Person) -> Json:
    team = world.teams[person.team]
    more = {"enterprise_id": team.enterprise_id, "enterprise_name": "Example"} if team.enterprise_id else {}
    return {"id": team.id, "domain": team.domain, **more}


def interaction(world: World, person: Person, kind: str, **more: Any) -> Json:
    """What every interactive payload carries, and `more`."""
    team = world.teams[person.team]
    enterprise = {"id": team.enterprise_id, "name": "Example"} if team.enterprise_id else None
    return {
        "type": kind,
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": person.team},
        "api_app_id": world.app_id,
        "token": "verification-token",
        "team": team_of(world, person),
        "enterprise": enterprise,
        "is_enterprise_install": False,
        "trigger_id": world.new_trigger(person.id),
        **more,
    }


def slash_command(world: World, person: Person, channel: Channel, command: str, text: str, url: str) -> Json:
    names = {"im": "directmessage", "private": "privategroup"}
    return {
        "token": "verification-token",
        "team_id": person.team,
        "team_domain": world.teams[person.team].domain,
        "channel_id": channel.id,
        "channel_name": names.get(channel.kind, channel.name),
        "user_id": person.id,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": world.app_id,
        "is_enterprise_install": "false",
        "response_url": url,
        "trigger_id": world.new_trigger(person.id),
    }


def action_ts() -> str:
    return f"{time.time():.6f}"
