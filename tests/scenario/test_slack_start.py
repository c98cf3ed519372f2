"""What is checked of tokens and scopes before the bot is in Slack, and how an administrator is told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.health import Condition, Health
from bot.slack_app import slack_running
from bot.slack_client import client_of, preflight
from bot.slack_workspaces import OneWorkspace
from bot.wiring import system_clock
from config.slack import SlackSettings
from handlers.slack.rules import Rules
from handlers.slack.team_channel import TeamChannel
from memory.errors import PlatformRefused, PlatformUnavailable
from tests.fakes.slack import HELPDESK, RANDOM, Slack, serving
from tests.fakes.small_application import small_application


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with serving() as slack:
        yield slack


def settings_of(slack: Slack, **tokens: str) -> SlackSettings:
    both = {"bot_token": slack.bot_token, "app_token": slack.app_token, **tokens}
    secrets = {name: SecretStr(token) for name, token in both.items()}
    return SlackSettings(api_url=slack.api_url).model_copy(update=secrets)


async def started(slack: Slack, folder: Path, **tokens: str) -> Condition:
    """How Slack was, as the health page shows it, when a bot had been started."""
    app = small_application(folder, system_clock)
    async with slack_running(settings_of(slack, **tokens), app):
        return app.health.ready()["slack"]


@pytest.mark.parametrize(
    ("token", "named"),
    [
        ({"bot_token": "xoxp-1"}, "`slack.bot_token` is a person's token"),
        ({"bot_token": "xapp-1"}, "`slack.bot_token` is the app's own token"),
        ({"bot_token": "xoxe.xoxb-1"}, "`slack.bot_token` is a token that expires"),
        ({"app_token": "xoxb-1"}, "`slack.app_token` is the bot's token in a workspace"),
        ({"app_token": "xapp-1-unknown"}, r"Slack refused `slack.app_token` \(invalid_auth\)"),
        ({"bot_token": "xoxb-1-unknown"}, "Slack does not know `slack.bot_token`"),
    ],
)
async def test_a_token_in_the_wrong_place_is_named_in_words(
    slack: Slack, tmp_path: Path, token: dict[str, str], named: str
) -> None:
    with pytest.raises(PlatformRefused, match=named):
        await started(slack, tmp_path, **token)


async def test_what_the_environment_holds_for_the_configuration_is_no_matter_of_the_kit(
    slack: Slack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET"):
        monkeypatch.setenv(name, "xoxb-of-the-environment")
    assert (await started(slack, tmp_path)).ok
    assert [record.getMessage() for record in caplog.records if record.name.startswith("slack")] == []
    assert os.environ["SLACK_BOT_TOKEN"] == "xoxb-of-the-environment"


@pytest.mark.parametrize("scope", ["chat:write", "app_mentions:read", "users:read"])
async def test_a_scope_without_which_nothing_works_ends_the_start_and_says_where_to_click(
    slack: Slack, tmp_path: Path, scope: str
) -> None:
    slack.api.granted -= {scope}
    with pytest.raises(PlatformRefused) as refused:
        await started(slack, tmp_path)
    assert f"granted no `{scope}`" in str(refused.value)
    assert "OAuth & Permissions" in str(refused.value)
    assert slack.calls("apps.connections.open") == []


async def test_a_scope_that_costs_a_feature_is_told_in_the_log_and_to_whoever_asks_how_it_is(
    slack: Slack, tmp_path: Path
) -> None:
    slack.api.granted -= {"reactions:write", "files:read"}
    with capture_logs() as logged:
        condition = await started(slack, tmp_path)
    warned = {(entry["scope"], entry["needed"]) for entry in logged if entry["event"] == "slack_scope_missing"}
    assert warned == {
        ("reactions:write", "to mark a message as seen"),
        ("files:read", "to read attached text files"),
    }
    assert condition == Condition(
        ok=True, why="Slack did not grant files:read, reactions:write; docs/slack.md says what each is for."
    )


async def test_with_all_scopes_nothing_is_said(slack: Slack, tmp_path: Path) -> None:
    with capture_logs() as logged:
        condition = await started(slack, tmp_path)
    assert [entry for entry in logged if entry["log_level"] in ("warning", "error")] == []
    assert condition == Condition(ok=True)


@pytest.mark.parametrize("fault", [{"status": 503}, {"error": "ratelimited"}, {"drop": "before"}, {"garbled": True}])
async def test_a_slack_that_is_not_itself_is_unreachable_and_refuses_no_token(
    slack: Slack, fault: dict[str, object]
) -> None:
    slack.fail("auth.test", **fault)
    with pytest.raises(PlatformUnavailable, match=f"^Slack cannot be reached at {slack.api_url}; check the network"):
        await preflight(client_of(settings_of(slack), slack.bot_token))


async def test_a_refused_token_that_holds_again_is_told_so(slack: Slack) -> None:
    health = Health()
    here = await preflight(client_of(settings_of(slack), slack.bot_token))
    one = OneWorkspace(here, health)
    slack.revoke()
    await one.doubt(here)
    assert not health.ready()["slack installation"].ok
    await one.ask_again()
    assert not health.ready()["slack installation"].ok
    slack.api.revoked.clear()
    await one.ask_again()
    assert health.ready()["slack installation"] == Condition(ok=True)
    asked = len(slack.calls("auth.test"))
    await one.ask_again()
    assert len(slack.calls("auth.test")) == asked


async def test_a_running_bot_asks_again_about_a_refused_token(slack: Slack, tmp_path: Path) -> None:
    app = small_application(tmp_path, system_clock)
    async with slack_running(settings_of(slack), app):
        assert "slack token resume" in {task.get_name() for task in asyncio.all_tasks()}


# --- the support team's channel ---------------------------------------------------------------------------------------


async def condition(slack: Slack, folder: Path, channel: str) -> str:
    """What the health page says of the support team's channel when a bot has been started."""
    app = small_application(folder, system_clock)
    settings = settings_of(slack).model_copy(update={"handover_channel": channel})
    async with slack_running(settings, app):
        return app.health.ready().get("slack handover", Condition(ok=True)).why


async def test_a_support_channel_in_which_the_bot_is_not_is_told_at_the_start(slack: Slack, tmp_path: Path) -> None:
    for channel, wrong in ((RANDOM, "is not a member of"), ("C0NOWHERE", "does not exist, or is private")):
        with capture_logs() as logged:
            why = await condition(slack, tmp_path, channel)
        assert wrong in why
        assert channel in why
        assert "nobody is told who wants a person. Invite the bot there (/invite)" in why
        assert [one["remedy"] for one in logged if one["event"] == "slack_team_channel_closed"] == [why]
    assert await condition(slack, tmp_path, HELPDESK) == ""


async def test_an_invitation_mends_the_support_channel_without_a_restart(slack: Slack) -> None:
    told: list[str] = []
    here = await preflight(client_of(settings_of(slack), slack.bot_token))
    settings = settings_of(slack).model_copy(update={"handover_channel": RANDOM})
    looks = TeamChannel(installations=OneWorkspace(here, Health()), rules=Rules(lambda: settings), report=told.append)
    await looks.look()
    slack.world.channels[RANDOM].members.add(slack.me)
    await looks.look()
    assert [bool(why) for why in told] == [True, False]
