"""The enricher that is a model call: one for each episode, when it is remembered."""

from __future__ import annotations

from memory.errors import ModelReplyUnusable
from memory.llm.prompts import enricher_prompt
from memory.llm.shapes import EnrichmentReply, says_something
from memory.model import Episode
from memory.ports import ChatModel
from memory.remember.enricher import Enrichment


class ModelEnricher:
    """Implements `Enricher`. `made_by` names the model in the notes."""

    def __init__(self, model: ChatModel, made_by: str = "model") -> None:
        self._model = model
        self._made_by = made_by

    async def enrich(self, episode: Episode) -> Enrichment:
        """An enrichment in the episode's language; an empty one when all its turns are derived.

        Raises ModelUnavailable and its kin; ModelReplyUnusable also for a reply without a summary.
        """
        turns = [turn for turn in episode.turns if not turn.derived]
        if not turns:
            return Enrichment(summary="", made_by=self._made_by)
        reply = await self._model.ask(enricher_prompt(turns), EnrichmentReply)
        if not says_something(reply.value.summary):
            raise ModelReplyUnusable
        return Enrichment(
            summary=reply.value.summary,
            keywords=tuple(reply.value.keywords),
            tags=tuple(reply.value.tags),
            context=reply.value.context,
            entities=tuple(reply.value.entities),
            made_by=self._made_by,
        )
