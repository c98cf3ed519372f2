"""chat.startStream, appendStream, stopStream: a message that grows while people watch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from tests.fakes.slack import blocks as checked
from tests.fakes.slack.calls import Call
from tests.fakes.slack.chat import MARKDOWN, appear, by_bot, change, threaded
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.world import Channel, Json, Stream

CHUNKS = {"markdown_text": {"text"}, "plan_update": {"title"}, "task_update": {"id", "title", "status"},
          "blocks": {"blocks"}}  # fmt: skip


def start(call: Call) -> Json:
    channel = call.writable()
    if channel.kind != "im":
        _addressed(call)
    if channel.kind == "im" and call.maybe("thread_ts") is None:
        raise Refused.because("invalid_arguments", "missing required field: thread_ts")
    where, chunks = threaded(call, channel), list(_chunks(call))
    message = {
        **by_bot(call),
        "text": "",
        "blocks": [],
        "ts": call.world.ts(),
        **where,
        "streaming_state": "in_progress",
    }
    stream = Stream(
        channel=channel.id, ts=message["ts"], recipient=call.maybe("recipient_user_id"), touched=time.monotonic()
    )
    call.world.streams[channel.id, message["ts"]] = stream
    _grow(message, stream, chunks)
    appear(call, channel, message)
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def _addressed(call: Call) -> None:
    """Outside a direct conversation Slack must know for whom the stream is."""
    team, user = call.maybe("recipient_team_id"), call.maybe("recipient_user_id")
    if team is None:
        raise Refused("missing_recipient_team_id")
    if user is None:
        raise Refused("missing_recipient_user_id")
    if team not in call.world.teams:
        raise Refused("team_not_found")
    if user not in call.world.people:
        raise Refused("user_not_found")


def append(call: Call) -> Json:
    channel, message, stream = _streaming(call)
    chunks = list(_chunks(call))
    if not chunks:
        raise Refused("no_text")
    _grow(message, stream, chunks)
    call.world.touch()
    return {"ok": True, "channel": channel.id, "ts": message["ts"]}


def stop(call: Call) -> Json:
    channel, message, stream = _streaming(call)
    chunks, metadata = list(_chunks(call)), call.metadata()
    given = call.arguments.get("blocks")
    last = [] if given in (None, "", []) else checked.of_message(given)
    _grow(message, stream, chunks)
    stream.open = False
    more = {"streaming_state": "completed", **({"metadata": metadata} if metadata else {})}
    change(call, channel, message, {"blocks": [*message["blocks"], *last], **more})
    return {"ok": True, "channel": channel.id, "ts": message["ts"], "message": message}


def _streaming(call: Call) -> tuple[Channel, Json, Stream]:
    """A message whose stream is still alive; each call keeps it alive for `stream_life`."""
    channel = call.channel()
    message = call.message(channel, "ts")
    stream = call.world.streams.get((channel.id, message["ts"]))
    if stream is None or not stream.open:
        raise Refused("message_not_in_streaming_state")
    if time.monotonic() - stream.touched > call.stream_life:
        stream.open = False
        message["streaming_state"] = "errored"
        raise Refused("message_not_in_streaming_state")
    stream.touched = time.monotonic()
    return channel, message, stream


def _chunks(call: Call) -> Iterator[Json]:
    """The pieces of a call, each of a shape that Slack knows."""
    markdown, given = call.maybe("markdown_text"), call.json("chunks") or []
    if markdown is not None and given:
        raise Refused("markdown_text_conflict")
    if markdown is not None:
        given = [{"type": "markdown_text", "text": markdown}]
    if not isinstance(given, list):
        raise Refused("invalid_chunks")
    for chunk in given:
        yield _chunk(chunk)


def _chunk(chunk: Any) -> Json:
    if not isinstance(chunk, dict) or chunk.get("type") not in CHUNKS:
        raise Refused.because("invalid_chunks", "unsupported type")
    missing = CHUNKS[chunk["type"]] - chunk.keys()
    if missing:
        raise Refused.because("invalid_chunks", *(f"missing required field: {name}" for name in sorted(missing)))
    if chunk["type"] == "markdown_text" and len(str(chunk["text"])) > MARKDOWN:
        raise Refused("msg_too_long")
    if chunk["type"] == "blocks":
        return {**chunk, "blocks": checked.of_message(chunk["blocks"])}
    return dict(chunk)


def _grow(message: Json, stream: Stream, chunks: list[Json]) -> None:
    for chunk in chunks:
        if chunk["type"] == "markdown_text":
            _write(message, str(chunk["text"]))
        elif chunk["type"] == "blocks":
            message["blocks"] = [*message["blocks"], *chunk["blocks"]]
        else:
            stream.tasks[str(chunk.get("id", "plan"))] = chunk


def _write(message: Json, text: str) -> None:
    """Text goes on in the last markdown block, or into a new one after other blocks."""
    blocks = list(message["blocks"])
    if blocks and blocks[-1]["type"] == "markdown":
        blocks[-1] = {**blocks[-1], "text": blocks[-1]["text"] + text}
    else:
        blocks.append({"type": "markdown", "block_id": f"s{len(blocks)}", "text": text})
    message["blocks"] = blocks
    message["text"] += text
