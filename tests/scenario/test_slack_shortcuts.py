"""What can be done with a message in Slack: remembering its thread, making a ticket of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from config.slack import SlackChannelSettings, Transport
from handlers.slack.acts.names import MAKE_TICKET, NOTE, REMEMBER_THREAD, SUBJECT, TICKET_FORM
from memory.model import Conversation, Role, Turn, Viewer, Visibility
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, MAI, RANDOM, TEAM
from tests.fakes.slack.cast import ALERTS
from tests.fakes.slack.events import action_ts, interaction
from tests.fakes.slack_acts import SUPPORT, idle, posted, whispered, with_support
from tests.fakes.slack_place import LATER, Place, opened
from tests.fakes.small_application import deciding

CLOSED = "このチャンネルを読めません。先に私をチャンネルに招待してください（/invite）。"


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        yield place


either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


async def thread_in(place: Place, channel: str) -> tuple[str, str]:
    """A thread of people and a program in which the bot is not addressed: the ts of its root and of its last reply."""
    root = await place.slack.say(AYA, channel, "VPNが切れます <@U0KEN>")
    await place.slack.bot_says(ALERTS, channel, "vpn-01 is down", thread=root)
    await place.slack.say(KEN, channel, "再起動してみてください & もう一度", thread=root)
    last = await place.slack.say(AYA, channel, "直りました", thread=root)
    return root, last


async def turns_in(place: Place, channel: str, thread: str) -> list[Turn]:
    """All that is remembered of a thread, for somebody who sees everything."""
    where = Conversation(platform="slack", workspace=TEAM, channel=channel, thread=thread)
    return await place.app.store.reading.recent(where.id, Viewer(user="keeper", agent=True), LATER, 2000)


async def shortcut_forged(place: Place, user: str, callback: str, channel: str, thread: str) -> None:
    """A shortcut on a message that this person's client does not show."""
    about = {
        "callback_id": callback,
        "action_ts": action_ts(),
        "channel": {"id": channel, "name": "privategroup"},
        "message_ts": thread,
        "message": {"type": "message", "ts": thread},
        "response_url": place.slack.hook(user, channel, None, thread),
    }
    payload = interaction(place.slack.world, place.slack.world.people[user], "message_action", **about)
    await place.slack.wire.deliver("interactive", payload)


SOON = "検索できるようになりしだい（通常は1分以内）、回答に使います。"


# --- remembering a thread ---------------------------------------------------------------------------------------------


async def test_a_thread_that_somebody_pointed_at_answers_others_without_waiting_for_the_schedule(place: Place) -> None:
    place.app = deciding(place.app, desk=desk_over(place.app.store, place.app.recall, place.app.clock))
    async with place.running():
        root = await place.slack.say(AYA, GENERAL, "会議室のプリンターでエラー QX-7713 が出ます")
        await place.slack.say(KEN, GENERAL, "QX-7713 は給紙ローラーを掃除すると直ります", thread=root)
        await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=GENERAL, ts=root)
        await whispered(place.slack, KEN)
        await idle()
        asked = await place.slack.say(MAI, HELPDESK, "QX-7713 はどう直しますか", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
    assert "給紙ローラーを掃除" in str(answer)


@either_way
async def test_a_thread_is_remembered_as_it_was_said_and_programs_are_not(place: Place) -> None:
    async with place.running():
        root, last = await thread_in(place, GENERAL)
        await place.slack.settled()
        assert await turns_in(place, GENERAL, root) == []
        done = await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=GENERAL, ts=last)
        assert done.ok
        assert await whispered(place.slack, KEN) == ["このスレッドのメッセージ3件を覚えました。" + SOON]
        await idle()
    kept = await turns_in(place, GENERAL, root)
    assert [(turn.author, turn.text) for turn in kept] == [
        (AYA, "VPNが切れます @健"),
        (KEN, "再起動してみてください & もう一度"),
        (AYA, "直りました"),
    ]
    assert [turn.message for turn in kept][::2] == [root, last]
    assert {(turn.requester, turn.role, turn.visibility) for turn in kept} == {
        (AYA, Role.REQUESTER, Visibility.EVERYONE)
    }
    assert abs(kept[0].said_at.timestamp() - float(root)) < 0.001
    assert place.answers.questions == []


