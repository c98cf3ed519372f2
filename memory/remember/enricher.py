"""What is generated about an episode, and the port of whoever generates it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from memory.model import Episode
from memory.remember.extraction.statements import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """An index over an episode's words, in their language: never a replacement for them.

    `summary` is at most two sentences, `context` is one; `made_by` names the rules or the model. `facts` are
    unverified (see `memory.remember.extraction.facts`).
    """

    summary: str
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    entities: tuple[str, ...] = ()
    facts: tuple[Statement, ...] = ()
    made_by: str


class Enricher(Protocol):
    """Reads an episode's own words, without its derived turns. Raises ModelUnavailable and its kin."""

    async def enrich(self, episode: Episode) -> Enrichment: ...
