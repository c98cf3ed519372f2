"""Who calls the bot into a thread need not say again what was said there: it reads that first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from config.slack import SlackChannelSettings
from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.model import Conversation, Role, Turn, Viewer, Visibility
from tests.fakes.slack import AYA, FINANCE, HELPDESK, KEN, MAI, TEAM
from tests.fakes.slack.cast import ALERTS
from tests.fakes.slack.events import mention_event, message_event
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import LATER, Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


async def talk(place: Place, channel: str = HELPDESK) -> str:
    """Two people talk among themselves: their thread."""
    thread = await place.slack.say(AYA, channel, "証明書の更新がERR-4711で止まります")
    await place.slack.say(MAI, channel, f"<@{AYA}> 私も同じです", thread=thread)
    return thread


async def called(place: Place, thread: str, text: str = "どうすればいいですか", channel: str = HELPDESK) -> None:
    """Somebody calls the bot into it, and is answered."""
    before = len(place.slack.answers(channel, thread))
    await place.slack.say(AYA, channel, text, thread=thread, mention=True)
    await place.slack.answered(channel, thread, count=before + 1)
    await idle()


async def known(place: Place, thread: str, channel: str = HELPDESK) -> list[Turn]:
    """The thread as it is remembered, without the bot's own words."""
    where = filed(Conversation(platform=PLATFORM, workspace=TEAM, channel=channel, thread=thread))
    found = await place.app.store.reading.recent(where.id, Viewer(user="keeper", agent=True), LATER, 1000)
    return [turn for turn in found if not turn.derived]


async def test_the_thread_above_is_known_before_the_answer_and_read_once(place: Place) -> None:
    async with place.running():
        thread = await talk(place)
        await called(place, thread)
        seen = [turn.text for turn in await known(place, thread)]
        assert seen == ["証明書の更新がERR-4711で止まります", "@彩 私も同じです", "どうすればいいですか"]
        assert [(turn.author, turn.speaker, turn.requester) for turn in await known(place, thread)] == [
            (AYA, "彩", AYA),
            (MAI, "鈴木 舞", AYA),
            (AYA, "彩", AYA),
        ]
        await called(place, thread, "急ぎです")
    assert len(place.slack.calls("conversations.replies")) == 1


@asynccontextmanager
async def told_late(place: Place) -> AsyncIterator[None]:
    """What is said meanwhile Slack tells of later (`tell`), though it stands there already."""
    before = place.slack.mention_order
    place.slack.mention_order = ()
    yield
    place.slack.mention_order = before


async def tell(place: Place, ts: str) -> None:
    """Slack tells of a message, as often as it is a mention and once more, and the bot does what it does."""
    message = place.slack.world.message(HELPDESK, ts)
    assert message is not None
    channel = place.slack.world.channels[HELPDESK]
    mentioned = [mention_event(channel, message)] if f"<@{place.slack.me}>" in message["text"] else []
    for event in (message_event(channel, message), *mentioned, message_event(channel, message)):
        await place.slack.event(event)
        await place.slack.settled()
        await idle()


def asked(place: Place) -> list[str]:
    return [question.text for question in place.answers.questions]


async def test_a_call_that_is_told_after_one_below_it_is_answered_once(place: Place) -> None:
    async with place.running():
        async with told_late(place):
            thread = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await called(place, thread, "Wi-Fiも切れます")
        assert await place.kept(HELPDESK, thread) == ["VPNが切れます", "Wi-Fiも切れます"]
        await tell(place, thread)
    assert asked(place) == ["Wi-Fiも切れます", "VPNが切れます"]
    assert len(place.slack.answers(HELPDESK, thread)) == 2
    assert await place.owed() == 0


