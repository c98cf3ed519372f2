"""From an enrichment to a note: a version that is of exactly these words."""

from __future__ import annotations

from datetime import datetime

from memory.model import Episode, Note
from memory.remember.enricher import Enrichment


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
