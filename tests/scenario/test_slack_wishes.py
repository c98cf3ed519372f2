"""What people wish of the bot itself, in words: a direct message does what the command does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from config.slack import SlackChannelSettings, Transport
from handlers.slack.acts.names import FORGET_NO, FORGET_YES
from handlers.slack.address import filed
from memory.model import Conversation, Role, Turn, Visibility
from tests.fakes.slack import AYA, BOB, HELPDESK, TEAM
from tests.fakes.slack_acts import forged, idle, pressable, whispered
from tests.fakes.slack_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        yield place


either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


async def remember(place: Place, user: str, text: str) -> Turn:
    """What this person wrote to the bot alone a while ago."""
    message = "1700000000.000100"
    turn = Turn(
        conversation=filed(
            Conversation(platform="slack", workspace=TEAM, channel=place.slack.dm(user), thread=message)
        ),
        ticket="INC-1",
        message=message,
        author=user,
        role=Role.REQUESTER,
        text=text,
        said_at=place.app.clock(),
        visibility=Visibility.PRIVATE,
        requester=user,
    )
    await place.app.store.writing.record([turn])
    return turn


async def wished(place: Place, user: str, words: str) -> list[dict[str, Any]]:
    """What the bot says in the thread of this direct message."""
    channel = place.slack.dm(user)
    ts = await place.slack.say(user, channel, words)
    await place.slack.answered(channel, ts)
    await idle()
    return place.slack.answers(channel, ts)


@either_way
@pytest.mark.parametrize(
    ("user", "words", "said"),
    [
        (AYA, "チケット", "あなたの依頼"),
        (AYA, "私のチケットを見せてください", "VPN-7 が切れます"),
        (AYA, "私について覚えていること", "あなたが書いたメッセージを1件覚えています"),
        (AYA, "ヘルプ", "チケット: 自分の依頼の一覧"),
        (AYA, "忘れてください", "あなたが書いたことを消しますか？"),
        (BOB, "my tickets", "VPN-7 が切れます"),
        (BOB, "What do you remember about me?", "Messages of yours that I remember: 1"),
        (BOB, "help", "my tickets: your requests"),
        (BOB, "Forget me", "Delete what you wrote? This cannot be undone."),
    ],
)
async def test_a_direct_message_does_what_the_command_does(place: Place, user: str, words: str, said: str) -> None:
    await remember(place, user, "VPN-7 が切れます")
    async with place.running():
        [answer] = await wished(place, user, words)
        counts = await place.app.store.writing.counts()
    assert said in answer["text"]
    assert "/helpdesk" not in answer["text"]
    # It is nobody's request, asks nothing of the memory, and is not remembered.
    assert place.answers.questions == []
    assert (counts["turns"], await place.owed()) == (1, 0)
    assert [call.arguments.get("status") for call in place.slack.calls("assistant.threads.setStatus")] == []


async def test_who_writes_japanese_is_answered_in_japanese_whatever_the_language_of_their_slack(place: Place) -> None:
    async with place.running():
        [japanese] = await wished(place, BOB, "使い方")
        [english] = await wished(place, BOB, "help")
        [own] = await wished(place, AYA, "help")
    assert "自分の依頼の一覧" in japanese["text"]
    assert "your requests" in english["text"]
    assert "自分の依頼の一覧" in own["text"]


@pytest.mark.parametrize("words", ["チケットが開けません", "Who has my tickets now?", "help me with the VPN"])
async def test_what_is_more_than_a_wish_is_a_question(place: Place, words: str) -> None:
    async with place.running():
        await wished(place, AYA, words)
    assert [question.text for question in place.answers.questions] == [words]


async def wished_aloud(place: Place, user: str, words: str, **how: Any) -> str:
    """What the bot says below this message in a channel."""
    ts = await place.slack.say(user, HELPDESK, words, mention=True, **how)
    [said] = await place.slack.answered(HELPDESK, how.get("thread", ts))
    await idle()
    assert len(place.slack.answers(HELPDESK, how.get("thread", ts))) == 1
    return str(said["text"])


@either_way
@pytest.mark.parametrize(("user", "words"), [(AYA, "ヘルプ"), (AYA, "使い方"), (BOB, "help")])
async def test_who_asks_for_help_in_a_channel_gets_it_in_the_thread(place: Place, user: str, words: str) -> None:
    async with place.running():
        aloud = await wished_aloud(place, user, words)
        [alone] = await wished(place, user, words)
        counts = await place.app.store.writing.counts()
    assert aloud == alone["text"]
    assert (place.answers.questions, counts["turns"]) == ([], 0)


@pytest.mark.parametrize(
    ("user", "words", "word"),
    [
        (AYA, "チケット", "チケット"),
        (AYA, "私について覚えていることは？", "記憶"),
        (AYA, "忘れて", "忘れて"),
        (BOB, "my tickets", "my tickets"),
        (BOB, "what do you remember about me?", "memory"),
        (BOB, "forget me", "forget me"),
    ],
)
async def test_what_others_are_not_to_read_is_said_to_work_in_a_direct_message(
    place: Place, user: str, words: str, word: str
) -> None:
    await remember(place, user, "VPN-7 が切れます")
    async with place.running():
        said = await wished_aloud(place, user, words)
        counts = await place.app.store.writing.counts()
    assert (
        said
        == {
            AYA: "ここではほかの方にも見えてしまいます。"
            f"私へのダイレクトメッセージで「{word}」と送るか、/helpdesk {word} と入力してください。",
            BOB: f"Others can read along here. Please send “{word}” to me in a direct message, "
            f"or type /helpdesk {word}.",
        }[user]
    )
    assert (place.answers.questions, counts["turns"]) == ([], 1)
    assert [list(pressable(one["blocks"])) for one in place.slack.answers(HELPDESK)] == [[]]


async def test_where_only_the_asker_sees_answers_only_the_asker_sees_the_help(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"channels": {HELPDESK: SlackChannelSettings(ephemeral=True)}})
    async with place.running():
        await place.slack.say(BOB, HELPDESK, "help", mention=True)
        [said] = await whispered(place.slack, BOB)
        await idle()
    assert "my tickets: your requests" in said
    assert place.slack.answers(HELPDESK) == []


async def test_a_wish_is_granted_once_however_often_it_is_told(place: Place) -> None:
    async with place.running():
        channel = place.slack.dm(AYA)
        ts = await place.slack.say(AYA, channel, "チケット")
        await place.slack.answered(channel, ts)
        await idle()
        [told] = [each["payload"] for each in place.slack.wire.sent if each["payload"]["event"]["ts"] == ts]
        assert (await place.slack.wire.deliver("events_api", told)).ok
        await idle()
        assert len(place.slack.answers(channel, ts)) == 1


async def test_where_the_bot_is_switched_off_a_wish_is_nothing(place: Place) -> None:
    channel = place.slack.dm(AYA)
    off = {channel: SlackChannelSettings(enabled=False)}
    place.settings = place.settings.model_copy(update={"channels": off})
    async with place.running():
        await place.slack.say(AYA, channel, "チケット")
        await place.slack.settled()
        await idle()
    assert place.slack.answers(channel) == []


@pytest.mark.parametrize(
    ("user", "words", "done", "kept"),
    [
        (AYA, "忘れて", "消しました（メッセージ1件）。", "何も消していません。"),
        (BOB, "forget me", "Deleted. Number of messages: 1.", "Nothing was deleted."),
    ],
)
async def test_only_the_click_of_who_asked_forgets(place: Place, user: str, words: str, done: str, kept: str) -> None:
    turn = await remember(place, user, "VPN-7 が切れます")
    other = BOB if user == AYA else AYA
    channel, thread = place.slack.dm(user), turn.message
    async with place.running():
        [question] = await wished(place, user, words)
        assert list(pressable(question["blocks"])) == [FORGET_YES, FORGET_NO]
        assert await place.kept(channel, thread) == ["VPN-7 が切れます"]
        await forged(place.slack, other, FORGET_YES, user, channel=channel, ts=question["ts"], thread=question["ts"])
        await whispered(place.slack, other)
        await idle()
        assert await place.kept(channel, thread) == ["VPN-7 が切れます"]
        await place.slack.press(user, FORGET_NO, channel=channel, ts=question["ts"])
        await idle()
        assert [each["text"] for each in place.slack.answers(channel, question["thread_ts"])] == [kept]
        [question] = await wished(place, user, words)
        await place.slack.press(user, FORGET_YES, channel=channel, ts=question["ts"])
        await idle()
        assert await place.kept(channel, thread) == []
    # In the place of the question, so that it cannot be answered again.
    [said] = place.slack.answers(channel, question["thread_ts"])
    assert (said["text"], list(pressable(said["blocks"]))) == (done, [])
