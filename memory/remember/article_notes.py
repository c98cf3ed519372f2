"""The note of an article: its headings. No model is asked to sum up what its author has summed up already."""

from __future__ import annotations

from memory.model import Episode, Visibility
from memory.remember.enricher import Enrichment
from memory.text.entities import exact_entities

#: Headings that are named, and codes, hosts and the like.
_HEADINGS, _ENTITIES = 20, 15
MADE_BY = "headings"


def is_article(episode: Episode) -> bool:
    """Whether this stands in the knowledge base."""
    return episode.scope.visibility is Visibility.COLLECTION


def headings_of(episode: Episode) -> Enrichment:
    """The enrichment of an article: nothing of it is a statement of anybody."""
    headings = list(dict.fromkeys(turn.title for turn in episode.turns if turn.title))
    return Enrichment(
        summary="; ".join(headings[:_HEADINGS]),
        entities=exact_entities("\n".join(turn.text for turn in episode.turns))[:_ENTITIES],
        made_by=MADE_BY,
    )
