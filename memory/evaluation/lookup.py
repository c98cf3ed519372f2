"""Finding one text among many: each text is a conversation of one turn, so that no neighbour lends it words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.evaluation.ports import Ranker
from memory.evaluation.report import Measured, measured
from memory.model import IMPORTED, Conversation, Question, Role, Turn, Viewer, Visibility

_START = datetime(2026, 1, 1, tzinfo=UTC)
_ASKER = Viewer(user="reader")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked, and the text that has to be found."""

    question: str
    text: str


async def lookups(ranker: Ranker, texts: Sequence[str], wanted: Sequence[Wanted], depth: int) -> AsyncIterator[float]:
    """For each question 1 when its text, or one with the very same words, is among the first `depth` turns, else 0."""
    turns = [_turn(place, text) for place, text in enumerate(texts)]
    by_id = {turn.id: turn.text for turn in turns}
    now = turns[-1].said_at + timedelta(days=1)
    await ranker.load(turns)
    for one in wanted:
        ranked = await ranker.rank(Question(text=one.question, viewer=_ASKER, now=now))
        yield float(one.text in {by_id[turn.turn_id] for turn in ranked.turns[:depth]})


def as_json(hits: Sequence[float], depth: int) -> dict[str, object]:
    """The share of hits with its interval."""
    share: Measured = measured(hits)
    return {
        "questions": share.questions,
        f"recall@{depth}": round(share.value, 4),
        "interval": [round(share.low, 4), round(share.high, 4)],
    }


def _turn(place: int, text: str) -> Turn:
    thread = f"text-{place}"
    return Turn(
        conversation=Conversation(platform=IMPORTED, workspace="lookup", channel="general", thread=thread),
        ticket=thread,
        message="1",
        author="writer",
        role=Role.REQUESTER,
        text=text,
        said_at=_START + timedelta(minutes=place),
        visibility=Visibility.EVERYONE,
        requester="writer",
    )
