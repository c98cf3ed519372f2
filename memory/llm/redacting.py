"""A model that is told no secrets, whatever it is asked about."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from memory.chat_model import ChatModel, Prompt, Reply, Shape
from memory.text.redact import Redactor


class RedactingModel:
    """The port `ChatModel` over another one. What was remembered is redacted already; this is for what was remembered
    before anything was, and for whoever asks next."""

    def __init__(self, model: ChatModel, redactor: Redactor) -> None:
        self._model = model
        self._redactor = redactor

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        return await self._model.ask(await asyncio.to_thread(self._told, prompt), shape)

    def _told(self, prompt: Prompt) -> Prompt:
        material, question = (self._redactor.redact(text).text for text in (prompt.material, prompt.question))
        return replace(prompt, material=material, question=question)