async def test_about_a_message_without_a_thread_one_is_told_in_the_channel_and_else_in_the_thread(place: Place) -> None:
    """Slack shows nobody what is for one person alone in a thread that is not there yet."""
    async with place.running():
        alone = await place.slack.say(KEN, GENERAL, "プリンターが動きません")
        root, last = await thread_in(place, GENERAL)
        for message in (alone, last):
            await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=GENERAL, ts=message)
        await whispered(place.slack, KEN, 2)
    assert {told.get("thread_ts") for told in place.slack.ephemerals(KEN)} == {None, root}


async def test_a_thread_that_is_remembered_again_is_remembered_once(place: Place) -> None:
    """Also what was remembered while it was said: an answered mention, and what followed it."""
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        more = await place.slack.say(KEN, HELPDESK, f"<@{AYA}> いつからですか", thread=asked)
        await place.slack.settled()
        await idle()
        before = await turns_in(place, HELPDESK, asked)
        for count in (1, 2):
            await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=HELPDESK, ts=more)
            assert (await whispered(place.slack, KEN, count))[-1] == "このスレッドのメッセージ2件を覚えました。" + SOON
            await idle()
        await place.slack.settled()
    assert await turns_in(place, HELPDESK, asked) == before
    assert len(place.slack.answers(HELPDESK, asked)) == 1


async def test_what_was_deleted_does_not_come_back_with_its_thread(place: Place) -> None:
    async with place.running():
        root, last = await thread_in(place, GENERAL)
        await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=GENERAL, ts=root)
        await whispered(place.slack, KEN)
        await idle()
        kept = await turns_in(place, GENERAL, root)
        await place.app.store.mailbox.withdraw(kept[1].id)
        await place.slack.shortcut(KEN, REMEMBER_THREAD, channel=GENERAL, ts=last)
        await whispered(place.slack, KEN, 2)
        await idle()
    assert [turn.text for turn in await turns_in(place, GENERAL, root)] == ["VPNが切れます @健", "直りました"]


async def test_a_long_thread_is_read_page_by_page_up_to_a_bound_and_that_is_said(place: Place) -> None:
    async with place.running():
        root = await place.slack.say(BOB, GENERAL, "The VPN is down")
        for number in range(1100):
            message = {"type": "message", "text": f"line {number}", "user": KEN, "ts": place.slack.world.ts()}
            place.slack.world.keep(GENERAL, {**message, "thread_ts": root, "parent_user_id": BOB})
        await place.slack.shortcut(BOB, REMEMBER_THREAD, channel=GENERAL, ts=root)
        [said] = await whispered(place.slack, BOB)
        await idle(60)
    assert said == (
        "I keep this thread (messages: 1000) and use it once it can be searched, usually in a minute."
        " The thread is long; I read the first 1000 messages."
    )
    assert len(await turns_in(place, GENERAL, root)) == 1000
    assert len(place.slack.calls("conversations.replies")) == 5


async def test_a_channel_that_the_bot_is_not_in_is_said_to_be_closed(place: Place) -> None:
    async with place.running():
        root, _ = await thread_in(place, RANDOM)
        await place.slack.shortcut(AYA, REMEMBER_THREAD, channel=RANDOM, ts=root)
        assert await whispered(place.slack, AYA) == [CLOSED]
    assert await turns_in(place, RANDOM, root) == []


async def test_who_is_not_in_a_private_channel_has_nothing_of_it_remembered(place: Place) -> None:
    async with place.running():
        root = await place.slack.say(AYA, FINANCE, "請求書の締め日は？")
        await shortcut_forged(place, BOB, REMEMBER_THREAD, FINANCE, root)
        assert await whispered(place.slack, BOB) == ["You are not in this channel, so I cannot do that."]
        assert await turns_in(place, FINANCE, root) == []
        await place.slack.shortcut(MAI, REMEMBER_THREAD, channel=FINANCE, ts=root)
        assert await whispered(place.slack, MAI) == ["このスレッドのメッセージ1件を覚えました。" + SOON]
    [kept] = await turns_in(place, FINANCE, root)
    assert kept.visibility is Visibility.CHANNEL


async def test_nobody_is_let_in_because_the_channel_was_public_a_moment_ago(place: Place) -> None:
    async with place.running():
        root, last = await thread_in(place, GENERAL)
        await place.slack.shortcut(BOB, REMEMBER_THREAD, channel=GENERAL, ts=last)
        await whispered(place.slack, BOB)
        channel = place.slack.world.channels[GENERAL]
        channel.kind = "private"
        channel.members.discard(BOB)
        await shortcut_forged(place, BOB, REMEMBER_THREAD, GENERAL, root)
        assert (await whispered(place.slack, BOB, 2))[-1] == "You are not in this channel, so I cannot do that."


