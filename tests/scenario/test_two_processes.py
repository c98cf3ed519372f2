"""Two processes on one PostgreSQL and one Qdrant server: together they are one bot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench.slack_burst import Sent, compared, replies, sent_as
from bot.local_client import RequestFailed
from bot.wiring import system_clock
from config.report import Weekday
from tests.fakes import postgres
from tests.fakes.llm_server import Body, LlmServer, computes
from tests.fakes.llm_server import serving as serving_models
from tests.fakes.qdrant_http import qdrant
from tests.fakes.running_bots import RunningBot
from tests.fakes.slack import AYA, BOB, GENERAL, HELPDESK, KEN, MAI, RANDOM, Slack
from tests.fakes.slack import serving as serving_slack
from tests.fakes.tryout.desk import secrets_of

#: Two bots, two servers and a database are slow on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
_SECONDS = 120.0
_PEOPLE = (AYA, KEN, MAI, BOB)


@dataclass(slots=True)
class Desk:
    """A Slack with two processes of one bot, and what was said to them. Threads are named by their first messages."""

    slack: Slack
    models: LlmServer
    bots: tuple[RunningBot, RunningBot]
    sent: list[Sent] = field(default_factory=list)

    async def start(self, *bots: RunningBot) -> None:
        opened = self.slack.links.opened
        for bot in bots:
            await bot.start()
        await self.slack.connected(opened + len(bots), _SECONDS)

    async def begin(self, number: int) -> None:
        """Somebody calls the bot. Slack tells it twice, as a message and as a mention: once to each process."""
        channel = (HELPDESK, GENERAL)[number % 2]
        ts = await self.slack.say(_PEOPLE[number % 4], channel, _words(number, 0), mention=True)
        self.sent.append(sent_as(channel, ts, ts))
        await self.slack.settled(_SECONDS)

    async def follow(self, number: int, turn: int) -> None:
        """The same person writes on in the thread, without calling the bot."""
        root = self.sent[number]
        ts = await self.slack.say(_PEOPLE[number % 4], root.channel, _words(number, turn), thread=root.thread)
        self.sent.append(sent_as(root.channel, root.thread, ts))
        await self.slack.settled(_SECONDS)

    async def again(self) -> None:
        """What Slack told last it tells twice more: once to each process."""
        assert all(ack.ok for ack in await self.slack.again(times=2))

    async def answered(self) -> None:
        """Until nothing is without an answer."""
        await self.slack.until(lambda: len({*replies(self.slack, self.sent)}) == len(self.sent), _SECONDS)

    def logged(self, event: str) -> int:
        """How many lines of both processes' logs tell this."""
        return sum(bot.data.with_suffix(".log").read_text().count(event) for bot in self.bots)

    def asked(self, words: str) -> str:
        """What the model was shown that answered this."""
        [body] = [one.body for one in self.models.chat.asked if _asks(one.body, words)]
        return str(body["messages"])

    async def at_once(self, job: str) -> list[str]:
        """Both processes are told to run a job at the same time: what came of it in each."""
        return sorted(await asyncio.gather(*(_outcome(bot, job) for bot in self.bots)))


def _words(number: int, turn: int) -> str:
    return f"The VPN of desk N{number}T{turn} drops"


def _asks(body: Body, words: str) -> bool:
    return "supported" in str(body) and words in str(body["messages"][-1]["content"]).splitlines()[-1]


def _notes(body: Body) -> bool:
    return "supported" not in str(body)


async def _outcome(bot: RunningBot, job: str) -> str:
    try:
        return str((await bot.do("jobs run", name=job))["outcome"])
    except RequestFailed as refused:
        return "elsewhere" if "Another process is running" in str(refused) else str(refused)


def _reply(body: Body) -> dict[str, Any]:
    """What a model says that answers everything, and notes the same of each episode."""
    if "supported" in str(body["messages"]):
        return {"answer": "Restart the tunnel.", "cited": [1], "supported": True}
    return {"summary": "The VPN drops.", "keywords": ["vpn"], "tags": ["vpn"], "context": "An employee."}


