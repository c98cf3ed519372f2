"""What people ask the bot about themselves in Slack: the command, being forgotten, the bot's own page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.wiring import system_clock
from config.schema import Language
from config.slack import SlackChannelSettings, Transport
from handlers.slack.acts.names import FORGET, FORGET_NO, FORGET_YES
from handlers.slack.address import filed
from memory.model import Conversation, Episode, Role, Turn, Viewer, Visibility
from memory.scope import narrowest
from memory.stores.in_memory_personal import InMemoryPersonal
from memory.stores.in_memory_state import Memory
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.facts import fact
from tests.fakes.slack import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, RANDOM, TEAM
from tests.fakes.slack_acts import die, forged, idle, pressable, whispered
from tests.fakes.slack_place import LATER, Place, opened
from tests.fakes.small_application import deciding, small_application

COMMAND = "/helpdesk"


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        yield place


either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


async def remember(
    place: Place,
    user: str,
    channel: str,
    text: str,
    *,
    requester: str | None = None,
    ticket: str | None = None,
    status: str | None = None,
) -> Turn:
    """What was said at the top of a channel five days ago, or the day before for each that is remembered already."""
    count = (await place.app.store.writing.counts())["turns"]
    said = place.app.clock() - timedelta(days=5 + count)
    message = f"{int(said.timestamp())}.{count:06d}"
    where = filed(Conversation(platform="slack", workspace=TEAM, channel=channel, thread=message))
    turn = Turn(
        conversation=where,
        ticket=ticket,
        message=message,
        author=user,
        role=Role.REQUESTER,
        text=text,
        said_at=said,
        visibility=Visibility.PRIVATE if channel.startswith("D") else Visibility.EVERYONE,
        requester=requester or user,
        status=status,
    )
    await place.app.store.writing.record([turn])
    return turn


async def commanded(place: Place, user: str, words: str, channel: str = HELPDESK) -> str:
    """What the command says to this person, who alone sees it."""
    before = len(place.slack.ephemerals(user))
    assert (await place.slack.slash(user, channel, COMMAND, words)).ok
    said = await whispered(place.slack, user, before + 1)
    await idle()
    return said[-1]


async def words_of(place: Place, *turns: Turn) -> list[str]:
    """What is still kept of these turns, for somebody who sees everything."""
    ids = [turn.id for turn in turns]
    found = await place.app.store.reading.turns(ids, Viewer(user="keeper", agent=True), LATER)
    return [turn.text for turn in found]


# --- the command ------------------------------------------------------------------------------------------------------


@either_way
async def test_without_words_the_command_says_what_one_can_do(place: Place) -> None:
    async with place.running():
        assert "/helpdesk チケット: 自分の依頼の一覧" in await commanded(place, AYA, "")
        assert "/helpdesk my tickets: your requests" in await commanded(place, BOB, "")
        page = await commanded(place, AYA, "help")
        assert page == await commanded(place, AYA, "ヘルプ") != ""
        asked = await commanded(place, AYA, "VPNがつながらない")
        assert asked.endswith(page)
        assert "質問は、ふつうのメッセージとして" in asked.removesuffix(page)
        assert "Write it as a plain message" in await commanded(place, BOB, "the VPN is down")
    assert place.slack.answers(HELPDESK) == []


@pytest.mark.parametrize("words", ["my tickets", "My\u00a0Tickets", "チケット", " ticket ", "ｍｙ　ｔｉｃｋｅｔｓ"])
async def test_a_person_is_shown_their_own_requests_open_ones_first(place: Place, words: str) -> None:
    await remember(place, AYA, HELPDESK, "プリンターが出ません", ticket="INC-1", status="closed")
    vpn = await remember(place, AYA, place.slack.dm(AYA), "VPNが切れます", ticket="INC-2", status="open")
    await remember(place, AYA, place.slack.dm(AYA), "ありがとう")
    await remember(place, KEN, GENERAL, "マウスが壊れました", ticket="INC-3")
    async with place.running():
        said = await commanded(place, AYA, words)
    day = f"{vpn.said_at + timedelta(hours=9):%Y-%m-%d}"
    assert said.index(f"{day} INC-2 VPNが切れます（受付済み）") < said.index("INC-1 プリンターが出ません（終了）")
    assert "ありがとう" not in said
    assert "マウス" not in said
    link = f"https://example.slack.com/archives/{place.slack.dm(AYA)}/p{vpn.message.replace('.', '')}"
    assert link in str(place.slack.ephemerals(AYA)[0]["blocks"])


async def test_who_has_no_request_is_told_so(place: Place) -> None:
    await remember(place, KEN, place.slack.dm(KEN), "I want to speak to someone please")
    async with place.running():
        assert "I remember no request of yours." in await commanded(place, BOB, "tickets")
        assert "いま覚えている依頼はありません。" in await commanded(place, KEN, "チケット")


async def test_more_requests_than_fit_are_counted(place: Place) -> None:
    for number in range(12):
        await remember(place, AYA, HELPDESK, f"依頼{number:02d}です", ticket=f"INC-{number}")
    async with place.running():
        said = await commanded(place, AYA, "チケット")
    assert [number for number in range(12) if f"依頼{number:02d}" in said] == list(range(10))
    assert "新しいものから10件を表示しています" in said


async def test_a_person_is_shown_what_is_remembered_of_them_and_what_is_on_record(place: Place) -> None:
    first = await remember(place, AYA, HELPDESK, "VPNが切れます", ticket="INC-1")
    told = await remember(place, KEN, GENERAL, "彩の内線は 4321 です")
    secret = await remember(place, KEN, place.slack.dm(KEN), "彩の評価は A です")
    facts = [
        fact(told, "4321", subject="彩", predicate="extension"),
        fact(secret, "A", subject="彩", predicate="grade", episode="B"),
    ]
    for turn, one in ((told, facts[0]), (secret, facts[1])):
        episode = Episode(
            id=one.episode,
            conversation=turn.conversation,
            ticket=None,
            turns=(turn,),
            scope=narrowest([turn]),
            tokens=10,
        )
        await place.app.store.writing.store_episodes(turn.conversation.id, [episode])
        await place.app.store.fact_writing.store_facts(one.episode, [one], place.app.clock())
    async with place.running():
        said = await commanded(place, AYA, "記憶")
    day = f"{first.said_at + timedelta(hours=9):%Y-%m-%d}"
    assert f"1件覚えています（{day}から{day}まで）" in said
    assert "VPNが切れます" in said
    assert "彩 さんについて記録されていること" in said
    assert "extension: 4321" in said
    assert "grade" not in said
    assert FORGET in pressable(place.slack.ephemerals(AYA)[0]["blocks"])


async def test_of_whom_nothing_is_remembered_nothing_can_be_deleted(place: Place) -> None:
    async with place.running():
        assert await commanded(place, BOB, "memory") == "What I remember I remember no message that you wrote."
    assert list(pressable(place.slack.ephemerals(BOB)[0]["blocks"])) == []


async def test_a_guest_is_shown_only_what_was_private(place: Place) -> None:
    place.slack.add_person("U0GUEST", "guest", real_name="Guest", is_restricted=True, locale="en-US")
    await remember(place, "U0GUEST", HELPDESK, "The door is locked", ticket="INC-1")
    await remember(place, "U0GUEST", place.slack.dm("U0GUEST"), "My badge is lost", ticket="INC-2")
    async with place.running():
        said = await commanded(place, "U0GUEST", "tickets")
    assert "My badge is lost" in said
    assert "door" not in said


async def test_the_command_works_where_the_bot_is_not_and_says_where_it_may_not(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"channels": {GENERAL: SlackChannelSettings(enabled=False)}})
    async with place.running():
        assert "自分の依頼の一覧" in await commanded(place, AYA, "", RANDOM)
        assert await commanded(place, AYA, "チケット", GENERAL) == (
            "ここではヘルプデスクを使えません。サポート担当者に直接ご連絡ください。"
        )


async def test_requests_cannot_look_like_anything_but_words(place: Place) -> None:
    await remember(place, AYA, HELPDESK, "<!channel> *太字* <https://evil.example|click>\n\n# 見出し", ticket="INC-1")
    async with place.running():
        await commanded(place, AYA, "チケット")
    [said] = place.slack.ephemerals(AYA)
    assert "<!channel>" not in said["text"]
    kinds = {block["type"] for block in said["blocks"]}
    assert kinds == {"rich_text"}
    assert "'url': 'https://evil" not in str(said["blocks"])


# --- being forgotten --------------------------------------------------------------------------------------------------


async def asked_to_forget(place: Place, user: str, words: str = "忘れて") -> dict[str, Any]:
    """The question that is shown to who wants to be forgotten."""
    await commanded(place, user, words)
    return place.slack.ephemerals(user)[-1]


@either_way
async def test_who_confirms_is_forgotten_and_nobody_else(place: Place) -> None:
    own = [
        await remember(place, AYA, HELPDESK, "VPNが切れます"),
        await remember(place, AYA, place.slack.dm(AYA), "給与が違います"),
        await remember(place, AYA, HELPDESK, "田中さんに教わりました", requester=KEN),
    ]
    other = await remember(place, KEN, HELPDESK, "彩さんのVPNは直りました", requester=AYA)
    async with place.running():
        question = await asked_to_forget(place, AYA)
        assert "あなたが書いたメッセージ（3件）" in question["text"]
        assert "残るもの: ほかの方が書いたこと" in question["text"]
        assert len(await words_of(place, *own)) == 3
        await place.slack.press(AYA, FORGET_YES, channel=HELPDESK, ts=question["ts"])
        await idle()
    assert await words_of(place, *own) == []
    assert await words_of(place, other) == ["彩さんのVPNは直りました"]
    # What was asked is gone, so that it cannot be answered again.
    assert [each["text"] for each in place.slack.ephemerals(AYA)] == ["消しました（メッセージ3件）。"]
    assert list(pressable(place.slack.ephemerals(AYA)[0]["blocks"])) == []


@pytest.mark.parametrize("where", ["channel", "direct"])
async def test_from_what_is_remembered_the_way_leads_to_being_forgotten(place: Place, where: str) -> None:
    """All of it for the person alone, in no thread: what only one person sees begins none."""
    channel = HELPDESK if where == "channel" else place.slack.dm(AYA)
    own = await remember(place, AYA, HELPDESK, "VPNが切れます")
    async with place.running():
        await commanded(place, AYA, "記憶", channel)
        [page] = place.slack.ephemerals(AYA)
        await place.slack.press(AYA, FORGET, channel=channel, ts=page["ts"])
        await whispered(place.slack, AYA, 2)
        await idle()
        question = place.slack.ephemerals(AYA)[1]
        assert "thread_ts" not in question
        await place.slack.press(AYA, FORGET_YES, channel=channel, ts=question["ts"])
        await idle()
    assert await words_of(place, own) == []
    assert place.slack.ephemerals(AYA)[1]["text"] == "消しました（メッセージ1件）。"
    assert place.slack.messages(channel) == []


async def test_who_thinks_better_of_it_keeps_everything(place: Place) -> None:
    own = await remember(place, BOB, HELPDESK, "My VPN is down")
    async with place.running():
        question = await asked_to_forget(place, BOB, "forget me")
        assert "Delete what you wrote? This cannot be undone." in question["text"]
        await place.slack.press(BOB, FORGET_NO, channel=HELPDESK, ts=question["ts"])
        await idle()
    assert await words_of(place, own) == ["My VPN is down"]
    assert place.slack.ephemerals(BOB)[0]["text"] == "Nothing was deleted."


async def test_a_button_speaks_the_language_of_its_page_whatever_the_client_is_set_to(place: Place) -> None:
    """Bob's client is English, and he writes Japanese."""
    own, direct = await remember(place, BOB, HELPDESK, "VPNが切れます"), place.slack.dm(BOB)
    async with place.running():
        asked = await place.slack.say(BOB, direct, "記憶")
        [page] = await place.slack.answered(direct, asked)
        await place.slack.press(BOB, FORGET, channel=direct, ts=page["ts"])
        [_, question] = await place.slack.answered(direct, asked, count=2)
        assert question["text"].startswith("あなたが書いたことを消しますか？")
        await place.slack.press(BOB, FORGET_NO, channel=direct, ts=question["ts"])
        await idle()
    assert "何も消していません。" in str(place.slack.answers(direct) + place.slack.ephemerals(BOB))
    assert "Nothing was deleted." not in str(place.slack.answers(direct) + place.slack.ephemerals(BOB))
    assert await words_of(place, own) == ["VPNが切れます"]