async def test_where_everything_is_answered_so_is_what_is_told_after_a_reply_to_it(place: Place) -> None:
    channels = {HELPDESK: SlackChannelSettings.model_validate({"answer": "always"})}
    place.settings = place.settings.model_copy(update={"channels": channels})
    async with place.running():
        async with told_late(place):
            thread = await place.slack.say(AYA, HELPDESK, "VPNが切れます")
        await place.slack.say(AYA, HELPDESK, "Wi-Fiも切れます", thread=thread)
        await place.slack.answered(HELPDESK, thread)
        await idle()
        await tell(place, thread)
    assert asked(place) == ["Wi-Fiも切れます", "VPNが切れます"]


@pytest.mark.parametrize("read", [True, False])
async def test_what_stands_above_a_call_is_not_answered_however_late_it_is_told(place: Place, read: bool) -> None:
    """Neither where it was read for the call, nor where Slack did not tell it then."""
    async with place.running():
        thread = await talk(place)
        async with told_late(place):
            late = await place.slack.say(MAI, HELPDESK, "うちの課は全員です", thread=thread)
        if not read:
            place.slack.fail("conversations.replies", error="ratelimited")
        await called(place, thread, "VPNが切れます")
        for ts in (late, thread):
            await tell(place, ts)
        assert asked(place) == ["VPNが切れます"]
        # What is said below the call goes on with the talk.
        async with told_late(place):
            below = await place.slack.say(MAI, HELPDESK, "Wi-Fiも切れます", thread=thread)
        await tell(place, below)
    assert asked(place) == ["VPNが切れます", "Wi-Fiも切れます"]


async def test_an_edit_that_calls_the_bot_is_not_answered_where_it_was_overheard_before(place: Place) -> None:
    async with place.running():
        thread = await talk(place)
        said = await place.slack.say(KEN, HELPDESK, "再起動しましたか", thread=thread)
        await called(place, thread, "VPNが切れます")
        await place.slack.edit(KEN, HELPDESK, said, f"<@{place.slack.me}> 再起動しましたか?")
        await place.slack.settled()
        await idle()
    assert asked(place) == ["VPNが切れます"]


async def test_what_was_said_after_the_call_comes_as_it_is_told(place: Place) -> None:
    place.answers.seconds = 0.3
    async with place.running():
        thread = await talk(place)
        place.slack.fail("conversations.replies", slow=0.2)
        await place.slack.say(AYA, HELPDESK, "どうすればいいですか", thread=thread, mention=True)
        await place.slack.say(KEN, HELPDESK, f"<@{AYA}> 再起動しましたか", thread=thread)
        await place.slack.answered(HELPDESK, thread)
        await idle()
        texts = [turn.text for turn in await known(place, thread)]
    assert texts[2:] == ["どうすればいいですか", "@彩 再起動しましたか"]


@pytest.mark.parametrize(("channel", "width"), [(HELPDESK, Visibility.EVERYONE), (FINANCE, Visibility.CHANNEL)])
async def test_it_may_be_seen_as_widely_as_its_channel(place: Place, channel: str, width: Visibility) -> None:
    async with place.running():
        thread = await talk(place, channel)
        await called(place, thread, channel=channel)
    assert {turn.visibility for turn in await known(place, thread, channel)} == {width}


async def test_another_program_is_kept_as_one_and_the_bots_own_words_are_not_read(place: Place) -> None:
    async with place.running():
        thread = await place.slack.bot_says(ALERTS, HELPDESK, "disk full on web-07")
        own = {"type": "message", "user": place.slack.me, "bot_id": "B0BOT", "text": "mine", "thread_ts": thread}
        place.slack.world.keep(HELPDESK, {**own, "ts": place.slack.world.ts()})
        await called(place, thread)
    alert, asked = await known(place, thread)
    assert (alert.text, alert.role, alert.said_by) == ("disk full on web-07", Role.BOT, "Alerts")
    assert asked.role is not Role.BOT


async def test_a_secret_in_it_is_taken_out(place: Place) -> None:
    async with place.running():
        thread = await place.slack.say(AYA, HELPDESK, "password: hunter2-Xy77")
        await called(place, thread)
    assert "hunter2" not in str(await known(place, thread))


