"""chat.*: messages of the bot."""

from __future__ import annotations

from tests.fakes.slack import blocks as checked
from tests.fakes.slack.calls import Call
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.events import changed_event, deleted_event, message_event
from tests.fakes.slack.uploads import pictures
from tests.fakes.slack.world import Channel, Json

TEXT, UPDATE_TEXT, MARKDOWN = 40_000, 4_000, 12_000


#: As false comes over the wire.
_FALSE = (False, 0, "0", "false", "False")


def unfurls_nothing(call: Call, *, said: bool) -> None:
    """Slack lets a bot show what is behind a link; ours never does, as who put it there chose the page. `said`: it has
    to say so, as Slack would else decide by itself."""
    for name in ("unfurl_links", "unfurl_media"):
        given = call.arguments.get(name)
        if given not in _FALSE and (said or given is not None):
            raise Refused.because("invalid_arguments", f"the bot unfurls nothing, and this call has {name}={given}")


def post_message(call: Call) -> Json:
    channel = call.writable()
    unfurls_nothing(call, said=True)
    content = contents(call, TEXT)
    pictures(call, content["blocks"])
    message = {**by_bot(call), **content, "ts": call.world.ts(), **threaded(call, channel)}
    if metadata := call.metadata():
        message["metadata"] = metadata
    kept = appear(call, channel, message)
    return {"ok": True, "channel": channel.id, "ts": kept["ts"], "message": kept}


def appear(call: Call, channel: Channel, message: Json) -> Json:
    """Keep a message of the bot, take the thread's status away, and tell the app of its own message."""
    kept = call.world.keep(channel.id, message)
    thread = str(kept.get("thread_ts", kept["ts"]))
    if call.world.status(channel.id, thread):
        call.world.set_status(channel.id, thread, "", by="message")
    call.wire.event(message_event(channel, kept), channel.team)
    return kept


def by_bot(call: Call) -> Json:
    me = call.world.me
    profile = {"id": me.bot_id, "app_id": call.world.app_id, "name": me.name, "deleted": False, "team_id": call.team}
    shown = {name: call.arguments[name] for name in ("username", "icon_emoji", "icon_url") if call.maybe(name)}
    return {
        "type": "message", "user": me.id, "bot_id": me.bot_id, "app_id": call.world.app_id, "team": call.team,
        "bot_profile": profile, **shown,
    }  # fmt: skip


def contents(call: Call, longest: int) -> Json:
    """Text and blocks of a call inside Slack's limits."""
    text, given = call.maybe("text"), call.arguments.get("blocks")
    markdown = call.maybe("markdown_text")
    if markdown is not None:
        return _markdown(call, markdown)
    blocks = [] if given in (None, "", []) else checked.of_message(given)
    attachments = call.json("attachments") or []
    if not text and not blocks and not attachments:
        raise Refused("no_text")
    if len(text or "") > longest:
        raise Refused("msg_too_long")
    found: Json = {"text": text or "", "blocks": blocks}
    return {**found, "attachments": attachments} if attachments else found


def _markdown(call: Call, markdown: str) -> Json:
    if call.maybe("text") or call.arguments.get("blocks"):
        raise Refused("markdown_text_conflict")
    if len(markdown) > MARKDOWN:
        raise Refused("msg_too_long")
    return {"text": markdown, "blocks": checked.of_message([{"type": "markdown", "text": markdown}])}


def threaded(call: Call, channel: Channel) -> Json:
    """Where the message goes; only a root that exists can be replied to."""
    thread = call.maybe("thread_ts")
    if thread is None:
        return {}
    root = call.world.message(channel.id, thread)
    if root is None:
        raise Refused("thread_not_found")
    if root.get("thread_ts", thread) != thread:
        raise Refused.because("cannot_reply_to_message", "thread_ts is a reply; use the ts of its root")
    return {"thread_ts": thread, "parent_user_id": root["user"]}


def post_ephemeral(call: Call) -> Json:
    channel, user = call.writable(), call.text("user")
    if user not in channel.members:
        raise Refused("user_not_in_channel" if user in call.world.people else "user_not_found")
    ts = call.world.ts()
    message = {**by_bot(call), **contents(call, TEXT), "ts": ts, **threaded(call, channel)}
    call.world.ephemerals.append({**message, "channel": channel.id, "to": user, "is_ephemeral": True})
    call.world.touch()
    return {"ok": True, "message_ts": ts}


def own(call: Call, error: str) -> tuple[Channel, Json]:
    """A message of the bot; anybody else's cannot be changed."""
    channel = call.channel()
    message = call.message(channel, "ts")
    if message.get("bot_id") != call.world.me.bot_id:
        raise Refused(error)
    return channel, message


def update(call: Call) -> Json:
    unfurls_nothing(call, said=False)
    channel, message = own(call, "cant_update_message")
    stream = call.world.streams.get((channel.id, message["ts"]))
    if stream is not None and stream.open:
        raise Refused("streaming_state_conflict")
    content = contents(call, UPDATE_TEXT)
    if metadata := call.metadata():
        content["metadata"] = metadata
    change(call, channel, message, content)
    return {"ok": True, "channel": channel.id, "ts": message["ts"], "text": content["text"], "message": message}


def change(call: Call, channel: Channel, message: Json, content: Json) -> None:
    """Change a message in place and tell the app of it."""
    previous, now = dict(message), call.world.ts()
    message.update(content, edited={"user": call.world.me.id, "ts": now})
    call.world.touch()
    call.wire.event(changed_event(channel, dict(message), previous, now), channel.team)


def delete(call: Call) -> Json:
    channel, message = own(call, "cant_delete_message")
    del call.world.posted[channel.id][message["ts"]]
    call.world.touch()
    call.wire.event(deleted_event(channel, message, call.world.ts()), channel.team)
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def get_permalink(call: Call) -> Json:
    channel = call.channel()
    message = call.message(channel, "message_ts")
    domain = call.world.teams[channel.team].domain
    link = f"https://{domain}.slack.com/archives/{channel.id}/p{message['ts'].replace('.', '')}"
    if "thread_ts" in message and message["thread_ts"] != message["ts"]:
        link += f"?thread_ts={message['thread_ts']}&cid={channel.id}"
    return {"ok": True, "channel": channel.id, "permalink": link}
