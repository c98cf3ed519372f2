"""What is seen in a direct message while an answer is made, and that one answer comes of it whatever Slack does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.application import Application
from bot.slack_app import slack_running
from bot.wiring import system_clock
from config.slack import SlackSettings
from handlers.slack.records import PLATFORM
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, HELPDESK, Slack, serving
from tests.fakes.small_application import deciding, small_application
from tests.fakes.thinking import Thinking

QUESTION = "VPNが切れます"
#: Longer than the time within which no steps are shown.
A_WHILE = 1.3


@dataclass(slots=True)
class Place:
    """A workspace with the bot in it, and Aya's direct conversation with the bot."""

    slack: Slack
    thinking: Thinking
    app: Application
    settings: SlackSettings
    direct: str
    connections: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A process of the bot."""
        async with slack_running(self.settings, self.app):
            self.connections += 1
            await self.slack.connected(self.connections)
            yield

    async def begun(self) -> None:
        """Waits until Slack was told to begin a stream."""
        await self.slack.until(lambda: bool(self.slack.calls("chat.startStream")))

    async def answered_for_good(self, asked: str, count: int = 1) -> list[dict[str, Any]]:
        """Waits until nothing is owed; exactly so many messages stand there, all finished, and no status."""
        await self.slack.settled()
        for _ in range(500):
            if not await self.owed():
                break
            await asyncio.sleep(0.02)
        assert await self.owed() == 0
        await self.slack.settled()
        answers = self.slack.answers(self.direct, asked)
        assert len(answers) == count
        assert [one for one in answers if "metadata" not in one] == []
        assert self.slack.status(self.direct, asked) == ""
        return answers

    async def owed(self) -> int:
        return len(await self.app.store.mailbox.waiting(PLATFORM, 100))

    async def die(self) -> None:
        """What runs ends where it is, and nothing that it still wants to say gets through."""
        self.slack.fail("*", times=1000, drop="before")
        await cut_off()
        self.slack.api.faults.coming.clear()


async def cut_off() -> None:
    """Ends the work on replies, as a process does that was told to end and waited long enough."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with serving() as slack:
        store = InMemoryStore(clock=system_clock)
        app = small_application(tmp_path, system_clock, store=store)
        thinking = Thinking()
        thinking.write.set()
        settings = SlackSettings(
            bot_token=SecretStr(slack.bot_token), app_token=SecretStr(slack.app_token), api_url=slack.api_url
        )
        app = deciding(app, desk=desk_over(store, thinking, app.clock))
        yield Place(slack=slack, thinking=thinking, app=app, settings=settings, direct=slack.dm(AYA))


def says(message: Mapping[str, Any]) -> str:
    """The words of the message's blocks."""
    return str(message["blocks"])


def shown(place: Place, ts: str) -> list[tuple[str, str]]:
    """The steps that stand in a message, with how far they are."""
    tasks = place.slack.world.streams[place.direct, ts].tasks.values()
    return [(str(task["title"]), str(task["status"])) for task in tasks]


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        (QUESTION, ["過去のチケットを検索", "関係のありそうなチケットを3件確認", "回答を作成"]),
        ("My VPN drops", ["Searching past tickets", "Reading past tickets (3)", "Writing the answer"]),
    ],
)
async def test_the_steps_are_shown_and_the_answer_takes_their_place(
    place: Place, question: str, titles: list[str]
) -> None:
    place.thinking.write.clear()
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, question)
        [begun] = await place.slack.answered(place.direct, asked)
        assert begun["blocks"] == []
        assert shown(place, begun["ts"]) == [(titles[0], "complete"), (titles[1], "in_progress")]
        place.thinking.write.set()
        await place.slack.until(lambda: len(shown(place, begun["ts"])) == 3)
        assert shown(place, begun["ts"])[1:] == [(titles[1], "complete"), (titles[2], "in_progress")]
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert answer["ts"] == begun["ts"]
    assert place.thinking.body in says(answer)
    assert shown(place, answer["ts"]) == [(title, "complete") for title in titles]
    assert place.slack.calls("chat.postMessage") == []


async def test_a_quick_answer_is_one_message(place: Place) -> None:
    place.thinking.go.set()
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [answer] = await place.answered_for_good(asked)
        await asyncio.sleep(A_WHILE)
    assert place.thinking.body in says(answer)
    assert place.slack.calls("chat.startStream") == []


async def test_in_channels_nothing_is_streamed(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, QUESTION, mention=True)
        await asyncio.sleep(A_WHILE)
        assert place.slack.answers(HELPDESK, asked) == []
        place.thinking.go.set()
        await place.slack.answered(HELPDESK, asked)
    assert place.slack.calls("chat.startStream") == []


async def test_an_administrator_can_do_without_streams(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"stream": False})
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await asyncio.sleep(A_WHILE)
        assert place.slack.answers(place.direct, asked) == []
        place.thinking.go.set()
        await place.answered_for_good(asked)
    assert place.slack.calls("chat.startStream") == []


@pytest.mark.parametrize(
    "fault",
    [
        {"error": "missing_recipient_team_id"},
        {"status": 500},
        {"status": 429, "retry_after": 1},
        {"garbled": True},
        {"drop": "before"},
        {"drop": "after"},
    ],
)
async def test_a_stream_that_does_not_begin_costs_nobody_the_answer(place: Place, fault: Mapping[str, Any]) -> None:
    place.slack.fail("chat.startStream", **fault)
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.begun()
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert place.thinking.body in says(answer)


