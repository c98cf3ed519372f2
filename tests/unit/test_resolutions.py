"""What is known of how tickets were resolved counts for more, whatever the words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory.model import SHARED, Conversation, Role, Turn
from memory.recall.pathways import Channel
from memory.tickets import is_resolution
from tests.fakes.remembering import remembering
from tests.fakes.turns import turn

PLACE = Conversation(platform=SHARED, workspace="T", channel=SHARED, thread="HD-1")
OURS = turn("HD-1-click", "HD-1 is resolved.\nFix: restart", ticket="HD-1", role=Role.AGENT, status="resolved")


@pytest.mark.parametrize(
    ("said", "is_one"),
    [
        (OURS, True),
        (replace(OURS, conversation=PLACE, ticket=None, status=None, message="resolution"), True),
        (replace(OURS, message="7"), False),
        (replace(OURS, status="closed"), False),
        (replace(OURS, ticket=None), False),
    ],
    ids=["of a ticket of ours", "shared with everybody", "of an imported ticket", "only closed", "of no ticket"],
)
def test_what_says_how_a_ticket_was_resolved(said: Turn, is_one: bool) -> None:
    assert is_resolution(said) is is_one


async def test_of_two_that_say_the_same_what_was_shared_comes_first_and_is_cited_by_its_ticket(tmp_path: Path) -> None:
    words = "Error QX-7713: clean the feed roller and restart the scanner."
    chat = turn(1, words, ticket=None, thread="chat", minutes=5)
    shared = replace(turn("resolution", words, ticket=None, role=Role.AGENT, author="kato"), conversation=PLACE)
    async with remembering("in-memory", tmp_path) as house:
        await house.remember(chat, shared)
        best, second, *_ = (await house.rank("How is error QX-7713 of the scanner fixed?", "mori")).turns
        answer = await house.answer("How is error QX-7713 of the scanner fixed?", "mori")
    assert (best.turn_id, second.turn_id) == (shared.id, chat.id)
    assert best.channels[Channel.RESOLVED.value] > 0
    assert Channel.RESOLVED.value not in second.channels
    assert "HD-1" in [one.number for one in answer.evidence]
