"""Answers while the day's tokens last, and quotes from then on."""

from __future__ import annotations

from dataclasses import replace

from memory.answers import Answer
from memory.daily_tokens import DailyTokens
from memory.model import Question
from memory.recall.pipeline import Recall
from memory.recall.steps import Watch, unwatched


class SparingRecall:
    """Asks `recall`; a person for whom no tokens are left is answered by `without_models`, which says so."""

    def __init__(self, recall: Recall, without_models: Recall, tokens: DailyTokens) -> None:
        self._recall = recall
        self._without_models = without_models
        self._tokens = tokens

    async def answer(self, question: Question, watch: Watch = unwatched) -> Answer:
        """As `Recall.answer`. The time of renewal is told in the asker's zone."""
        exhausted = await self._tokens.exhausted(question.viewer.user)
        if exhausted is None:
            return await self._recall.answer(question, watch)
        answer = await self._without_models.answer(question, watch)
        return replace(
            answer,
            degraded=(*answer.degraded, exhausted.missing),
            renewed=exhausted.renewed.astimezone(question.now.tzinfo),
        )
