"""Interactive payloads from the tests and samples of Slack's own kits, told to the running bot.

They are not part of this repository: HELPDESK_PAYLOADS names their folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from handlers.slack.acts.names import ASK_PERSON, FEEDBACK, FORGET_YES, MAKE_TICKET, REMEMBER_THREAD, TICKET_FORM
from handlers.slack.interactions import read_action
from handlers.slack.records import Acted
from tests.fakes.slack import AYA, HELPDESK
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened
from tests.fakes.source import ROOT

FOLDER = Path(os.environ.get("HELPDESK_PAYLOADS") or ROOT.parent / "shared/data/payloads")
if not FOLDER.is_dir():
    pytest.skip("slack payloads: not found; HELPDESK_PAYLOADS names their folder", allow_module_level=True)

OURS = (ASK_PERSON, FEEDBACK, FORGET_YES, MAKE_TICKET, REMEMBER_THREAD, TICKET_FORM)


def payload(path: Path) -> Any:
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["payload"] if isinstance(found, dict) and "envelope_id" in found else found


ACTED = [
    path
    for path in sorted(FOLDER.glob("slack_*/*.json"))
    if isinstance(payload(path), dict) and isinstance(read_action(payload(path)), Acted)
]


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


def as_ours(body: dict[str, Any], name: str) -> dict[str, Any]:
    """The same payload with a name that the bot acts on."""
    renamed = json.loads(json.dumps(body))
    for holder in (renamed, renamed.get("view"), *renamed.get("actions", ())):
        for key in ("callback_id", "action_id"):
            if isinstance(holder, dict) and key in holder:
                holder[key] = name
    return dict(renamed)


def test_there_are_payloads() -> None:
    assert len(ACTED) > 5


@pytest.mark.parametrize("path", ACTED, ids=lambda path: path.name)
async def test_a_payload_is_acknowledged_and_breaks_nothing(place: Place, path: Path) -> None:
    body = payload(path)
    if "response_url" in body:
        # The one in the file leads out of this machine.
        body["response_url"] = place.slack.hook(AYA, HELPDESK)
    kind = "slash_commands" if "command" in body else "interactive"
    async with place.running():
        with capture_logs() as logged:
            for each in (body, *(as_ours(body, name) for name in OURS)):
                assert (await place.slack.wire.deliver(kind, each)).ok
            await idle(30)
    failed = [entry for entry in logged if entry["event"] == "slack_act_failed"]
    # People, channels and forms of another workspace are unknown here: Slack says so, and nothing else goes wrong.
    assert {entry["error"] for entry in failed} <= {"SlackApiError"}
    assert [entry for entry in logged if entry["event"] == "slack_event_failed"] == []
