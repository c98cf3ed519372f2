"""In Teams the support team is told of an incident in its channel, in plain words, once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from bot.application import Application
from config.teams import TeamsSettings
from handlers.claims import Claims
from handlers.teams.acts.incident_rounds import IncidentRounds
from handlers.teams.notebook import Notebook
from handlers.teams.records import PLATFORM, Place, Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import SHIPPED
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.model import DIRECT, Conversation, Turn, Visibility
from tests.fakes.incidents import TurnsClock, question
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON

SERVICE, SUPPORT = "https://smba.trafficmanager.net/amer/", "19:support@thread.tacv2"
TOLD = "3人から同じような問い合わせが来ています（HD-1: 同じような問い合わせ）。"


class Posted:
    """Takes what is written, or raises what stands in `errors` first."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, str, object]] = []
        self.errors: list[Exception] = []

    async def post(self, service: str, conversation: str, content: Mapping[str, object]) -> str | None:
        if self.errors:
            raise self.errors.pop(0)
        self.messages.append((service, conversation, content["text"]))
        return None

    async def replace(self, service: str, conversation: str, message: str, content: Mapping[str, object]) -> None:
        raise AssertionError


def asked(person: str, minutes: float) -> Turn:
    """In a personal chat, which nobody else may read."""
    said = question(person, "メールを送信するとエラー ML-451 で戻ってきます。", minutes=minutes)
    where = Conversation(platform=PLATFORM, workspace="tenant", channel=DIRECT, thread=f"a:{person}")
    return Turn(
        **{name: getattr(said, name) for name in said.__slots__}
        | {"conversation": where, "visibility": Visibility.PRIVATE}
    )


@pytest.fixture
async def app(tmp_path: Path) -> Application:
    app = small_application(tmp_path, TurnsClock(NOON + timedelta(hours=1)))
    for number, person in enumerate(("sato", "mori", "abe")):
        turn = asked(person, number)
        await app.store.writing.record([turn])
        await app.incidents.noticed(turn)
    return app


async def rounds(app: Application, posted: Posted, channel: str | None = SUPPORT) -> IncidentRounds:
    settings = TeamsSettings(development=True, handover_channel=channel)
    sites = Sites(Notebook(app.store.vault, app.clock), ["smba.trafficmanager.net"])
    await sites.remember(Site(tenant="tenant", chat="a:mori", place=Place.PERSONAL, service=SERVICE))
    return IncidentRounds(
        box=app.store.incidents,
        incidents=lambda: app.incidents,
        writes=posted,
        sites=sites,
        rules=Rules(lambda: settings),
        claims=Claims(app.store.leases, app.clock),
        wording=lambda: SHIPPED,
    )


async def test_the_team_is_told_once_without_a_word_of_private_questions(app: Application) -> None:
    posted = Posted()
    assert [await (await rounds(app, posted)).go() for _ in range(3)] == [1, 0, 0]
    assert posted.messages == [(SERVICE, SUPPORT, TOLD)]


async def test_what_did_not_arrive_is_told_in_the_next_round(app: Application) -> None:
    posted = Posted()
    posted.errors.append(PlatformUnavailable())
    assert [await (await rounds(app, posted)).go() for _ in range(3)] == [0, 1, 0]
    assert len(posted.messages) == 1


@pytest.mark.parametrize("error", [PlatformRefused(), DeliveryUnknown()])
async def test_what_is_refused_or_may_have_arrived_is_not_told_again(app: Application, error: Exception) -> None:
    posted = Posted()
    posted.errors.append(error)
    assert [await (await rounds(app, posted)).go() for _ in range(2)] == [1, 0]
    assert posted.messages == []


async def test_without_a_channel_nobody_is_told(app: Application) -> None:
    posted = Posted()
    assert await (await rounds(app, posted, None)).go() == 0
    assert posted.messages == []
