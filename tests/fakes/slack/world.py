"""What this Slack knows: teams, people, channels, messages and all that hangs on them. No network here."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

#: Slack takes a status away by itself after two minutes.
STATUS_LIFE = 120.0


@dataclass(slots=True, kw_only=True)
class Team:
    id: str
    name: str
    domain: str
    enterprise_id: str | None = None


@dataclass(slots=True, kw_only=True)
class Person:
    """A person or a bot user; `tz_offset` in seconds."""

    id: str
    name: str
    real_name: str
    display_name: str = ""
    tz: str = "Asia/Tokyo"
    tz_offset: int = 32_400
    locale: str = "ja-JP"
    is_bot: bool = False
    team: str = "T0001"
    email: str = ""
    is_restricted: bool = False
    bot_id: str | None = None


@dataclass(slots=True, kw_only=True)
class Channel:
    """`kind` is one of public, private, im, mpim; `shared`: with another organisation."""

    id: str
    name: str
    kind: str
    members: set[str] = field(default_factory=set)
    archived: bool = False
    topic: str = ""
    team: str = "T0001"
    shared: bool = False

    @property
    def type(self) -> str:
        """The `channel_type` of its message events."""
        return {"public": "channel", "private": "group"}.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A status line as it was set; an empty text takes it away. `by` is `call` or `message`."""

    channel: str
    thread: str
    text: str
    by: str
    at: float
    loading_messages: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Stream:
    """A message that is still being written; what `chunks` brought besides text is kept in `tasks`."""

    channel: str
    ts: str
    recipient: str | None
    touched: float
    open: bool = True
    tasks: dict[str, Json] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Trigger:
    id: str
    user: str
    team: str
    at: float
    used: bool = False


@dataclass(slots=True, kw_only=True)
class Hook:
    """Where a `response_url` leads: five uses."""

    channel: str | None
    user: str
    ts: str | None
    thread: str | None = None
    uses: int = 0


@dataclass(slots=True, kw_only=True)
class World:
    """All state. Dictionaries inside have the shapes of Slack's own JSON."""

    me: Person
    app_id: str = "A0001"
    teams: dict[str, Team] = field(default_factory=dict)
    #: Organisations in which the app is installed for all workspaces.
    wide: set[str] = field(default_factory=set)
    people: dict[str, Person] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    posted: dict[str, dict[str, Json]] = field(default_factory=dict)
    ephemerals: list[Json] = field(default_factory=list)
    files: dict[str, Json] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    #: Where this Slack is, for addresses that it gives out.
    base_url: str = ""
    #: Uploads that are not complete, and for how many messages each picture is not looked at yet.
    uploads: dict[str, Json] = field(default_factory=dict)
    unseen: dict[str, int] = field(default_factory=dict)
    looks_late: int = 0
    views: dict[str, Json] = field(default_factory=dict)
    homes: dict[str, Json] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    prompts: dict[tuple[str, str], Json] = field(default_factory=dict)
    streams: dict[tuple[str, str], Stream] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    hooks: dict[str, Hook] = field(default_factory=dict)
    changes: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _last: int = 0

    def touch(self) -> None:
        """Wake whoever waits for something to happen."""
        self.changes += 1
        self.changed.set()
        self.changed = asyncio.Event()

    def fresh(self, prefix: str) -> str:
        """An id that nothing else has: a letter and ten signs, as Slack's are."""
        return f"{prefix}{next(self._ids):010X}"

    def ts(self) -> str:
        """The time as a message id; later ones are larger, none is given twice."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def by_name(self, name: str) -> Channel | None:
        """The channel of this id, or of this name with or without its #."""
        if name in self.channels:
            return self.channels[name]
        named = (c for c in self.channels.values() if c.kind in ("public", "private") and c.name == name.lstrip("#"))
        return next(named, None)

    def direct(self, user: str) -> Channel:
        """The conversation of the bot and this person, made when there is none yet."""
        pair = {user, self.me.id}
        for channel in self.channels.values():
            if channel.kind == "im" and channel.members == pair:
                return channel
        return self.add_channel("", kind="im", members=(user, self.me.id), id=self.fresh("D"))

    def add_channel(self, name: str, *, kind: str, members: tuple[str, ...], id: str, **more: Any) -> Channel:
        channel = Channel(id=id, name=name, kind=kind, members=set(members), **more)
        self.channels[id] = channel
        self.posted[id] = {}
        self.touch()
        return channel

    def keep(self, channel: str, message: Mapping[str, Any]) -> Json:
        """Store a message under its ts."""
        kept = dict(message)
        self.posted[channel][kept["ts"]] = kept
        self.touch()
        return kept

    def message(self, channel: str, ts: str) -> Json | None:
        return self.posted.get(channel, {}).get(ts)

    def root(self, channel: str, ts: str) -> str:
        """The ts of the thread that this message belongs to; its own when it stands alone."""
        found = self.message(channel, ts) or {}
        return str(found.get("thread_ts", ts))

    def thread(self, channel: str, ts: str) -> list[Json]:
        """A message and its replies, oldest first."""
        ordered = sorted(self.posted.get(channel, {}).values(), key=lambda m: str(m["ts"]))
        return [m for m in ordered if m["ts"] == ts or m.get("thread_ts") == ts]

    def replies(self, channel: str, ts: str) -> list[Json]:
        return [m for m in self.thread(channel, ts) if m["ts"] != ts]

    def counted(self, channel: str, message: Json) -> Json:
        """The message as the history methods return it: a thread's root knows its replies."""
        replies = self.replies(channel, message["ts"])
        if not replies:
            return dict(message)
        users = list(dict.fromkeys(str(m["user"]) for m in replies))
        about = {"reply_count": len(replies), "reply_users": users, "reply_users_count": len(users)}
        return {**message, "thread_ts": message["ts"], **about, "latest_reply": replies[-1]["ts"]}

    def set_status(self, channel: str, thread: str, text: str, *, by: str, loading: tuple[str, ...] = ()) -> None:
        now = time.monotonic()
        self.statuses.append(Status(channel=channel, thread=thread, text=text, by=by, at=now, loading_messages=loading))
        self.touch()

    def status(self, channel: str, thread: str) -> str:
        """The status line that a person sees in this thread now, or an empty string."""
        for status in reversed(self.statuses):
            if (status.channel, status.thread) == (channel, thread):
                return status.text if time.monotonic() - status.at < STATUS_LIFE else ""
        return ""

    def new_trigger(self, user: str) -> str:
        made = f"{next(self._ids)}.{time.time_ns()}.{self.fresh('x').lower()}"
        team = self.people[user].team
        self.triggers[made] = Trigger(id=made, user=user, team=team, at=time.monotonic())
        return made