async def test_nobody_is_forgotten_by_another_persons_click(place: Place) -> None:
    ayas = await remember(place, AYA, HELPDESK, "VPNが切れます")
    kens = await remember(place, KEN, HELPDESK, "マウスが壊れました")
    async with place.running():
        question = await asked_to_forget(place, AYA)
        ts = question["ts"]
        await forged(place.slack, KEN, FORGET_YES, AYA, channel=HELPDESK, ts=ts, thread=ts)
        assert await whispered(place.slack, KEN) == ["これは別の方のためのボタンです。"]
        await idle()
    assert len(await words_of(place, ayas, kens)) == 2


class Long(InMemoryPersonal):
    """Looks up what somebody wrote for as long as the test wants it to."""

    def __init__(self, memory: Memory, enough: asyncio.Event) -> None:
        super().__init__(memory)
        self._enough = enough

    async def written(self, viewer: Viewer, after: str | None, limit: int) -> list[Turn]:
        await self._enough.wait()
        return await super().written(viewer, after, limit)


class Slow(InMemoryStore):
    """A store in which that takes long."""

    def __init__(self, enough: asyncio.Event) -> None:
        memory = Memory()
        super().__init__(clock=system_clock, memory=memory)
        self.personal = Long(memory, enough)


@pytest.mark.parametrize(
    ("user", "words", "sign", "done"),
    [
        (AYA, "忘れて", "消しています。", "消しました（メッセージ1件）。"),
        (BOB, "forget me", "Deleting. I say here", "Deleted. Number of messages: 1."),
    ],
    ids=["ja", "en"],
)
async def test_while_forgetting_takes_long_the_person_sees_that_it_has_begun(
    place: Place, user: str, words: str, sign: str, done: str
) -> None:
    enough = asyncio.Event()
    place.app = small_application(place.app.data, system_clock, store=Slow(enough))
    await remember(place, user, HELPDESK, "VPNが切れます")
    async with place.running():
        ts = (await asked_to_forget(place, user, words))["ts"]
        await place.slack.press(user, FORGET_YES, channel=HELPDESK, ts=ts)
        await place.slack.until(lambda: place.slack.ephemerals(user)[0]["text"].startswith(sign))
        assert list(pressable(place.slack.ephemerals(user)[0]["blocks"])) == []
        enough.set()
        await idle()
    assert place.slack.ephemerals(user)[0]["text"] == done


