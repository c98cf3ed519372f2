"""Notes that call the things of the site by the names of its glossary, whatever an episode calls them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from config.glossary import spelled
from memory.model import Episode
from memory.remember.enricher import Enricher, Enrichment
from memory.text.glossary import Glossary

#: Names of the site that one note gets: it is an index over an episode, no list of all that was mentioned.
_NAMES = 8


class SiteNames:
    """Implements `Enricher`: what another one says, and among the keywords what the episode names of the site. Products
    and systems are among the entities too."""

    def __init__(self, enricher: Enricher, glossary: Glossary) -> None:
        self._enricher = enricher
        self._glossary = glossary

    async def enrich(self, episode: Episode) -> Enrichment:
        """Raises what the other enricher raises."""
        enrichment = await self._enricher.enrich(episode)
        text = "\n".join(turn.text for turn in episode.turns if not turn.derived)
        return replace(
            enrichment,
            keywords=_first(self._glossary.names_in(text), enrichment.keywords),
            entities=_first(self._glossary.entities_in(text), enrichment.entities),
        )


def _first(names: Sequence[str], words: Iterable[str]) -> tuple[str, ...]:
    chosen = names[:_NAMES]
    known = {spelled(name) for name in chosen}
    return (*chosen, *(word for word in words if spelled(word) not in known))
