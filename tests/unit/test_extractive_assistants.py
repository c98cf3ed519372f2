"""Which turn of an episode speaks for it where no model reads it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memory.model import Episode, Question, Role
from memory.recall.extractive import ExtractiveAssistants
from tests.fakes.small_desk import MORNING, episode, question, turn

FROZEN = turn("All terminals are frozen.", 1)
SWITCH = turn("The floor switch is broken.", 20, author="takagi", role=Role.AGENT)
DATABASE = turn("Sorry, it was the database.", 50, author="takagi", role=Role.AGENT)
OVER = replace(turn("It works again.", 80, author="takagi", role=Role.AGENT), status="resolved")


async def quotes(asked: Question, read: Episode) -> list[str]:
    return [one.quote for one in (await ExtractiveAssistants().consult(asked, [read])).evidence]


async def test_it_is_what_support_said_when_the_ticket_was_resolved() -> None:
    assert await quotes(question("Why?"), episode(FROZEN, SWITCH, DATABASE, OVER)) == ["It works again."]


async def test_it_is_nothing_while_the_ticket_is_open() -> None:
    assert await quotes(question("Why?"), episode(FROZEN, SWITCH, DATABASE)) == []


async def test_for_a_past_moment_it_is_what_support_had_said_last_by_then() -> None:
    told = episode(FROZEN, SWITCH, DATABASE, OVER)
    for minutes, said in ((10, []), (40, ["The floor switch is broken."]), (60, ["Sorry, it was the database."])):
        asked = question("Why?", as_of=MORNING + timedelta(minutes=minutes))
        assert await quotes(asked, told) == said