async def test_a_channel_is_remembered_as_the_administrator_says(place: Place) -> None:
    channels = {GENERAL: SlackChannelSettings(enabled=False), HELPDESK: SlackChannelSettings(memory="channel")}
    place.settings = place.settings.model_copy(update={"channels": channels})
    async with place.running():
        deaf, _ = await thread_in(place, GENERAL)
        apart, _ = await thread_in(place, HELPDESK)
        await place.slack.shortcut(AYA, REMEMBER_THREAD, channel=GENERAL, ts=deaf)
        await place.slack.shortcut(AYA, REMEMBER_THREAD, channel=HELPDESK, ts=apart)
        await whispered(place.slack, AYA, 2)
        await idle()
    assert [each["text"] for each in place.slack.ephemerals(AYA, GENERAL)] == [
        "ここではヘルプデスクを使えません。サポート担当者に直接ご連絡ください。"
    ]
    assert await turns_in(place, GENERAL, deaf) == []
    assert {turn.visibility for turn in await turns_in(place, HELPDESK, apart)} == {Visibility.CHANNEL}


async def test_a_thread_in_which_nobody_said_anything_is_said_to_be_empty(place: Place) -> None:
    async with place.running():
        root = await place.slack.bot_says(ALERTS, GENERAL, "disk is full")
        await place.slack.shortcut(BOB, REMEMBER_THREAD, channel=GENERAL, ts=root)
        assert await whispered(place.slack, BOB) == ["There was no message in this thread that I can remember."]


async def test_a_reading_that_breaks_off_is_regretted_and_goes_on_with_the_next_try(place: Place) -> None:
    async with place.running():
        root, _ = await thread_in(place, GENERAL)
        place.slack.fail("conversations.replies", error="internal_error")
        await place.slack.shortcut(AYA, REMEMBER_THREAD, channel=GENERAL, ts=root)
        assert (await whispered(place.slack, AYA))[0].startswith("申し訳ありません。うまくいきませんでした。")
        await idle()
        await place.slack.shortcut(AYA, REMEMBER_THREAD, channel=GENERAL, ts=root)
        await whispered(place.slack, AYA, 2)
    assert len(await turns_in(place, GENERAL, root)) == 3


# --- making a ticket --------------------------------------------------------------------------------------------------


async def form_of(place: Place, user: str, channel: str, ts: str) -> dict[str, Any]:
    """The form that opens when somebody makes a ticket of a message."""
    await place.slack.shortcut(user, MAKE_TICKET, channel=channel, ts=ts)
    await place.slack.until(lambda: len(place.slack.views(user)) > 0)
    await idle()
    [form] = place.slack.views(user)
    return form


def written(subject: str, note: str = "") -> dict[str, dict[str, str]]:
    return {SUBJECT: {SUBJECT: subject}, NOTE: {NOTE: note}}


@either_way
async def test_a_ticket_is_described_in_a_form_then_the_thread_is_remembered_and_somebody_told(place: Place) -> None:
    async with place.running():
        root, last = await thread_in(place, GENERAL)
        form = await form_of(place, BOB, GENERAL, last)
        assert form["callback_id"] == TICKET_FORM
        done = await place.slack.submit(BOB, form["id"], written("VPN of Aya <!here>", "since Monday\nroom 3"))
        assert done.ok
        assert place.slack.views(BOB) == []
        [note] = await posted(place.slack, SUPPORT)
        [notice] = await place.slack.answered(GENERAL, root)
        await idle()
    assert notice["text"] == "HD-1: I told the support team. Please wait for their reply."
    assert len(await turns_in(place, GENERAL, root)) == 4
    assert "Bob" in note["text"]
    assert "VPN of Aya &lt;!here&gt;" in note["text"]
    assert "since Monday room 3" in note["text"]
    assert f"/archives/{GENERAL}/p{last.replace('.', '')}" in str(note["blocks"])


async def test_the_form_opens_in_the_persons_language_at_the_first_click(place: Place) -> None:
    """Who clicks is looked up before it opens, while there is time for that."""
    async with place.running():
        root, _ = await thread_in(place, GENERAL)
        form = await form_of(place, BOB, GENERAL, root)
        assert form["title"]["text"] == "Make a ticket"
        await place.slack.close_view(BOB, form["id"])
        await place.slack.slash(BOB, GENERAL, "/helpdesk")
        await whispered(place.slack, BOB)
        form = await form_of(place, BOB, GENERAL, root)
        assert form["title"]["text"] == "Make a ticket"


