"""How Teams confirms what it took: in pieces, without words, or in a form that nobody can read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.feedback import Tally
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA, personal, place_of
from tests.fakes.teams_place import Place, opened

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


async def test_a_confirmation_in_two_pieces_is_read_whole_so_that_thumbs_find_the_answer(place: Place) -> None:
    where = personal(AYA)
    place.teams.coming = [Fault(in_pieces=True)]
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        [answer] = await place.teams.answered(place_of(where))
        await place.replied()
        await place.teams.judge(AYA, answer, "like", where)
        await place.teams.say(AYA, where, "プリンターが動きません")
        await place.teams.answered(place_of(where), count=2)
        await place.replied()
    assert await place.app.store.feedback.tally(LONG_AGO) == Tally(helpful=1)
    assert len(place.teams.messages) == 2


@pytest.mark.parametrize(
    "confirmation",
    [
        Fault(status=200, said=b"<html>OK</html>", kind="text/html"),
        Fault(said=b'{"id": '),
        Fault(said=b'["1"]'),
        Fault(said=b'"1"'),
        Fault(said=b"null"),
        Fault(said=b'{"id": ["1"]}'),
        Fault(said=b'{"id": {"id": "1"}}'),
        Fault(said=b"\x80\x81\xff"),
        Fault(said=b"[" * 90_000),
        Fault(said=b'{"id": "1", "more": "' + b"a" * 200_000 + b'"}'),
        Fault(status=200, said=b""),
        Fault(status=204, said=b""),
    ],
    ids=range(12),
)
async def test_an_answer_whose_confirmation_cannot_be_read_is_there_and_the_next_one_comes(
    place: Place, confirmation: Fault
) -> None:
    where = personal(AYA)
    place.teams.coming = [confirmation]
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.teams.answered(place_of(where))
        await place.replied()
        await place.teams.say(AYA, where, "プリンターが動きません")
        await place.teams.answered(place_of(where), count=2)
        await place.replied()
    assert len(place.teams.messages) == 2
    assert len(place.answers.questions) == 2
