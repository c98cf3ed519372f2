"""Notes: from an enrichment to a version that is of exactly these words; and what a context says besides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.facts import Fact
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """An episode with what its keys are made from. `provisional` while a model still has to write the note."""

    episode: Episode
    note: Note
    facts: tuple[Fact, ...] = ()
    provisional: bool = False


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