async def test_a_form_that_comes_too_late_is_asked_for_again(place: Place) -> None:
    place.slack.api.trigger_life = -1.0
    async with place.running():
        root, _ = await thread_in(place, GENERAL)
        await place.slack.shortcut(AYA, MAKE_TICKET, channel=GENERAL, ts=root)
        assert await whispered(place.slack, AYA) == [
            "画面を開くのが間に合いませんでした。お手数ですが、もう一度お試しください。"
        ]


async def test_the_form_waits_for_no_answer_that_is_being_made(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"answers_at_once": 1})
    place.answers.seconds = 1.0
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
        await place.slack.shortcut(AYA, MAKE_TICKET, channel=HELPDESK, ts=asked)
        await place.slack.until(lambda: len(place.slack.views(AYA)) == 1)
        assert place.slack.answers(HELPDESK, asked) == []


@pytest.mark.parametrize("forged", ["", "[]", "{", json.dumps({"channel": FINANCE, "thread": "x", "message": "1.2"})])
async def test_a_form_about_nothing_makes_no_ticket(place: Place, forged: str) -> None:
    async with place.running():
        root, _ = await thread_in(place, GENERAL)
        form = await form_of(place, AYA, GENERAL, root)
        form["private_metadata"] = forged
        await place.slack.submit(AYA, form["id"], written("VPN"))
        [said] = await posted(place.slack, place.slack.dm(AYA))
    assert said["text"].startswith("この質問は、もう覚えていないか")
    assert place.slack.answers(SUPPORT) == []


async def test_where_the_bot_is_switched_off_no_ticket_is_made(place: Place) -> None:
    """Neither does a form open, nor is one taken that is about a message there."""
    place.settings = place.settings.model_copy(update={"channels": {HELPDESK: SlackChannelSettings(enabled=False)}})
    off = "ここではヘルプデスクを使えません。サポート担当者に直接ご連絡ください。"
    async with place.running():
        there, _ = await thread_in(place, HELPDESK)
        await place.slack.shortcut(AYA, MAKE_TICKET, channel=HELPDESK, ts=there)
        assert await whispered(place.slack, AYA) == [off]
        root, _ = await thread_in(place, GENERAL)
        form = await form_of(place, AYA, GENERAL, root)
        form["private_metadata"] = json.dumps({"channel": HELPDESK, "thread": there, "message": there})
        await place.slack.submit(AYA, form["id"], written("VPN"))
        [said] = await posted(place.slack, place.slack.dm(AYA))
    assert said["text"] == off
    assert place.slack.answers(SUPPORT) == []
    assert await turns_in(place, HELPDESK, there) == []


async def test_a_form_opens_no_channel_that_its_sender_is_not_in(place: Place) -> None:
    async with place.running():
        secret = await place.slack.say(AYA, FINANCE, "請求書の締め日は？")
        root, _ = await thread_in(place, GENERAL)
        form = await form_of(place, BOB, GENERAL, root)
        form["private_metadata"] = json.dumps({"channel": FINANCE, "thread": secret, "message": secret})
        await place.slack.submit(BOB, form["id"], written("VPN"))
        [said] = await posted(place.slack, place.slack.dm(BOB))
    assert said["text"] == "You are not in this channel, so I cannot do that."
    assert place.slack.answers(SUPPORT) == []
    assert await turns_in(place, FINANCE, secret) == []


async def test_a_ticket_goes_to_a_person_even_from_where_the_bot_may_not_read(place: Place) -> None:
    async with place.running():
        root, _ = await thread_in(place, RANDOM)
        form = await form_of(place, AYA, RANDOM, root)
        await place.slack.submit(AYA, form["id"], written("VPNの件"))
        [note] = await posted(place.slack, SUPPORT)
        [said] = await posted(place.slack, place.slack.dm(AYA))
    assert "VPNの件" in note["text"]
    assert said["text"] == "担当者に伝えました。返事をお待ちください。"
    assert await turns_in(place, RANDOM, root) == []


async def test_a_ticket_that_is_sent_twice_is_told_once(place: Place) -> None:
    async with place.running():
        root, _ = await thread_in(place, GENERAL)
        for _ in range(2):
            form = await form_of(place, AYA, GENERAL, root)
            await place.slack.submit(AYA, form["id"], written("VPN 1"))
            await place.slack.answered(GENERAL, root)
            await idle()
    [note] = place.slack.answers(SUPPORT)
    assert "VPN 1" in note["text"]
    assert [each["text"] for each in place.slack.answers(place.slack.dm(AYA))] == [
        "HD-1: この件は、すでに担当者に伝えてあります。返事をお待ちください。"
    ]
