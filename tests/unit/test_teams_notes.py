"""What is noted about Teams: which notes stay, and which are made in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from handlers.teams.notebook import Notebook
from handlers.teams.progress import Progress, Replies
from handlers.teams.recent import Recent
from handlers.teams.records import Place, Site
from handlers.teams.sites import Sites
from memory.stores.in_memory_vault import InMemoryVault
from tests.fakes.turns import NOON

SITE = Site(tenant="t", chat="a:1", place=Place.PERSONAL)
OTHER = Site(tenant="t", chat="a:2", place=Place.PERSONAL)


class Counting(InMemoryVault):
    """Counts what it does."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = self.listed = 0

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        self.kept += 1
        await super().keep(sealed, at)

    async def names(self, beginning: str) -> list[str]:
        self.listed += 1
        return await super().names(beginning)


def notebook(vault: InMemoryVault) -> Notebook:
    return Notebook(vault, lambda: NOON)


async def test_the_last_two_hundred_notes_of_a_chat_stay_and_much_older_ones_go() -> None:
    recent = Recent(notebook(InMemoryVault()), "answer")
    await recent.note(OTHER, "1", "elsewhere")
    for number in range(1, 402):
        await recent.note(SITE, str(number), f"turn {number}")
    there = [number for number in range(1, 402) if await recent.about(SITE, str(number))]
    assert there[-200:] == [*range(202, 402)]
    assert there[0] > 100
    assert await recent.about(OTHER, "1") == "elsewhere"


async def test_one_hundred_and_fifty_notes_all_stay_over_restarts() -> None:
    vault = InMemoryVault()
    for number in range(1, 151):
        await Recent(notebook(vault), "answer").note(SITE, str(number), f"turn {number}")
    assert await Recent(notebook(vault), "answer").about(SITE, "1") == "turn 1"


async def test_old_notes_are_not_looked_for_each_time() -> None:
    vault = Counting()
    recent = Recent(notebook(vault), "answer")
    for number in range(50):
        await recent.note(SITE, str(number), "turn")
    assert vault.listed == 1


async def test_how_far_a_reply_came_and_which_message_it_is_are_noted_in_one_step() -> None:
    vault = Counting()
    replies, recent = Replies(notebook(vault)), Recent(notebook(vault), "answer")
    await replies.note("T1", Progress(sent=1), along=recent.entry(SITE, "7", "T1"))
    assert vault.kept == 1
    assert await replies.of("T1") == Progress(sent=1)
    assert await recent.about(SITE, "7") == "T1"


async def test_the_channels_of_a_team_are_known_together_and_a_chat_alone() -> None:
    vault = InMemoryVault()
    channels = [Site(tenant="t", chat=f"19:{name}@thread.tacv2", place=Place.CHANNEL, team="T") for name in "ab"]
    for site in [*channels, replace(channels[0], chat="19:c@thread.tacv2", team="U"), replace(channels[1], tenant="u")]:
        await Sites(notebook(vault), ()).remember(site)
    whole = replace(channels[0], chat="19:general@thread.tacv2")
    again = Sites(notebook(vault), ())
    assert await again.beside(whole) == ["19:a@thread.tacv2", "19:b@thread.tacv2", "19:general@thread.tacv2"]
    assert await again.beside(OTHER) == ["a:2"]