def _settings(slack: Slack, models: LlmServer, database: str, index: str) -> dict[str, Any]:
    model = {"base_url": models.base_url, "model": "small"}
    return {
        "bot": {"time_zone": "UTC", "language": "en", "max_message_characters": 150},
        # A host has to be named; the address of the socket behind it counts.
        "store": {"url": database.replace("@/", "@localhost/"), "busy_seconds": 60},
        "index": {"kind": "server", "url": index, "timeout_seconds": 30},
        "embeddings": {"kind": "endpoint", "base_url": models.base_url, "model": "small"},
        "models": {"master": model, "enricher": model},
        "recall": {"mode": "direct"},
        "limits": {"person_messages_a_minute": 1000, "channel_messages_a_minute": 1000},
        "report": {"weekday": [*Weekday][system_clock().weekday()].value, "hour": 0},
        "slack": {
            "bot_token": "${SLACK_BOT_TOKEN}",
            "app_token": "${SLACK_APP_TOKEN}",
            "api_url": slack.api_url,
            "report_channel": RANDOM,
        },
    }


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    postgres.require()
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(serving_slack())
        slack.wire.retry_delays = (0.0, 0.5, 2.0)
        slack.wire.ack_limit = 20.0
        slack.world.channels[RANDOM].members.add(slack.me)
        models = await stack.enter_async_context(serving_models())
        models.chat.always = computes(_reply)
        database = await stack.enter_async_context(postgres.database())
        index = await stack.enter_async_context(qdrant())
        config = tmp_path / "desk.yaml"
        config.write_text(json.dumps(_settings(slack, models, database, index)))
        bots = [RunningBot(tmp_path / name, config, secrets_of(slack)) for name in ("one", "two")]
        desk = Desk(slack=slack, models=models, bots=(bots[0], bots[1]))
        async with _gone_in_the_end(bots):
            await desk.start(*bots)
            yield desk


@asynccontextmanager
async def _gone_in_the_end(bots: Sequence[RunningBot]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for bot in bots:
            await asyncio.to_thread(bot.kill)


async def test_two_processes_answer_everything_once_and_in_order_while_one_after_the_other_is_started_anew(
    desk: Desk,
) -> None:
    slack, (one, two) = desk.slack, desk.bots
    for number in range(6):
        await desk.begin(number)
    await desk.again()
    too_long = await slack.say(AYA, HELPDESK, "VPN " * 50, mention=True)
    for number in range(6):
        await desk.follow(number, 1)
        await desk.follow(number, 2)
    await desk.again()
    await desk.answered()
    # Whoever answers knows what was said to the other one, and what that one said.
    for number in range(6):
        shown = desk.asked(_words(number, 2))
        assert [_words(number, 0) in shown, _words(number, 1) in shown, "(bot): " in shown] == [True, True, True]
    # A rolling restart, in the midst of talks.
    for leaving in (one, two):
        ending = asyncio.create_task(leaving.end())
        for number in range(6):
            await desk.follow(number, 3)
        assert await ending == 0
        await desk.start(leaving)
    await desk.answered()
    given = replies(slack, desk.sent)
    outcome = compared(desk.sent, given)
    assert (outcome.lost, outcome.doubled, outcome.misordered) == (0, 0, 0)
    assert len(given) == len(desk.sent) == 30
    assert [one.ts for one in desk.sent if slack.reactions(one.channel, one.ts)] == []
    assert len(slack.answers(HELPDESK, too_long)) == 1
    assert slack.wire.lost == []
    # Nobody was answered without the index, also while it was made for the first time.
    assert [desk.logged(event) for event in ("index_unavailable", "job_failed", "Traceback")] == [0, 0, 0]


async def test_of_two_processes_that_run_a_job_at_the_same_time_one_does_the_work(desk: Desk) -> None:
    for number in range(3):
        await desk.begin(number)
    await desk.answered()
    for job in ("flush", "enrich-retry", "tickets", "weekly-report"):
        outcomes = await desk.at_once(job)
        assert (outcomes[0], outcomes[1] in ("done", "elsewhere")) == ("done", True), (job, outcomes)
    assert sum(_notes(one.body) for one in desk.models.chat.asked) == 3
    for bot in desk.bots:
        counts = (await bot.do("status"))["counts"]
        assert (counts["episodes"], counts["notes"], counts["pending"]) == (3, 3, 0)
    [report] = desk.slack.answers(RANDOM)
    assert report["text"].startswith("Helpdesk report: ")
