"""What Slack and the web server need in the configuration, and how an admin is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.loader import load_settings
from config.problems import ConfigProblems
from config.slack import Transport

KEY = "A" * 43 + "="
ENVIRONMENT = {"BOT": "xoxb-1", "APP": "xapp-1", "SECRET": "s", "EMPTY": "", "KEY": KEY, "KEYS": f"{KEY}, {KEY}"} | {
    "KEYS_SPOILED": f"{KEY},"
}
SEVERAL = (
    "web: {}\nslack:\n  app_token: ${APP}\n  client_id: '1.2'\n  client_secret: ${SECRET}\n  installation_key: ${KEY}\n"
)
QUOTE, ID = "'", "write the channel's id, as in C0123ABCD"
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


@pytest.mark.parametrize(
    "text",
    [
        SOCKET,
        f"{SOCKET}  channels: {{C0123ABCD: {{enabled: false}}, G0123: {{}}}}\n  allowed_bots: [B0123, U0123]\n",
        f"{HTTP}web: {{}}\n",
        f"{SOCKET}web:\n  port: 9000\n",
        SEVERAL,
        SEVERAL.replace("${KEY}", "${KEYS}"),
    ],
)
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
        (SEVERAL.replace("web: {}\n", ""), "web: is missing; with `slack.client_id` others install the app"),
        (SEVERAL.replace("  client_secret: ${SECRET}\n", ""), "2: slack.client_secret: is missing"),
        (SEVERAL.replace("  client_id: '1.2'\n", ""), "2: slack.client_id: is missing"),
        (SEVERAL.replace("${KEY}", "${SECRET}"), "6: slack.installation_key: must be 32 bytes in URL-safe base64"),
        (SEVERAL.replace("${KEY}", "${KEYS_SPOILED}"), "6: slack.installation_key: must be 32 bytes"),
        (SEVERAL.replace("'1.2'", "1.2"), "4: slack.client_id: must be a text; put quotes around it"),
        (f"{SEVERAL}  bot_token: ${{BOT}}\n", "7: slack.bot_token: has no effect beside `client_id`"),
        (SOCKET.replace("${APP}", "${BOT}"), "3: slack.app_token: must begin with xapp-; copy an app-level token"),
        (
            SOCKET.replace("${BOT}", "${APP}"),
            "2: slack.bot_token: must begin with xoxb-; copy the Bot User OAuth Token",
        ),
        (
            SOCKET.replace("${BOT}", "${UNSET}"),
            "2: slack.bot_token: UNSET must be set in the environment; copy the Bot User",
        ),
        (
            SOCKET.replace("${BOT}", "${EMPTY}"),
            "2: slack.bot_token: EMPTY is empty in the environment; copy the Bot User OAuth Token (api.slack.com/apps, "
            "Install App)",
        ),
        (
            SOCKET.replace("${APP}", "${EMPTY}"),
            "3: slack.app_token: EMPTY is empty in the environment; copy an app-level token (api.slack.com/apps, Basic",
        ),
        (
            SEVERAL.replace("${SECRET}", "${EMPTY}"),
            "5: slack.client_secret: EMPTY is empty in the environment; copy the",
        ),
        (SOCKET.replace("${BOT}", "${EMPTY:-}"), "2: slack.bot_token: is missing"),
        *[
            (f"{SOCKET}  channels:\n    {name}: {{enabled: false}}\n", f"5: slack.channels.{name.strip(QUOTE)}: {ID}")
            for name in ("'#general'", "finance", "c0123", "C0123-4", "U0123")
        ],
        (f"{SOCKET}  allowed_bots: [B0123, alerts]\n", "4: slack.allowed_bots[1]: write the bot's id, as in B0123ABCD"),
        (f"{SOCKET}  handover_channel: '#support'\n", f"4: slack.handover_channel: {ID}"),
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


def test_a_name_that_is_no_id_is_shown_and_a_token_never(tmp_path: Path) -> None:
    [named] = problems_of(f"{SOCKET}  channels: {{finance: {{enabled: false}}}}\n", tmp_path)
    assert named.endswith("(found: finance)")
    [swapped] = problems_of(SOCKET.replace("${APP}", "${BOT}"), tmp_path)
    assert ENVIRONMENT["BOT"] not in swapped.replace("xoxb-", "")
