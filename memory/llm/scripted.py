"""A chat model that says what it was given to say: for tests and for trying out prompts without a server."""

from __future__ import annotations

from collections import deque

from memory.chat_model import Prompt, Reply, Shape
from memory.errors import ModelReplyUnusable, ModelUnavailable
from memory.llm.budget import estimate_tokens
from memory.llm.meter import spend
from memory.llm.parsing import read_reply
from memory.model import TokenUse


class ScriptedModel:
    """Implements `ChatModel`: each ask uses up one of `lines`, a reply's text or an error to raise; `asked` keeps the
    prompts. Asking more than was scripted is an AssertionError: something asked that nobody expected."""

    def __init__(self, *lines: str | ModelUnavailable) -> None:
        self._lines = deque(lines)
        self.asked: list[Prompt] = []

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        """The next line, read as a model's reply is read. Raises ModelReplyUnusable when it cannot be."""
        self.asked.append(prompt)
        if not self._lines:
            raise AssertionError("nobody scripted this question to the model")
        line = self._lines.popleft()
        if isinstance(line, ModelUnavailable):
            raise line
        said = prompt.instructions + prompt.material + prompt.question
        spend(TokenUse(prompt=estimate_tokens(said), completion=estimate_tokens(line)))
        reading = read_reply(line, shape)
        if reading.value is None:
            raise ModelReplyUnusable
        return Reply(value=reading.value)
