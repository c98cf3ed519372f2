"""A Web API call: its token, its arguments, and the checks that most methods share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.wire import Wire
from tests.fakes.slack.world import Channel, Json, World

METADATA_FIELDS = {"event_type", "event_payload"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A call as it came in and what was answered; `error` is None when all was well. `at` is a monotonic time."""

    method: str
    arguments: Json
    token: str
    at: float
    status: int = 200
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a method works with."""

    method: str
    arguments: Json
    token: str
    team: str
    world: World
    wire: Wire
    granted: frozenset[str]
    stream_life: float
    trigger_life: float

    def text(self, name: str) -> str:
        """A required argument; Slack refuses the call without it."""
        value = self.arguments.get(name)
        if value is None or value == "":
            raise Refused.because("invalid_arguments", f"missing required field: {name}")
        return str(value)

    def maybe(self, name: str) -> str | None:
        value = self.arguments.get(name)
        return None if value is None or value == "" else str(value)

    def json(self, name: str) -> Any:
        """An argument that may come as JSON text in a form, or as JSON."""
        value = self.arguments.get(name)
        if isinstance(value, str):
            try:
                return json.loads(value)
            except ValueError as problem:
                raise Refused.because("invalid_arguments", f"must be JSON: {name}") from problem
        return value

    def yes(self, name: str) -> bool:
        return str(self.arguments.get(name, "")).lower() in ("true", "1")

    def limit(self, most: int = 1000) -> int:
        value = str(self.arguments.get("limit", 100))
        if not value.isdecimal() or not 0 < int(value) <= most:
            raise Refused("invalid_limit")
        return int(value)

    def channel(self, name: str = "channel") -> Channel:
        """A conversation that the bot can see; a person's id means the direct one."""
        wanted = self.text(name)
        if wanted in self.world.people and wanted != self.world.me.id:
            return self.world.direct(wanted)
        found = self.world.by_name(wanted)
        if found is None or found.team != self.team or (found.kind != "public" and not self.member(found)):
            raise Refused("channel_not_found")
        return found

    def member(self, channel: Channel) -> bool:
        return self.world.me.id in channel.members

    def writable(self, name: str = "channel") -> Channel:
        """A conversation that the bot may write to."""
        channel = self.channel(name)
        if channel.archived:
            raise Refused("is_archived")
        if not self.member(channel):
            raise Refused("not_in_channel")
        return channel

    def readable(self) -> Channel:
        channel = self.channel()
        if not self.member(channel):
            raise Refused("not_in_channel")
        return channel

    def message(self, channel: Channel, name: str, error: str = "message_not_found") -> Json:
        found = self.world.message(channel.id, self.text(name))
        if found is None:
            raise Refused(error)
        return found

    def metadata(self) -> Json | None:
        found = self.json("metadata")
        if found is None or found == "":
            return None
        if not isinstance(found, dict) or not isinstance(found.get("event_payload"), dict):
            raise Refused("invalid_metadata_format")
        if found.keys() - METADATA_FIELDS - {"entities"} or not isinstance(found.get("event_type"), str):
            raise Refused("invalid_metadata_schema")
        return found


async def read_arguments(request: web.Request) -> tuple[Json, str]:
    """All arguments of a call, from query, form or JSON, and its token or an empty string."""
    arguments: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await _json(request)
        arguments |= body
    else:
        arguments |= {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    bearer = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    in_body = str(arguments.pop("token", ""))
    return arguments, bearer or in_body


async def _json(request: web.Request) -> Json:
    try:
        body = json.loads(await request.text() or "{}")
    except ValueError as problem:
        raise Refused("invalid_json") from problem
    if not isinstance(body, dict):
        raise Refused("json_not_object")
    return body
