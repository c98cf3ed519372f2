"""Payloads from the tests and documents of Teams' own kits, told to the running bot as if they came from here.

They are not part of this repository: HELPDESK_PAYLOADS names their folder.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from structlog.testing import capture_logs

from handlers.fields import inside
from tests.fakes.payloads import FOLDER
from tests.fakes.teams.server import APP, TENANT
from tests.fakes.teams_place import Place, opened

if not FOLDER.is_dir():
    pytest.skip("teams payloads: not found; HELPDESK_PAYLOADS names their folder", allow_module_level=True)

FILES = sorted((*FOLDER.glob("teams_*/*.json"), *FOLDER.glob("botbuilder_dotnet/*.json")))
MALFORMED = sorted(FOLDER.glob("teams_docs_malformed/*.txt"))


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place, place.running():
        yield place


def bodies(path: Path) -> list[dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]


def here(body: dict[str, Any], place: Place) -> dict[str, Any]:
    """The same from our organisation, to be answered where we may answer."""
    return {
        **body,
        "channelId": "msteams",
        "serviceUrl": place.teams.service,
        "conversation": {**inside(body, "conversation"), "tenantId": TENANT},
        "channelData": {**inside(body, "channelData"), "tenant": {"id": TENANT}},
        "recipient": {"id": f"28:{APP}", "name": "helpdesk"},
    }


async def test_every_payload_gets_an_answer_and_breaks_nothing(place: Place) -> None:
    statuses = set()
    with capture_logs() as logged:
        for path in FILES:
            for body in bodies(path):
                told = here(body, place)
                status, _ = await place.teams.tell(told)
                statuses.add(status)
                assert status in ((200, 501) if isinstance(told.get("type"), str) else (400,)), path.name
        async with asyncio.timeout(60):
            while lanes := [task for task in asyncio.all_tasks() if task.get_name() == "lane"]:
                await asyncio.wait(lanes)
    assert 200 in statuses
    assert [entry for entry in logged if entry["event"] in ("teams_activity_failed", "teams_act_failed")] == []


async def test_as_they_are_they_come_from_elsewhere_and_are_turned_away(place: Place) -> None:
    for path in FILES:
        for body in bodies(path):
            status, _ = await place.teams.tell(body)
            assert status in (400, 403), path.name
    assert place.teams.messages == []


async def test_what_is_no_json_is_said_to_be_none(place: Place) -> None:
    assert MALFORMED
    token = place.teams.signing.token(audience=APP, service=place.teams.service)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:
        for path in MALFORMED:
            async with session.post(place.teams.bot, data=path.read_bytes()) as answer:
                assert answer.status == 400, path.name