@pytest.mark.parametrize(
    "fault",
    [
        {"error": "message_not_in_streaming_state"},
        {"status": 500},
        {"status": 429, "retry_after": 1},
        {"garbled": True},
        {"drop": "before"},
        {"drop": "after"},
    ],
)
async def test_a_step_that_cannot_be_shown_costs_nobody_the_answer(place: Place, fault: Mapping[str, Any]) -> None:
    place.thinking.write.clear()
    place.slack.fail("chat.appendStream", **fault)
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.begun()
        place.thinking.write.set()
        await place.slack.until(lambda: bool(place.slack.calls("chat.appendStream")))
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert place.thinking.body in says(answer)


async def test_a_stream_that_slack_ended_by_itself_becomes_the_answer_all_the_same(place: Place) -> None:
    place.slack.api.stream_life = 0.01
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [begun] = await place.slack.answered(place.direct, asked)
        await asyncio.sleep(0.05)
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert answer["ts"] == begun["ts"]
    assert [made.error for made in place.slack.calls("chat.stopStream")] == ["message_not_in_streaming_state"]
    assert place.thinking.body in says(answer)
    assert place.thinking.body in answer["text"]


@pytest.mark.parametrize(
    "fault",
    [
        {"error": "invalid_blocks"},
        {"status": 500},
        {"status": 429, "retry_after": 1},
        {"garbled": True},
        {"drop": "before"},
        {"drop": "after"},
    ],
)
async def test_an_answer_that_slack_does_not_take_into_the_stream_arrives_once(
    place: Place, fault: Mapping[str, Any]
) -> None:
    place.slack.fail("chat.stopStream", **fault)
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.slack.answered(place.direct, asked)
        place.thinking.go.set()
        await place.slack.until(lambda: bool(place.slack.calls("chat.stopStream")))
        await place.slack.until(lambda: place.slack.status(place.direct, asked) == "")
    async with place.running():
        [answer] = await place.answered_for_good(asked)
    assert place.thinking.body in says(answer)


async def test_a_message_that_somebody_deletes_meanwhile_is_made_anew(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [begun] = await place.slack.answered(place.direct, asked)
        await place.slack.delete(place.direct, begun["ts"])
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert place.thinking.body in says(answer)


@pytest.mark.parametrize("life", [300.0, 0.01], ids=["the stream lives", "the stream died too"])
async def test_a_process_that_dies_in_the_middle_leaves_a_message_that_the_next_one_finishes(
    place: Place, life: float
) -> None:
    place.slack.api.stream_life = life
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [begun] = await place.slack.answered(place.direct, asked)
        await place.die()
    assert [one["streaming_state"] for one in place.slack.answers(place.direct, asked)] == ["in_progress"]
    place.thinking.go.set()
    async with place.running():
        [answer] = await place.answered_for_good(asked)
    assert answer["ts"] == begun["ts"]
    assert place.thinking.body in says(answer)


async def test_a_process_that_ends_in_order_takes_its_steps_away(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.slack.answered(place.direct, asked)
        await cut_off()
        assert place.slack.answers(place.direct, asked) == []
        assert place.slack.status(place.direct, asked) == ""
        assert await place.owed() == 1
    place.thinking.go.set()
    async with place.running():
        await place.answered_for_good(asked)


async def test_the_next_process_shows_its_steps_in_the_message_of_the_last_one(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.slack.answered(place.direct, asked)
        await place.die()
    async with place.running():
        await place.slack.until(lambda: bool(place.slack.calls("chat.appendStream")))
        place.thinking.go.set()
        await place.answered_for_good(asked)
    assert len(place.slack.calls("chat.startStream")) == 1


async def test_only_the_first_part_of_a_long_answer_comes_by_the_stream(place: Place) -> None:
    place.thinking.body = "\n\n".join(f"第{number}節。{'証明書を入れ直す。' * 60}" for number in range(30))
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [begun] = await place.slack.answered(place.direct, asked)
        place.thinking.go.set()
        await place.slack.until(lambda: bool(place.slack.calls("chat.postMessage")))
        answers = await place.answered_for_good(asked, count=2)
    assert answers[0]["ts"] == begun["ts"]
    assert [one["metadata"]["event_payload"]["part"] for one in answers] == [0, 1]
    assert ("第0節" in says(answers[0]), "第29節" in says(answers[1])) == (True, True)


async def test_a_long_answer_of_which_a_part_did_not_arrive_is_completed_by_the_next_process(place: Place) -> None:
    place.thinking.body = "\n\n".join(f"第{number}節。{'証明書を入れ直す。' * 60}" for number in range(30))
    place.slack.fail("chat.postMessage", drop="before")
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.slack.answered(place.direct, asked)
        place.thinking.go.set()
        await place.slack.until(lambda: bool(place.slack.calls("chat.postMessage")))
    async with place.running():
        answers = await place.answered_for_good(asked, count=2)
    assert [one["metadata"]["event_payload"]["part"] for one in answers] == [0, 1]


async def test_an_apology_takes_the_place_of_the_steps_too(place: Place) -> None:
    place.thinking.error = ZeroDivisionError()
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        [begun] = await place.slack.answered(place.direct, asked)
        place.thinking.go.set()
        [answer] = await place.answered_for_good(asked)
    assert answer["ts"] == begun["ts"]
    assert "番号" in says(answer)


async def test_nothing_is_left_where_no_reply_can_be_sent(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, place.direct, QUESTION)
        await place.slack.answered(place.direct, asked)
        for method in ("chat.stopStream", "chat.update", "chat.postMessage"):
            place.slack.fail(method, error="restricted_action")
        place.thinking.go.set()
        await place.answered_for_good(asked, count=0)
