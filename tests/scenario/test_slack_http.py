"""Slack over signed HTTP: what is let in, what is not, and what an acknowledgement means."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.wiring import system_clock
from config.slack import Transport
from memory.errors import StoreUnavailable
from memory.model import Turn
from memory.ports import Recorded
from memory.stores.in_memory_mailbox import InMemoryMailbox
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.desks import desk_over
from tests.fakes.raw_http import on_one_connection, posted
from tests.fakes.slack import AYA, HELPDESK, TEAM
from tests.fakes.slack.signing import signed
from tests.fakes.slack.wire import encoded
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import deciding

JSON = {"Content-Type": "application/json"}


class Failing(InMemoryMailbox):
    """The mailbox of a store that does not answer twice, and then does."""

    failures = 2

    def __init__(self, of: InMemoryMailbox) -> None:
        super().__init__(of._memory, of._clock, of._redactor)

    async def receive(self, turn: Turn) -> Recorded:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable
        return await super().receive(turn)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path, Transport.HTTP) as place:
        yield place


def question(place: Place, text: str = "VPNが切れます", ts: str = "1789000000.000100") -> dict[str, object]:
    event = {
        "type": "message",
        "channel": place.slack.dm(AYA),
        "channel_type": "im",
        "user": AYA,
        "text": text,
        "ts": ts,
    }
    return place.slack.wire.callback(event, TEAM)


async def test_slack_accepts_the_address(place: Place) -> None:
    async with place.running():
        assert await place.slack.verify_url()


async def test_what_is_acknowledged_is_on_the_disk(place: Place) -> None:
    place.answers.seconds = 0.2
    async with place.running():
        status, _ = await place.slack.post(question(place))
        assert status == 200
        assert await place.kept(place.slack.dm(AYA), "1789000000.000100") == ["VPNが切れます"]


async def test_a_request_that_slack_did_not_sign_is_refused(place: Place) -> None:
    async with place.running():
        told = question(place)
        body = json.dumps(told).encode()
        good = signed(place.slack.signing_secret, body)
        refused = [
            await place.slack.post(told, secret="another"),
            await place.slack.post(told, age=301),
            await place.slack.post(told, age=-301),
            await place.slack.post(told, headers={}),
            await place.slack.post(told, headers={**good, "X-Slack-Request-Timestamp": "yesterday"}),
            await place.slack.post(told, headers={**good, "X-Slack-Signature": "v0=é"}),
            await place.slack.post(told, headers={"X-Slack-Signature": good["X-Slack-Signature"]}),
            await place.slack.wire.post(body + b" ", {**good, **JSON}),
            await place.slack.wire.post(b"{", {**good, **JSON}),
        ]
        assert [status for status, _ in refused] == [401] * len(refused)
        assert await place.owed() == 0
        assert (await place.slack.post(told, age=290))[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1]",
        b'"words"',
        b"null",
        b'{"team": 5}',
        b'{"authorizations": 5}',
        b'{"event": {"user": 5}}',
        b"[" * 100_000,
        b"payload=nothing",
        b"\xff\xfe",
    ],
)
async def test_what_is_signed_but_unreadable_is_no_failure_of_the_bot(place: Place, body: bytes) -> None:
    async with place.running():
        proof = signed(place.slack.signing_secret, body) if body.isascii() else {}
        status, answer = await place.slack.wire.post(body, {**proof, **JSON})
    assert 400 <= status < 500
    assert "Traceback" not in str(answer)


def told(**event: object) -> dict[str, object]:
    return {"type": "event_callback", "team_id": TEAM, "event": event}


def clicked(**more: object) -> dict[str, object]:
    return {"type": "block_actions", "team": {"id": TEAM}, "user": {"id": AYA}, **more}


@pytest.mark.parametrize(
    ("kind", "said", "expected"),
    [
        ("events_api", {}, 400),
        ("events_api", {"type": ["event_callback"], "team_id": TEAM}, 400),
        ("events_api", {"type": "event_callback", "team_id": TEAM}, 400),
        ("events_api", told(type=["message"]), 400),
        ("events_api", told(type={"a": 1}), 400),
        ("events_api", told(type="message", channel={"id": 5}, user=["U"], subtype=["x"]), 200),
        ("events_api", told(type="nothing_known"), 200),
        ("events_api", {"type": "nothing_known"}, 200),
        ("interactive", {}, 400),
        ("interactive", {"type": ["block_actions"]}, 400),
        ("interactive", clicked(actions=5), 400),
        ("interactive", clicked(actions=[]), 400),
        ("interactive", clicked(actions=[5]), 400),
        ("interactive", clicked(actions=[{"action_id": ["x"]}]), 400),
        ("interactive", clicked(actions=[{"block_id": "b"}]), 400),
        ("interactive", {**clicked(), "type": "view_submission", "view": 5}, 400),
        ("interactive", {**clicked(), "type": "view_submission", "view": {"callback_id": 5}}, 400),
        ("interactive", {**clicked(), "type": "message_action"}, 200),
        ("interactive", {**clicked(), "type": "message_action", "callback_id": ["x"]}, 400),
    ],
)
async def test_whatever_is_signed_is_heard_or_unreadable_and_never_a_failure(
    place: Place, kind: str, said: dict[str, object], expected: int
) -> None:
    body, content_type = encoded(kind, said)
    async with place.running():
        proof = signed(place.slack.signing_secret, body)
        status, answer = await place.slack.wire.post(body, {**proof, "Content-Type": content_type})
    assert status == expected, answer


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
async def test_a_body_that_is_not_packed_as_it_says_is_unreadable(place: Place, encoding: str) -> None:
    async with place.running():
        status, answer = await place.slack.wire.post(b"not packed", {**JSON, "Content-Encoding": encoding})
    assert status == 400
    assert "Server got itself in trouble" not in str(answer)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"zz", {"Content-Encoding": "gzip"}, 400),
        (b"zz", {"Content-Encoding": "deflate"}, 400),
        (b" " * 1_200_000, {}, 413),
        (b"zz", {}, 401),
    ],
    ids=["gzip", "deflate", "large", "unsigned"],
)
async def test_who_comes_after_a_stranger_on_the_same_connection_is_answered_or_let_go(
    place: Place, body: bytes, headers: dict[str, str], status: int
) -> None:
    async with place.running():
        refused, then = await on_one_connection(place.address, posted("/slack/events", body, {**JSON, **headers}))
    assert (refused, then in (200, None)) == (status, True)


async def test_a_body_that_is_too_large_is_refused_whoever_signed_it(place: Place) -> None:
    async with place.running():
        status, _ = await place.slack.post(question(place, text="x" * 1_010_000))
    assert status == 413


async def test_an_event_that_the_store_could_not_take_is_told_again(place: Place) -> None:
    store = InMemoryStore(clock=system_clock)
    desk = desk_over(store, place.answers, system_clock, mailbox=Failing(store.mailbox))
    place.app = replace(deciding(place.app, desk=desk), store=store)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
    assert 500 in [ack.status for ack in place.slack.acks]
    assert len(place.slack.answers(HELPDESK, asked)) == 1


@pytest.mark.parametrize("kind", ["interactive", "slash_commands"])
async def test_what_people_press_and_type_comes_to_the_same_path(place: Place, kind: str) -> None:
    payload = {"type": "block_actions", "team": {"id": TEAM}, "user": {"id": AYA}, "actions": [{"action_id": "none"}]}
    command = {"command": "/nothing", "team_id": TEAM, "user_id": AYA, "text": ""}
    body, content_type = encoded(kind, payload if kind == "interactive" else command)
    async with place.running():
        proof = signed(place.slack.signing_secret, body)
        status, _ = await place.slack.wire.post(body, {**proof, "Content-Type": content_type})
        refused, _ = await place.slack.wire.post(body, {"Content-Type": content_type})
    assert status < 500
    assert refused == 401


async def test_a_process_that_ends_answers_what_it_took(place: Place) -> None:
    place.answers.seconds = 0.2
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.settled()
    assert len(place.slack.answers(HELPDESK, asked)) == 1
    assert await place.owed() == 0


async def test_many_deliveries_at_once_bring_one_reply(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.settled()
        told = await place.slack.again(times=10)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
    assert [ack.status for ack in told] == [200] * 10
    assert len(place.slack.answers(HELPDESK, asked)) == 1


async def test_a_removed_app_with_its_token_in_the_configuration_is_not_ready_and_says_so(place: Place) -> None:
    async with place.running():
        await place.slack.uninstall()
        await place.slack.settled()
        conditions = place.app.health.ready()
    assert {ack.status for ack in place.slack.acks} == {200}
    assert conditions["slack"].ok
    assert not conditions["slack installation"].ok
    assert "install it again" in conditions["slack installation"].why


async def test_a_removal_of_long_ago_is_believed_only_if_the_token_no_longer_holds(place: Place) -> None:
    async with place.running():
        assert (await place.slack.post(place.slack.wire.callback({"type": "app_uninstalled"}, TEAM)))[0] == 200
        assert all(condition.ok for condition in place.app.health.ready().values())
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
