"""Reasons of links that a model words: one call for the strongest links of a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog

from memory.chat_model import ChatModel
from memory.errors import ModelUnavailable
from memory.llm.prompts import reasons_prompt
from memory.llm.shapes import MOST_REASONS, ReasonsReply, says_something
from memory.remember.link_reasons import Pair
from memory.text.entities import exact_entities, normalise
from memory.text.language import LanguageCode

log = structlog.get_logger()

_LONGEST = 120


class ModelLinkReasons:
    """Implements `LinkReasons`. A reason with a code that stands in neither note is not taken."""

    def __init__(self, model: ChatModel, made_by: str = "model") -> None:
        self._model = model
        self._made_by = made_by

    @property
    def made_by(self) -> str:
        return self._made_by

    async def reasons(self, pairs: Sequence[Pair]) -> Mapping[int, str]:
        """Reasons for the first pairs of the language that most of them are in, in one call."""
        if not pairs:
            return {}
        language = _most(pairs)
        places = [place for place, pair in enumerate(pairs) if pair.one.language == language][:MOST_REASONS]
        prompt = reasons_prompt([(pairs[place].one.summary, pairs[place].other.summary) for place in places], language)
        try:
            reply = await self._model.ask(prompt, ReasonsReply)
        except ModelUnavailable as error:
            log.warning("link_reasons_by_rule", links=len(places), error=type(error).__name__)
            return {}
        said = {each.pair: " ".join(each.reason.split()) for each in reversed(reply.value.links)}
        asked = {number: place for number, place in enumerate(places, start=1)}
        return {
            place: said[number]
            for number, place in asked.items()
            if number in said and _is_usable(said[number], pairs[place])
        }


def _most(pairs: Sequence[Pair]) -> LanguageCode:
    japanese = sum(pair.one.language == "ja" for pair in pairs)
    return "ja" if 2 * japanese >= len(pairs) else "en"


def _is_usable(reason: str, pair: Pair) -> bool:
    known = {*pair.one.names, *pair.other.names}
    known |= {normalise(words.episode.name) for words in (pair.one, pair.other)}
    made_up = set(exact_entities(reason)) - known
    return says_something(reason) and len(reason) <= _LONGEST and not made_up
