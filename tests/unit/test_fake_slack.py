"""The Slack of the tests is as strict as the real one: driven by the real Bolt app and the real web client."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import AYA, FINANCE, GENERAL, HELPDESK, KEN, RANDOM, TEAM, Slack, serving
from tests.fakes.slack.views import Unfilled

Json = dict[str, Any]


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with serving() as opened:
        opened.wire.retry_delays = (0.0, 0.05)
        yield opened


#: What every message of the bot says.
QUIET: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


@pytest.fixture
def client(slack: Slack) -> AsyncWebClient:
    return AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)


def answering(client: AsyncWebClient, seen: list[str], secret: str | None = None) -> AsyncApp:
    """An app that answers each mention in its thread, and streams in direct conversations."""
    app = AsyncApp(client=client, signing_secret=secret, logger=logging.getLogger("quiet"))

    @app.event("app_mention")
    async def mentioned(event: Json, client: AsyncWebClient) -> None:
        seen.append(event["text"])
        await client.chat_postMessage(**QUIET, channel=event["channel"], thread_ts=event["ts"], text="いま調べます")

    @app.event("message")
    async def written(event: Json, client: AsyncWebClient) -> None:
        if event.get("channel_type") == "im" and "subtype" not in event:
            stream = await client.chat_stream(channel=event["channel"], thread_ts=event["ts"], buffer_size=1)
            await stream.append(markdown_text="**one** ")
            await stream.append(markdown_text="two")
            await stream.stop()

    @app.action("solved")
    async def solved(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    @app.command("/helpdesk")
    async def command(ack: Any, command: Json, respond: Any) -> None:
        await ack()
        await respond(f"you typed {command['text']}")

    @app.view("form")
    async def form(ack: Any, view: Json) -> None:
        words = view["state"]["values"]["why"]["words"]["value"]
        await (ack() if words != "?" else ack(response_action="errors", errors={"why": "say why"}))

    return app


FORM = {
    "type": "modal",
    "callback_id": "form",
    "title": {"type": "plain_text", "text": "Why?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Why"},
            "element": {"type": "plain_text_input", "action_id": "words"},
        }
    ],
}
BUTTON = {"type": "button", "action_id": "solved", "text": {"type": "plain_text", "text": "Solved"}, "value": "yes"}


@asynccontextmanager
async def connected(slack: Slack, client: AsyncWebClient, seen: list[str]) -> AsyncIterator[None]:
    handler: Any = AsyncSocketModeHandler(answering(client, seen), slack.app_token, ping_interval=0.2)
    try:
        await handler.connect_async()
        await slack.connected()
        yield
    finally:
        await handler.close_async()
        await asyncio.sleep(0)


async def refusal(call: Any) -> tuple[str, list[str]]:
    """The error of a call that must be refused, and the reasons with it."""
    with pytest.raises(SlackApiError) as refused:
        await call
    body = refused.value.response.data
    assert isinstance(body, dict)
    return body["error"], body.get("response_metadata", {}).get("messages", [])


# --- over Socket Mode ---


async def test_a_mention_is_answered_in_its_thread(slack: Slack, client: AsyncWebClient) -> None:
    seen: list[str] = []
    async with connected(slack, client, seen):
        ts = await slack.say(AYA, HELPDESK, "a < b & c", mention=True)
        [answer] = await slack.answered(HELPDESK, ts)
        await slack.settled()
    assert (answer["text"], answer["thread_ts"]) == ("いま調べます", ts)
    assert seen == ["<@U0BOT> a &lt; b &amp; c"]
    assert [s["payload"]["event"]["type"] for s in slack.wire.sent][:2] == ["message", "app_mention"]
    assert all(ack.ok for ack in slack.acks)


async def test_where_the_bot_is_no_member_nothing_is_delivered(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        await slack.say(AYA, RANDOM, "hello", mention=True)
        await slack.settled()
    assert slack.wire.sent == []


async def test_the_same_envelope_again_reaches_the_app_again(slack: Slack, client: AsyncWebClient) -> None:
    seen: list[str] = []
    async with connected(slack, client, seen):
        ts = await slack.say(AYA, HELPDESK, "twice", mention=True)
        await slack.answered(HELPDESK, ts)
        assert all(ack.ok for ack in await slack.again(type="app_mention"))
        await slack.answered(HELPDESK, ts, count=2)
        await slack.settled()
    assert len(seen) == 2


async def test_after_a_disconnect_the_app_comes_back_and_misses_nothing(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        await slack.disconnect()
        ts = await slack.say(AYA, HELPDESK, "still there?", mention=True)
        await slack.answered(HELPDESK, ts)
        await slack.connected(2)
        await slack.settled()
    assert slack.wire.lost == []


async def test_a_deaf_socket_sends_nothing_and_answers_no_ping(slack: Slack, client: AsyncWebClient) -> None:
    slack.wire.ack_limit = 0.05
    async with connected(slack, client, []):
        slack.deafen()
        await slack.say(AYA, HELPDESK, "anyone?")
        await slack.settled()
        await slack.connected(2)  # the client noticed that no pong came
    first, *retries = slack.acks
    assert (first.attempt, first.delay) == (0, None)
    assert [retry.attempt for retry in retries][:1] == [1]


async def test_a_closed_socket_is_opened_again(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        await slack.close_sockets()
        await slack.connected(2)
        slack.break_sockets()
        await slack.connected(3)


async def test_a_message_in_a_direct_conversation_can_be_streamed(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        ts = await slack.say(AYA, slack.dm(AYA), "hello")
        await slack.until(lambda: bool(slack.calls("chat.stopStream")))
        await slack.settled()
    [answer] = slack.answers(slack.dm(AYA), ts)
    assert answer["text"] == "**one** two"
    assert [(block["type"], block["text"]) for block in answer["blocks"]] == [("markdown", "**one** two")]


async def test_a_press_opens_a_form_and_its_answer_is_checked(slack: Slack, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(
        **QUIET, channel=HELPDESK, text="?", blocks=[{"type": "actions", "elements": [BUTTON]}]
    )
    async with connected(slack, client, []):
        assert (await slack.press(AYA, "solved", channel=HELPDESK, ts=posted["ts"])).ok
        await slack.until(lambda: bool(slack.views(AYA)))
        [form] = slack.views(AYA)
        for empty in ({"why": {"words": ""}}, {"why": {"words": None}}, {}):
            with pytest.raises(Unfilled):
                await slack.submit(AYA, form["id"], empty)
            assert slack.views(AYA)[0]["errors"] == {"why": "Please complete this required field."}
        await slack.submit(AYA, form["id"], {"why": {"words": "?"}})
        assert slack.views(AYA)[0]["errors"] == {"why": "say why"}
        await slack.submit(AYA, form["id"], {"why": {"words": "it works"}})
        assert slack.views(AYA) == []
        with pytest.raises(LookupError):
            await slack.press(AYA, "unsolved", channel=HELPDESK, ts=posted["ts"])
        await slack.settled()


async def test_what_people_do_is_sent_as_slack_sends_it(slack: Slack, client: AsyncWebClient) -> None:
    slack.wire.ack_limit, slack.wire.retry_delays = 0.2, ()  # Bolt does not acknowledge what nobody listens to
    async with connected(slack, client, []):
        ts = await slack.say(AYA, HELPDESK, "first", files=[slack.file("log.txt", b"x")])
        reply = await slack.say(KEN, HELPDESK, "reply", thread=ts, broadcast=True)
        await slack.edit(AYA, HELPDESK, ts, "second")
        await slack.unfurl(HELPDESK, ts, "https://example.com")
        await slack.react(KEN, HELPDESK, ts, "eyes")
        await slack.delete(HELPDESK, reply)
        await slack.join("U0ALERTS", FINANCE)
        await slack.bot_says("U0ALERTS", HELPDESK, "disk full", subtype="bot_message")
        await slack.open_home(AYA, "messages")
        await slack.uninstall()
        await slack.settled()
    events = [sent["payload"]["event"] for sent in slack.wire.sent]
    assert [(event["type"], event.get("subtype")) for event in events] == [
        ("message", "file_share"),
        ("message", "thread_broadcast"),
        ("message", "message_changed"),
        ("message", "message_changed"),
        ("reaction_added", None),
        ("message", "message_deleted"),
        ("message", "channel_join"),
        ("member_joined_channel", None),
        ("message", "bot_message"),
        ("app_home_opened", None),
        ("tokens_revoked", None),
        ("app_uninstalled", None),
    ]
    edited, unfurled = events[2], events[3]
    assert (edited["previous_message"]["text"], edited["message"]["text"]) == ("first", "second")
    assert unfurled["previous_message"]["text"] == unfurled["message"]["text"]
    assert "user" not in events[8]


async def test_a_deleted_root_with_replies_leaves_a_tombstone(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        ts = await slack.say(AYA, HELPDESK, "root")
        await slack.say(KEN, HELPDESK, "reply", thread=ts)
        await slack.delete(HELPDESK, ts)
        await slack.settled()
    last = slack.wire.sent[-1]["payload"]["event"]
    assert (last["subtype"], last["message"]["subtype"]) == ("message_changed", "tombstone")


async def test_the_two_events_of_a_mention_come_in_the_order_that_is_asked_for(
    slack: Slack, client: AsyncWebClient
) -> None:
    slack.mention_order = ("app_mention", "message")
    async with connected(slack, client, []):
        await slack.say(AYA, HELPDESK, "hello", mention=True)
        await slack.settled()
    assert [s["payload"]["event"]["type"] for s in slack.wire.sent][:2] == ["app_mention", "message"]


async def test_a_slash_command_is_answered_to_one_person_only(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []):
        assert (await slack.slash(KEN, GENERAL, "/helpdesk", "help")).ok
        await slack.until(lambda: bool(slack.ephemerals(KEN)))
    assert [m["text"] for m in slack.ephemerals(KEN, GENERAL)] == ["you typed help"]
    assert slack.ephemerals(AYA) == []
    assert slack.messages(GENERAL) == []


# --- over signed HTTP ---


@asynccontextmanager
async def listening(slack: Slack, client: AsyncWebClient, seen: list[str]) -> AsyncIterator[None]:
    runner = web.AppRunner(answering(client, seen, slack.signing_secret).web_app("/slack/events"))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.wire.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        yield
        await slack.settled()
    finally:
        await runner.cleanup()


async def test_a_signed_event_is_accepted_and_a_spoilt_one_is_refused(slack: Slack, client: AsyncWebClient) -> None:
    seen: list[str] = []
    async with listening(slack, client, seen):
        assert await slack.verify_url()
        ts = await slack.say(AYA, HELPDESK, "over HTTP", mention=True)
        await slack.answered(HELPDESK, ts)
        event = slack.wire.callback({"type": "app_mention", "text": "forged", "channel": HELPDESK, "ts": ts}, TEAM)
        assert (await slack.post(event, secret="guessed"))[0] == 401
        assert (await slack.post(event, age=600))[0] == 401
        assert (await slack.post(event, headers={}))[0] == 401
        assert (await slack.slash(AYA, HELPDESK, "/helpdesk", "help")).ok
        await slack.until(lambda: bool(slack.ephemerals(AYA)))
    assert seen == ["<@U0BOT> over HTTP"]


async def test_an_event_without_a_good_answer_is_sent_again_with_its_number(slack: Slack) -> None:
    heads: list[Any] = []

    async def fail_once(request: web.Request) -> web.Response:
        heads.append(request.headers.get("X-Slack-Retry-Num"))
        return web.Response(status=500 if len(heads) == 1 else 200)

    app = web.Application()
    app.router.add_post("/", fail_once)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    slack.wire.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    await slack.say(AYA, HELPDESK, "hello")
    await slack.settled()
    await runner.cleanup()
    assert heads == [None, "1"]


# --- faults ---


async def test_a_429_with_retry_after_is_waited_out_by_the_clients_own_handler(
    slack: Slack, client: AsyncWebClient
) -> None:
    slack.fail("chat.postMessage", times=2, status=429, retry_after=0)
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=2))
    await client.chat_postMessage(**QUIET, channel=HELPDESK, text="at last")
    assert [made.status for made in slack.calls("chat.postMessage")] == [429, 429, 200]
    assert len(slack.messages(HELPDESK)) == 1


async def test_a_connection_dropped_after_the_call_leaves_the_message_there(
    slack: Slack, client: AsyncWebClient
) -> None:
    client.retry_handlers.clear()
    slack.fail("chat.postMessage", drop="before")
    with pytest.raises(aiohttp.ClientError):
        await client.chat_postMessage(**QUIET, channel=HELPDESK, text="lost")
    slack.fail("chat.postMessage", drop="after")
    with pytest.raises(aiohttp.ClientError):
        await client.chat_postMessage(**QUIET, channel=HELPDESK, text="kept")
    assert [m["text"] for m in slack.messages(HELPDESK)] == ["kept"]


async def test_tokens_and_scopes_are_checked(slack: Slack, client: AsyncWebClient) -> None:
    who = await client.auth_test()
    assert (who["team_id"], who["user_id"], who["bot_id"]) == (TEAM, slack.me, "B0BOT")
    assert await refusal(client.apps_connections_open(app_token=slack.bot_token)) == ("not_allowed_token_type", [])
    assert await refusal(client.auth_test(token="xoxb-unknown")) == ("invalid_auth", [])
    assert await refusal(client.api_call("chat.shout")) == ("unknown_method", [])
    slack.api.granted -= {"groups:history"}
    with pytest.raises(SlackApiError) as refused:
        await client.conversations_history(channel=FINANCE)
    assert refused.value.response["needed"] == "groups:history"
    await slack.uninstall()
    assert await refusal(client.auth_test()) == ("token_revoked", [])


# --- limits ---


def section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def rich(*elements: Json) -> Json:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


REFUSED_BLOCKS: dict[str, tuple[list[Json], str]] = {
    "a section of 3,001": ([section("x" * 3001)], "invalid_blocks"),
    "51 blocks": ([{"type": "divider"}] * 51, "invalid_blocks"),
    "markdown of 12,001 in two": ([{"type": "markdown", "text": "x" * 6001}] * 2, "msg_blocks_too_long"),
    "five full sections": ([section("x" * 3000)] * 5, "msg_blocks_too_long"),
    "an unknown block": ([{"type": "spreadsheet"}], "invalid_blocks"),
    "an unknown rich text element": ([rich({"type": "blink", "text": "x"})], "invalid_blocks"),
    "an empty rich text": ([rich({"type": "text", "text": ""})], "invalid_blocks"),
    "a button's value of 2,001": (
        [{"type": "actions", "elements": [{**BUTTON, "value": "x" * 2001}]}],
        "invalid_blocks",
    ),
    "an action_id of 256": ([{"type": "actions", "elements": [{**BUTTON, "action_id": "x" * 256}]}], "invalid_blocks"),
    "eleven in a context": (
        [{"type": "context", "elements": [{"type": "plain_text", "text": "x"}] * 11}],
        "invalid_blocks",
    ),
    "two tables": ([{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}] * 2, "invalid_attachments"),
    "the same block_id twice": ([{"type": "divider", "block_id": "a"}] * 2, "invalid_blocks"),
}


@pytest.mark.parametrize("name", REFUSED_BLOCKS)
async def test_blocks_beyond_the_limits_are_refused(slack: Slack, client: AsyncWebClient, name: str) -> None:
    blocks, expected = REFUSED_BLOCKS[name]
    error, reasons = await refusal(client.chat_postMessage(**QUIET, channel=HELPDESK, text="?", blocks=blocks))
    assert error == expected
    assert reasons
    assert slack.messages(HELPDESK) == []


async def test_blocks_at_the_limits_are_taken(slack: Slack, client: AsyncWebClient) -> None:
    edges: list[list[Json]] = [
        [section("x" * 3000)] * 4,
        [{"type": "divider"}] * 50,
        [{"type": "markdown", "text": "x" * 12_000}],
        [{"type": "actions", "elements": [{**BUTTON, "value": "x" * 2000, "action_id": "x" * 255}]}],
        [rich({"type": "text", "text": "太字", "style": {"bold": True}}, {"type": "user", "user_id": AYA})],
    ]
    for blocks in edges:
        await client.chat_postMessage(**QUIET, channel=HELPDESK, text="?", blocks=blocks)
    assert len(slack.messages(HELPDESK)) == len(edges)


async def test_messages_that_cannot_be_are_refused(slack: Slack, client: AsyncWebClient) -> None:
    ts = await slack.say(AYA, HELPDESK, "hello")
    own = (await client.chat_postMessage(**QUIET, channel=HELPDESK, text="hi", thread_ts=ts))["ts"]
    slack.world.channels[GENERAL].archived = True
    for expected, call in {
        "no_text": client.api_call("chat.postMessage", json={"channel": HELPDESK, **QUIET}),
        "msg_too_long": client.chat_postMessage(**QUIET, channel=HELPDESK, text="x" * 40_001),
        "channel_not_found": client.chat_postMessage(**QUIET, channel="C404", text="x"),
        "not_in_channel": client.chat_postMessage(**QUIET, channel=RANDOM, text="x"),
        "is_archived": client.chat_postMessage(**QUIET, channel=GENERAL, text="x"),
        "thread_not_found": client.chat_postMessage(**QUIET, channel=HELPDESK, text="x", thread_ts="1.000001"),
        "cannot_reply_to_message": client.chat_postMessage(**QUIET, channel=HELPDESK, text="x", thread_ts=own),
        "cant_update_message": client.chat_update(channel=HELPDESK, ts=ts, text="x"),
        "no_reaction": client.reactions_remove(channel=HELPDESK, timestamp=ts, name="eyes"),
        "missing_recipient_team_id": client.chat_startStream(channel=HELPDESK, thread_ts=ts),
        "message_not_in_streaming_state": client.chat_appendStream(channel=HELPDESK, ts=own, markdown_text="x"),
        "invalid_thread_ts": client.assistant_threads_setStatus(channel_id=HELPDESK, thread_ts="1.0", status="x"),
        "invalid_trigger_id": client.views_open(trigger_id="1.2.x", view=FORM),
    }.items():
        assert (await refusal(call))[0] == expected
    assert (await refusal(client.chat_update(channel=HELPDESK, ts=own, text="x" * 4001)))[0] == "msg_too_long"


async def test_a_message_that_would_show_what_is_behind_a_link_is_refused(slack: Slack, client: AsyncWebClient) -> None:
    loud: list[dict[str, Any]] = [
        {},
        {"unfurl_links": False},
        {**QUIET, "unfurl_media": True},
        {**QUIET, "unfurl_links": None},
    ]
    for given in loud:
        error, [reason] = await refusal(client.chat_postMessage(channel=HELPDESK, text="x", **given))
        assert (error, "the bot unfurls nothing" in reason) == ("invalid_arguments", True)
    said = await client.chat_postMessage(channel=HELPDESK, text="x", **QUIET)
    again = {"channel": HELPDESK, "ts": said["ts"], "text": "y"}
    error, _ = await refusal(client.chat_update(**again, unfurl_links=True))
    assert error == "invalid_arguments"
    assert (await client.chat_update(**again))["ok"]


async def test_a_stream_dies_when_it_is_not_written_to(slack: Slack, client: AsyncWebClient) -> None:
    slack.api.stream_life = -1.0
    ts = await slack.say(AYA, slack.dm(AYA), "hello")
    stream = await client.chat_startStream(channel=slack.dm(AYA), thread_ts=ts, markdown_text="one")
    append = client.chat_appendStream(channel=slack.dm(AYA), ts=str(stream["ts"]), markdown_text="two")
    assert (await refusal(append))[0] == "message_not_in_streaming_state"


async def test_a_trigger_opens_one_view_while_it_lives(slack: Slack, client: AsyncWebClient) -> None:
    trigger = slack.world.new_trigger(AYA)
    await client.views_open(trigger_id=trigger, view=FORM)
    assert (await refusal(client.views_open(trigger_id=trigger, view=FORM)))[0] == "exchanged_trigger_id"
    slack.api.trigger_life = -1.0
    late = client.views_open(trigger_id=slack.world.new_trigger(AYA), view=FORM)
    assert (await refusal(late))[0] == "expired_trigger_id"


async def test_a_status_goes_when_the_bot_answers(slack: Slack, client: AsyncWebClient) -> None:
    ts = await slack.say(AYA, HELPDESK, "hello")
    await client.assistant_threads_setStatus(channel_id=HELPDESK, thread_ts=ts, status="is thinking…")
    assert slack.status(HELPDESK, ts) == "is thinking…"
    await client.chat_postMessage(**QUIET, channel=HELPDESK, thread_ts=ts, text="42")
    assert slack.status(HELPDESK, ts) == ""
    assert [(s.text, s.by) for s in slack.status_history(HELPDESK, ts)] == [("is thinking…", "call"), ("", "message")]


async def test_metadata_comes_back_when_it_is_asked_for(slack: Slack, client: AsyncWebClient) -> None:
    ts = await slack.say(AYA, HELPDESK, "hello")
    metadata = {"event_type": "answer", "event_payload": {"turn": "7"}}
    await client.chat_postMessage(**QUIET, channel=HELPDESK, thread_ts=ts, text="x", metadata=metadata)
    plain = await client.conversations_replies(channel=HELPDESK, ts=ts)
    full = await client.conversations_replies(channel=HELPDESK, ts=ts, include_all_metadata=True)
    assert "metadata" not in plain["messages"][1]
    assert full["messages"][1]["metadata"] == metadata


async def test_a_private_file_needs_the_token(slack: Slack) -> None:
    file = slack.file("log.txt", "印刷できない".encode())
    async with aiohttp.ClientSession() as session:
        async with session.get(file["url_private"]) as response:
            assert (response.status, response.content_type) == (200, "text/html")
        bearer = {"Authorization": f"Bearer {slack.bot_token}"}
        async with session.get(file["url_private"], headers=bearer) as response:
            assert await response.text() == "印刷できない"


# The web client itself still uses what aiohttp is about to drop.
@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
async def test_an_oauth_code_is_exchanged_once(slack: Slack, client: AsyncWebClient) -> None:
    slack.add_team("T2", "Second", enterprise_id="E1")
    slack.offer("code", team="T2", token="xoxb-2")
    exchange = {"client_id": "1.2", "client_secret": "hush", "code": "code"}
    found = await client.oauth_v2_access(**exchange)
    assert (found["access_token"], found["enterprise"]["id"]) == ("xoxb-2", "E1")
    assert (await client.auth_test(token="xoxb-2"))["team_id"] == "T2"
    assert (await refusal(client.oauth_v2_access(**exchange)))[0] == "invalid_code"


# --- the page ---


async def test_what_is_typed_on_the_page_is_delivered_and_shown(slack: Slack, client: AsyncWebClient) -> None:
    async with connected(slack, client, []), aiohttp.ClientSession(slack.base_url) as browser:
        async with browser.get("/") as response:
            assert response.status == 200
            assert 'id="channels"' in await response.text()
        typed = {"user": AYA, "channel": HELPDESK, "text": "@helpdesk 印刷できません"}
        async with browser.post("/ui/say", json=typed) as response:
            ts = (await response.json())["done"]
        await slack.answered(HELPDESK, ts)
        async with browser.get("/ui/state", params={"user": AYA}) as response:
            shown = await response.json()
        await slack.settled()
    [channel] = [channel for channel in shown["channels"] if channel["id"] == HELPDESK]
    assert [m["text"] for m in channel["messages"]] == ["<@U0BOT> 印刷できません", "いま調べます"]


async def test_a_file_that_is_attached_on_the_page_arrives_byte_for_byte_in_a_thread_too(slack: Slack) -> None:
    japanese, picture = "印刷できない".encode("shift_jis"), b"\x89PNG\r\n\x1a\n\xff\xfe\x00"
    async with aiohttp.ClientSession(slack.base_url) as browser:
        said, thread = [], None
        for name, kind, content in (("a.txt", "text/plain", japanese), ("b.png", "image/png", picture)):
            file = {"name": name, "type": kind, "bytes": b64encode(content).decode()}
            typed = {"user": AYA, "channel": HELPDESK, "text": "添付", "thread": thread, "files": [file]}
            async with browser.post("/ui/say", json=typed) as response:
                thread = thread or (await response.json())["done"]
            said.append(content)
    kept = [slack.world.contents[each["files"][0]["id"]] for each in slack.messages(HELPDESK)]
    assert kept == said
    assert [each.get("thread_ts", thread) for each in slack.messages(HELPDESK)] == [thread, thread]


async def test_another_sites_page_may_not_act(slack: Slack) -> None:
    typed = {"user": AYA, "channel": HELPDESK, "text": "forged"}
    elsewhere = {"Origin": "https://example.org"}
    async with aiohttp.ClientSession(slack.base_url, headers=elsewhere) as browser:
        assert (await browser.post("/ui/say", json=typed)).status == 403
    assert slack.messages(HELPDESK) == []


async def test_what_another_person_alone_sees_is_nothing_to_press_and_that_is_said(
    slack: Slack, client: AsyncWebClient
) -> None:
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    said = await client.chat_postEphemeral(
        channel=HELPDESK, user=AYA, text="t", blocks=[{"type": "actions", "elements": [button]}]
    )
    pressing = {"channel": HELPDESK, "ts": said["message_ts"], "action_id": "go"}
    async with aiohttp.ClientSession(slack.base_url) as browser:
        for user, ts in ((KEN, said["message_ts"]), (AYA, "1700000000.000100")):
            async with browser.post("/ui/press", json={**pressing, "user": user, "ts": ts}) as response:
                assert response.status == 404
                assert (await response.json())["error"] == (
                    f"{user} sees no message {ts} in {HELPDESK}, so there is nothing to press"
                )
