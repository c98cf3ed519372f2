"""What the commands for incidents ask of the bot, in process."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.telling import unheard
from bot.use_cases import perform
from memory.errors import IncidentSettled, IncidentUnknown, WrongUse
from tests.fakes.incidents import TurnsClock, question
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON


@pytest.fixture
async def app(tmp_path: Path) -> Application:
    """Three people report one thing."""
    app = small_application(tmp_path, TurnsClock(NOON + timedelta(hours=1)))
    for number, person in enumerate(("sato", "mori", "abe")):
        turn = question(person, "メールを送信するとエラー ML-451 で戻ってきます。", minutes=number)
        await app.store.writing.record([turn])
        await app.incidents.noticed(turn)
    return app


async def asked_of(app: Application, command: str, **given: object) -> Any:
    return await perform(app, command, given, unheard)


def named(found: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    return [(one["ticket"], one["phase"], one["people"]) for one in found["incidents"]]


async def test_what_is_going_on_is_listed_until_it_is_over(app: Application) -> None:
    assert named(await asked_of(app, "incidents list")) == [("HD-1", "suspected", 3)]
    await asked_of(app, "incidents rule", id="HD-1", phase="over", user="kato", words="cleared the disk")
    assert named(await asked_of(app, "incidents list")) == []
    assert named(await asked_of(app, "incidents list", going_on=False)) == [("HD-1", "over", 3)]


async def test_an_incident_is_shown_with_its_reports_by_its_ticket_however_written(app: Application) -> None:
    found = await asked_of(app, "incidents show", id="hd-1")
    assert [turn["author"] for turn in found["turns"]] == ["sato", "mori", "abe"]
    assert found["incident"]["title"] == "ML-451"
    assert await asked_of(app, "incidents show", id=found["incident"]["id"]) == found


async def test_a_title_is_what_it_is_called_from_then_on(app: Application) -> None:
    given = {"id": "HD-1", "phase": "confirmed", "user": "kato", "words": "Mail is down"}
    ruled = (await asked_of(app, "incidents rule", **given))["incident"]
    assert (ruled["phase"], ruled["title"], ruled["by"]) == ("confirmed", "Mail is down", "kato")


async def test_what_cannot_be_ruled_is_refused(app: Application) -> None:
    with pytest.raises(IncidentUnknown):
        await asked_of(app, "incidents rule", id="HD-9", phase="over", user="kato")
    with pytest.raises(WrongUse):
        await asked_of(app, "incidents rule", id="HD-1", phase="suspected", user="kato")
    await asked_of(app, "incidents rule", id="HD-1", phase="dismissed", user="kato")
    with pytest.raises(IncidentSettled):
        await asked_of(app, "incidents rule", id="HD-1", phase="over", user="kato")
