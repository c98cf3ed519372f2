"""Two requests about the same in Teams: the second is closed by who made it, who then hears how the first one ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from config.schema import AccessSettings
from config.teams import TeamsChannelSettings
from handlers.teams.names import ASK_PERSON, SAME_TICKET
from handlers.tickets.records import Actor, Resolution
from memory.model import Viewer
from memory.tickets import State, Ticket
from tests.fakes.desks import desk_over
from tests.fakes.slack_acts import idle
from tests.fakes.small_application import deciding
from tests.fakes.teams.server import AYA, BOB, KEN, SUPPORT, Written, place_of
from tests.fakes.teams_acts import asked_in_channel, buttons, lines, pressed, want_a_person, words
from tests.fakes.teams_place import Place, opened

KEEPER = Viewer(user=KEN, agent=True)
TEXT = "プリンタがエラー QX-7713 で止まり、印刷できません。"
ENGLISH = "The printer stops with error QX-7713 and does not print."


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Ken is a support agent. What is said in channels everybody may read."""
    async with opened(tmp_path) as place:
        open_to_all = TeamsChannelSettings(memory="everyone")
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT, "default": open_to_all})
        app = place.app
        settings = app.settings.model_copy(update={"access": AccessSettings(agents=(KEN,))})
        desk = desk_over(app.store, place.answers, app.clock, agents=(KEN,), held=app.tickets.held)
        app.current.decided = deciding(app, settings=settings, desk=desk).current.decided
        yield place


async def handed_over(place: Place, person: str, text: str = TEXT) -> dict[str, Any]:
    """Somebody asks in the helpdesk's channel and wants a person, and what was said is remembered: the thread."""
    where, answer = await asked_in_channel(place, person, text)
    await pressed(place, person, answer, ASK_PERSON, where)
    await place.app.jobs.run("flush")
    return where


def notice(place: Place, where: dict[str, Any]) -> Written:
    """What is said of that."""
    return place.teams.written(place_of(where))[1]


def heard(place: Place, where: dict[str, Any]) -> list[Written]:
    return place.teams.written(place_of(where))[2:]


async def ticket(place: Place, name: str) -> Ticket:
    [found] = await place.app.store.tickets.named([name], KEEPER)
    return found


async def resolved(place: Place) -> None:
    actor = Actor(viewer=KEEPER, name="岡部 健", language="ja")
    await place.app.tickets.resolve("HD-1", Resolution(fix="ローラーを掃除"), actor, key="k1")


@pytest.mark.parametrize(
    ("text", "label", "closed", "ended"),
    [
        (
            TEXT,
            "HD-1 と同じ件です",
            ["HD-2 は HD-1 と同じ件のため終了しました。", "HD-1 が終わったら、ここでお知らせします。", "HD-1"],
            "HD-1 は「解決済み」になりました。\n対応: ローラーを掃除",
        ),
        (
            ENGLISH,
            "Same as HD-1",
            ["HD-2 is closed: it is the same as HD-1.", "You will hear here when HD-1 is over.", "HD-1"],
            "HD-1 is resolved.\n対応: ローラーを掃除",
        ),
    ],
)
async def test_who_says_that_it_is_the_same_hears_once_how_that_ends(
    place: Place, text: str, label: str, closed: list[str], ended: str
) -> None:
    async with place.running():
        await handed_over(place, AYA, text)
        where = await handed_over(place, BOB, text)
        card = notice(place, where)
        assert list(buttons(card)) == [SAME_TICKET]
        assert label in words(card)
        await pressed(place, BOB, card, SAME_TICKET, where)
        [said] = heard(place, where)
        assert lines(said) == closed
        assert "teams.microsoft.com" in words(said)
        assert (await ticket(place, "HD-2")).state is State.CLOSED
        note = place.teams.written(SUPPORT)[-1]
        assert buttons(note) == {}
        await resolved(place)
    for _ in range(2):
        async with place.running():
            await idle()
    [_, last] = heard(place, where)
    assert last.content["text"] == ended


async def test_only_who_asked_says_that_it_is_the_same_and_not_too_late(place: Place) -> None:
    async with place.running():
        await handed_over(place, AYA)
        where = await handed_over(place, BOB)
        await pressed(place, AYA, notice(place, where), SAME_TICKET, where)
        await resolved(place)
        await pressed(place, BOB, notice(place, where), SAME_TICKET, where)
    assert [one.content["text"] for one in heard(place, where)] == [
        "これはサポート担当者だけができます。",
        "HD-1 はもう終わっているか、見られなくなっています。この件はそのまま受け付けています。",
    ]
    assert (await ticket(place, "HD-2")).state is State.OPEN


async def test_nobody_follows_a_ticket_that_is_not_theirs_to_see(place: Place) -> None:
    async with place.running():
        await want_a_person(place, AYA, TEXT)
        await place.app.jobs.run("flush")
        where = await handed_over(place, BOB)
        assert buttons(notice(place, where)) == {}
        value = f"HD-1 {(await ticket(place, 'HD-2')).opened_by}"
        await place.teams.execute(BOB, notice(place, where), SAME_TICKET, value, where)
        await idle()
    [said] = heard(place, where)
    assert str(said.content["text"]).startswith("HD-1 はもう終わっているか")
    assert (await ticket(place, "HD-2")).state is State.OPEN
