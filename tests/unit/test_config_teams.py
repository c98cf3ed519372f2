"""What Teams needs in the configuration, and how an admin is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.loader import load_settings
from config.problems import ConfigProblems

ID = "0a5c9c5e-1111-4abc-9def-000000000001"
COMPLETE = f"web: {{}}\nteams:\n  app_id: {ID}\n  tenant: {ID}\n  app_password: ${{SECRET}}\n"
MANAGED = COMPLETE.replace("app_password: ${SECRET}", "identity: managed")
DEVELOPMENT = "web: {}\nteams:\n  development: true\n"


def problems_of(text: str, tmp_path: Path) -> list[str]:
    """The problems as an admin reads them, without the file's name."""
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_settings(file, {"SECRET": "s"})
    except ConfigProblems as caught:
        return [str(problem).removeprefix(f"{file}:").strip() for problem in caught.problems]
    return []


ELSEWHERE = "  login_url: http://localhost:9\n  openid_url: http://[::1]:9/keys\n  file_hosts: [.sharepoint.com]\n"
PLACES = (
    '  teams:\n    "19:team_1-x@thread.tacv2": {}\n'
    '  channels:\n    "19:old@thread.skype": {}\n    "19:group@thread.v2": {}\n'
)


@pytest.mark.parametrize(
    "text",
    [
        COMPLETE,
        MANAGED,
        DEVELOPMENT,
        DEVELOPMENT.replace("{}", "{host: localhost}"),
        COMPLETE + ELSEWHERE + PLACES,
    ],
)
def test_what_is_complete_has_no_problem(text: str, tmp_path: Path) -> None:
    assert problems_of(text, tmp_path) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (COMPLETE.replace("web: {}\n", ""), "teams: needs the branch `web`: Teams calls this server"),
        (COMPLETE.replace(f"  app_id: {ID}\n", ""), "2: teams.app_id: is missing"),
        (COMPLETE.replace(f"  tenant: {ID}\n", ""), "2: teams.tenant: is missing"),
        (COMPLETE.replace("  app_password: ${SECRET}\n", ""), "2: teams.app_password: is missing"),
        (COMPLETE.replace(f"tenant: {ID}", "tenant: contoso"), "4: teams.tenant: must be an id"),
        (DEVELOPMENT.replace("{}", "{host: 0.0.0.0}"), "1: web.host: must be one of 127.0.0.1"),
        (DEVELOPMENT + f"  app_id: {ID}\n", "4: teams.app_id: has no effect beside `development: true`"),
        (COMPLETE + "  service_hosts: [https://smba.trafficmanager.net/]\n", "must be the name of a host"),
        (COMPLETE + "  service_hosts: [.trafficmanager.net]\n", "must be a host in full, without a dot in front"),
        (COMPLETE + "  service_hosts: []\n", "6: teams.service_hosts: must name one host or more"),
        (COMPLETE + "  login_url: http://login.example\n", "6: teams.login_url: must begin with https://"),
        (COMPLETE + "  openid_url: http://keys.example/keys\n", "6: teams.openid_url: must begin with https://"),
        (COMPLETE + "  openid_url: ftp://127.0.0.1/keys\n", "must be a web address"),
        (COMPLETE + "  handover_channel: 19:a@thread.tacv2;messageid=1\n", "; did you mean 19:a@thread.tacv2?"),
        (
            COMPLETE + "  teams:\n    19%3Ateam_1-x%40thread.tacv2: {answer: never}\n",
            "7: teams.teams.19%3Ateam_1-x%40thread.tacv2: must be an id, as in 19:…@thread.tacv2; "
            "did you mean 19:team_1-x@thread.tacv2?",
        ),
        (COMPLETE + "  channels:\n    19:a@thread.skype;messageid=1: {}\n", "; did you mean 19:a@thread.skype?"),
        (COMPLETE + "  handover_channel: C0SUPPORT\n", "6: teams.handover_channel: must be an id, as in 19:"),
        (
            COMPLETE + "  channels:\n    General: {enabled: false}\n",
            "7: teams.channels.General: must be an id, as in 19:",
        ),
        (COMPLETE + "  teams:\n    IT: {enabled: false}\n", "7: teams.teams.IT: must be an id, as in 19:"),
    ],
)
def test_what_is_missing_or_unsafe_is_told_with_its_remedy(text: str, problem: str, tmp_path: Path) -> None:
    [found] = problems_of(text, tmp_path)
    assert problem in found
