"""The scopes: one table, which the manifest and the docs repeat."""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

from handlers.slack.scopes import SCOPES, cost, missing

ROOT = Path(__file__).parents[2]


def test_the_manifest_asks_for_exactly_these() -> None:
    manifest = YAML(typ="safe").load(ROOT / "slack/manifest.yaml")
    assert sorted(manifest["oauth_config"]["scopes"]["bot"]) == sorted(scope.name for scope in SCOPES)


def test_the_docs_say_of_each_what_it_is_for() -> None:
    section = (ROOT / "docs/slack.md").read_text(encoding="utf-8").partition("## Scopes, and why")[2]
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", section, re.MULTILINE)
    documented = {name: why for names, why in rows for name in re.findall(r"`([^`]+)`", names)}
    assert documented == {scope.name: scope.why for scope in SCOPES}


def test_what_was_not_granted_is_told_with_the_vital_ones_first() -> None:
    granted = [scope.name for scope in SCOPES if scope.name not in ("assistant:write", "chat:write")]
    assert [(scope.name, scope.vital) for scope in missing([*granted, "team:read"])] == [
        ("chat:write", True),
        ("assistant:write", False),
    ]


def test_an_administrator_reads_the_names_and_where_to_look() -> None:
    assert cost(()) == ""
    assert cost(["reactions:write", "files:read"]) == (
        "Slack did not grant files:read, reactions:write; docs/slack.md says what each is for."
    )
