"""Consolidation, in quiet hours: links that are still missing, then events, then what notes learn from both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

from memory.model import Episode
from memory.ports import Writing
from memory.remember.article_notes import is_article
from memory.remember.evolver import Evolver
from memory.remember.gatherer import Gatherer
from memory.remember.links import Linker
from memory.remember.notes import Noted
from memory.remember.reports import Progress, Watcher, nobody

_EPISODES_AT_ONCE = 50
#: Notes for which one run looks for links, since each costs an embedding; the next run looks for the others.
_LINKED_AT_ONCE = 2000


class Consolidate:
    """Walks over all episodes a page at a time, once for each step: a step needs what the one before it made of all.

    What was done is not done again, so a run that was cut off is finished by the next, and one more changes nothing.
    """

    def __init__(
        self,
        *,
        writing: Writing,
        linker: Linker,
        gatherer: Gatherer,
        evolver: Evolver,
        linked_at_once: int = _LINKED_AT_ONCE,
    ) -> None:
        self._writing = writing
        self._linker = linker
        self._gatherer = gatherer
        self._evolver = evolver
        self._linked_at_once = linked_at_once

    async def run(self, *, watcher: Watcher = nobody) -> Mapping[str, int]:
        """How many `links` are new, `events` were written, and notes `evolved`. Raises StoreUnavailable,
        IndexUnavailable and EncoderUnavailable."""
        episodes = (await self._writing.counts())["episodes"]
        links = await self._link(watcher, episodes)
        events = await self._over_all(self._gatherer.gather, watcher, episodes)
        evolved = await self._over_all(self._evolver.evolve, watcher, episodes)
        return {"links": links, "events": events, "evolved": evolved}

    async def _link(self, watcher: Watcher, episodes: int) -> int:
        looked = links = done = 0
        async for page in self._pages():
            notes = await self._writing.newest_notes([episode.id for episode in page])
            noted = [Noted(episode=episode, note=notes[episode.id]) for episode in page if episode.id in notes]
            found = await self._linker.link(noted)
            looked, links, done = looked + found.looked, links + found.links, done + len(page)
            watcher(Progress(done=done, total=max(done, episodes)))
            if looked >= self._linked_at_once:
                break
        return links

    async def _over_all(
        self, step: Callable[[Sequence[Episode]], Awaitable[int]], watcher: Watcher, episodes: int
    ) -> int:
        worked = done = 0
        async for page in self._pages():
            worked, done = worked + await step(page), done + len(page)
            watcher(Progress(done=done, total=max(done, episodes)))
        return worked

    async def _pages(self) -> AsyncIterator[list[Episode]]:
        """What people said: articles are linked with nothing, since they are looked up by themselves."""
        last: str | None = None
        while page := await self._writing.episodes_after(last, _EPISODES_AT_ONCE):
            last = page[-1].id
            if said := [episode for episode in page if not is_article(episode)]:
                yield said
