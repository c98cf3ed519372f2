"""The running Teams: what people do there, what the bot wrote there, and what goes wrong."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import aiohttp
from aiohttp import web

from tests.fakes.teams.identity import MACHINE, SERVICE, Identity
from tests.fakes.teams.signing import Signing
from tests.fakes.teams.streams import Streams, parted
from tests.fakes.teams_cards import faults

APP = "0a5c9c5e-1111-4abc-9def-000000000001"
TENANT = "0a5c9c5e-2222-4abc-9def-000000000002"
PASSWORD = "the-secret"
BOT, BOT_NAME = f"28:{APP}", "ヘルプデスク"
TEAM, HELPDESK, SUPPORT = "19:team0desk@thread.tacv2", "19:chan0help@thread.tacv2", "19:chan0support@thread.tacv2"
GROUP = "19:group0net@thread.v2"
AYA, KEN = "0a5c9c5e-aaaa-4abc-9def-00000000000a", "0a5c9c5e-bbbb-4abc-9def-00000000000b"
BOB = "0a5c9c5e-cccc-4abc-9def-00000000000c"
NAMES = {AYA: "佐藤 彩", KEN: "岡部 健", BOB: "Bob Stone"}
LOCALES = {AYA: "ja-JP", KEN: "ja-JP", BOB: "en-GB"}
CALL = f"<at>{BOT_NAME}</at>"

#: Teams lets anybody link to its own messages.
_OWN_LINK = re.compile(r"https://teams\.microsoft\.com/l/message/[^'\s]+")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What happens to a call instead: a status, or the connection is cut `after` the message was taken, or before. With
    `said` the message is taken, and this is the body of what confirms it, of this `kind`, as is or `in_pieces`."""

    status: int = 0
    retry_after: str = ""
    cut: str = ""
    said: bytes | None = None
    kind: str = "application/json"
    in_pieces: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A message of the bot, in its conversation, as it is now."""

    conversation: str
    id: str
    content: Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Teams:
    """One organisation with three people, a team with two channels, and a group chat."""

    signing: Signing
    session: aiohttp.ClientSession
    #: When the bot's last message came, by `time.perf_counter`.
    arrived: float = 0.0
    address: str = ""
    #: Where answers are wanted instead.
    elsewhere: str = ""
    #: Where the bot is called; set when it runs.
    bot: str = ""
    messages: list[Written] = field(default_factory=list)
    calls: list[tuple[str, int]] = field(default_factory=list)
    typing: list[str] = field(default_factory=list)
    coming: list[Fault] = field(default_factory=list)
    coming_steps: list[Fault] = field(default_factory=list)
    streams: Streams = field(default_factory=Streams)
    files: dict[str, bytes] = field(default_factory=dict)
    refused_sign_ins: int = 0
    sign_ins: int = 0
    keys_down: bool = False
    keys_asked: int = 0
    told: list[Json] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: itertools.count(int(time.time() * 1000)))
    _tokens: dict[str, str] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _identity: Identity | None = None

    @property
    def service(self) -> str:
        """The `serviceUrl` of what is told."""
        return f"{self.elsewhere or self.address}/jp/"

    # --- what people do ---

    def next_id(self) -> str:
        """Of a message: milliseconds that grow."""
        return str(next(self._ids))

    async def tell(self, activity: Json, *, token: str | None = None) -> tuple[int, Any]:
        """Post an activity to the bot, signed unless a token is given; the status and the answer."""
        signed = token if token is not None else self._signed(self.service)
        self.told.append(activity)
        headers = {"Authorization": f"Bearer {signed}"}
        async with self.session.post(self.bot, json=activity, headers=headers) as answer:
            said = await answer.json() if answer.content_type == "application/json" else await answer.text()
            return answer.status, said

    def _signed(self, service: str) -> str:
        """A right token; the same one for a while, as in the real Teams."""
        if service not in self._tokens:
            self._tokens[service] = self.signing.token(audience=APP, service=service)
        return self._tokens[service]

    def activity(self, kind: str, person: str, where: Json, **more: Any) -> Json:
        """Something that this person did."""
        return {
            "type": kind,
            "id": self.next_id(),
            "channelId": "msteams",
            "timestamp": "2026-11-30T00:00:00.000Z",
            "localTimestamp": "2026-11-30T09:00:00.000+09:00",
            "serviceUrl": self.service,
            "from": {"id": f"29:{person}", "name": NAMES[person], "aadObjectId": person},
            "recipient": {"id": BOT, "name": BOT_NAME},
            "locale": LOCALES[person],
            **where,
            **more,
        }

    async def say(self, person: str, where: Json, text: str, *, mention: bool = False, **more: Any) -> str:
        """Write a message and have the bot told of it; its id. Raises AssertionError where the bot does not take
        it."""
        entities = [{"type": "mention", "mentioned": {"id": BOT, "name": BOT_NAME}, "text": CALL}] if mention else []
        words = f"{CALL} {text}" if mention else text
        activity = self.activity("message", person, where, text=words, textFormat="plain", entities=entities, **more)
        status, _ = await self.tell(activity)
        assert status == 200, status
        return str(activity["id"])

    async def execute(
        self, person: str, written: Written, verb: str, value: str, where: Json, **filled: str
    ) -> tuple[int, Any]:
        """Press a button of a card, with what is filled in there; what is shown at once."""
        there: Json = next((one["data"] for one in _buttons(written.content) if one["verb"] == verb), {})
        action = {"type": "Action.Execute", "verb": verb, "data": {**there, "action": verb, "value": value, **filled}}
        invoked = {"name": "adaptiveCard/action", "value": {"action": action, "trigger": "manual"}}
        return await self.tell(self.activity("invoke", person, where, replyToId=written.id, **invoked))

    async def judge(self, person: str, written: Written | None, reaction: str, where: Json) -> tuple[int, Any]:
        """Press a thumb below an answer; None: as a client that does not say below which."""
        opinion = {"reaction": reaction, "feedback": '{"feedbackText":""}'}
        value = {"actionName": "feedback", "actionValue": opinion}
        invoked = self.activity("invoke", person, where, name="message/submitAction", value=value)
        return await self.tell({**invoked, "replyToId": written.id} if written else invoked)

    # --- what is asked ---

    def written(self, conversation: str) -> list[Written]:
        """The bot's messages in this conversation, oldest first, as they are now."""
        return [one for one in self.messages if one.conversation == conversation]

    async def answered(self, conversation: str, count: int = 1, seconds: float = 10.0) -> list[Written]:
        """Wait for so many messages there. Raises TimeoutError."""
        await self.until(lambda: len(self.written(conversation)) >= count, seconds)
        return self.written(conversation)

    async def until(self, holds: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait until this holds after some call. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._changed.clear()
                await self._changed.wait()

    # --- what the bot calls ---

    async def called(self, request: web.Request) -> web.StreamResponse:
        """One call of the connector's API: to write, or to write anew."""
        if request.headers.get("Authorization") != (f"Bearer {self._token()}" if self.sign_ins else None):
            return self._answer(request, 401)
        came, body = time.perf_counter(), await request.json()
        conversation = unquote(request.match_info["conversation"])
        if body.get("type") == "typing":
            return self._sign(request, conversation, body)
        self.arrived = came
        fault = self.coming.pop(0) if self.coming else Fault()
        if fault.status >= 300:
            return self._answer(request, fault.status, retry_after=fault.retry_after)
        if fault.cut == "before":
            return self._cut(request)
        return await self._taken(request, fault, conversation, body)

    async def removed(self, request: web.Request) -> web.StreamResponse:
        """One call of the connector's API: one of the bot's messages goes."""
        if request.headers.get("Authorization") != (f"Bearer {self._token()}" if self.sign_ins else None):
            return self._answer(request, 401)
        assert await request.read() == b""
        fault = self.coming.pop(0) if self.coming else Fault()
        if fault.status >= 300:
            return self._answer(request, fault.status, retry_after=fault.retry_after)
        conversation, message = unquote(request.match_info["conversation"]), request.match_info["message"]
        left = [one for one in self.messages if (one.conversation, one.id) != (conversation, message)]
        status = 200 if len(left) < len(self.messages) else 404
        self.messages = left
        return self._answer(request, status)

    async def _taken(self, request: web.Request, fault: Fault, conversation: str, told: Json) -> web.StreamResponse:
        """A message that came, if it is right, perhaps as the end of a stream."""
        body, stream = parted(told)
        wrong = faults({name: value for name, value in body.items() if name != "id"}, _OWN_LINK.findall(str(body)))
        if wrong:
            return self._answer(request, 400, wrong=wrong)
        changed = request.match_info.get("message")
        if changed is not None and all(one.id != changed for one in self.messages):
            return self._answer(request, 404)
        if stream is not None:
            status = self.streams.ended(conversation, stream)
            if status == 202:
                self.messages.append(Written(conversation=conversation, id=stream["streamId"], content=body))
            return self._cut(request) if fault.cut else self._answer(request, status)
        id = self._write(conversation, changed, body)
        if fault.in_pieces or fault.said is not None:
            return await self._confirm(request, fault, json.dumps({"id": id}).encode())
        return self._cut(request) if fault.cut else self._answer(request, 201, id=id)

    def _sign(self, request: web.Request, conversation: str, body: Json) -> web.Response:
        """That somebody types, or a step of a stream: the first is told by which id it goes on."""
        if "entities" not in body:
            self.typing.append(conversation)
            return self._answer(request, 201, id=self.next_id())
        fault = self.coming_steps.pop(0) if self.coming_steps else Fault()
        if fault.status >= 300:
            return self._answer(request, fault.status, retry_after=fault.retry_after)
        if fault.cut == "before":
            return self._cut(request)
        status, id = self.streams.told(conversation, body, self.next_id())
        if fault.cut:
            return self._cut(request)
        return self._answer(request, status, **({"id": id} if status == 201 else {}))

    async def _confirm(self, request: web.Request, fault: Fault, right: bytes) -> web.StreamResponse:
        """Say that the message was taken, in the way of the fault."""
        said = right if fault.said is None else fault.said
        status = fault.status or 201
        self.calls.append((request.method, status))
        answer = web.StreamResponse(status=status, headers={"Content-Type": fault.kind})
        answer.content_length = len(said)
        await answer.prepare(request)
        half = len(said) // 2 if fault.in_pieces else 0
        for piece in filter(None, (said[:half], said[half:])):
            await answer.write(piece)
            # So that the two are not read at once.
            await asyncio.sleep(0.05)
        self._changed.set()
        return answer

    def _write(self, conversation: str, message: str | None, content: Json) -> str:
        """A new message, or other content for one that is there."""
        if message is None:
            self.messages.append(Written(conversation=conversation, id=self.next_id(), content=content))
            return self.messages[-1].id
        place = next(place for place, one in enumerate(self.messages) if one.id == message)
        self.messages[place] = Written(conversation=conversation, id=message, content=content)
        return message

    def _answer(self, request: web.Request, status: int, *, retry_after: str = "", **said: Any) -> web.Response:
        self.calls.append((request.method, status))
        self._changed.set()
        headers = {"Retry-After": retry_after} if retry_after else {}
        if 300 <= status < 400:
            headers["Location"] = str(request.url)
        return web.json_response(said, status=status, headers=headers)

    def _cut(self, request: web.Request) -> web.Response:
        self.calls.append((request.method, 0))
        self._changed.set()
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    def _token(self) -> str:
        return f"granted-{self.sign_ins}"

    @property
    def identity(self) -> Identity:
        """Of the machine on which the bot runs."""
        if self._identity is None:
            self._identity = Identity(client=APP, resource="https://api.botframework.com", grant=self._granted)
        return self._identity

    def _granted(self) -> str:
        self.sign_ins += 1
        return self._token()

    async def sign_in(self, request: web.Request) -> web.Response:
        """Microsoft Entra, for our one app."""
        form = await request.post()
        right = (request.match_info["tenant"], form.get("client_id"), form.get("client_secret")) == (
            TENANT,
            APP,
            PASSWORD,
        )
        if not right or form.get("scope") != "https://api.botframework.com/.default":
            self.refused_sign_ins += 1
            return web.json_response({"error": "invalid_client"}, status=401)
        return web.json_response({"access_token": self._granted(), "expires_in": 3599, "token_type": "Bearer"})

    async def metadata(self, request: web.Request) -> web.Response:
        """Where the keys are."""
        self.keys_asked += 1
        if self.keys_down:
            return web.Response(status=503)
        return web.json_response({"issuer": "https://api.botframework.com", "jwks_uri": f"{self.address}/keys"})

    async def keys(self, request: web.Request) -> web.Response:
        """The keys."""
        return web.json_response(self.signing.keys())

    async def file(self, request: web.Request) -> web.Response:
        """A file that somebody attached; whoever has its address may fetch it, and nobody says who he is."""
        assert "Authorization" not in request.headers
        return web.Response(body=self.files[request.match_info["name"]])


def _buttons(content: Any) -> Iterator[Json]:
    """Those of a message, wherever on its cards."""
    if isinstance(content, Mapping) and content.get("type") == "Action.Execute":
        yield dict(content)
    parts = content.values() if isinstance(content, Mapping) else content if isinstance(content, list) else ()
    for part in parts:
        yield from _buttons(part)


def personal(person: str) -> Json:
    """In the personal chat of this person with the bot."""
    id = f"a:1{person}"
    return {
        "conversation": {"conversationType": "personal", "id": id, "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}},
    }


def group() -> Json:
    """In the group chat."""
    return {
        "conversation": {"conversationType": "groupChat", "isGroup": True, "id": GROUP, "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}},
    }


def in_channel(thread: str | None = None, channel: str = HELPDESK) -> Json:
    """In a channel; in the thread that this message began, where one is given."""
    id = channel if thread is None else f"{channel};messageid={thread}"
    return {
        "conversation": {"conversationType": "channel", "isGroup": True, "id": id, "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}, "team": {"id": TEAM}, "channel": {"id": channel}},
    }


def place_of(where: Json) -> str:
    """The conversation's id."""
    return str(where["conversation"]["id"])


@asynccontextmanager
async def serving() -> AsyncIterator[Teams]:
    """A Teams on this machine while the context is open."""
    async with aiohttp.ClientSession() as session, _served(Teams(signing=Signing(), session=session)) as teams:
        yield teams


@asynccontextmanager
async def _served(teams: Teams) -> AsyncIterator[Teams]:
    site = web.Application()
    site.add_routes(
        [
            web.get("/.well-known/openidconfiguration", teams.metadata),
            web.get("/keys", teams.keys),
            web.get("/files/{name}", teams.file),
            web.post("/{tenant}/oauth2/v2.0/token", teams.sign_in),
            web.get(MACHINE, teams.identity.machine),
            web.get(SERVICE, teams.identity.service),
            web.post("/jp/v3/conversations/{conversation}/activities", teams.called),
            web.put("/jp/v3/conversations/{conversation}/activities/{message}", teams.called),
            web.delete("/jp/v3/conversations/{conversation}/activities/{message}", teams.removed),
        ]
    )
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        teams.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield teams
    finally:
        await runner.cleanup()