async def test_two_clicks_at_once_forget_once(place: Place) -> None:
    own = await remember(place, AYA, HELPDESK, "VPNが切れます")
    async with place.running():
        ts = (await asked_to_forget(place, AYA))["ts"]
        await asyncio.gather(*(place.slack.press(AYA, FORGET_YES, channel=HELPDESK, ts=ts) for _ in range(2)))
        await idle()
    assert await words_of(place, own) == []
    assert [each["text"] for each in place.slack.ephemerals(AYA)] == ["消しました（メッセージ1件）。"]


async def test_what_a_process_that_died_left_is_forgotten_by_the_next_click(place: Place) -> None:
    own = [await remember(place, AYA, HELPDESK, f"VPNが切れます {n}") for n in range(3)]
    async with place.running():
        ts = (await asked_to_forget(place, AYA))["ts"]
        # What a process that died half-way did.
        await place.app.store.mailbox.withdraw(own[1].id)
        await place.slack.press(AYA, FORGET_YES, channel=HELPDESK, ts=ts)
        await idle()
    assert await words_of(place, *own) == []
    assert place.slack.ephemerals(AYA)[0]["text"] == "消しました（メッセージ2件）。"


async def test_a_click_that_a_dead_process_took_is_made_good_by_the_next_one(place: Place) -> None:
    own = await remember(place, AYA, HELPDESK, "VPNが切れます")
    async with place.running():
        ts = (await asked_to_forget(place, AYA))["ts"]
    place.slack.fail("users.info", slow=60)
    async with place.running():
        await place.slack.press(AYA, FORGET_YES, channel=HELPDESK, ts=ts)
        await die(place.slack)
    assert await words_of(place, own) == ["VPNが切れます"]
    async with place.running():
        await idle()
    assert await words_of(place, own) == []
    assert [each["text"] for each in place.slack.ephemerals(AYA)] == ["消しました（メッセージ1件）。"]


