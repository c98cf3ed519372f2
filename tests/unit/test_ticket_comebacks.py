"""Resolved tickets that come back: whose, about which messages, and once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.application import Application
from handlers.tickets.records import Actor, Resolution
from memory.model import Turn, Viewer, Visibility
from memory.tickets import State, Step, Ticket
from tests.fakes.small_application import small_application
from tests.fakes.turns import turn
from tests.fakes.words import Watch

SATO = Actor(viewer=Viewer(user="sato", channel="it-help"), name="Sato", language="en")
MORI = Actor(viewer=Viewer(user="mori", channel="it-help"), name="Mori", language="en")
KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
OPENER = turn(1, "The VPN is down", ticket=None, author="sato", visibility=Visibility.EVERYONE)


@pytest.fixture
async def app(tmp_path_factory: pytest.TempPathFactory) -> Application:
    """Sato's request is HD-1, which Kato has taken and resolved."""
    app = small_application(tmp_path_factory.mktemp("data"), Watch())
    await app.store.writing.record([OPENER])
    await app.tickets.open(OPENER.id, SATO)
    await app.tickets.step("HD-1", Step.TAKE, KATO, key="take")
    await app.tickets.resolve("HD-1", Resolution(fix="restart"), KATO, key="resolve")
    return app


async def later(app: Application, text: str, author: str = "sato") -> Turn:
    """Somebody writes in the conversation after the ticket was resolved."""
    assert isinstance(app.clock, Watch)
    app.clock.wait(5)
    said = replace(turn(2, text, ticket=None, author=author, visibility=Visibility.EVERYONE), said_at=app.clock())
    await app.store.writing.record([said])
    return said


async def ticket(app: Application) -> Ticket:
    return await app.tickets.seen("HD-1", KATO)


async def test_it_is_open_for_whoever_takes_it_then_and_its_conversation_says_why(app: Application) -> None:
    back = await app.comebacks.wanted(OPENER.id, SATO)
    assert back is not None
    assert (back.state, back.assignee) == (State.REOPENED, None)
    said = await app.store.tickets.history("HD-1", KATO.viewer)
    assert (said[-1].author, said[-1].text) == ("sato", "HD-1 is not solved, so it is open again.")


async def test_of_two_clicks_at_once_one_opens_it_and_the_other_adds_to_it(app: Application) -> None:
    both = await asyncio.gather(*(app.comebacks.wanted(OPENER.id, SATO) for _ in range(2)))
    assert [one.state for one in both if one is not None] in ([State.REOPENED], [State.REOPENED, State.REOPENED])
    statuses = [one.status for one in await app.store.tickets.history("HD-1", KATO.viewer)]
    assert statuses.count(State.REOPENED) == 1


async def test_a_colleague_leaves_it_as_it_is_and_an_agent_does_not(app: Application) -> None:
    as_it_is = await app.comebacks.wanted(OPENER.id, MORI)
    assert as_it_is is not None
    assert as_it_is.state is State.RESOLVED
    back = await app.comebacks.wanted(OPENER.id, KATO)
    assert back is not None
    assert back.state is State.REOPENED


@pytest.mark.parametrize(
    ("words", "author", "name"),
    [
        ("It still drops, with error 12", "sato", "HD-1"),
        ("My mouse is dead as well", "sato", None),
        ("It still drops for me, too", "mori", None),
    ],
)
async def test_a_new_message_brings_it_back_where_its_requester_says_that_it_is_so_still(
    app: Application, words: str, author: str, name: str | None
) -> None:
    said = await later(app, words, author)
    would = await app.comebacks.would(said, Viewer(user=author, channel="it-help"))
    assert (would.name if would else None) == name


async def test_a_closed_one_stays_closed(app: Application) -> None:
    await app.tickets.step("HD-1", Step.CLOSE, KATO, key="close")
    over = await app.comebacks.wanted(OPENER.id, SATO)
    assert over is not None
    assert over.state is State.CLOSED
    said = await later(app, "It still drops")
    assert await app.comebacks.wanted(said.id, SATO) is None
    assert await app.comebacks.said(said, SATO.viewer, "en") is None
    assert (await ticket(app)).state is State.CLOSED
