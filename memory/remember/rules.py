"""Enrichment without a model: salient sentences, exact entities and ticket states, by rule."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memory.model import Episode, Role, Turn
from memory.remember.enricher import Enrichment
from memory.remember.extraction.predicates import SHIPPED, Predicates
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.states import RULES
from memory.text.entities import exact_entities, normalise

_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=[.])\s+|\n+")
_WORD = re.compile(r"[a-z][a-z0-9]{2,}|[\u30a1-\u30fc]{3,}|[\u4e00-\u9fff]{2,}")
_LONGEST_SENTENCE = 200
_KEYWORDS = 8
_ENTITIES = 15
#: English words that name nothing.
_COMMON = frozenset(
    "the and for you that this with have has had was were are not but can could will would from they them then than "
    "there here what when where which who how why your our their its his her him she did does done been being about "
    "into out now just also any all some please thanks thank again still after before get got let see".split()
)


class RuleEnricher:
    """Implements `Enricher` by rule; never fails and costs nothing. `predicates` are the table of the configuration."""

    def __init__(self, predicates: Predicates = SHIPPED) -> None:
        self._predicates = predicates

    async def enrich(self, episode: Episode) -> Enrichment:
        turns = [turn for turn in episode.turns if not turn.derived]
        text = "\n".join(turn.text for turn in turns)
        return Enrichment(
            summary=_summary(turns),
            keywords=keywords_of(text),
            tags=tuple(dict.fromkeys(turn.status for turn in turns if turn.status)),
            context=_context(turns),
            entities=exact_entities(text)[:_ENTITIES],
            facts=await asyncio.to_thread(rule_statements, turns, self._predicates),
            made_by=RULES,
        )


def _summary(turns: Sequence[Turn]) -> str:
    """What it is called, how it began and what was said last by whoever helped."""
    parts = (_last(turn.title for turn in turns), _opening(turns), _closing(turns))
    return " ".join(dict.fromkeys(part for part in parts if part))


def _opening(turns: Sequence[Turn]) -> str:
    return next((_first_sentences(turn.text) for turn in turns if turn.role is not Role.BOT), "")


def _closing(turns: Sequence[Turn]) -> str:
    helped = (turn for turn in reversed(turns) if turn.role is Role.AGENT)
    return next((_first_sentences(turn.text) for turn in helped), "")


def _first_sentences(text: str) -> str:
    """Whole sentences from the start, together no longer than a sentence may be."""
    taken = ""
    for sentence in _SENTENCE_END.split(text.strip()):
        if taken and len(taken) + len(sentence) > _LONGEST_SENTENCE:
            break
        taken = f"{taken} {sentence}".strip()
    return taken[:_LONGEST_SENTENCE]


def keywords_of(text: str) -> tuple[str, ...]:
    """The words of a text that may be what it is about, folded, the most frequent first."""
    counts = Counter(word for word in _WORD.findall(normalise(text)) if word not in _COMMON)
    return tuple(word for word, _ in counts.most_common(_KEYWORDS))


def _context(turns: Sequence[Turn]) -> str:
    """The ticket's state, as `title; status; assignee`, of what is known."""
    known = (
        _last(turn.title for turn in turns),
        _last(turn.status for turn in turns),
        _last(turn.assignee for turn in turns),
    )
    return "; ".join(part for part in known if part)


def _last(values: Iterable[str | None]) -> str:
    return next((value for value in reversed(tuple(values)) if value), "")