async def test_of_whom_slack_tells_nothing_only_what_was_private_is_shown(place: Place) -> None:
    await remember(place, AYA, HELPDESK, "プリンターが出ません", ticket="INC-1")
    await remember(place, AYA, place.slack.dm(AYA), "給与が違います", ticket="INC-2")
    place.slack.fail("users.info", error="internal_error")
    async with place.running():
        said = await commanded(place, AYA, "チケット")
    assert "給与が違います" in said
    assert "プリンター" not in said


# --- the bot's own page -----------------------------------------------------------------------------------------------


async def at_home(place: Place, user: str) -> str:
    """What stands on the bot's page when it is opened."""
    before = len(place.slack.calls("views.publish"))
    await place.slack.open_home(user)
    await place.slack.until(lambda: len(place.slack.calls("views.publish")) > before)
    await idle()
    return str(place.slack.home(user))


@either_way
async def test_the_page_shows_open_requests_examples_and_what_is_remembered(place: Place) -> None:
    vpn = await remember(place, AYA, HELPDESK, "VPNが切れます", ticket="INC-1")
    await remember(place, AYA, HELPDESK, "プリンターが出ません", ticket="INC-2", status="closed")
    await remember(place, KEN, HELPDESK, "マウスが壊れました", ticket="INC-3")
    async with place.running():
        shown = await at_home(place, AYA)
        empty = await at_home(place, BOB)
    assert "VPNが切れます" in shown
    assert f"/archives/{HELPDESK}/p{vpn.message.replace('.', '')}" in shown
    assert "プリンターが出ません" not in shown
    assert "マウス" not in shown
    assert "2件覚えています" in shown
    assert "先週VPNがつながらなかった件" in shown
    assert "My VPN did not connect last week. How was it fixed?" in empty
    assert "I remember no request of yours." in empty
    assert FORGET not in empty


