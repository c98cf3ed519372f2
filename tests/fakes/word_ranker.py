"""A memory made small: ranks turns by how many of the question's words they hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.answers import Answer, RankedTurn
from memory.model import Question, Turn
from memory.recall.ranking import Ranking


def _words(text: str) -> set[str]:
    return set(text.lower().replace(".", " ").replace("]", " ").split())


class WordRanker:
    """`answers` stands for the models: it makes the answer to a question; without it there is none."""

    def __init__(self, answers: Callable[[Question], Answer] | None = None) -> None:
        self.turns: list[Turn] = []
        self.asked: list[Question] = []
        self.loads = 0
        self._answers = answers

    async def load(self, turns: Sequence[Turn]) -> None:
        self.turns = list(turns)
        self.loads += 1

    async def rank(self, question: Question) -> Ranking:
        self.asked.append(question)
        wanted = _words(question.text)
        scored = [(float(len(wanted & _words(turn.text))), turn) for turn in self.turns]
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], pair[1].said_at))[:50]
        turns = (
            RankedTurn(turn_id=turn.id, ref=turn.ref, episode="", ticket=turn.ticket or "", score=score)
            for score, turn in best
        )
        return Ranking(turns=tuple(turns))

    async def answer(self, question: Question) -> Answer | None:
        return self._answers(question) if self._answers else None