async def test_who_is_answered_always_need_not_call(place: Place) -> None:
    thread = ""
    async with place.running():
        thread = await talk(place)
        await place.slack.settled()
        await idle()
    channels = {HELPDESK: SlackChannelSettings.model_validate({"answer": "always"})}
    place.settings = place.settings.model_copy(update={"channels": channels})
    async with place.running():
        await place.slack.say(AYA, HELPDESK, "まだ直りません", thread=thread)
        await place.slack.answered(HELPDESK, thread)
    assert len(await known(place, thread)) == 3


async def test_a_long_thread_is_read_page_by_page(place: Place) -> None:
    async with place.running():
        thread = await place.slack.say(AYA, HELPDESK, "始め")
        for number in range(250):
            said = {"type": "message", "user": KEN, "text": f"{number}番", "thread_ts": thread, "parent_user_id": AYA}
            place.slack.world.keep(HELPDESK, {**said, "ts": place.slack.world.ts()})
        await called(place, thread)
    assert len(await known(place, thread)) == 252
    assert len(place.slack.calls("conversations.replies")) == 2


@pytest.mark.parametrize(
    "fault",
    [{"error": "ratelimited"}, {"status": 503}, {"error": "not_in_channel"}, {"status": 429, "retry_after": 60}],
    ids=str,
)
async def test_where_slack_does_not_tell_it_in_time_the_answer_comes_without(
    place: Place, fault: dict[str, Any]
) -> None:
    async with place.running():
        thread = await talk(place)
        place.slack.fail("conversations.replies", **fault)
        await called(place, thread)
    assert [turn.text for turn in await known(place, thread)] == ["どうすればいいですか"]
    assert await place.owed() == 0


async def test_the_next_process_reads_what_a_dead_one_was_about_to_read(place: Place) -> None:
    async with place.running():
        thread = await talk(place)
        place.slack.fail("conversations.replies", slow=60)
        await place.slack.say(AYA, HELPDESK, "どうすればいいですか", thread=thread, mention=True)
        await place.slack.until(lambda: place.slack.api.faults.coming == [])
        cut_off = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
        for task in cut_off:
            task.cancel()
        await asyncio.wait(cut_off)
    async with place.running():
        await place.slack.answered(HELPDESK, thread)
        await idle()
    assert len(await known(place, thread)) == 3


async def test_what_was_taken_back_does_not_come_back(place: Place) -> None:
    async with place.running():
        thread = await talk(place)
        late = await place.slack.say(KEN, HELPDESK, "間違えました", thread=thread)
        await place.slack.delete(HELPDESK, late)
        await place.slack.settled()
        await called(place, thread)
    assert len(await known(place, thread)) == 3


async def test_what_the_support_team_says_among_itself_is_not_read(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": HELPDESK})
    async with place.running():
        thread = await talk(place)
        await called(place, thread)
    assert [turn.text for turn in await known(place, thread)] == ["どうすればいいですか"]


async def test_a_call_by_name_alone_asks_what_stands_above_it(place: Place) -> None:
    async with place.running():
        thread = await talk(place)
        await called(place, thread, "")
        assert place.answers.questions[0].text == "証明書の更新がERR-4711で止まります\n@彩 私も同じです"
        # What was answered is not asked again.
        await called(place, thread, "")
    assert len(place.answers.questions) == 1
    assert "どうされましたか" in place.slack.answers(HELPDESK, thread)[1]["text"]


async def test_a_call_by_name_alone_with_nothing_above_is_asked_what_it_is_about(place: Place) -> None:
    async with place.running():
        thread = await place.slack.say(AYA, HELPDESK, "", mention=True)
        [answer] = await place.slack.answered(HELPDESK, thread)
    assert "どうされましたか" in answer["text"]
    assert place.answers.questions == []