async def test_on_the_page_one_is_asked_before_one_is_forgotten(place: Place) -> None:
    own = await remember(place, AYA, HELPDESK, "VPNが切れます")
    async with place.running():
        await at_home(place, AYA)
        for action, words in ((FORGET, "元に戻すことはできません"), (FORGET_NO, "何も消していません")):
            await place.slack.press(AYA, action)
            await idle()
            assert words in str(place.slack.home(AYA))
        assert len(await words_of(place, own)) == 1
        await place.slack.press(AYA, FORGET)
        await idle()
        await place.slack.press(AYA, FORGET_YES)
        await idle()
    shown = str(place.slack.home(AYA))
    assert "消しました（メッセージ1件）。" in shown
    assert "あなたが書いたメッセージは覚えていません。" in shown
    assert await words_of(place, own) == []
    assert place.slack.messages(place.slack.dm(AYA)) == []


async def test_a_page_that_slack_refuses_is_regretted_in_the_direct_message(place: Place) -> None:
    await remember(place, AYA, HELPDESK, "VPNが切れます")
    async with place.running():
        await at_home(place, AYA)
        place.slack.fail("views.publish", error="internal_error")
        await place.slack.press(AYA, FORGET)
        await idle()
    [said] = place.slack.answers(place.slack.dm(AYA))
    assert said["text"].startswith("申し訳ありません。うまくいきませんでした。")


@pytest.mark.parametrize(
    ("user", "first"),
    [
        (AYA, "先週VPNがつながらなかった件、どうやって直しましたか？"),
        (BOB, "My VPN did not connect last week. How was it fixed?"),
    ],
)
async def test_where_a_conversation_begins_questions_are_suggested(place: Place, user: str, first: str) -> None:
    async with place.running():
        await place.slack.open_home(user, tab="messages")
        await place.slack.until(lambda: bool(place.slack.world.prompts))
        await idle()
    suggested = place.slack.world.prompts[place.slack.dm(user), ""]["prompts"]
    assert suggested[0] == {"title": first, "message": first}
    assert len(suggested) == 3
    assert place.slack.home(user) is None


@pytest.mark.parametrize(
    ("tab", "method"), [("home", "views.publish"), ("messages", "assistant.threads.setSuggestedPrompts")]
)
async def test_who_only_looks_is_not_written_to_when_slack_refuses(place: Place, tab: str, method: str) -> None:
    place.slack.fail(method, error="not_enabled")
    async with place.running():
        with capture_logs() as logged:
            await place.slack.open_home(AYA, tab)
            await place.slack.until(lambda: len(place.slack.calls(method)) == 1)
            await idle()
    assert place.slack.messages(place.slack.dm(AYA)) == []
    assert [each["error"] for each in logged if each["event"] == "slack_act_failed"] == ["SlackApiError"]


async def test_a_language_that_is_not_ours_gets_the_desks(place: Place) -> None:
    place.slack.add_person("U0LEA", "lea", locale="fr-FR")
    english = place.app.settings.bot.model_copy(update={"language": Language.ENGLISH})
    async with place.running():
        assert "質問の例" in await at_home(place, "U0LEA")
    place.app = deciding(place.app, settings=place.app.settings.model_copy(update={"bot": english}))
    async with place.running():
        assert "What you can ask" in await at_home(place, "U0LEA")


async def test_a_private_channel_shows_nothing_of_it_on_the_page_of_others(place: Place) -> None:
    turn = await remember(place, KEN, FINANCE, "請求書の件です", requester=BOB)
    await place.app.store.writing.record([replace(turn, visibility=Visibility.CHANNEL, text="請求書の件でした")])
    async with place.running():
        assert "請求書" not in await at_home(place, BOB)
