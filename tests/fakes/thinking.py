"""An answer whose steps a test lets go one by one."""

from __future__ import annotations

import asyncio

from memory.answers import Answer, AnswerKind, Evidence
from memory.model import Question
from memory.recall.steps import Stage, Step, Watch


class Thinking:
    """An answer that takes until it is let go; the last step begins when it is told to write."""

    def __init__(self) -> None:
        self.write, self.go = asyncio.Event(), asyncio.Event()
        self.body = "証明書を入れ直してください"
        self.cited: tuple[Evidence, ...] = ()
        self.error: Exception | None = None

    async def answer(self, question: Question, watch: Watch) -> Answer:
        watch(Step(stage=Stage.SEARCHING))
        watch(Step(stage=Stage.READING, episodes=3))
        await self.write.wait()
        watch(Step(stage=Stage.WRITING))
        await self.go.wait()
        if self.error:
            raise self.error
        return Answer(kind=AnswerKind.WRITTEN, language="ja", body=self.body, cited=self.cited)
