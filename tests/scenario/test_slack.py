"""The bot in Slack: the real app over a strict Slack of our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.application import Application
from bot.slack_app import slack_running
from bot.wiring import system_clock
from config.slack import SlackChannelSettings, SlackSettings
from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.answers import Answer, AnswerKind
from memory.errors import PlatformRefused
from memory.model import Conversation, Question, Viewer
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import evidence
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, TEAM, Slack, serving
from tests.fakes.small_application import small_application

Script = Sequence[Answer | Exception]
LATER = datetime(2100, 1, 1, tzinfo=UTC)


class Answering:
    """Answers each question with its own words, after `seconds`; or raises what stands in `errors` first."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.asked = asyncio.Event()
        self.errors: list[Exception] = []
        self.body = "**太字**で答えます: {question}"
        self.seconds = 0.0

    async def answer(self, question: Question) -> Answer:
        self.questions.append(question)
        self.asked.set()
        await asyncio.sleep(self.seconds)
        if self.errors:
            raise self.errors.pop(0)
        body = self.body.format(question=question.text)
        return Answer(kind=AnswerKind.WRITTEN, language="ja", body=body, cited=(evidence("証明書です"),))


@dataclass(slots=True)
class Place:
    """A workspace with the bot in it."""

    slack: Slack
    answers: Answering
    app: Application
    settings: SlackSettings
    connections: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A process of the bot."""
        before = self.connections
        async with slack_running(self.settings, self.app):
            await self.slack.connected(before + 1)
            self.connections = before + 1
            yield

    async def kept(self, channel: str, thread: str) -> list[str]:
        """What people said in this thread, as it is remembered."""
        place = filed(Conversation(platform=PLATFORM, workspace=TEAM, channel=channel, thread=thread))
        keeper = Viewer(user="keeper", agent=True)
        found = await self.app.store.reading.recent(place.id, keeper, LATER, 100)
        return [turn.text for turn in found if not turn.derived]

    async def owed(self) -> int:
        return len(await self.app.store.mailbox.waiting(PLATFORM, 100))


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(serving())
        slack.wire.retry_delays = (0.0, 0.05)
        store = InMemoryStore(clock=system_clock)
        app = small_application(tmp_path, system_clock, store=store)
        answers = Answering()
        desk = desk_over(store, answers, app.clock)
        settings = SlackSettings(
            bot_token=SecretStr(slack.bot_token), app_token=SecretStr(slack.app_token), api_url=slack.api_url
        )
        yield Place(slack=slack, answers=answers, app=replace(app, desk=desk), settings=settings)


async def test_a_mention_is_answered_once_in_its_thread(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        assert answer["thread_ts"] == asked
        assert "太字で答えます: VPNが切れます" in answer["text"]
        assert len(place.slack.answers(HELPDESK, asked)) == 1
        assert [question.text for question in place.answers.questions] == ["VPNが切れます"]


@pytest.mark.parametrize("order", [("message", "app_mention"), ("app_mention", "message")])
async def test_both_events_of_a_mention_bring_one_reply_in_either_order(place: Place, order: tuple[str, str]) -> None:
    place.slack.mention_order = order
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "プリンターが出ません", mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        assert len(place.slack.answers(HELPDESK, asked)) == 1
        assert await place.kept(HELPDESK, asked) == ["プリンターが出ません"]


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


async def test_nobody_is_left_without_a_word_when_answering_fails(place: Place) -> None:
    place.answers.errors = [ZeroDivisionError("VPN")]
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
    assert "番号" in answer["text"]
    assert await place.owed() == 0


async def test_a_reply_waits_as_long_as_slack_asks_for(place: Place) -> None:
    place.slack.fail("chat.postMessage", times=2, status=429, retry_after=1)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
    assert [made.status for made in place.slack.calls("chat.postMessage")] == [429, 429, 200]


@pytest.mark.parametrize("drop", ["before", "after"])
async def test_a_reply_that_slack_did_not_confirm_is_sent_again_only_if_it_is_not_there(
    place: Place, drop: str
) -> None:
    place.slack.fail("chat.postMessage", times=1, drop=drop)
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.until(lambda: len(place.slack.calls("chat.postMessage")) == 1)
        await asyncio.sleep(0.1)
        assert await place.owed() == 1
    async with place.running():
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        for _ in range(250):
            if not await place.owed():
                break
            await asyncio.sleep(0.02)
        assert await place.owed() == 0
    assert len(place.slack.answers(HELPDESK, asked)) == 1


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
