"""What Teams tells again because it could not be taken the first time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from pathlib import Path

import pytest

from handlers.teams.names import TICKETS
from memory.errors import StoreUnavailable
from memory.stores.in_memory_vault import InMemoryVault
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.teams.server import AYA, Json, personal, place_of
from tests.fakes.teams_place import Place, opened


class Away(InMemoryVault):
    """A store that is away for the first piece that it is to keep, or for the first one so called."""

    def __init__(self) -> None:
        super().__init__()
        self.here = False
        self.called = ""

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        if not self.here and any(self.called in name for name in sealed):
            self.here = True
            raise StoreUnavailable
        await super().keep(sealed, at)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        assert isinstance(place.app.store, InMemoryStore)
        place.app.store.vault = Away()
        yield place


ACTION = {"type": "Action.Execute", "verb": TICKETS, "data": {"action": TICKETS, "value": ""}}
CLICK = {"name": "adaptiveCard/action", "value": {"action": ACTION, "trigger": "manual"}}


@pytest.mark.parametrize(
    ("kind", "more"),
    [("invoke", CLICK), ("installationUpdate", {"action": "add"}), ("message", {"text": "チケット"})],
    ids=["click", "installation", "command"],
)
async def test_what_was_not_taken_is_done_once_when_it_is_told_again(place: Place, kind: str, more: Json) -> None:
    where = personal(AYA)
    async with place.running():
        told = place.teams.activity(kind, AYA, where, **more)
        assert [(await place.teams.tell(told))[0] for _ in range(3)] == [503, 200, 200]
        await place.teams.answered(place_of(where))
    assert len(place.teams.messages) == 1


async def test_a_reply_of_which_nothing_could_be_noted_is_not_sent_and_comes_later_once(place: Place) -> None:
    vault = place.app.store.vault
    assert isinstance(vault, Away)
    vault.called = "/reply/"
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.answers.asked.wait()
    assert (vault.here, place.teams.messages) == (True, [])
    async with place.running():
        await place.teams.answered(place_of(where))
        await place.replied()
    assert len(place.teams.messages) == 1
