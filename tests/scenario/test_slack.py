"""The bot in Slack: the real app over a strict Slack of our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from config.slack import SlackChannelSettings, Transport
from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.errors import PlatformRefused
from memory.model import Conversation, Viewer
from tests.fakes.slack import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, TEAM
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import LATER, Place, opened


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        yield place


#: What holds over the connection that the bot opens, and over requests that Slack sends.
either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


@either_way
async def test_a_mention_is_answered_once_in_its_thread(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        assert answer["thread_ts"] == asked
        assert "太字で答えます: VPNが切れます" in answer["text"]
        assert len(place.slack.answers(HELPDESK, asked)) == 1
        assert [question.text for question in place.answers.questions] == ["VPNが切れます"]


@either_way
@pytest.mark.parametrize("order", [("message", "app_mention"), ("app_mention", "message")])
async def test_both_events_of_a_mention_bring_one_reply_in_either_order(place: Place, order: tuple[str, str]) -> None:
    place.slack.mention_order = order
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "プリンターが出ません", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        assert len(place.slack.answers(HELPDESK, asked)) == 1
        assert await place.kept(HELPDESK, asked) == ["プリンターが出ません"]


@either_way
async def test_what_is_too_long_to_be_taken_is_refused_once(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPN " * 6000, mention=True)
        [said] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        await place.slack.again(type="app_mention")
        await idle()
        assert len(place.slack.answers(HELPDESK, asked)) == 1
    assert place.answers.questions == []
    assert said["text"].startswith("That message is too long to take in (23,999 characters")


@either_way
async def test_a_message_told_again_and_again_is_answered_once_even_by_the_next_process(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await asyncio.gather(*(place.slack.again(times=1, attempt=n) for n in (1, 2, 3)))
        await place.slack.answered(HELPDESK, asked)
    async with place.running():
        await place.slack.again(times=2, attempt=3)
        await place.slack.settled()
    assert len(place.slack.answers(HELPDESK, asked)) == 1
    assert len(place.answers.questions) == 1


@either_way
async def test_a_direct_message_shows_a_status_that_goes_with_the_answer(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = await place.slack.say(AYA, direct, "Wi-Fi is slow")
        await place.slack.answered(direct, asked)
        await place.slack.settled()
    shown = [bool(each.text) for each in place.slack.status_history(direct, asked)]
    assert (shown[0], shown[-1]) == (True, False)
    assert place.answers.questions[0].viewer == Viewer(user=AYA)


async def test_in_a_channel_a_message_that_was_seen_has_a_mark_until_it_is_answered(place: Place) -> None:
    place.answers.seconds = 0.3
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.until(lambda: "eyes" in place.slack.reactions(HELPDESK, asked))
        assert place.slack.answers(HELPDESK, asked) == []
        await place.slack.answered(HELPDESK, asked)
        await place.slack.until(lambda: "eyes" not in place.slack.reactions(HELPDESK, asked))


@either_way
async def test_who_has_to_wait_for_an_answer_sees_a_sign_all_the_same(place: Place) -> None:
    """One thread at a time is answered, and that takes long; in a direct message and in a channel others wait."""
    place.settings = place.settings.model_copy(update={"answers_at_once": 1})
    place.answers.seconds = 60
    direct = place.slack.dm(AYA)
    async with place.running():
        await place.slack.say(KEN, HELPDESK, "プリンターが出ません", mention=True)
        await place.answers.asked.wait()
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        told = await place.slack.say(AYA, direct, "Wi-Fi is slow")
        await place.slack.until(lambda: "eyes" in place.slack.reactions(HELPDESK, asked))
        await place.slack.until(lambda: place.slack.status(direct, told) != "")
        for task in asyncio.all_tasks():
            if task.get_name() == "lane":
                task.cancel()
    assert [question.text for question in place.answers.questions] == ["プリンターが出ません"]


async def test_an_answer_does_not_wait_for_its_sign_and_the_sign_goes_though_it_comes_late(place: Place) -> None:
    place.slack.fail("reactions.add", slow=3)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.until(lambda: bool(place.slack.calls("reactions.remove")))
        await place.slack.settled()
    shown = ("chat.postMessage", "reactions.add", "reactions.remove")
    assert [call.method for call in place.slack.api.calls if call.method in shown] == [*shown]
    assert place.slack.reactions(HELPDESK, asked) == {}


async def test_in_a_thread_of_direct_messages_each_has_a_status_until_its_answer_is_there(place: Place) -> None:
    direct = place.slack.dm(AYA)
    place.answers.seconds = 0.2
    async with place.running():
        asked = await place.slack.say(AYA, direct, "Wi-Fi is slow")
        await place.slack.say(AYA, direct, "and so is the VPN", thread=asked)
        await place.slack.answered(direct, asked, count=2)
        await place.slack.until(lambda: place.slack.status(direct, asked) == "")
        await place.slack.settled()
    shown = [bool(each.text) for each in place.slack.status_history(direct, asked) if each.by == "call"]
    # Each message at once, the first reply takes it away, the second gets it again until its own.
    assert shown == [True, True, False, True, False]


@either_way
async def test_a_thread_goes_on_without_a_mention_also_for_the_next_process(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
    async with place.running():
        await place.slack.say(KEN, HELPDESK, "私もです", thread=asked)
        await place.slack.answered(HELPDESK, asked, count=2)
        await place.slack.say(AYA, HELPDESK, f"<@{KEN}> いつからですか", thread=asked)
        elsewhere = await place.slack.say(KEN, HELPDESK, "お昼は何にしますか")
        await place.slack.settled()
    assert len(place.slack.answers(HELPDESK, asked)) == 2
    assert place.slack.answers(HELPDESK, elsewhere) == []
    assert await place.kept(HELPDESK, asked) == ["VPNが切れます", "私もです", "@健 いつからですか"]
    assert await place.kept(HELPDESK, elsewhere) == []
    assert [question.viewer.user for question in place.answers.questions] == [AYA, KEN]


@either_way
async def test_a_reply_that_comes_while_its_question_is_still_being_taken_is_answered_too(place: Place) -> None:
    async with place.running():
        place.slack.fail("users.info", slow=0.3)
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.say(KEN, HELPDESK, "私もです", thread=asked)
        await place.slack.answered(HELPDESK, asked, count=2)
    assert [question.text for question in place.answers.questions] == ["VPNが切れます", "私もです"]


@either_way
async def test_a_thread_is_answered_in_order_and_holds_up_no_other(place: Place) -> None:
    place.answers.seconds = 0.2
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "one", mention=True)
        for user, text in ((KEN, "two"), (AYA, "three")):
            await place.slack.say(user, HELPDESK, text, thread=asked, mention=True)
        other = await place.slack.say(KEN, HELPDESK, "elsewhere", mention=True)
        await place.slack.answered(HELPDESK, other)
        assert len(place.slack.answers(HELPDESK, asked)) < 3
        answers = await place.slack.answered(HELPDESK, asked, count=3)
    said = [answer["text"].partition("答えます: ")[2].split()[0] for answer in answers]
    assert said == ["one", "two", "three"]


@either_way
async def test_what_people_say_is_remembered_with_the_names_that_colleagues_see(place: Place) -> None:
    async with place.running():
        thread = await place.slack.say(AYA, place.slack.dm(AYA), "VPNにつながりません")
        await place.slack.answered(place.slack.dm(AYA), thread)
    where = filed(Conversation(platform=PLATFORM, workspace=TEAM, channel=place.slack.dm(AYA), thread=thread))
    said = (await place.app.store.reading.recent(where.id, Viewer(user=AYA), LATER, 10))[0]
    assert (said.author, said.said_by) == (AYA, "彩")


async def test_nobody_is_left_without_a_word_when_answering_fails(place: Place) -> None:
    place.answers.errors = [ZeroDivisionError("VPN")]
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
    assert "番号" in answer["text"]
    assert await place.owed() == 0


@either_way
async def test_a_reply_waits_as_long_as_slack_asks_for(place: Place) -> None:
    place.slack.fail("chat.postMessage", times=2, status=429, retry_after=1)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
    assert [made.status for made in place.slack.calls("chat.postMessage")] == [429, 429, 200]


@either_way
@pytest.mark.parametrize("drop", ["before", "after"])
async def test_a_reply_that_slack_did_not_confirm_is_sent_again_only_if_it_is_not_there(
    place: Place, drop: str
) -> None:
    place.slack.fail("chat.postMessage", times=1, drop=drop)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        # The process ends while it waits before it looks again.
        await place.slack.until(lambda: len(place.slack.calls("chat.postMessage")) == 1)
    async with place.running():
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        for _ in range(250):
            if not await place.owed():
                break
            await asyncio.sleep(0.02)
        assert await place.owed() == 0
    assert len(place.slack.answers(HELPDESK, asked)) == 1


@either_way
async def test_a_message_that_a_dead_process_took_is_answered_by_the_next(place: Place) -> None:
    place.answers.seconds = 60
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
        cut_off = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
        for task in cut_off:
            task.cancel()
        await asyncio.wait(cut_off)
    place.answers.seconds = 0
    assert place.slack.answers(HELPDESK, asked) == []
    async with place.running():
        await place.slack.answered(HELPDESK, asked)
    # Ending lets what is under way finish.
    assert await place.owed() == 0


@either_way
async def test_nothing_but_words_of_people_is_answered(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.edit(AYA, HELPDESK, asked, "<@U0BOT> Wi-Fiが切れます")
        await place.slack.unfurl(HELPDESK, asked, "https://example.com")
        await place.slack.join(BOB, HELPDESK)
        await place.slack.bot_says("U0ALERTS", HELPDESK, "disk is full", thread=asked)
        await place.slack.settled()
    assert len(place.slack.answers(HELPDESK, asked)) == 1


@either_way
async def test_an_edit_reaches_the_memory_and_a_deletion_takes_the_words_out_of_it(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        more = await place.slack.say(AYA, HELPDESK, "パスワードは secret です", thread=asked)
        await place.slack.answered(HELPDESK, asked, count=2)
        await place.slack.edit(AYA, HELPDESK, asked, "VPNが毎日切れます")
        await place.slack.delete(HELPDESK, more)
        await place.slack.settled()
    assert await place.kept(HELPDESK, asked) == ["VPNが毎日切れます"]


@either_way
async def test_a_channel_does_as_the_administrator_says(place: Place) -> None:
    place.settings = place.settings.model_copy(
        update={
            "channels": {
                HELPDESK: SlackChannelSettings(answer="always", ephemeral=True),
                GENERAL: SlackChannelSettings(enabled=False),
                FINANCE: SlackChannelSettings(memory="channel", language="en"),
            }
        }
    )
    async with place.running():
        await place.slack.say(AYA, HELPDESK, "VPNが切れます")
        await place.slack.until(lambda: len(place.slack.ephemerals(AYA, HELPDESK)) == 1)
        await place.slack.say(AYA, GENERAL, "VPNが切れます", mention=True)
        asked = await place.slack.say(AYA, FINANCE, "請求書は？", mention=True)
        await place.slack.answered(FINANCE, asked)
        await place.slack.settled()
    assert [question.viewer.confined for question in place.answers.questions] == [False, True]
    assert len(place.slack.calls("chat.postMessage")) == 1


async def test_a_guest_reads_only_what_was_said_where_the_guest_is(place: Place) -> None:
    place.slack.add_person("U0GUEST", "guest", real_name="Guest", is_restricted=True)
    direct = place.slack.dm("U0GUEST")
    async with place.running():
        asked = await place.slack.say("U0GUEST", direct, "VPNは？")
        await place.slack.answered(direct, asked)
    assert place.answers.questions[0].viewer.confined


async def test_the_connection_comes_back_by_itself_and_loses_nothing(place: Place) -> None:
    async with place.running():
        await place.slack.disconnect()
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)


@pytest.mark.parametrize(("setting", "words"), [("bot_token", "bot_token"), ("app_token", "app_token")])
async def test_a_wrong_token_is_named_in_plain_words(place: Place, setting: str, words: str) -> None:
    place.settings = place.settings.model_copy(update={setting: SecretStr("xoxb-wrong")})
    with pytest.raises(PlatformRefused, match=words):
        async with place.running():
            pass


async def test_model_text_pings_nobody_and_links_nowhere(place: Place) -> None:
    place.answers.body = "<!channel> @here <@U0KEN> [click](https://evil.example/x)"
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
    assert "<!channel>" not in answer["text"]
    assert "evil.example" not in str([element for element in str(answer["blocks"]).split("'url'")[1:]])
    [made] = place.slack.calls("chat.postMessage")
    assert (made.arguments["unfurl_links"], made.arguments["unfurl_media"]) in {(False, False), ("0", "0"), (0, 0)}


@pytest.mark.parametrize(("code", "owed"), [("is_archived", 0), ("internal_error", 1)])
async def test_a_reply_that_slack_refuses_for_good_is_not_made_again_and_again(
    place: Place, code: str, owed: int
) -> None:
    place.slack.fail("chat.postMessage", times=1, error=code)
    async with place.running():
        await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
    assert await place.owed() == owed


async def test_an_owed_reply_is_sent_even_where_the_thread_may_not_be_read(place: Place) -> None:
    place.slack.fail("chat.postMessage", times=1, error="internal_error")
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
    place.slack.fail("conversations.replies", times=1, error="missing_scope")
    async with place.running():
        await place.slack.answered(HELPDESK, asked)
    assert await place.owed() == 0
