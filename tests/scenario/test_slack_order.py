"""The order of a thread, whatever Slack does with its answers: it waits, other threads do not, and nobody for good."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.fakes.slack import AYA, HELPDESK, KEN
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        place.settings = place.settings.model_copy(update={"answers_at_once": 1})
        yield place


async def thread_of_two(place: Place, **fault: Any) -> str:
    """Two questions in one thread, of which the first one's answers meet this fault."""
    thread = await place.slack.say(AYA, HELPDESK, "one", mention=True)
    place.slack.fail("chat.postMessage", about={"thread_ts": thread}, **fault)
    await place.slack.say(KEN, HELPDESK, "two", thread=thread, mention=True)
    await place.slack.settled()
    return thread


def said(place: Place, thread: str) -> list[str]:
    """What the bot said there: the questions that it answers, in its order."""
    return [answered(each["text"]) for each in place.slack.answers(HELPDESK, thread)]


def answered(text: str) -> str:
    return text.partition("答えます: ")[2].split()[0] if "答えます" in text else text


@pytest.mark.parametrize(
    "fault",
    [
        {"error": "internal_error"},
        {"status": 503},
        {"drop": "before"},
        {"drop": "after"},
        {"status": 429, "retry_after": 0, "times": 6},
        {"garbled": True},
    ],
    ids=str,
)
async def test_an_answer_that_slack_does_not_take_at_once_comes_before_the_next_of_its_thread(
    place: Place, fault: Mapping[str, Any]
) -> None:
    """The kit itself calls again six times where Slack says 429."""
    place.answers.seconds = 0.1
    async with place.running():
        thread = await thread_of_two(place, **fault)
        other = await place.slack.say(KEN, HELPDESK, "elsewhere", mention=True)
        await place.slack.answered(HELPDESK, thread, count=2)
        await idle()
    assert said(place, thread) == ["one", "two"]
    assert said(place, other) == ["elsewhere"]
    assert [question.text for question in place.answers.questions].count("one") == 1
    assert await place.owed() == 0


async def test_while_a_thread_waits_for_slack_all_others_are_answered(place: Place) -> None:
    """There is one place to answer in, and the thread that waits does not keep it."""
    async with place.running():
        thread = await thread_of_two(place, error="internal_error", times=100)
        other = await place.slack.say(KEN, HELPDESK, "elsewhere", mention=True)
        await place.slack.answered(HELPDESK, other)
        assert said(place, thread) == []
        place.slack.api.faults.coming.clear()
        await place.slack.answered(HELPDESK, thread, count=2)
    assert said(place, thread) == ["one", "two"]


async def test_when_the_wait_is_over_a_sentence_with_the_number_of_the_log_takes_the_place_of_the_answer(
    place: Place,
) -> None:
    place.settings = place.settings.model_copy(update={"wait_minutes": 0.001})
    async with place.running():
        with capture_logs() as logged:
            # The first try, and the last one when the time is over.
            thread = await thread_of_two(place, error="internal_error", times=2)
            await place.slack.answered(HELPDESK, thread, count=2)
            await idle()
    [refused] = [each for each in logged if each["event"] == "slack_reply_refused"]
    assert refused["error"] == "internal_error"
    regret, second = said(place, thread)
    assert refused["reference"] in regret
    assert second == "two"
    assert place.slack.ephemerals(AYA) == []
    assert await place.owed() == 0


async def test_behind_an_answer_that_stays_owed_the_thread_waits_for_the_next_round(place: Place) -> None:
    async with place.running():
        thread = await thread_of_two(place, error="invalid_auth")
        await idle()
        # Slack takes everything again, and what comes now still does not come before the first.
        await place.slack.say(AYA, HELPDESK, "three", thread=thread, mention=True)
        other = await place.slack.say(KEN, HELPDESK, "elsewhere", mention=True)
        await place.slack.answered(HELPDESK, other)
        await idle()
        assert said(place, thread) == []
        assert await place.owed() == 3
    async with place.running():
        await place.slack.answered(HELPDESK, thread, count=3)
        await idle()
    assert said(place, thread) == ["one", "two", "three"]
    assert await place.owed() == 0


async def test_what_is_owed_holds_its_thread_up_no_longer_than_the_thread_may_wait(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"wait_minutes": 0.001})
    async with place.running():
        # Neither the answer nor what would take its place gets through.
        thread = await thread_of_two(place, error="internal_error", times=3)
        await place.slack.until(lambda: len(place.slack.calls("chat.postMessage")) == 3)
        await idle()
        assert await place.owed() >= 1
        await asyncio.sleep(0.1)
        await place.slack.say(AYA, HELPDESK, "three", thread=thread, mention=True)
        await place.slack.until(lambda: "three" in said(place, thread))
    assert "one" not in said(place, thread)


async def test_a_process_that_ends_while_a_thread_waits_leaves_its_order_to_the_next(place: Place) -> None:
    async with place.running():
        thread = await thread_of_two(place, error="internal_error", times=100)
        await place.slack.until(lambda: len(place.slack.calls("chat.postMessage")) == 1)
    assert await place.owed() == 2
    place.slack.api.faults.coming.clear()
    async with place.running():
        await place.slack.answered(HELPDESK, thread, count=2)
        await idle()
    assert said(place, thread) == ["one", "two"]


async def test_files_of_a_message_that_has_to_wait_are_read_all_the_same(place: Place) -> None:
    async with place.running():
        thread = await thread_of_two(place, error="invalid_auth")
        await idle()
        log = place.slack.file("vpn.log", b"QX-7713")
        await place.slack.say(KEN, HELPDESK, "three", thread=thread, mention=True, files=[log])
        await place.slack.settled()
        await idle()
    async with place.running():
        await place.slack.answered(HELPDESK, thread, count=3)
    assert place.answers.questions[-1].text.endswith("[file: vpn.log]\nQX-7713")
