"""Who sees what was said in a Slack channel, while channels change and Slack is slow to tell of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from config.knowledge import KnowledgeSettings
from config.schema import Language
from config.slack import SlackChannelSettings
from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.model import Conversation, Turn, Viewer, Visibility
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, HELPDESK, KEN, TEAM
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import LATER, Place, opened
from tests.fakes.small_application import deciding


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


async def turns_of(place: Place, thread: str, channel: str = HELPDESK) -> list[Turn]:
    """What people said in this thread, as it is kept."""
    where = filed(Conversation(platform=PLATFORM, workspace=TEAM, channel=channel, thread=thread))
    found = await place.app.store.reading.recent(where.id, Viewer(user="keeper", agent=True), LATER, 100)
    return [turn for turn in found if not turn.derived]


async def seen_by(place: Place, thread: str) -> list[Visibility]:
    return [turn.visibility for turn in await turns_of(place, thread)]


async def asked_and_answered(place: Place, text: str = "VPNが切れます", channel: str = HELPDESK) -> str:
    """A question of Aya's that was answered: its thread."""
    asked = await place.slack.say(AYA, channel, text, mention=channel == HELPDESK)
    await place.slack.answered(channel, asked)
    await place.slack.settled()
    await idle()
    return asked


def confined(place: Place) -> list[bool]:
    return [question.viewer.confined for question in place.answers.questions]


# --- a channel changes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [("message", "app_mention"), ("app_mention", "message")])
async def test_what_is_said_in_a_channel_that_has_become_private_is_not_for_everyone(
    place: Place, order: tuple[str, str]
) -> None:
    place.slack.mention_order = order
    async with place.running():
        before = await asked_and_answered(place)
        place.slack.world.channels[HELPDESK].kind = "private"
        after = await asked_and_answered(place, "給与が違います")
    assert await seen_by(place, before) == [Visibility.EVERYONE]
    assert await seen_by(place, after) == [Visibility.CHANNEL]


async def test_a_mention_that_is_told_alone_does_not_trust_what_was_so_before(place: Place) -> None:
    """Without the scope for messages Slack tells mentions only, and does not say in what kind of channel."""
    place.slack.mention_order = ("app_mention",)
    async with place.running():
        await asked_and_answered(place)
        place.slack.world.channels[HELPDESK].kind = "private"
        asked = await asked_and_answered(place, "給与が違います")
    assert await seen_by(place, asked) == [Visibility.CHANNEL]


async def test_slacks_own_notice_tells_of_the_change_too(place: Place) -> None:
    """And an answer that Slack gave before it, however lately, is wider than what is so."""
    async with place.running():
        asked = await asked_and_answered(place)
        channel = place.slack.world.channels[HELPDESK]
        channel.kind = "private"
        await place.slack.topic(KEN, HELPDESK, "Ask IT, quietly")
        channel.kind = "public"
        await place.slack.say(KEN, HELPDESK, "私もです", thread=asked)
        await place.slack.answered(HELPDESK, asked, count=2)
    assert await seen_by(place, asked) == [Visibility.EVERYONE, Visibility.CHANNEL]


# --- a channel is shared with another organisation --------------------------------------------------------------------


async def test_in_a_shared_channel_only_its_own_words_are_used_and_they_stay_there(place: Place) -> None:
    place.slack.world.channels[HELPDESK].shared = True
    async with place.running():
        asked = await asked_and_answered(place)
    assert confined(place) == [True]
    assert await seen_by(place, asked) == [Visibility.CHANNEL]


async def test_a_channel_that_is_shared_from_now_on_is_known_at_once(place: Place) -> None:
    async with place.running():
        await asked_and_answered(place)
        place.slack.world.channels[HELPDESK].shared = True
        asked = await asked_and_answered(place, "給与が違います")
    assert confined(place) == [False, True]
    assert await seen_by(place, asked) == [Visibility.CHANNEL]


async def test_only_the_channels_own_description_says_that_it_is_shared(place: Place) -> None:
    """As after a restart, when the event that told of it has been forgotten."""
    place.slack.world.channels[HELPDESK].shared = True
    place.slack.fail("chat.postMessage", times=1, error="internal_error")
    async with place.running():
        await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.answers.asked.wait()
    async with place.running():
        await idle()
    assert confined(place) == [True, True]
    assert await place.owed() == 0


async def test_a_direct_message_from_another_organisation_is_confined(place: Place) -> None:
    direct = place.slack.dm(AYA)
    place.slack.world.channels[direct].shared = True
    async with place.running():
        await asked_and_answered(place, channel=direct)
    assert confined(place) == [True]


# --- Slack is slow ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["users.info", "conversations.info"])
async def test_what_slack_is_slow_to_tell_of_holds_up_no_acknowledgement(place: Place, method: str) -> None:
    """Slack waits for three seconds; the message is on the disk before, and the question is asked again later."""
    place.slack.fail(method, slow=20)
    place.slack.wire.ack_limit = 2.0
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, f"<@{KEN}> のVPNが切れます", mention=True)
        await place.slack.settled()
        assert [turn.message for turn in await turns_of(place, asked)] == [asked]
        await place.slack.answered(HELPDESK, asked)
        await idle()
    assert all(ack.ok and ack.attempt == 0 for ack in place.slack.wire.acks)
    assert len(place.slack.answers(HELPDESK, asked)) == 1
    # Asked again for the answer, which waits for it: nobody is treated as a stranger.
    assert confined(place) == [False]


