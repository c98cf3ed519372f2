"""How what happens reaches the app: over Socket Mode, or as signed HTTP to the request URL; tried again like Slack."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.fakes.slack.links import Links
from tests.fakes.slack.signing import signed
from tests.fakes.slack.world import Json, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """One attempt to deliver. `delay` in seconds from sending to the acknowledgement, None when there was none.

    `payload` is what the app answered with it; `status` is an HTTP status, or 200 for an acknowledged envelope.
    """

    kind: str
    id: str
    attempt: int
    delay: float | None
    payload: Json = field(default_factory=dict)
    status: int = 200

    @property
    def ok(self) -> bool:
        return self.delay is not None and 200 <= self.status < 300


@dataclass(slots=True, kw_only=True)
class Wire:
    """Deliveries, and how patient they are (all in seconds)."""

    world: World
    links: Links
    signing_secret: str
    request_url: str | None = None
    ack_limit: float = 3.0
    retry_delays: tuple[float, ...] = (0.0, 60.0, 300.0)
    subscribed: frozenset[str] | None = None
    acks: list[Acknowledged] = field(default_factory=list)
    sent: list[Json] = field(default_factory=list)
    lost: list[Json] = field(default_factory=list)
    _under_way: set[asyncio.Task[Acknowledged]] = field(default_factory=set)
    _client: aiohttp.ClientSession | None = None

    def event(self, event: Mapping[str, Any], team: str) -> asyncio.Task[Acknowledged] | None:
        """Start to deliver an event, unless the app did not subscribe to its type."""
        if self.subscribed is not None and event["type"] not in self.subscribed:
            return None
        return self.start("events_api", self.callback(event, team))

    def callback(self, event: Mapping[str, Any], team: str) -> Json:
        """The envelope that Slack puts around an event."""
        enterprise = self.world.teams[team].enterprise_id
        about = {"enterprise_id": enterprise, "team_id": team, "user_id": self.world.me.id, "is_bot": True}
        return {
            "token": "verification-token",
            "team_id": team,
            **({"enterprise_id": enterprise} if enterprise else {}),
            "context_team_id": team,
            "context_enterprise_id": enterprise,
            "api_app_id": self.world.app_id,
            "event": dict(event),
            "type": "event_callback",
            "event_id": self.world.fresh("Ev"),
            "event_time": int(time.time()),
            "authorizations": [{**about, "is_enterprise_install": enterprise in self.world.wide}],
            "is_ext_shared_channel": self._shared(event),
            "event_context": f"4-{self.world.fresh('x')}",
        }

    def _shared(self, event: Mapping[str, Any]) -> bool:
        channel = self.world.channels.get(str(event.get("channel")))
        return channel is not None and channel.shared

    def start(self, kind: str, payload: Json) -> asyncio.Task[Acknowledged]:
        """Deliver in the background; `settled` waits for all of them. What is sent first arrives first."""
        task = asyncio.create_task(self.deliver(kind, payload))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def settled(self, seconds: float = 10.0) -> None:
        """Wait until nothing is under way; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while self._under_way:
                await asyncio.wait(set(self._under_way))

    async def deliver(self, kind: str, payload: Json) -> Acknowledged:
        """Send until it is acknowledged: events as often as Slack does, what people press and type once."""
        self.sent.append({"kind": kind, "payload": payload})
        delays = self.retry_delays if kind == "events_api" else ()
        done = await self.attempt(kind, payload, 0)
        for attempt, delay in enumerate(delays, start=1):
            if done.ok or done.payload.get("no_retry"):
                return done
            await asyncio.sleep(delay)
            done = await self.attempt(kind, payload, attempt, "http_error" if done.delay else "timeout")
        if not done.ok:
            self.lost.append(payload)
        return done

    async def attempt(self, kind: str, payload: Json, number: int, reason: str = "timeout") -> Acknowledged:
        """One delivery, acknowledged or not."""
        if self.request_url is None:
            done = await self._over_socket(kind, payload, number, reason)
        else:
            done = await self._over_http(kind, payload, number, reason)
        self.acks.append(done)
        self.world.touch()
        return done

    async def _over_socket(self, kind: str, payload: Json, number: int, reason: str) -> Acknowledged:
        envelope: Json = {
            "envelope_id": str(uuid.uuid5(uuid.NAMESPACE_OID, event_id(payload))),
            "payload": payload,
            "type": kind,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            envelope |= {"retry_attempt": number, "retry_reason": reason if number else ""}
        patience = None if kind == "events_api" else self.ack_limit
        delay, answer = await self.links.send(envelope, patience=patience, ack_limit=self.ack_limit)
        return Acknowledged(kind=kind, id=event_id(payload), attempt=number, delay=delay, payload=answer)

    async def _over_http(self, kind: str, payload: Json, number: int, reason: str) -> Acknowledged:
        body, content_type = encoded(kind, payload)
        headers = signed(self.signing_secret, body) | {"Content-Type": content_type}
        if number:
            headers |= {"X-Slack-Retry-Num": str(number), "X-Slack-Retry-Reason": reason}
        began = time.monotonic()
        about: Json = {"kind": kind, "id": event_id(payload), "attempt": number}
        try:
            status, answer = await self.post(body, headers)
        except (aiohttp.ClientError, TimeoutError):
            return Acknowledged(**about, delay=None, status=0)
        return Acknowledged(**about, delay=time.monotonic() - began, payload=answer, status=status)

    async def post(self, body: bytes, headers: Mapping[str, str]) -> tuple[int, Json]:
        """POST to the request URL; (status, the JSON of the answer, or its words under `text`)."""
        if self.request_url is None:
            raise ValueError("set request_url first: there is nowhere to post to")
        if self._client is None:
            self._client = aiohttp.ClientSession()
        limit = aiohttp.ClientTimeout(total=self.ack_limit)
        async with self._client.post(self.request_url, data=body, headers=headers, timeout=limit) as response:
            answer = read(await response.text())
            no_retry = {"no_retry": True} if response.headers.get("X-Slack-No-Retry") == "1" else {}
            return response.status, {**answer, **no_retry}

    async def close(self) -> None:
        for task in set(self._under_way):
            task.cancel()
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=1)
        if self._client is not None:
            await self._client.close()


def encoded(kind: str, payload: Json) -> tuple[bytes, str]:
    """The HTTP body of a delivery and its content type: JSON for events, a form for what people do."""
    form = "application/x-www-form-urlencoded"
    if kind == "slash_commands":
        return urlencode(payload).encode(), form
    text = json.dumps(payload, ensure_ascii=False)
    if kind == "interactive":
        return urlencode({"payload": text}).encode(), form
    return text.encode(), "application/json"


def read(text: str) -> Json:
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text} if text else {}
    return found if isinstance(found, dict) else {"text": text}


def event_id(payload: Json) -> str:
    """What stays the same when a payload is sent again."""
    return str(payload.get("event_id") or payload.get("trigger_id") or payload.get("view", {}).get("id") or "")
