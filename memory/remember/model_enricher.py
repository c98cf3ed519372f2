"""The enricher that is a model call: one for each episode, when it is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from memory.chat_model import ChatModel
from memory.errors import ModelReplyUnusable
from memory.llm.prompts import enricher_prompt
from memory.llm.shapes import EnrichmentReply, FactReply, says_something
from memory.model import Episode, Turn
from memory.remember.enricher import Enrichment
from memory.remember.extraction.predicates import SHIPPED, Predicates
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.statements import Statement
from memory.text.entities import exact_entities

#: A small model says what it makes up as surely as what it read, so it is not asked how sure it is.
_CONFIDENCE = 0.8


class ModelEnricher:
    """Implements `Enricher`. `made_by` names the model in the notes, `predicates` are the configuration's table."""

    def __init__(self, model: ChatModel, made_by: str = "model", predicates: Predicates = SHIPPED) -> None:
        self._model = model
        self._made_by = made_by
        self._predicates = predicates

    async def enrich(self, episode: Episode) -> Enrichment:
        """An enrichment in the episode's language; an empty one when all its turns are derived. What the rules read is
        part of its facts.

        Raises ModelUnavailable and its kin; ModelReplyUnusable also for a reply without a summary.
        """
        turns = [turn for turn in episode.turns if not turn.derived]
        if not turns:
            return Enrichment(summary="", made_by=self._made_by)
        reply = await self._model.ask(enricher_prompt(turns), EnrichmentReply)
        if not says_something(reply.value.summary):
            raise ModelReplyUnusable
        by_rule = await asyncio.to_thread(rule_statements, turns, self._predicates)
        return Enrichment(
            summary=reply.value.summary,
            keywords=tuple(reply.value.keywords),
            tags=tuple(reply.value.tags),
            context=reply.value.context,
            entities=tuple(reply.value.entities),
            facts=(*by_rule, *(_statement(fact, turns) for fact in reply.value.facts)),
            made_by=self._made_by,
        )


def _statement(fact: FactReply, turns: Sequence[Turn]) -> Statement:
    """The model's numbers are those of the transcript, from 1."""
    said = f"{fact.subject}\n{fact.value}\n{fact.text}"
    return Statement(
        subject=fact.subject,
        predicate=fact.predicate,
        value=fact.value,
        text=fact.text,
        people=tuple(dict.fromkeys(turn.said_by for turn in turns if turn.said_by.casefold() in said.casefold())),
        keywords=tuple(dict.fromkeys([fact.subject, *exact_entities(said)])),
        turns=tuple(number - 1 for number in fact.turns),
        when=fact.when,
        confidence=_CONFIDENCE,
    )
