"""The report of a week, posted with its picture in a strict Slack and a strict Teams: once, whatever happens."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.report.picture import HEIGHT, WIDTH
from bot.wiring import system_clock
from config.loader import load_settings
from config.report import ReportSettings, Weekday
from config.schema import BotSettings, Language, Settings
from memory.errors import DeliveryUnknown, PlatformRefused
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes import slack_place, teams_place
from tests.fakes.slack import HELPDESK
from tests.fakes.small_application import small_application
from tests.fakes.teams.server import KEN, SUPPORT, Fault, personal

PNG = b"\x89PNG\r\n\x1a\n"


def due_today(language: Language = Language.ENGLISH) -> Settings:
    """The hour has always passed: it is that in which the day began."""
    day = list(Weekday)[system_clock().weekday()]
    bot = BotSettings(language=language, time_zone="UTC")
    return load_settings(None, {}).model_copy(update={"bot": bot, "report": ReportSettings(weekday=day, hour=0)})


async def posted(app: Application) -> int:
    return (await app.jobs.run("weekly-report")).counts["posted"]


# --- Slack ------------------------------------------------------------------------------------------------------------


@pytest.fixture
async def slack(tmp_path: Path) -> AsyncIterator[slack_place.Place]:
    async with slack_place.opened(tmp_path) as place:
        place.settings = place.settings.model_copy(update={"report_channel": HELPDESK})
        place.app = small_application(tmp_path, system_clock, settings=due_today())
        yield place


def reports(place: slack_place.Place) -> list[dict[str, Any]]:
    return place.slack.answers(HELPDESK)


async def test_slack_shows_the_report_with_a_picture_that_lies_in_slack(slack: slack_place.Place) -> None:
    async with slack.running():
        assert await posted(slack.app) == 1
    [report] = reports(slack)
    *_, image = report["blocks"]
    assert report["text"].startswith("Helpdesk report: ")
    content = slack.slack.world.contents[image["slack_file"]["id"]]
    assert content.startswith(PNG)
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (WIDTH, HEIGHT)
    assert image["alt_text"].startswith("Questions a day: ")


async def test_slack_has_it_once_with_two_processes_and_a_lost_answer(slack: slack_place.Place, tmp_path: Path) -> None:
    """The connection breaks after Slack has taken the message; whoever comes next finds it in the channel."""
    store = InMemoryStore(clock=system_clock)
    slack.app = small_application(tmp_path / "one", system_clock, settings=due_today(), store=store)
    other = small_application(tmp_path / "two", system_clock, settings=due_today(), store=store)
    slack.slack.fail("chat.postMessage", drop="after")
    async with slack.running():
        with pytest.raises(DeliveryUnknown):
            await posted(slack.app)
    slack.app = other
    async with slack.running():
        await posted(other)
        assert await posted(other) == 0
    assert len(reports(slack)) == 1


async def test_slack_gets_the_words_without_a_picture_where_it_takes_none(slack: slack_place.Place) -> None:
    slack.slack.api.granted -= {"files:write"}
    async with slack.running():
        assert await posted(slack.app) == 1
    [report] = reports(slack)
    assert "image" not in {block["type"] for block in report["blocks"]}


async def test_slack_that_has_not_looked_at_the_picture_yet_is_waited_for(slack: slack_place.Place) -> None:
    slack.slack.world.looks_late = 1
    async with slack.running():
        assert await posted(slack.app) == 1
    [report] = reports(slack)
    assert report["blocks"][-1]["type"] == "image"


async def test_slack_where_the_bot_is_not_in_the_channel_says_what_to_do(slack: slack_place.Place) -> None:
    slack.slack.world.channels[HELPDESK].members.discard(slack.slack.me)
    async with slack.running():
        with pytest.raises(PlatformRefused, match="invite the bot"):
            await posted(slack.app)
        slack.slack.world.channels[HELPDESK].members.add(slack.slack.me)
        assert await posted(slack.app) == 1
    assert len(reports(slack)) == 1


async def test_slack_where_others_read_gets_no_report(slack: slack_place.Place) -> None:
    slack.slack.world.channels[HELPDESK].shared = True
    async with slack.running():
        with pytest.raises(PlatformRefused, match="shared with others"):
            await posted(slack.app)
    assert reports(slack) == []


async def test_slack_is_told_in_the_language_of_the_desk(slack: slack_place.Place, tmp_path: Path) -> None:
    slack.app = small_application(tmp_path, system_clock, settings=due_today(Language.JAPANESE))
    async with slack.running():
        await posted(slack.app)
    [report] = reports(slack)
    assert report["text"].startswith("ヘルプデスクの記録")


# --- Teams ------------------------------------------------------------------------------------------------------------


@pytest.fixture
async def teams(tmp_path: Path) -> AsyncIterator[teams_place.Place]:
    async with teams_place.opened(tmp_path) as place:
        place.settings = place.settings.model_copy(update={"report_channel": SUPPORT})
        place.app = small_application(tmp_path, system_clock, settings=due_today())
        yield place


async def spoken_to(place: teams_place.Place) -> None:
    """Somebody says something to the bot, by which it knows where Teams is."""
    await place.teams.say(KEN, personal(KEN), "Hello")
    await place.replied()


def cards(place: teams_place.Place) -> list[dict[str, Any]]:
    """The bodies of the cards in the channel of the report."""
    found = [one for one in place.teams.messages if one.conversation.startswith(SUPPORT)]
    return [one.content["attachments"][0]["content"] for one in found]


async def test_teams_shows_the_report_with_a_picture_in_the_card(teams: teams_place.Place) -> None:
    async with teams.running():
        await spoken_to(teams)
        assert await posted(teams.app) == 1
        assert await posted(teams.app) == 0
    [card] = cards(teams)
    assert card["lang"] == "en"
    kind, _, data = card["body"][-1]["url"].partition(",")
    assert kind == "data:image/png;base64"
    assert b64decode(data).startswith(PNG)


async def test_teams_is_not_told_again_what_may_stand_there(teams: teams_place.Place) -> None:
    async with teams.running():
        await spoken_to(teams)
        teams.teams.coming.append(Fault(cut="after"))
        with pytest.raises(DeliveryUnknown):
            await posted(teams.app)
        await posted(teams.app)
    assert len(cards(teams)) == 1


async def test_teams_that_never_heard_of_the_bot_says_what_to_do(teams: teams_place.Place) -> None:
    async with teams.running():
        with pytest.raises(PlatformRefused, match="mention it there once"):
            await posted(teams.app)
    assert cards(teams) == []
