"""The configuration file changes while the bot runs: what counts at once, what waits, what is refused."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.application import Application
from bot.configured import configured
from bot.reloading import Reloading, reloading
from bot.telling import unheard
from bot.use_cases import perform
from config.at_start import AT_START, taken_over
from config.problems import SettingPath, dotted
from config.schema import Settings
from config.slack import SlackChannelSettings, SlackSettings
from config.tree import settings
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.slack.rules import Rules
from memory.answers import Answer, AnswerKind
from memory.model import Conversation, Question, Viewer, Visibility
from memory.recall.steps import Watch, unwatched
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.desks import desk_over
from tests.fakes.small_application import deciding, small_application
from tests.fakes.turns import NOON, turn

SLACK = "slack:\n  bot_token: ${BOT}\n  app_token: ${APP}\n"
TOKENS = {"BOT": "xoxb-secret-1", "APP": "xapp-secret-2", "OTHER": "xoxb-secret-3"}


def clock() -> datetime:
    return NOON + timedelta(hours=2)


@dataclass(slots=True)
class Desk:
    """A running bot with its configuration file."""

    app: Application
    path: Path
    following: Reloading
    changes: list[str] = field(default_factory=list)

    async def rewrite(self, text: str) -> None:
        """The administrator saves the file, and the bot looks at it."""
        self.path.write_text(text, encoding="utf-8")
        await self.following.look()

    async def said(self, text: str, number: int = 1) -> str:
        """What the bot replies to a message."""
        reply = await self.app.desk.reply(message(text, number))
        assert reply is not None
        return reply.text

    async def status(self) -> dict[str, Any]:
        found = await perform(self.app, "status", {}, unheard)
        assert found is not None
        return dict(found["config"])


def message(text: str, number: int) -> IncomingMessage:
    return IncomingMessage(
        conversation=Conversation(platform="terminal", workspace="local", channel="direct", thread="t1"),
        message=str(number),
        author="sato",
        text=text,
        said_at=NOON + timedelta(hours=1, minutes=number),
        visibility=Visibility.PRIVATE,
    )


async def opened(folder: Path, text: str, stack: AsyncExitStack) -> Desk:
    path = folder / "desk.yaml"
    path.write_text(text, encoding="utf-8")
    app = small_application(folder, clock, settings=configured(path, TOKENS), store=InMemoryStore(clock=clock))
    changes: list[str] = []
    following = Reloading(app, path, TOKENS, stack, lambda: changes.append("changed"))
    await following.begin()
    return Desk(app=app, path=path, following=following, changes=changes)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with AsyncExitStack() as stack:
        yield await opened(tmp_path, "bot:\n  name: helpdesk\n", stack)


@pytest.mark.parametrize(("language", "thanks"), [("ja", "ありがとうございます"), ("en", "thank you")])
async def test_the_next_reply_has_the_new_words(desk: Desk, language: str, thanks: str) -> None:
    before = await desk.said(thanks, 1)
    await desk.rewrite(f"wording:\n  {language}:\n    welcome_back: '☆☆'\n")
    assert "☆" not in before
    assert await desk.said(thanks, 2) == "☆☆"
    assert desk.changes == ["changed"]


async def test_new_limits_count_what_was_said_before(desk: Desk) -> None:
    one, two, three = (replace(message("The VPN is slow", number), said_at=clock()) for number in (1, 2, 3))
    assert await desk.app.desk.reply(one) is not None
    assert await desk.app.desk.reply(two) is not None
    await desk.rewrite("limits:\n  person_messages_a_minute: 1\n")
    reply = await desk.app.desk.reply(three)
    assert reply is not None
    assert "up to 1 a minute from one person" in reply.text


async def test_the_next_question_is_searched_with_the_new_glossary(desk: Desk) -> None:
    said = turn(1, "複合機が紙詰まりで止まりました", minutes=1)
    await desk.app.store.writing.record([said])
    await desk.app.jobs.run("flush")

    async def by_words() -> list[str]:
        question = Question(text="プリンタ", viewer=Viewer(user="sato"), now=NOON + timedelta(hours=1))
        ranking = await desk.app.recall.rank(question)
        return [one.turn_id for one in ranking.turns if one.channels.get("words_turn")]

    assert await by_words() == []
    await desk.rewrite("glossary:\n- name: プリンター\n  aliases: [複合機]\n")
    assert await by_words() == [said.id]


async def test_the_next_message_meets_the_new_rule_of_its_channel(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        desk = await opened(tmp_path, SLACK, stack)
        rules = Rules(lambda: desk.app.settings.slack or SlackSettings())
        assert rules.of("C1") == SlackChannelSettings()
        await desk.rewrite(f"{SLACK}  channels:\n    C1: {{enabled: false}}\n  handover_channel: C9\n")
        assert rules.policy("C1").answer == "never"
        assert rules.policy("C2").answer == "mention"
        assert rules.handover_channel == "C9"


async def test_jobs_go_by_the_new_schedule(desk: Desk) -> None:
    await desk.rewrite("jobs:\n  flush: {every_seconds: 30}\n  retention: {every_seconds: 86400, enabled: false}\n")
    assert desk.app.jobs.named("flush").every_seconds == 30
    assert not desk.app.jobs.named("retention").enabled


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ("bot:\n  colour: red\n", "desk.yaml:2: bot.colour: there is no such setting"),
        ("wording:\n  ja: {greting: x}\n", "desk.yaml:2: wording.ja.greting: there is no such sentence"),
        ("glossary:\n- name: VPN\n- name: vpn\n", "desk.yaml:3: glossary[1].name: is a name of VPN too"),
        ("bot: [\n", "desk.yaml:2: this is not valid YAML"),
    ],
)
async def test_a_file_with_mistakes_changes_nothing_and_is_told(desk: Desk, broken: str, problem: str) -> None:
    await desk.rewrite("bot:\n  contact: 内線 1234\n")
    held = desk.app.settings
    with capture_logs() as logged:
        await desk.rewrite(broken)
        await desk.following.look()
    assert desk.app.settings is held
    [told] = [event for event in logged if event["event"] == "config_refused"]
    [shown] = (await desk.status())["problems"]
    assert told["problems"] == (shown,)
    assert problem in shown
    assert b"helpdesk_config_valid 0.0" in desk.app.metrics.text()
    assert desk.app.health.ready()["config"].ok

    await desk.rewrite("bot:\n  contact: 内線 5678\n")
    assert desk.app.settings.bot.contact == "内線 5678"
    assert await desk.status() == {"problems": (), "needs_restart": ()}
    assert b"helpdesk_config_valid 1.0" in desk.app.metrics.text()


async def test_a_file_that_is_gone_changes_nothing_and_is_told(desk: Desk) -> None:
    held, text = desk.app.settings, desk.path.read_text(encoding="utf-8")
    desk.path.unlink()
    await desk.following.look()
    assert desk.app.settings is held
    [shown] = (await desk.status())["problems"]
    assert shown.endswith("desk.yaml: the file cannot be read: No such file or directory")

    await desk.rewrite(text)
    assert await desk.status() == {"problems": (), "needs_restart": ()}


async def test_what_is_opened_at_the_start_waits_for_a_restart_and_the_rest_counts_at_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        desk = await opened(tmp_path, SLACK, stack)
        held = desk.app.settings
        changed = SLACK.replace("${BOT}", "${OTHER}")
        with capture_logs() as logged:
            await desk.rewrite(f"store:\n  url: sqlite:////tmp/other.db\nbot:\n  contact: 内線 1\n{changed}")
        assert desk.app.settings.store == held.store
        assert desk.app.settings.slack == held.slack
        assert desk.app.settings.bot.contact == "内線 1"
        assert (await desk.status())["needs_restart"] == ("store.url", "slack.bot_token")
        assert desk.app.health.ready()["config"].why == "needs a restart: store.url, slack.bot_token"
        assert not any(secret in str(logged) for secret in TOKENS.values())

        await desk.rewrite("web: {}\n")
        assert desk.app.settings.slack == held.slack
        assert (await desk.status())["needs_restart"] == ("slack", "web")


@pytest.mark.parametrize("path", AT_START, ids=dotted)
def test_what_waits_for_a_restart_is_a_setting(path: SettingPath) -> None:
    assert path in {setting.path for setting in settings()}


def test_a_file_that_says_the_same_leaves_nothing_waiting() -> None:
    assert taken_over(Settings(), Settings()) == (Settings(), ())


async def test_an_answer_under_way_ends_with_the_settings_that_it_began_with(desk: Desk) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    class Slowly:
        async def answer(self, question: Question, watch: Watch = unwatched) -> Answer:
            asked.set()
            await go_on.wait()
            return Answer(kind=AnswerKind.ABSTAINED, language="en")

    slow = desk_over(desk.app.store, Slowly(), desk.app.clock)
    app = deciding(desk.app, desk=slow)
    reply = asyncio.create_task(app.desk.reply(message("Why is the printer out of paper?", 1)))
    async with asyncio.timeout(30):
        await asked.wait()
        await desk.rewrite("wording:\n  en:\n    abstained: I do not know.\n")
        go_on.set()
        begun: OutgoingReply | None = await reply
    assert begun is not None
    assert begun.text.startswith("Still open: I could not find that in past tickets")
    said = await desk.said("Why is the printer out of paper?", 2)
    assert said == "I do not know.\nIf it is urgent, please contact a support agent directly."


async def test_a_running_bot_follows_its_file_by_itself_and_on_a_signal(tmp_path: Path) -> None:
    path, changed = tmp_path / "desk.yaml", asyncio.Event()
    path.write_text("bot:\n  contact: a\n", encoding="utf-8")
    app = small_application(tmp_path, lambda: NOON, settings=configured(path, {}))
    async with asyncio.timeout(60), reloading(app, path, {}, changed.set):
        path.write_text("bot:\n  contact: bb\n", encoding="utf-8")
        await changed.wait()
        assert app.settings.bot.contact == "bb"
        changed.clear()
        os.kill(os.getpid(), signal.SIGHUP)
        await changed.wait()


async def test_without_a_file_there_is_nothing_to_follow(tmp_path: Path) -> None:
    app = small_application(tmp_path, lambda: NOON)
    async with reloading(app, None, {}, lambda: None):
        assert app.settings.bot.name == "helpdesk"
