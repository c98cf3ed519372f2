"""Two processes of one bot in one Slack, each with its own connection: what each is told, both know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from bot.slack_app import slack_running
from bot.wiring import system_clock
from config.slack import Transport
from handlers.slack.records import PLATFORM
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, HELPDESK, KEN, Slack, serving
from tests.fakes.slack_place import Answering, settings_of
from tests.fakes.small_application import deciding, small_application


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with serving() as slack:
        slack.wire.retry_delays = (0.0, 0.05)
        yield slack


@asynccontextmanager
async def two_running(slack: Slack, folder: Path, answers: Answering) -> AsyncIterator[InMemoryStore]:
    """Two processes over one store, which is given. They share answers, and nothing else."""
    store, settings = InMemoryStore(clock=system_clock), settings_of(slack, Transport.SOCKET)
    async with AsyncExitStack() as stack:
        for name in ("one", "two"):
            app = small_application(folder / name, system_clock, store=store)
            desk = desk_over(store, answers, app.clock, held=app.tickets.held)
            await stack.enter_async_context(slack_running(settings, deciding(app, desk=desk)))
        await slack.connected(2)
        yield store


async def test_a_mention_that_is_told_to_both_is_answered_once_and_no_sign_stays(slack: Slack, tmp_path: Path) -> None:
    """Either of the two may show its sign so late that the other has answered long ago."""
    async with two_running(slack, tmp_path, Answering()) as store:
        for number in range(4):
            slack.fail("reactions.add", slow=0.3)
            asked = await slack.say(AYA, HELPDESK, f"question {number}", mention=True)
            await slack.answered(HELPDESK, asked)
            await slack.settled()
    assert [len(slack.answers(HELPDESK, str(one["ts"]))) for one in _asked(slack)] == [1, 1, 1, 1]
    assert [slack.reactions(HELPDESK, str(one["ts"])) for one in _asked(slack)] == [{}, {}, {}, {}]
    assert await store.mailbox.waiting(PLATFORM, 10) == []


async def test_what_is_said_to_one_while_the_other_answers_is_answered_after_it(slack: Slack, tmp_path: Path) -> None:
    answers = Answering()
    answers.seconds = 0.2
    async with two_running(slack, tmp_path, answers):
        thread = await slack.say(AYA, HELPDESK, "question 0", mention=True)
        await slack.settled()
        for number in range(1, 5):
            await slack.say((AYA, KEN)[number % 2], HELPDESK, f"question {number}", thread=thread)
            await slack.settled()
        await slack.answered(HELPDESK, thread, count=5)
    assert [question.text for question in answers.questions] == [f"question {number}" for number in range(5)]


async def test_a_mention_that_is_refused_is_refused_once(slack: Slack, tmp_path: Path) -> None:
    async with two_running(slack, tmp_path, Answering()):
        asked = await slack.say(AYA, HELPDESK, "x" * 20_001, mention=True)
        await slack.settled()
        await slack.again(type="app_mention", times=2)
        await slack.answered(HELPDESK, asked)
        # What is said afterwards is answered after all that was to be said of it.
        await slack.say(AYA, HELPDESK, "later", thread=asked, mention=True)
        await slack.answered(HELPDESK, asked, count=2)
    assert len(slack.answers(HELPDESK, asked)) == 2


def _asked(slack: Slack) -> list[dict[str, object]]:
    return [one for one in slack.messages(HELPDESK) if one.get("user") == AYA]
