"""Answers and evidence to word, and a memory that answers from a script."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

from memory.answers import Answer, AnswerKind, Evidence
from memory.model import Question, Role
from memory.recall.steps import Watch, unwatched

JST = timezone(timedelta(hours=9))


def evidence(
    quote: str,
    *,
    ticket: str = "INC-1067",
    message: str = "3",
    speaker: str = "okabe",
    at: datetime = datetime(2026, 11, 22, 1, 5, tzinfo=UTC),
    confidence: float = 0.9,
    ticketed: bool = True,
    derived: bool = False,
    room: str | None = None,
    here: bool = False,
) -> Evidence:
    """One quote; by default what okabe said at 10:05 in Tokyo on Sunday 22 November 2026."""
    return Evidence(
        quote=quote,
        turn_ids=(f"id-of-{ticket}/{message}",),
        refs=(f"{ticket}/{message}",),
        speaker=speaker,
        role=Role.BOT if derived else Role.AGENT,
        said_from=at,
        said_to=at,
        confidence=confidence,
        episode=f"episode-of-{ticket}",
        ticket=ticket,
        ticketed=ticketed,
        derived=derived,
        room=room,
        here=here,
    )


def abstained(language: str = "ja") -> Answer:
    return Answer(kind=AnswerKind.ABSTAINED, language=language)


class ScriptedAnswers:
    """Gives the scripted answers in turn, or raises what stands in their place; keeps the questions it was asked."""

    def __init__(self, script: Sequence[Answer | Exception]) -> None:
        self._script = list(script)
        self.questions: list[Question] = []

    async def answer(self, question: Question, watch: Watch = unwatched) -> Answer:
        self.questions.append(question)
        scripted = self._script.pop(0)
        if isinstance(scripted, Exception):
            raise scripted
        return scripted
