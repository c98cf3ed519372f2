"""A model whose tokens are counted against the day's: for notes, which no question pays for."""

from __future__ import annotations

from memory.chat_model import ChatModel, Prompt, Reply, Shape
from memory.daily_tokens import DailyTokens
from memory.errors import TokensSpent
from memory.llm.meter import metered
from memory.model import TokenUse
from memory.ports import Clock, Ledger


class CountedModel:
    """The port `ChatModel` over another one. Raises TokensSpent, too, and StoreUnavailable."""

    def __init__(self, model: ChatModel, tokens: DailyTokens, ledger: Ledger, clock: Clock) -> None:
        self._model = model
        self._tokens = tokens
        self._ledger = ledger
        self._clock = clock

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        """Counted whatever comes of it, and even without a limit: one that is set at noon counts from midnight."""
        renewed = await self._tokens.notes_exhausted()
        if renewed is not None:
            raise TokensSpent(renewed)
        with metered() as meter:
            try:
                return await self._model.ask(prompt, shape)
            finally:
                if meter.spent != TokenUse():
                    await self._ledger.note_enriched(self._clock(), meter.spent)
