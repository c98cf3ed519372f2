"""From an enrichment to a note: a version that is of exactly these words. And what a note's context says besides."""

from __future__ import annotations

from datetime import datetime

from memory.model import Episode, Note
from memory.remember.enricher import Enrichment

#: Below a context of its own stands what the note refers to, on a line of its own.
_BELOW = "\n"


def own_context(note: Note) -> str:
    """What the context says of the episode itself."""
    return note.context.partition(_BELOW)[0]


def with_relation(context: str, relation: str) -> str:
    """The context with what it refers to; as it was when that is empty."""
    return f"{context}{_BELOW}{relation}" if relation else context


def note_of(episode: Episode, version: int, enrichment: Enrichment, made_at: datetime) -> Note:
    """The note that this enrichment makes of this episode."""
    return Note(
        episode=episode.id,
        version=version,
        fingerprint=episode.fingerprint,
        summary=enrichment.summary,
        keywords=enrichment.keywords,
        tags=enrichment.tags,
        context=enrichment.context,
        entities=enrichment.entities,
        made_by=enrichment.made_by,
        made_at=made_at,
    )
