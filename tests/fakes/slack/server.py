"""The running Slack: what tests open, act with, and ask."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from aiohttp import web

from tests.fakes.slack.api import Api, Offer
from tests.fakes.slack.calls import Made
from tests.fakes.slack.cast import APP_TOKEN, BOT_TOKEN, SECRET, populated
from tests.fakes.slack.faults import Fault
from tests.fakes.slack.gestures import Gestures
from tests.fakes.slack.links import Links
from tests.fakes.slack.page import Page
from tests.fakes.slack.signing import signed
from tests.fakes.slack.uploads import receive
from tests.fakes.slack.wire import Acknowledged, Wire
from tests.fakes.slack.world import Channel, Json, Person, Status, Team, World

LOGIN_PAGE = "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body><form>Sign in</form></body></html>"


@dataclass(slots=True, kw_only=True)
class Slack(Gestures):
    """One Slack. People act through the methods it inherits; here is what goes wrong, and what is asked."""

    api: Api
    links: Links
    bot_token: str
    app_token: str
    #: Message shortcuts that the page offers: callback_id to its label.
    shortcuts: dict[str, str] = field(default_factory=dict)
    #: Files, by id, whose address leads on to another one.
    moved: dict[str, str] = field(default_factory=dict)

    @property
    def api_url(self) -> str:
        """The `base_url` of a web client."""
        return f"{self.base_url}/api/"

    @property
    def signing_secret(self) -> str:
        return self.wire.signing_secret

    # --- who is there ---

    def add_person(self, id: str, name: str, **more: Any) -> Person:
        """Fields of `Person`; `real_name` is the name unless given."""
        person = Person(id=id, name=name, **{"real_name": name, "display_name": name, **more})
        self.world.people[id] = person
        return person

    def add_channel(self, id: str, name: str, *members: str, kind: str = "public", **more: Any) -> Channel:
        """A channel with these members; name the bot (`slack.me`) among them when it shall be one."""
        return self.world.add_channel(name, kind=kind, members=members, id=id, **more)

    def add_team(self, id: str, name: str, enterprise_id: str | None = None) -> Team:
        team = Team(id=id, name=name, domain=name.lower().replace(" ", "-"), enterprise_id=enterprise_id)
        self.world.teams[id] = team
        return team

    def offer(
        self,
        code: str,
        *,
        team: str,
        token: str,
        client_id: str = "1.2",
        client_secret: str = "hush",
        wide: bool = False,
    ) -> None:
        """oauth.v2.access will exchange this code for this bot token, once; `wide`: of its whole organisation."""
        self.api.offers[code] = Offer(
            code=code, team=team, token=token, client_id=client_id, client_secret=client_secret, wide=wide
        )

    @property
    def me(self) -> str:
        """The user id of the bot."""
        return self.world.me.id

    def dm(self, user: str) -> str:
        """The id of the direct conversation of a person and the bot."""
        return self.world.direct(user).id

    # --- what goes wrong ---

    def fail(self, method: str, **fault: Any) -> None:
        """The next calls of a method ("*": any) fail; see `Fault`."""
        self.api.faults.add(Fault(method=method, **fault))

    def revoke(self, token: str | None = None) -> None:
        """A token (the bot's, when none is named) answers token_revoked from now on."""
        self.api.revoked.add(token or self.bot_token)

    async def uninstall(self, team: str = "T0001") -> None:
        """An admin removes the app: the token is dead, and two events say so."""
        self.api.revoked.update(token for token, of in self.api.bot_tokens.items() if of == team)
        self.wire.event({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [self.me]}}, team)
        self.wire.event({"type": "app_uninstalled"}, team)

    async def disconnect(self, reason: str = "refresh_requested") -> None:
        await self.links.disconnect(reason)

    def deafen(self) -> None:
        self.links.deafen()

    async def close_sockets(self) -> None:
        await self.links.close()

    def break_sockets(self) -> None:
        self.links.abort()

    async def again(self, *, type: str = "message", times: int = 1, attempt: int = 1) -> list[Acknowledged]:
        """The last event of this type is delivered again, `times` at once, as a retry unless `attempt` is 0."""
        payload = next(
            sent["payload"] for sent in reversed(self.wire.sent) if sent["payload"].get("event", {}).get("type") == type
        )
        return list(await asyncio.gather(*(self.wire.attempt("events_api", payload, attempt) for _ in range(times))))

    # --- signed HTTP by hand ---

    async def post(
        self, payload: Json, *, secret: str | None = None, age: float = 0.0, headers: Json | None = None
    ) -> tuple[int, Json]:
        """(status, JSON) of a POST to the request URL; another `secret`, an `age` in seconds, own headers spoil it."""
        body = json.dumps(payload).encode()
        proof = signed(secret or self.signing_secret, body, age) if headers is None else headers
        return await self.wire.post(body, {**proof, "Content-Type": "application/json"})

    async def verify_url(self) -> bool:
        """The handshake with which Slack accepts a request URL."""
        ask = {"token": "verification-token", "challenge": "3eZbrw1aBm2r", "type": "url_verification"}
        status, answer = await self.post(ask)
        return status == 200 and ask["challenge"] in (answer.get("challenge"), answer.get("text"))

    # --- what is asked ---

    def messages(self, channel: str, thread: str | None = None) -> list[Json]:
        """All messages of a channel, or a thread with its root; oldest first."""
        if thread is not None:
            return self.world.thread(channel, thread)
        return sorted(self.world.posted[channel].values(), key=lambda m: str(m["ts"]))

    def answers(self, channel: str, thread: str | None = None) -> list[Json]:
        """Those of them that the bot wrote."""
        return [m for m in self.messages(channel, thread) if m.get("bot_id") == self.world.me.bot_id]

    def ephemerals(self, user: str, channel: str | None = None) -> list[Json]:
        """What only this person sees."""
        return [m for m in self.world.ephemerals if m["to"] == user and channel in (None, m["channel"])]

    def reactions(self, channel: str, ts: str) -> dict[str, list[str]]:
        """Emoji name to people."""
        return {r["name"]: r["users"] for r in self.world.posted[channel][ts].get("reactions", [])}

    def status(self, channel: str, thread: str) -> str:
        return self.world.status(channel, thread)

    def status_history(self, channel: str, thread: str) -> list[Status]:
        return [s for s in self.world.statuses if (s.channel, s.thread) == (channel, thread)]

    def home(self, user: str) -> Json | None:
        return self.world.homes.get(user)

    def views(self, user: str) -> list[Json]:
        """The open modals of a person, the topmost last."""
        return [view for view in self.world.views.values() if view["user"] == user]

    def calls(self, method: str | None = None) -> list[Made]:
        return [made for made in self.api.calls if method in (None, made.method)]

    @property
    def acks(self) -> list[Acknowledged]:
        return self.wire.acks

    async def until(self, condition: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait until something is so; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not condition():
                changed = self.world.changed
                await changed.wait()

    async def answered(self, channel: str, thread: str, count: int = 1, seconds: float = 10.0) -> list[Json]:
        """Wait for so many messages of the bot in a thread; they are given back."""
        await self.until(lambda: len(self.answers(channel, thread)) >= count, seconds)
        return self.answers(channel, thread)

    async def settled(self, seconds: float = 10.0) -> None:
        """Wait until every delivery is acknowledged or given up; raises TimeoutError."""
        await self.wire.settled(seconds)

    async def connected(self, count: int = 1, seconds: float = 10.0) -> None:
        """Wait until the app has opened sockets `count` times in all; raises TimeoutError."""
        await self.links.connected(count, seconds)

    async def serve_file(self, request: web.Request) -> web.StreamResponse:
        """url_private: the bytes with a good token and files:read, the login page with status 200 otherwise."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        known = token in self.api.bot_tokens and token not in self.api.revoked and "files:read" in self.api.granted
        id = request.match_info["id"]
        if not known:
            return web.Response(text=LOGIN_PAGE, content_type="text/html")
        if id in self.moved:
            return web.Response(status=302, headers={"Location": self.moved[id]})
        if id not in self.world.contents:
            return web.Response(status=404, text="no such file")
        return web.Response(body=self.world.contents[id], content_type=self.world.files[id]["mimetype"])


@asynccontextmanager
async def serving(
    *,
    port: int = 0,
    bot_token: str = BOT_TOKEN,
    app_token: str = APP_TOKEN,
    signing_secret: str = SECRET,
    world: World | None = None,
) -> AsyncIterator[Slack]:
    """A Slack on a port of this machine, with the people and channels of `cast` or of `world`; port 0 is a free one."""
    world = world or populated()
    links = Links(app_id=world.app_id, moved=world.touch)
    wire = Wire(world=world, links=links, signing_secret=signing_secret)
    api = Api(world=world, wire=wire, links=links, bot_tokens={bot_token: world.me.team}, app_tokens={app_token})
    slack = Slack(world=world, wire=wire, base_url="", api=api, links=links, bot_token=bot_token, app_token=app_token)
    page = Page(slack=slack)
    runner = web.AppRunner(_application(slack, page), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        slack.base_url = world.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield slack
    finally:
        page.close()
        await wire.close()
        await links.shut()
        await runner.cleanup()


def _application(slack: Slack, page: Page) -> web.Application:
    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_route("*", "/api/{method}", slack.api.serve)
    app.router.add_get("/link", slack.links.serve)
    app.router.add_post("/hooks/{id}", slack.serve_hook)
    app.router.add_post("/upload/v1/{id}", partial(receive, slack.world))
    app.router.add_get("/files-pri/{id}/{name}", slack.serve_file)
    page.add_to(app)
    return app
