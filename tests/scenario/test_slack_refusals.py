"""What becomes of a reply that Slack does not take: a visible answer or a plain sentence with an id, always."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from config.slack import SlackChannelSettings
from tests.fakes.slack import AYA, BOB, HELPDESK
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


def whisper(place: Place) -> None:
    """Have answers in the channel shown to the asker alone."""
    channels = {HELPDESK: SlackChannelSettings(ephemeral=True)}
    place.settings = place.settings.model_copy(update={"channels": channels})


async def asked(place: Place, user: str = AYA, text: str = "VPNが切れます") -> str:
    """A question in the channel, and nothing under way any more: its thread."""
    thread = await place.slack.say(user, HELPDESK, text, mention=True)
    await place.answers.asked.wait()
    await place.slack.settled()
    await idle()
    return thread


@pytest.mark.parametrize("code", ["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"])
async def test_an_answer_whose_form_slack_does_not_take_comes_as_plain_text(place: Place, code: str) -> None:
    place.slack.fail("chat.postMessage", error=code)
    async with place.running():
        thread = await asked(place)
    [answer] = place.slack.answers(HELPDESK, thread)
    assert "太字で答えます: VPNが切れます" in answer["text"]
    assert answer["blocks"] == []
    assert await place.owed() == 0


async def test_for_one_person_alone_it_comes_as_plain_text_too(place: Place) -> None:
    whisper(place)
    place.slack.fail("chat.postEphemeral", error="invalid_blocks")
    async with place.running():
        await asked(place)
    [answer] = place.slack.ephemerals(AYA)
    assert "太字で答えます: VPNが切れます" in answer["text"]


@pytest.mark.parametrize(
    ("user", "text", "sentence"),
    [(AYA, "VPNが切れます", "管理者に番号 {} をお伝えください"), (BOB, "The VPN drops", "{}")],
)
@pytest.mark.parametrize("code", ["missing_scope", "restricted_action", "an_error_of_next_year"])
async def test_an_answer_that_slack_refuses_is_regretted_to_the_asker_with_the_reference_of_the_log(
    place: Place, code: str, user: str, text: str, sentence: str
) -> None:
    place.slack.fail("chat.postMessage", error=code)
    async with place.running():
        with capture_logs() as logged:
            thread = await asked(place, user, text)
    [refused] = [each for each in logged if each["event"] == "slack_reply_refused"]
    assert refused["error"] == code
    [said] = place.slack.ephemerals(user)
    assert sentence.format(refused["reference"]) in said["text"]
    assert ("問題が起きました" in said["text"]) is (user == AYA)
    assert place.slack.answers(HELPDESK, thread) == []
    assert await place.owed() == 0


async def test_what_cannot_be_told_to_one_person_alone_is_regretted_in_the_thread(place: Place) -> None:
    whisper(place)
    place.slack.fail("chat.postEphemeral", error="user_not_in_channel")
    async with place.running():
        thread = await asked(place)
    [said] = place.slack.answers(HELPDESK, thread)
    assert re.search("管理者に番号 [0-9a-f]{8} をお伝えください", said["text"])
    assert "VPN" not in said["text"]
    assert await place.owed() == 0


@pytest.mark.parametrize(("second", "owed"), [({"error": "is_archived"}, 0), ({"drop": "before"}, 1)])
async def test_a_regret_is_tried_once_and_only_its_refusal_is_the_end(
    place: Place, second: dict[str, str], owed: int
) -> None:
    place.slack.fail("chat.postMessage", error="restricted_action")
    place.slack.fail("chat.postEphemeral", **second)
    async with place.running():
        await asked(place)
    assert len(place.slack.calls("chat.postEphemeral")) == 1
    assert await place.owed() == owed


async def test_being_too_fast_passes_however_slack_spells_it(place: Place) -> None:
    place.slack.fail("chat.postMessage", error="rate_limited")
    async with place.running():
        thread = await asked(place)
    assert len(place.slack.answers(HELPDESK, thread)) == 1
    assert place.slack.ephemerals(AYA) == []
    assert await place.owed() == 0


async def test_an_answer_that_meets_a_broken_server_comes_all_the_same(place: Place) -> None:
    """The server answers with plain text, in which there is no word of Slack's."""
    place.slack.fail("chat.postMessage", status=503)
    async with place.running():
        with capture_logs() as logs:
            thread = await asked(place)
    assert "lane_work_failed" not in [each["event"] for each in logs]
    assert len(place.slack.answers(HELPDESK, thread)) == 1
    assert len(place.answers.questions) == 1
    assert await place.owed() == 0


@pytest.mark.parametrize("code", ["token_revoked", "account_inactive", "invalid_auth", "not_authed", "token_expired"])
async def test_what_a_refused_token_cannot_answer_is_owed_and_the_operator_is_told(place: Place, code: str) -> None:
    async with place.running():
        place.slack.fail("chat.postMessage", error=code)
        place.slack.fail("auth.test", error=code)
        thread = await asked(place)
        assert await place.owed() == 1
        told = place.app.health.ready()["slack installation"]
        assert not told.ok
        assert "`slack.bot_token`" in told.why
    async with place.running():
        await place.slack.answered(HELPDESK, thread)
        await idle()
    assert await place.owed() == 0


async def test_no_answer_is_worked_out_for_a_token_that_opens_nothing(place: Place) -> None:
    place.slack.fail("chat.postMessage", error="invalid_auth")
    async with place.running():
        await asked(place)
    place.slack.fail("conversations.replies", error="invalid_auth")
    async with place.running():
        await idle()
    assert len(place.answers.questions) == 1
    assert await place.owed() == 1


async def test_a_whispered_answer_that_slack_took_without_saying_so_is_whispered_again(place: Place) -> None:
    """It cannot be looked up: twice for one person is better than not at all."""
    whisper(place)
    place.slack.fail("chat.postEphemeral", drop="after")
    async with place.running():
        await asked(place)
    assert len(place.slack.ephemerals(AYA)) == 2
    assert await place.owed() == 0
