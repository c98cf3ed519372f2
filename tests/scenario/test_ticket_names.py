"""Tickets that are asked for by their names, typed as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.model import Visibility
from tests.fakes.remembering import HOUSES, remembering
from tests.fakes.turns import turn


@pytest.mark.parametrize("house", HOUSES)
async def test_a_ticket_is_found_by_its_name_without_the_dash_by_who_may_see_it(house: str, tmp_path: Path) -> None:
    async with remembering(house, tmp_path) as memory:
        for number in range(1040, 1050):
            seen = Visibility.PRIVATE if number == 1049 else Visibility.EVERYONE
            name, words = f"INC-{number}", f"{number - 1000}番の部屋の複合機が紙詰まりです。"
            await memory.remember(turn(1, words, thread=name, ticket=name, visibility=seen))
        for typed in ("INC-1046 どうなった", "inc1046 どうなった", "ｉｎｃ１０４６ どうなった", "INC1046はどうなった"):
            found = await memory.answer(typed, "mori", channel="it-help")
            assert [one.ticket for one in found.cited] == ["INC-1046"]
        for unseen in ("inc1049 どうなった", "inc9999 どうなった"):
            assert (await memory.answer(unseen, "mori", channel="it-help")).cited == ()
