"""Tickets of which nothing was heard for long."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from config.schema import BotSettings
from config.tickets import TicketSettings
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Resolution
from handlers.tickets.silence import Silence
from handlers.wordings import SHIPPED
from memory.model import Role, Turn, Viewer
from memory.stores.in_memory_words import InMemoryStore
from memory.tickets import State
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
SETTINGS = TicketSettings(close_after_days=14)


@pytest.fixture
async def store() -> InMemoryStore:
    return InMemoryStore(clock=Watch())


async def opened(store: InMemoryStore, number: int, text: str) -> TicketDesk:
    """The ticket HD-`number`, and the desk at which it was opened."""
    desk = TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        recorder=store.writing,
        settings=SETTINGS,
        clock=lambda: NOON,
    )
    message = turn(1, text, ticket=None, thread=f"T{number}")
    await store.writing.record([message])
    assert (await desk.open(message.id, KATO)).name == f"HD-{number}"
    return desk


def silence(store: InMemoryStore, now: datetime) -> Silence:
    return Silence(
        tickets=store.tickets,
        writing=store.ticket_writing,
        settings=SETTINGS,
        bot=BotSettings(name="Desk"),
        clock=lambda: now,
        wording=SHIPPED,
    )


async def last_of(store: InMemoryStore, name: str) -> Turn:
    [*_, last] = await store.reading.named(name, KATO.viewer, NOON + timedelta(days=99))
    return last


async def test_what_nobody_answered_for_long_is_closed_once_and_says_why(store: InMemoryStore) -> None:
    desk = await opened(store, 1, "VPNが切れます")
    await desk.ask("HD-1", "いつからですか？", KATO, key="1")
    await opened(store, 2, "The mouse is broken")
    await desk.resolve("HD-2", Resolution(fix="a new one"), KATO, key="2")
    await opened(store, 3, "Nobody has looked at this")

    assert await silence(store, NOON + timedelta(days=14)).end() == {"closed": 0}
    late = silence(store, NOON + timedelta(days=15))
    assert await late.end() == {"closed": 2}
    assert await late.end() == {"closed": 0}

    states = {one.name: one.state for one in await store.tickets.named(["HD-1", "HD-2", "HD-3"], KATO.viewer)}
    assert states == {"HD-1": State.CLOSED, "HD-2": State.CLOSED, "HD-3": State.OPEN}
    told = [await last_of(store, name) for name in ("HD-1", "HD-2")]
    assert [(one.said_by, one.role, one.text) for one in told] == [
        ("Desk", Role.BOT, "HD-1 は返事がないまま14日たったため終了しました。"),
        ("Desk", Role.BOT, "HD-2 is closed."),
    ]


async def test_what_was_answered_meanwhile_stays_open(store: InMemoryStore) -> None:
    desk = await opened(store, 1, "VPNが切れます")
    await desk.ask("HD-1", "いつからですか？", KATO, key="1")
    answer = turn(2, "昨日からです", ticket=None, thread="T1", said_at=NOON + timedelta(days=10))
    await store.writing.record([answer])

    assert await silence(store, NOON + timedelta(days=15)).end() == {"closed": 0}
