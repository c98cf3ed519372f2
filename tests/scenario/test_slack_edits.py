"""Edits that Slack tells before the message that they change."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from config.slack import SlackChannelSettings
from tests.fakes.slack import AYA, HELPDESK, KEN, TEAM
from tests.fakes.slack.cast import ALERTS
from tests.fakes.slack.events import changed_event, deleted_event, message_event
from tests.fakes.slack.world import Json
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


def unheard(place: Place, channel: str, text: str, user: str = AYA, **more: str) -> Json:
    """A message that stands in Slack and that the bot has not been told of."""
    message: Json = {"type": "message", "text": text, "user": user, "ts": place.slack.world.ts(), "team": TEAM, **more}
    return place.slack.world.keep(channel, message)


async def told(place: Place, channel: str, message: Json) -> None:
    await place.slack.event(message_event(place.slack.world.channels[channel], message))
    await place.slack.settled()
    await idle()


async def edited(place: Place, channel: str, message: Json, text: str) -> None:
    now = place.slack.world.ts()
    newer = {**message, "text": text, "edited": {"user": message["user"], "ts": now}}
    await place.slack.event(changed_event(place.slack.world.channels[channel], newer, message, now))
    await place.slack.settled()


async def test_a_question_that_arrives_after_its_edit_is_answered_as_it_was_edited(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = unheard(place, direct, "VPNが切れます。パスワードは secret です")
        await edited(place, direct, asked, "VPNが切れます")
        await told(place, direct, asked)
        await told(place, direct, asked)
    assert await place.kept(direct, asked["ts"]) == ["VPNが切れます"]
    assert [question.text for question in place.answers.questions] == ["VPNが切れます"]


async def test_what_is_only_remembered_follows_its_edit_too(place: Place) -> None:
    channels = {HELPDESK: SlackChannelSettings(remember=True)}
    place.settings = place.settings.model_copy(update={"channels": channels})
    async with place.running():
        said = unheard(place, HELPDESK, "プリンターは三階です")
        for text in ("プリンターは四階です", "プリンターは五階です"):
            await edited(place, HELPDESK, said, text)
        await told(place, HELPDESK, said)
    assert await place.kept(HELPDESK, said["ts"]) == ["プリンターは五階です"]


async def test_what_was_deleted_before_it_was_told_stays_away_whatever_its_edit_said(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = unheard(place, direct, "VPNが切れます")
        await edited(place, direct, asked, "VPNが毎日切れます")
        await place.slack.delete(direct, asked["ts"])
        await place.slack.settled()
        await told(place, direct, asked)
    assert await place.kept(direct, asked["ts"]) == []
    assert place.answers.questions == []


@pytest.mark.parametrize(("between", "words"), [(199, "VPNが毎日切れます"), (200, "VPNが切れます")])
async def test_the_newest_two_hundred_edits_wait_for_their_messages(place: Place, between: int, words: str) -> None:
    direct, other = place.slack.dm(AYA), place.slack.dm(KEN)
    async with place.running():
        asked = unheard(place, direct, "VPNが切れます")
        await edited(place, direct, asked, "VPNが毎日切れます")
        for number in range(between):
            await edited(place, other, unheard(place, other, "はい", KEN), f"いいえ {number}")
        await told(place, direct, asked)
    assert await place.kept(direct, asked["ts"]) == [words]


async def test_other_programs_that_write_on_and_on_push_no_edit_out(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = unheard(place, direct, "VPNが切れます")
        await edited(place, direct, asked, "VPNが毎日切れます")
        alert = unheard(place, HELPDESK, "disk", ALERTS, bot_id="B0ALERTS")
        for number in range(250):
            await edited(place, HELPDESK, {**alert, "ts": place.slack.world.ts()}, f"disk {number}")
        await told(place, direct, asked)
    assert await place.kept(direct, asked["ts"]) == ["VPNが毎日切れます"]


@pytest.mark.parametrize("former", [{}, {"previous_message": None}], ids=["with what it was", "without"])
async def test_a_message_told_again_in_the_same_words_while_it_is_answered_is_no_second_one(
    place: Place, former: Json
) -> None:
    """As Slack does for links and languages, about a second later."""
    direct, place.answers.seconds = place.slack.dm(AYA), 0.3
    channel = place.slack.world.channels[direct]
    async with place.running():
        asked = unheard(place, direct, "VPNが切れます https://vpn.example")
        await place.slack.event(message_event(channel, asked))
        await place.answers.asked.wait()
        again = {**changed_event(channel, asked, asked, place.slack.world.ts()), **former}
        await place.slack.event({key: value for key, value in again.items() if value is not None})
        await place.slack.answered(direct, asked["ts"])
        await place.slack.settled()
        await idle()
    assert len(place.slack.answers(direct, asked["ts"])) == 1
    assert len(place.answers.questions) == 1
    assert await place.kept(direct, asked["ts"]) == ["VPNが切れます https://vpn.example"]


async def test_of_a_direct_message_that_is_deleted_no_word_is_left(place: Place) -> None:
    """What tells of it has no text, and nothing but the id says what is gone."""
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = await place.slack.say(AYA, direct, "パスワードは secret です")
        await place.slack.answered(direct, asked)
        await place.slack.settled()
        bare = {**deleted_event(place.slack.world.channels[direct], {"ts": asked}, place.slack.world.ts())}
        del bare["previous_message"]
        await place.slack.event(bare)
        await place.slack.settled()
        await idle()
    assert await place.kept(direct, asked) == []
