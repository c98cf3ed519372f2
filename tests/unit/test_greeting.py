"""What is said when the bot runs: to which platforms there is a way, and to which there is none just now."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.health import Condition
from bot.lifecycle import greeting
from bot.places import Place

WELL, LESS = Condition(ok=True), Condition(ok=True, why="No reactions, as the scope is missing.")
AWAY = Condition(ok=False, why="Microsoft Entra cannot be reached to sign in; see `teams.login_url`.")
NOT_TEAMS = f"Not connected to Teams: {AWAY.why}"


@pytest.mark.parametrize(
    ("platforms", "health", "said"),
    [
        ([], {}, "No chat platform is configured yet."),
        (["Slack"], {"slack": WELL}, "Connected to Slack."),
        (["Slack"], {"slack": LESS}, "Connected to Slack."),
        (["Slack", "Teams"], {"slack": WELL, "teams": WELL, "teams handover": AWAY}, "Connected to Slack and Teams."),
        (["Teams"], {"teams": AWAY}, NOT_TEAMS),
        (["Slack", "Teams"], {"slack": WELL, "teams": AWAY}, f"Connected to Slack. {NOT_TEAMS}"),
    ],
)
def test_only_what_is_connected_is_said_to_be_and_else_what_is_wrong(
    platforms: list[str], health: dict[str, Condition], said: str
) -> None:
    assert greeting(Place(data=Path("/d"), config=None), platforms, health, ["flush"]) == (
        f"{said} The scheduler is running (flush), and other commands work meanwhile. Data: /d. Ctrl-C ends."
    )
