"""A workspace of the strict Slack with the bot in it, and answers that are known beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from bot.application import Application
from bot.slack_app import slack_running
from bot.web import web_serving
from bot.wiring import system_clock
from config.slack import SlackSettings, Transport
from config.web import WebSettings
from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.answers import Answer, AnswerKind
from memory.model import Conversation, Question, Viewer
from memory.recall.steps import Watch, unwatched
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import abstained, evidence
from tests.fakes.desks import desk_over
from tests.fakes.slack import TEAM, Slack, serving
from tests.fakes.small_application import deciding, small_application

LATER = datetime(2100, 1, 1, tzinfo=UTC)


class Answering:
    """Answers each question with its own words, after `seconds`; or raises what stands in `errors` first."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.asked = asyncio.Event()
        self.errors: list[Exception] = []
        self.body = "**太字**で答えます: {question}"
        self.seconds = 0.0
        self.abstains = False
        self.language = "ja"

    async def answer(self, question: Question, watch: Watch = unwatched) -> Answer:
        self.questions.append(question)
        self.asked.set()
        await asyncio.sleep(self.seconds)
        if self.errors:
            raise self.errors.pop(0)
        if self.abstains:
            return abstained(self.language)
        body = self.body.format(question=question.text)
        return Answer(kind=AnswerKind.WRITTEN, language=self.language, body=body, cited=(evidence("証明書です"),))


@dataclass(slots=True)
class Place:
    """A workspace with the bot in it."""

    slack: Slack
    answers: Answering
    app: Application
    settings: SlackSettings
    connections: int = 0
    #: Of the bot's web server, once a process has run.
    address: str = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A process of the bot, on whichever way the settings name."""
        async with AsyncExitStack() as stack:
            routes = await stack.enter_async_context(slack_running(self.settings, self.app))
            self.address = await stack.enter_async_context(web_serving(WebSettings(port=0), self.app, routes))
            if self.settings.transport is Transport.HTTP:
                self.slack.wire.request_url = f"{self.address}/slack/events"
            else:
                self.connections += 1
                await self.slack.connected(self.connections)
            yield

    async def kept(self, channel: str, thread: str, team: str = TEAM) -> list[str]:
        """What people said in this thread, as it is remembered."""
        place = filed(Conversation(platform=PLATFORM, workspace=team, channel=channel, thread=thread))
        keeper = Viewer(user="keeper", agent=True)
        found = await self.app.store.reading.recent(place.id, keeper, LATER, 100)
        return [turn.text for turn in found if not turn.derived]

    async def owed(self) -> int:
        return len(await self.app.store.mailbox.waiting(PLATFORM, 100))


@asynccontextmanager
async def opened(data: Path, transport: Transport = Transport.SOCKET) -> AsyncIterator[Place]:
    """A Slack of one company, and a bot that is not running yet."""
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(serving())
        slack.wire.retry_delays = (0.0, 0.05)
        store = InMemoryStore(clock=system_clock)
        app = small_application(data, system_clock, store=store)
        answers = Answering()
        desk = desk_over(
            store,
            answers,
            app.clock,
            answered=app.metrics.answered,
            held=app.tickets.held,
            under_way=app.tickets.under_way,
            returning=app.comebacks.would,
            unsolved=app.comebacks.said,
        )
        yield Place(slack=slack, answers=answers, app=deciding(app, desk=desk), settings=settings_of(slack, transport))


def settings_of(slack: Slack, transport: Transport) -> SlackSettings:
    """By which a bot finds this Slack."""
    return SlackSettings(
        bot_token=SecretStr(slack.bot_token),
        app_token=SecretStr(slack.app_token),
        signing_secret=SecretStr(slack.signing_secret),
        transport=transport,
        api_url=slack.api_url,
    )