async def test_messages_of_one_thread_do_not_wait_for_slack_one_after_the_other(place: Place) -> None:
    place.slack.fail("users.info", slow=20, times=50)
    place.slack.wire.ack_limit = 2.0
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, "one", mention=True)
        for text in ("two", "three", "four"):
            await place.slack.say(AYA, HELPDESK, text, thread=asked)
        await place.slack.settled()
        assert await place.kept(HELPDESK, asked) == ["one", "two", "three", "four"]
        await place.slack.answered(HELPDESK, asked, count=4)
        await idle()
    assert all(ack.ok and ack.attempt == 0 for ack in place.slack.wire.acks)


async def test_what_kind_of_channel_it_is_that_slack_does_not_tell_in_time_is_as_narrow_as_can_be(place: Place) -> None:
    place.slack.fail("conversations.info", slow=20)
    async with place.running():
        first = await asked_and_answered(place)
        second = await asked_and_answered(place)
    assert await seen_by(place, first) == [Visibility.CHANNEL]
    assert await seen_by(place, second) == [Visibility.EVERYONE]


async def test_an_edit_is_acknowledged_however_slow_slack_is_to_name_people(place: Place) -> None:
    place.slack.wire.ack_limit = 2.0
    async with place.running():
        asked = await asked_and_answered(place)
        place.slack.fail("users.info", slow=20)
        await place.slack.edit(AYA, HELPDESK, asked, f"<@{place.slack.me}> <@{KEN}> のVPNが切れます")
        await place.slack.settled()
    assert [turn.text for turn in await turns_of(place, asked)] == ["@unknown のVPNが切れます"]
    assert all(ack.ok and ack.attempt == 0 for ack in place.slack.wire.acks)


@pytest.mark.parametrize("abstains", [True, False])
async def test_who_asks_while_slack_does_not_tell_who_that_is_hears_so_and_not_that_there_is_nothing(
    place: Place, abstains: bool
) -> None:
    place.answers.abstains = abstains
    place.slack.fail("users.info", error="internal_error", times=50)
    async with place.running():
        thread = await asked_and_answered(place)
    [answer] = place.slack.answers(HELPDESK, thread)
    assert confined(place) == [True]
    shown = f"{answer['text']} {answer['blocks']}"
    assert "どなたが何を見てよいかをいま確かめられない" in shown
    assert "見つかりませんでした" not in shown
    assert ("答えます" in shown) is not abstains


# --- people leave -----------------------------------------------------------------------------------------------------


async def seen_alone(place: Place, user: str, thread: str) -> int:
    """How much of this thread the person may read in a direct message."""
    where = filed(Conversation(platform=PLATFORM, workspace=TEAM, channel=HELPDESK, thread=thread))
    return len(await place.app.store.reading.recent(where.id, Viewer(user=user), LATER, 100))


async def test_who_left_a_private_channel_reads_nothing_more_of_it_until_they_are_back(place: Place) -> None:
    place.slack.world.channels[HELPDESK].kind = "private"
    async with place.running():
        asked = await asked_and_answered(place)
        before = await seen_alone(place, AYA, asked)
        await place.slack.leave(AYA, HELPDESK)
        await place.slack.settled()
        away = await seen_alone(place, AYA, asked)
        await place.slack.join(AYA, HELPDESK)
        await place.slack.settled()
    assert (before > 0, away, await seen_alone(place, AYA, asked)) == (True, 0, before)


# --- what an administrator says of a channel --------------------------------------------------------------------------


def channels_of(place: Place, **given: Any) -> None:
    """The administrator says this of the helpdesk's channel."""
    channels = {HELPDESK: SlackChannelSettings.model_validate(given)}
    place.settings = place.settings.model_copy(update={"channels": channels})


@pytest.mark.parametrize(
    ("named", "used"), [(None, ["hr", "it"]), (["it"], ["it"]), ([], []), (["it", "gone"], ["it"])], ids=str
)
async def test_answers_in_a_channel_use_the_collections_that_are_named_for_it(
    place: Place, named: list[str] | None, used: list[str]
) -> None:
    collections = [{"name": "it", "folder": "it"}, {"name": "hr", "folder": "hr"}]
    knowledge = KnowledgeSettings.model_validate({"collections": collections})
    desk = desk_over(place.app.store, place.answers, place.app.clock, knowledge=knowledge)
    place.app = deciding(place.app, desk=desk)
    channels_of(place, **({} if named is None else {"knowledge": named}))
    async with place.running():
        await asked_and_answered(place)
        await asked_and_answered(place, channel=place.slack.dm(AYA))
    assert [question.collections for question in place.answers.questions] == [{*used}, {"hr", "it"}]


@pytest.mark.parametrize(("language", "words"), [("en", "Still open:"), ("ja", "確認中:"), (None, "確認中:")])
async def test_in_a_channel_with_a_language_the_bots_own_words_are_in_it(
    place: Place, language: str | None, words: str
) -> None:
    place.answers.abstains = True
    channels_of(place, language=language)
    async with place.running():
        thread = await asked_and_answered(place)
    [answer] = place.slack.answers(HELPDESK, thread)
    assert answer["text"].startswith(words)


async def test_an_error_code_alone_is_answered_in_the_language_of_who_asks(place: Place) -> None:
    place.answers.abstains = True
    english = place.app.settings.bot.model_copy(update={"language": Language.ENGLISH})
    place.app = deciding(place.app, desk=desk_over(place.app.store, place.answers, place.app.clock, bot=english))
    async with place.running():
        thread = await asked_and_answered(place, "QX-7713?")
    [answer] = place.slack.answers(HELPDESK, thread)
    assert answer["text"].startswith("確認中:")
