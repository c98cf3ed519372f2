"""Incidents of the shipped history: asked again in the order in which it was said, each is noticed and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from bot.demo import shipped_history
from bot.embeddings import open_encoder
from bot.importers import demo_history
from config.loader import load_settings
from memory.model import Role, Turn
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.incidents import TurnsClock, ask, incident_desk

#: Told apart by reading the history: what several people had at once, and who told of it.
PLANTED = {
    "no calendar opens, ZC-451": {"INC-1074", "INC-1075", "INC-1076", "INC-1077"},
    "nobody signs in with Warifu, WF-503": {"INC-1078", "INC-1079", "INC-1080"},
    "Mogiri is down in all buildings": {"INC-1082", "INC-1083", "INC-1084"},
}


def opening(turns: Iterable[Turn]) -> list[Turn]:
    """The first message of each ticket, where its requester said it, in the order of time."""
    first = [turn for turn in turns if turn.message == "1" and turn.role is Role.REQUESTER]
    return sorted(first, key=lambda turn: turn.said_at)


async def test_every_incident_of_the_history_is_noticed_and_no_other() -> None:
    now = datetime.now(UTC)
    rows = demo_history.read(Path(str(shipped_history())), now=now)
    questions = opening(row for row in rows if isinstance(row, Turn))
    assert len(questions) >= 60
    clock = TurnsClock()
    store = InMemoryStore(clock=clock)
    async with open_encoder(load_settings(None, {}).embeddings) as encoder:
        # As a running bot has done by its first answer.
        await encoder.centres()
        desk = incident_desk(store, clock, encoder=encoder)
        told = {}
        for turn in questions:
            clock.now = turn.said_at
            told[turn.ticket] = await ask(desk, store, turn)
    by_turn = {turn.id: turn.ticket or "" for turn in questions}
    found = [
        sorted(by_turn[sign.turn] for sign in await store.incidents.reports(one.id, 50))
        for one in await desk.listed(50, going_on=False)
    ]
    assert sorted(found) == sorted(sorted(tickets) for tickets in PLANTED.values())
    # Who is the third to tell of it, and whoever comes after, is told so.
    heard = {name for name, notice in told.items() if notice}
    assert heard == {"INC-1076", "INC-1077", "INC-1080", "INC-1084"}
