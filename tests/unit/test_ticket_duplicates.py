"""Requests that are about the same as an open ticket."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from bot.application import Application
from bot.desks import likeness_over
from handlers.handover import Handed, Wanted
from handlers.tickets.duplicates import ComparedHandOver, Duplicates
from handlers.tickets.records import Actor, Resolution
from handlers.tickets.requests import told
from handlers.wordings import SHIPPED
from memory.errors import IndexUnavailable
from memory.model import DIRECT, Turn, Viewer, Visibility
from memory.tickets import Ticket
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

NOW = NOON + timedelta(days=3)
MORI, SATO = Viewer(user="mori", channel="it-help"), Viewer(user="sato", channel="it-help")
TEXT = "プリンタがエラー QX-7713 で止まり、印刷できません。"


def actor(viewer: Viewer) -> Actor:
    return Actor(viewer=viewer, name=viewer.user, language="ja")


def asked(person: str, text: str = TEXT, *, visibility: Visibility = Visibility.EVERYONE, minutes: float = 0) -> Turn:
    channel = DIRECT if visibility is Visibility.PRIVATE else "it-help"
    said = turn(1, text, thread=f"T-{person}", ticket=None, author=person, requester=person, minutes=minutes)
    return replace(said, conversation=replace(said.conversation, channel=channel), visibility=visibility)


async def opened(app: Application, said: Turn, viewer: Viewer) -> Ticket:
    await app.store.writing.record([said])
    return await app.tickets.of_message(said.id, actor(viewer))


def duplicates(app: Application) -> Duplicates:
    likeness = likeness_over(app.settings, store=app.store, index=app.index, encoder=app.encoder)
    return Duplicates(likeness=likeness, reading=app.store.reading, tickets=app.store.tickets, clock=app.clock)


@pytest.fixture
def app(tmp_path: Path) -> Application:
    return small_application(tmp_path, lambda: NOW)


async def with_moris(app: Application, visibility: Visibility = Visibility.EVERYONE) -> Ticket:
    """Mori's ticket, remembered."""
    viewer = MORI if visibility is not Visibility.PRIVATE else replace(MORI, channel=DIRECT)
    ticket = await opened(app, asked("mori", visibility=visibility), viewer)
    await app.jobs.run("flush")
    return ticket


async def satos(app: Application, text: str = TEXT) -> Ticket:
    return await opened(app, asked("sato", text, minutes=9), SATO)


async def test_an_open_ticket_about_the_same_is_found(app: Application) -> None:
    await with_moris(app)
    same = await duplicates(app).of(await satos(app), SATO)
    assert same is not None
    assert (same.name, same.requester) == ("HD-1", "mori")


async def test_a_ticket_is_not_its_own_duplicate(app: Application) -> None:
    assert await duplicates(app).of(await with_moris(app), MORI) is None


@pytest.mark.parametrize("text", ["会議室の予約はどうしますか？", TEXT.replace("7713", "7731")])
async def test_another_matter_is_none(app: Application, text: str) -> None:
    await with_moris(app)
    assert await duplicates(app).of(await satos(app, text), SATO) is None


async def test_what_is_resolved_is_none(app: Application) -> None:
    ticket = await with_moris(app)
    agent = actor(Viewer(user="kato", agent=True))
    await app.tickets.resolve(ticket.name, Resolution(fix="restart"), agent, key="K1")
    assert await duplicates(app).of(await satos(app), SATO) is None


async def test_nobody_hears_of_a_ticket_that_is_not_theirs_to_see(app: Application) -> None:
    await with_moris(app, Visibility.PRIVATE)
    ticket = await satos(app)
    assert await duplicates(app).of(ticket, SATO) is None
    seen = await duplicates(app).of(ticket, Viewer(user="kato", agent=True))
    assert seen is not None
    assert seen.name == "HD-1"


def wanted(said: Turn) -> Wanted:
    return Wanted(conversation=said.conversation, message=said.message, viewer=SATO, language="ja")


async def test_who_makes_a_ticket_hears_of_the_open_one(app: Application) -> None:
    await with_moris(app)
    ticket = await satos(app)
    inner = Saying(Handed(ticket=ticket, away=None))
    handed = await ComparedHandOver(inner, duplicates(app))(wanted(asked("sato")))
    assert handed is not None
    lines = {name: told("OK.", handed, language=name, zone=UTC, wording=SHIPPED) for name in ("ja", "en")}
    assert lines["ja"] == (
        f"HD-2: OK.\nHD-1（「{TEXT}」、2026年11月20日(金) 12:00から）と"
        "同じことでしょうか。そうでしたら「HD-1 と同じ件です」を押してください。"
    )
    assert lines["en"].endswith(
        f"Is it the same as HD-1 (“{TEXT}”, open since Fri 20 Nov 2026, 12:00)? If so, click “Same as HD-1”."
    )


async def test_a_request_is_handed_over_where_nothing_can_be_compared(app: Application) -> None:
    ticket = await satos(app)

    class Gone(Duplicates):
        async def of(self, ticket: Ticket, viewer: Viewer) -> Ticket | None:
            raise IndexUnavailable

    gone = Gone(likeness=None, reading=app.store.reading, tickets=app.store.tickets, clock=app.clock)  # type: ignore[arg-type]
    for given in (Handed(ticket=ticket, away=None), Handed(ticket=None, away=None), None):
        hand_over = Saying(given)
        assert await ComparedHandOver(hand_over, gone)(wanted(asked("sato"))) == given


class Saying:
    """Hands over to somebody who always says the same."""

    def __init__(self, handed: Handed | None) -> None:
        self._handed = handed

    async def __call__(self, wanted: Wanted) -> Handed | None:
        return self._handed
