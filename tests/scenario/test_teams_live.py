"""What is seen in a personal chat in Teams while an answer is made, and that one answer comes of it whatever Teams
does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory.feedback import Tally
from tests.fakes.answers import evidence
from tests.fakes.desks import desk_over
from tests.fakes.small_application import deciding
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA, Written, in_channel, personal, place_of
from tests.fakes.teams_acts import buttons, words
from tests.fakes.teams_place import LONG_AGO, Place, opened
from tests.fakes.thinking import Thinking

WHERE = personal(AYA)
QUESTION = "VPNが切れます"


@dataclass(slots=True)
class Chat:
    """Aya's personal chat with a bot that thinks."""

    place: Place
    thinking: Thinking

    async def begun(self) -> None:
        """Waits until a stream has begun, or could not."""
        await self.place.teams.until(lambda: bool(self.shown) or not self.place.teams.coming_steps)

    @property
    def shown(self) -> list[str]:
        """What was shown before the answer."""
        return [words for one in self.place.teams.streams.all for words in one.shown]

    async def answer(self) -> Written:
        """The one message that stands there, once nothing is owed."""
        await self.place.replied()
        [answer] = self.place.teams.written(place_of(WHERE))
        assert self.place.teams.streams.faults == []
        return answer


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    async with opened(tmp_path) as place:
        thinking = Thinking()
        place.app = deciding(place.app, desk=desk_over(place.app.store, thinking, place.app.clock))
        place.settings = place.settings.model_copy(update={"streaming": True})
        yield Chat(place, thinking)


async def die() -> None:
    """What runs ends where it is."""
    lanes = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
    for task in lanes:
        task.cancel()
    await asyncio.wait(lanes)


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        (QUESTION, ["関係のありそうなチケットを3件確認", "回答を作成"]),
        ("My VPN drops", ["Reading past tickets (3)", "Writing the answer"]),
    ],
    ids=["ja", "en"],
)
async def test_the_steps_are_shown_and_the_answer_takes_their_place(
    chat: Chat, question: str, titles: list[str]
) -> None:
    place = chat.place
    async with place.running():
        await place.teams.say(AYA, WHERE, question)
        await place.teams.until(lambda: chat.shown == titles[:1])
        chat.thinking.write.set()
        await place.teams.until(lambda: chat.shown == titles)
        assert place.teams.messages == []
        chat.thinking.go.set()
        answer = await chat.answer()
        await place.teams.judge(AYA, answer, "like", WHERE)
    [stream] = place.teams.streams.all
    assert (answer.id, stream.over) == (stream.id, True)
    assert chat.thinking.body in words(answer)
    assert answer.content["channelData"] == {"feedbackLoop": {"type": "default"}}
    assert place.teams.typing == []
    assert await place.app.store.feedback.tally(LONG_AGO) == Tally(helpful=1)


async def test_the_end_of_a_stream_is_a_whole_answer_with_its_card_its_label_and_what_it_cites(chat: Chat) -> None:
    chat.thinking.body, chat.thinking.cited = (
        "証明書を入れ直してください [1]",
        (evidence("証明書を入れ直したら直った"),),
    )
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: len(chat.shown) == 1)
        chat.thinking.write.set()
        chat.thinking.go.set()
        answer = await chat.answer()
    assert answer.id == chat.place.teams.streams.all[0].id
    [said] = answer.content["entities"]
    assert said["additionalType"] == ["AIGeneratedContent"]
    [cited] = said["citation"]
    assert (cited["position"], cited["appearance"]["abstract"]) == (1, "証明書を入れ直したら直った")
    assert list(buttons(answer)) == ["helpdesk_ask_person"]


async def test_unless_an_administrator_wants_streams_somebody_types(chat: Chat) -> None:
    chat.place.settings = chat.place.settings.model_copy(update={"streaming": False})
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: place_of(WHERE) in chat.place.teams.typing)
        chat.thinking.write.set()
        chat.thinking.go.set()
        await chat.answer()
    assert chat.shown == []


async def test_in_channels_nothing_is_streamed(chat: Chat) -> None:
    chat.thinking.write.set()
    chat.thinking.go.set()
    async with chat.place.running():
        asked = await chat.place.teams.say(AYA, in_channel(), QUESTION, mention=True)
        await chat.place.teams.answered(f"{place_of(in_channel())};messageid={asked}")
        await chat.place.replied()
    assert chat.place.teams.streams.faults == []
    assert chat.shown == []


