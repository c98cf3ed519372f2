"""The app as `slack/manifest.yaml` describes it: what it may do, what it is told, and what a message's menu offers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ruamel.yaml import YAML

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack

MANIFEST = Path(__file__).parents[3] / "slack/manifest.yaml"


def install(slack: Slack, manifest: Path = MANIFEST) -> None:
    """Grant the manifest's scopes, subscribe to its events (`message.im` is of type message), offer its shortcuts."""
    found = YAML(typ="safe", pure=True).load(manifest)
    events = found["settings"]["event_subscriptions"]["bot_events"]
    slack.api.granted = frozenset(found["oauth_config"]["scopes"]["bot"])
    slack.wire.subscribed = frozenset(event.partition(".")[0] for event in events)
    slack.shortcuts = {each["callback_id"]: each["name"] for each in found["features"]["shortcuts"]}
