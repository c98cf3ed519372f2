"""conversations.*, reactions.*: what is there to read, and small signs."""

from __future__ import annotations

import re

from tests.fakes.slack.calls import Call
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.world import Channel, Json

EMOJI = re.compile(r"[a-z0-9_+'\-]+(::skin-tone-[2-6])?")


def described(call: Call, channel: Channel) -> Json:
    """A channel as conversations.info gives it."""
    person = next((user for user in channel.members if user != call.world.me.id), None)
    direct = {"user": person} if channel.kind == "im" else {"name": channel.name, "name_normalized": channel.name}
    return {
        "id": channel.id,
        **direct,
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "public",
        "is_archived": channel.archived,
        "is_member": call.member(channel),
        "is_shared": channel.shared,
        "is_ext_shared": channel.shared,
        "context_team_id": channel.team,
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }


def info(call: Call) -> Json:
    return {"ok": True, "channel": described(call, call.channel())}


def listed(call: Call) -> Json:
    kinds = {"public_channel": "public", "private_channel": "private", "im": "im", "mpim": "mpim"}
    wanted = {kinds.get(kind.strip(), "") for kind in (call.maybe("types") or "public_channel").split(",")}
    if "" in wanted:
        raise Refused("invalid_types")
    seen = [
        channel
        for channel in call.world.channels.values()
        if channel.kind in wanted and channel.team == call.team and (channel.kind == "public" or call.member(channel))
    ]
    return {"ok": True, "channels": [described(call, c) for c in seen], "response_metadata": {"next_cursor": ""}}


def members(call: Call) -> Json:
    """Who is in a conversation, a page at a time; an app need not be in a public one to ask."""
    found, cursor = sorted(call.channel().members), call.maybe("cursor") or "0"
    if not cursor.isdecimal():
        raise Refused("invalid_cursor")
    first, size = int(cursor), call.limit()
    following = str(first + size) if first + size < len(found) else ""
    return {"ok": True, "members": found[first : first + size], "response_metadata": {"next_cursor": following}}


def replies(call: Call) -> Json:
    """A root and its replies, oldest first, a page at a time."""
    channel = call.readable()
    ts = call.text("ts")
    if call.world.message(channel.id, ts) is None:
        raise Refused("thread_not_found")
    root, *rest = call.world.thread(channel.id, call.world.root(channel.id, ts))
    return _page(call, [call.world.counted(channel.id, root), *_between(call, rest)])


def history(call: Call) -> Json:
    """What stands in the channel itself, newest first."""
    channel = call.readable()
    top = [m for m in call.world.posted[channel.id].values() if m.get("thread_ts", m["ts"]) == m["ts"]]
    ordered = sorted(_between(call, top), key=lambda m: str(m["ts"]), reverse=True)
    return _page(call, [call.world.counted(channel.id, m) for m in ordered])


def _between(call: Call, messages: list[Json]) -> list[Json]:
    oldest, latest = float(call.maybe("oldest") or 0), float(call.maybe("latest") or 1e12)
    if call.yes("inclusive"):
        return [m for m in messages if oldest <= float(m["ts"]) <= latest]
    return [m for m in messages if oldest < float(m["ts"]) < latest]


def _page(call: Call, messages: list[Json]) -> Json:
    cursor = call.maybe("cursor") or "0"
    if not cursor.isdecimal():
        raise Refused("invalid_cursor")
    first, size = int(cursor), call.limit()
    shown = [_without_metadata(call, m) for m in messages[first : first + size]]
    more = first + size < len(messages)
    following = {"response_metadata": {"next_cursor": str(first + size)}} if more else {}
    return {"ok": True, "messages": shown, "has_more": more, **following}


def _without_metadata(call: Call, message: Json) -> Json:
    if call.yes("include_all_metadata") and "metadata.message:read" in call.granted:
        return message
    return {name: value for name, value in message.items() if name != "metadata"}


def opened(call: Call) -> Json:
    """A direct conversation with one person or several."""
    users = [user.strip() for user in call.text("users").split(",")]
    if any(user not in call.world.people for user in users):
        raise Refused("user_not_found")
    channel = call.world.direct(users[0]) if len(users) == 1 else _group(call, (*users, call.world.me.id))
    shown = described(call, channel) if call.yes("return_im") else {"id": channel.id}
    return {"ok": True, "channel": shown}


def _group(call: Call, people: tuple[str, ...]) -> Channel:
    for channel in call.world.channels.values():
        if channel.kind == "mpim" and channel.members == set(people):
            return channel
    return call.world.add_channel("mpdm", kind="mpim", members=people, id=call.world.fresh("G"), team=call.team)


def add_reaction(call: Call) -> Json:
    name, message = _reacted(call)
    if call.world.me.id in _who(message, name):
        raise Refused("already_reacted")
    reacted(message, name, call.world.me.id)
    call.world.touch()
    return {"ok": True}


def remove_reaction(call: Call) -> Json:
    name, message = _reacted(call)
    if call.world.me.id not in _who(message, name):
        raise Refused("no_reaction")
    unreacted(message, name, call.world.me.id)
    call.world.touch()
    return {"ok": True}


def _reacted(call: Call) -> tuple[str, Json]:
    name = call.text("name")
    if not EMOJI.fullmatch(name):
        raise Refused("invalid_name")
    channel = call.readable()
    if channel.archived:
        raise Refused("is_archived")
    return name, call.message(channel, "timestamp")


def _who(message: Json, name: str) -> list[str]:
    return [user for r in message.get("reactions", []) if r["name"] == name for user in r["users"]]


def reacted(message: Json, name: str, user: str) -> None:
    """Add a person's reaction to a message."""
    reactions = message.setdefault("reactions", [])
    known = next((r for r in reactions if r["name"] == name), None)
    if known is None:
        known = {"name": name, "users": [], "count": 0}
        reactions.append(known)
    known["users"].append(user)
    known["count"] += 1


def unreacted(message: Json, name: str, user: str) -> None:
    known = next(r for r in message["reactions"] if r["name"] == name)
    known["users"].remove(user)
    known["count"] -= 1
    message["reactions"] = [r for r in message["reactions"] if r["users"]]
