"""The page with which a person tries the bot by hand: one HTML file, what it asks for, and what it sends."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web

from tests.fakes.slack.gestures import NotThere
from tests.fakes.slack.views import Unfilled
from tests.fakes.slack.world import Channel, Json, Person

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack

#: Changes that follow each other quickly are shown together, in seconds.
TOGETHER = 0.05
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
)


@dataclass(slots=True, kw_only=True)
class Page:
    """GET / and /ui/*."""

    slack: Slack
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def add_to(self, app: web.Application) -> None:
        app.router.add_get("/", self.html)
        app.router.add_get("/ui/state", self.state)
        app.router.add_get("/ui/changes", self.changes)
        app.router.add_post("/ui/{act}", self.act)

    def close(self) -> None:
        self.closing.set()
        self.slack.world.touch()

    async def html(self, _request: web.Request) -> web.Response:
        text = await asyncio.to_thread(Path(__file__).with_name("page.html").read_text, encoding="utf-8")
        return web.Response(text=text, content_type="text/html", headers={"Content-Security-Policy": POLICY})

    async def state(self, request: web.Request) -> web.Response:
        """All that one person sees."""
        user = request.query.get("user", "")
        person = self.slack.world.people.get(user) or self._first()
        return web.json_response(self._seen(person))

    def _first(self) -> Person:
        return next(person for person in self.slack.world.people.values() if not person.is_bot)

    def _seen(self, person: Person) -> Json:
        world = self.slack.world
        channels = [c for c in world.channels.values() if person.id in c.members]
        statuses = {(s.channel, s.thread): world.status(s.channel, s.thread) for s in world.statuses}
        people = {p.id: {"id": p.id, "name": p.name, "shown": p.display_name or p.real_name, "bot": p.is_bot}
                  for p in world.people.values()}  # fmt: skip
        return {
            "me": person.id,
            "team": world.teams[person.team].name,
            "bot": world.me.id,
            "connected": bool(self.slack.links.live) or self.slack.wire.request_url is not None,
            "people": people,
            "channels": [self._channel(c, person) for c in channels],
            "statuses": [{"channel": c, "thread": t, "text": text} for (c, t), text in statuses.items() if text],
            "streaming": {f"{c}/{ts}": list(s.tasks.values()) for (c, ts), s in world.streams.items() if s.open},
            "prompts": [{"channel": c, "thread": t, **p} for (c, t), p in world.prompts.items()],
            "shortcuts": self.slack.shortcuts,
            "home": world.homes.get(person.id),
            "modals": self.slack.views(person.id),
        }

    def _channel(self, channel: Channel, person: Person) -> Json:
        posted = [self.slack.world.counted(channel.id, m) for m in self.slack.messages(channel.id)]
        messages = posted + self.slack.ephemerals(person.id, channel.id)
        with_whom = next((user for user in channel.members if user != person.id), "")
        return {
            "id": channel.id, "name": channel.name, "kind": channel.kind, "with": with_whom, "topic": channel.topic,
            "messages": sorted(messages, key=lambda m: str(m["ts"])),
        }  # fmt: skip

    async def changes(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: a number whenever something has changed."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        while not self.closing.is_set():
            changed = self.slack.world.changed
            try:
                await response.write(f"data: {self.slack.world.changes}\n\n".encode())
            except ConnectionError:
                break
            await self._next(changed)
        return response

    async def _next(self, changed: asyncio.Event) -> None:
        """Wait for a change, or for half a minute: then the line is tried, so that a closed page is noticed."""
        try:
            async with asyncio.timeout(30):
                await changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(TOGETHER)

    async def act(self, request: web.Request) -> web.Response:
        """Something that a person did on the page; 403 when another site's page sent it, 404 when what is to be pressed
        is not there."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            return web.json_response({"error": "another site's page may not act here"}, status=403)
        act = ACTS.get(request.match_info["act"])
        if act is None:
            return web.json_response({"error": "no such act"}, status=404)
        try:
            done = await act(self.slack, await request.json())
        except NotThere as problem:
            return web.json_response({"error": str(problem)}, status=404)
        except (LookupError, ValueError, TypeError) as problem:
            return web.json_response({"error": f"{type(problem).__name__}: {problem}"}, status=400)
        return web.json_response({"done": done})


async def _say(slack: Slack, given: Json) -> Any:
    text = str(given["text"])
    if text.startswith("/") and not given.get("thread"):
        command, _, rest = text.partition(" ")
        return (await slack.slash(given["user"], given["channel"], command, rest)).ok
    files = [
        slack.file(f["name"], b64decode(f["bytes"], validate=True), f.get("type") or "application/octet-stream")
        for f in given.get("files", ())
    ]
    return await slack.say(given["user"], given["channel"], text, thread=given.get("thread"), files=files)


async def _press(slack: Slack, given: Json) -> Any:
    where = {name: given.get(name) for name in ("channel", "ts", "view", "value")}
    return (await slack.press(given["user"], given["action_id"], **where)).ok


async def _submit(slack: Slack, given: Json) -> Any:
    try:
        return (await slack.submit(given["user"], given["view"], given.get("values"))).ok
    except Unfilled:
        # The form stands, and says so itself.
        return False


async def _close(slack: Slack, given: Json) -> Any:
    await slack.close_view(given["user"], given["view"])


async def _home(slack: Slack, given: Json) -> Any:
    await slack.open_home(given["user"], given.get("tab", "home"))


async def _react(slack: Slack, given: Json) -> Any:
    await slack.react(given["user"], given["channel"], given["ts"], given["name"])


async def _shortcut(slack: Slack, given: Json) -> Any:
    return (
        await slack.shortcut(given["user"], given["callback_id"], channel=given.get("channel"), ts=given.get("ts"))
    ).ok


async def _edit(slack: Slack, given: Json) -> Any:
    await slack.edit(given["user"], given["channel"], given["ts"], given["text"])


async def _delete(slack: Slack, given: Json) -> Any:
    await slack.delete(given["channel"], given["ts"])


ACTS: dict[str, Callable[[Slack, Json], Awaitable[Any]]] = {
    "say": _say,
    "press": _press,
    "submit": _submit,
    "close": _close,
    "home": _home,
    "react": _react,
    "shortcut": _shortcut,
    "edit": _edit,
    "delete": _delete,
}
