"""What Slack and the web server need in the configuration, and how an admin is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.loader import load_settings
from config.problems import ConfigProblems
from config.slack import Transport

ENVIRONMENT = {"BOT": "xoxb-1", "APP": "xapp-1", "SECRET": "s"}
SOCKET = "slack:\n  bot_token: ${BOT}\n  app_token: ${APP}\n"
HTTP = "slack:\n  transport: http\n  bot_token: ${BOT}\n  signing_secret: ${SECRET}\n"


def problems_of(text: str, tmp_path: Path) -> list[str]:
    """The problems as an admin reads them, without the file's name."""
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_settings(file, ENVIRONMENT)
    except ConfigProblems as caught:
        return [str(problem).removeprefix(f"{file}:").strip() for problem in caught.problems]
    return []


@pytest.mark.parametrize("text", [SOCKET, f"{HTTP}web: {{}}\n", f"{SOCKET}web:\n  port: 9000\n"])
def test_what_is_complete_has_no_problem(text: str, tmp_path: Path) -> None:
    assert problems_of(text, tmp_path) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (SOCKET.replace("  app_token: ${APP}\n", ""), "1: slack.app_token: is missing"),
        (SOCKET.replace("  bot_token: ${BOT}\n", ""), "1: slack.bot_token: is missing"),
        (
            "web: {}\n" + HTTP.replace("  signing_secret: ${SECRET}\n", ""),
            "2: slack.signing_secret: is missing",
        ),
        (HTTP, "web: is missing; with `slack.transport: http` Slack calls this server"),
        (
            f"{SOCKET}  transport: https\n",
            "4: slack.transport: must be one of socket, http (found: https); did you mean http?",
        ),
        ("web:\n  port: 70000\n", "2: web.port: must be 65535 or less"),
    ],
)
def test_what_is_missing_is_told_with_its_remedy(text: str, problem: str, tmp_path: Path) -> None:
    [found] = problems_of(text, tmp_path)
    assert found.startswith(problem)


def test_slack_needs_no_web_server_unless_it_is_told_to_call_one(tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(SOCKET, encoding="utf-8")
    found = load_settings(file, ENVIRONMENT)
    assert found.web is None
    assert found.slack is not None
    assert found.slack.transport is Transport.SOCKET
