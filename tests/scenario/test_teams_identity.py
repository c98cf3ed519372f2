"""A bot in Azure that is known by the identity of its machine and has no secret."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from bot import teams_app
from bot.lifecycle import greeting
from bot.places import Place as Home
from config.teams import Identity
from handlers import pauses
from handlers.teams.credentials import by_managed_identity
from memory.errors import PlatformRefused
from tests.fakes.teams.identity import SECRET, SERVICE
from tests.fakes.teams.server import AYA, personal, place_of
from tests.fakes.teams_place import Place, opened

WHERE = personal(AYA)
HOME = Home(data=Path("data"), config=None)
SCOPE = "https://api.botframework.com"
#: What Azure sets on a machine with an identity, by the kind of machine.
KINDS = ["virtual machine", "app service"]


@pytest.fixture(params=KINDS)
async def place(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Place]:
    for name in ("IDENTITY_ENDPOINT", "IDENTITY_HEADER", "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET"):
        monkeypatch.delenv(name, raising=False)
    async with opened(tmp_path) as place:
        if request.param == "virtual machine":
            monkeypatch.setenv("AZURE_POD_IDENTITY_AUTHORITY_HOST", place.teams.address)
        else:
            monkeypatch.setenv("IDENTITY_ENDPOINT", f"{place.teams.address}{SERVICE}")
            monkeypatch.setenv("IDENTITY_HEADER", SECRET)
        place.settings = place.settings.model_copy(update={"identity": Identity.MANAGED, "app_password": None})
        yield place


async def asked(place: Place, text: str) -> None:
    """A question that is answered."""
    before = len(place.teams.written(place_of(WHERE)))
    await place.teams.say(AYA, WHERE, text)
    await place.teams.answered(place_of(WHERE), count=before + 1)
    await place.replied()


@pytest.mark.parametrize("question", ["VPNが切れます", "My VPN drops"], ids=["ja", "en"])
async def test_a_bot_without_a_secret_answers_and_asks_for_its_token_once(place: Place, question: str) -> None:
    async with place.running():
        await asked(place, question)
        await asked(place, f"{question} (2)")
        assert place.app.health.ready()["teams"].ok
    assert place.teams.identity.asked == 1
    assert place.teams.refused_sign_ins == 0


async def test_a_token_that_is_about_to_end_is_replaced_before_the_next_answer(place: Place) -> None:
    place.teams.identity.seconds = 200
    async with place.running():
        await asked(place, "VPNが切れます")
        await asked(place, "プリンターが動きません")
    assert place.teams.identity.asked >= 3
    assert {status for _, status in place.teams.calls} == {201}


async def test_a_token_that_teams_does_not_take_any_more_is_replaced_though_it_would_hold(place: Place) -> None:
    async with place.running():
        await asked(place, "VPNが切れます")
        place.teams.sign_ins += 1
        await asked(place, "プリンターが動きません")
    assert place.teams.identity.asked == 2
    assert len(place.teams.messages) == 2


async def test_an_identity_that_the_machine_does_not_have_is_named_at_the_start(place: Place) -> None:
    place.teams.identity.client = "another"
    with pytest.raises(PlatformRefused, match=r"teams\.app_id"):
        async with place.running():
            pass


@pytest.mark.parametrize(
    "instead",
    [
        lambda: web.json_response({"error": "unavailable"}, status=500),
        lambda: web.json_response({"statusCode": 503, "message": "later"}, status=503),
        lambda: web.json_response({"error": "too many"}, status=429),
        lambda: web.json_response({"error": "updating"}, status=404),
        lambda: web.json_response({"error": "updating"}, status=410),
        lambda: web.Response(text="<html>"),
        lambda: web.json_response([]),
        lambda: web.Response(status=302, headers={"Location": "https://elsewhere.example/"}),
    ],
    ids=["500", "503", "429", "404", "410", "a page", "a list", "elsewhere"],
)
async def test_a_machine_that_says_nothing_of_its_identity_keeps_the_bot_waiting_and_not_away(
    place: Place, instead: object
) -> None:
    assert callable(instead)
    place.teams.identity.coming = [instead()]
    async with place.running():
        condition = place.app.health.ready()["teams"]
        assert not condition.ok
        assert "teams.identity" in condition.why
        said = greeting(HOME, ["Teams"], place.app.health.ready(), [])
        assert said.startswith(f"Not connected to Teams: {condition.why} The scheduler")
        await asked(place, "VPNが切れます")
        assert place.app.health.ready()["teams"].ok
        assert greeting(HOME, ["Teams"], place.app.health.ready(), []).startswith("Connected to Teams. The scheduler")


async def test_who_could_not_be_asked_at_the_start_is_asked_again_without_a_message(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a bot to which nobody is let through, as it is not well, would never be well again."""
    monkeypatch.setattr(teams_app, "_SIGN_IN_SECONDS", 0.01)
    monkeypatch.setattr(pauses, "_FIRST_SECONDS", 0.0)
    place.teams.identity.coming = [web.json_response({}, status=503) for _ in range(2)]
    async with place.running(), asyncio.timeout(10):
        while not place.app.health.ready()["teams"].ok:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    assert place.teams.identity.asked == 3


async def test_the_machine_is_asked_past_every_proxy(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy could not reach the machine's own service, and would learn the token."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    grant = await by_managed_identity(place.teams.identity.client, SCOPE)()
    assert grant.token == "granted-1"
    assert 86_000 < grant.seconds <= 86_400