@pytest.mark.parametrize(
    "fault",
    [Fault(status=403), Fault(status=400), Fault(status=500), Fault(cut="before"), Fault(cut="after")],
    ids=["refused", "bad", "failed", "cut off", "unconfirmed"],
)
async def test_a_stream_that_does_not_begin_costs_nobody_the_answer(chat: Chat, fault: Fault) -> None:
    chat.place.teams.coming_steps = [fault]
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.begun()
        await chat.place.teams.until(lambda: place_of(WHERE) in chat.place.teams.typing)
        chat.thinking.write.set()
        chat.thinking.go.set()
        answer = await chat.answer()
    assert chat.thinking.body in words(answer)


@pytest.mark.parametrize(
    "fault",
    [Fault(status=403), Fault(status=500), Fault(status=429, retry_after="1"), Fault(cut="after")],
    ids=["refused", "failed", "put off", "unconfirmed"],
)
async def test_a_step_that_cannot_be_shown_costs_nobody_the_answer(chat: Chat, fault: Fault) -> None:
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: len(chat.shown) == 1)
        chat.place.teams.coming_steps = [fault]
        chat.thinking.write.set()
        await chat.place.teams.until(lambda: not chat.place.teams.coming_steps)
        chat.thinking.go.set()
        answer = await chat.answer()
    assert chat.thinking.body in words(answer)


async def test_who_stops_the_stream_gets_the_answer_as_a_message_of_its_own(chat: Chat) -> None:
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: len(chat.shown) == 1)
        chat.place.teams.streams.stop()
        chat.thinking.write.set()
        chat.thinking.go.set()
        answer = await chat.answer()
    assert chat.thinking.body in words(answer)
    assert answer.id != chat.place.teams.streams.all[0].id
    assert "streaminfo" not in words(answer)


async def test_an_answer_that_takes_longer_than_a_stream_may_comes_as_a_message_of_its_own(chat: Chat) -> None:
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: len(chat.shown) == 1)
        chat.place.teams.streams.life = 0.0
        chat.thinking.write.set()
        await chat.place.teams.until(lambda: place_of(WHERE) in chat.place.teams.typing)
        chat.thinking.go.set()
        answer = await chat.answer()
    assert chat.thinking.body in words(answer)


async def test_an_end_of_a_stream_that_teams_did_not_confirm_is_not_sent_again_but_spoken_of(chat: Chat) -> None:
    place = chat.place
    async with place.running():
        await place.teams.say(AYA, WHERE, QUESTION)
        await place.teams.until(lambda: len(chat.shown) == 1)
        place.teams.coming = [Fault(cut="after")]
        chat.thinking.write.set()
        chat.thinking.go.set()
        await place.teams.until(lambda: not place.teams.coming)
    async with place.running():
        answer, told = await place.teams.answered(place_of(WHERE), count=2)
        await place.replied()
    assert chat.thinking.body in words(answer)
    assert chat.thinking.body not in words(told)
    assert len(place.teams.messages) == 2


async def test_what_a_dead_process_streamed_is_left_to_teams_and_the_next_one_answers_once(chat: Chat) -> None:
    place = chat.place
    async with place.running():
        await place.teams.say(AYA, WHERE, QUESTION)
        await place.teams.until(lambda: len(chat.shown) == 1)
        await die()
        assert await place.owed() == 1
    async with place.running():
        # The stream of the dead process still holds the chat: no second one can begin.
        await place.teams.until(lambda: place_of(WHERE) in place.teams.typing)
        place.teams.streams.faults.clear()
        chat.thinking.write.set()
        chat.thinking.go.set()
        answer = await chat.answer()
    assert chat.thinking.body in words(answer)
    assert len(chat.shown) == 1


async def test_only_the_first_part_of_a_long_answer_comes_by_the_stream(chat: Chat) -> None:
    place = chat.place
    chat.thinking.body = "\n\n".join(f"第{number}節。{'証明書を入れ直す。' * 60}" for number in range(30))
    async with place.running():
        await place.teams.say(AYA, WHERE, QUESTION)
        await place.teams.until(lambda: len(chat.shown) == 1)
        chat.thinking.write.set()
        chat.thinking.go.set()
        await place.replied()
    first, *rest = place.teams.written(place_of(WHERE))
    assert first.id == place.teams.streams.all[0].id
    assert rest
    assert "第0節" in words(first)
    assert "第0節" not in "".join(words(one) for one in rest)


async def test_a_failure_takes_the_place_of_the_steps_too(chat: Chat) -> None:
    chat.thinking.error = ZeroDivisionError("VPN")
    async with chat.place.running():
        await chat.place.teams.say(AYA, WHERE, QUESTION)
        await chat.place.teams.until(lambda: len(chat.shown) == 1)
        chat.thinking.write.set()
        chat.thinking.go.set()
        answer = await chat.answer()
    assert answer.id == chat.place.teams.streams.all[0].id
    assert "番号" in answer.content["text"]
