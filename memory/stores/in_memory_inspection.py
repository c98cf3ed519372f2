"""What upkeep looks through, in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from memory.inspection import Flaw, Made, Redacted, Said
from memory.model import Turn
from memory.stores.in_memory_state import Kept, Memory
from memory.stores.words import CONTENT, Content, content
from memory.text.redact import Redactor

_WORDS = tuple(CONTENT.index(name) for name in ("text", "title", "status"))


class InMemoryInspection:
    """The port `Inspection` in memory. Nothing in here can lose its source, so no flaws are looked for but echoes."""

    def __init__(self, memory: Memory, redactor: Redactor) -> None:
        self._memory = memory
        self._redactor = redactor

    async def said_after(self, last: str | None, limit: int) -> list[Said]:
        names = sorted(name for name in self._memory.turns if last is None or name > last)[: max(limit, 0)]
        return [
            Said(turn=name, episode=kept.episode, derived=kept.turn.derived, texts=tuple(_texts(kept)))
            for name, kept in ((name, self._memory.turns[name]) for name in names)
        ]

    async def made_of(self, episodes: Sequence[str]) -> list[Made]:
        members = self._memory.members()
        return [
            Made(
                episode=name,
                flushed=not any(kept.pending for kept in members.get(name, [])),
                texts=tuple(text for text in self._made(name) if text),
            )
            for name in dict.fromkeys(episodes)
            if name in self._memory.cuts
        ]

    async def there(self, episodes: Sequence[str]) -> set[str]:
        return {name for name in episodes if name in self._memory.cuts}

    async def places(self, turns: Sequence[str]) -> Mapping[str, str | None]:
        return {name: self._memory.turns[name].episode for name in turns if name in self._memory.turns}

    async def redact(self, turns: Sequence[str]) -> Redacted:
        leaking = [self._memory.turns[name] for name in turns if name in self._memory.turns]
        newest = older = 0
        gone: set[str] = set()
        for kept in leaking:
            current, versions = content(kept.turn), kept.versions
            new = {self._redacted(version) for version in versions}
            if new == versions:
                continue
            kept.versions = new
            newest += self._redacted(current) != current
            older += sum(self._redacted(version) != version for version in versions - {current})
            kept.turn = self._clean(kept.turn)
            kept.older = [self._clean(turn) for turn in kept.older]
            if kept.episode is not None:
                gone.add(kept.episode)
            self._drop_facts_of(kept)
        await self.unmake(sorted(gone))
        return Redacted(turns=newest, versions=older, episodes=tuple(sorted(gone)))

    async def unmake(self, episodes: Sequence[str]) -> None:
        for episode in episodes:
            self._memory.drop_facts(of_episode=episode)
            for kept in self._memory.turns.values():
                if kept.episode == episode:
                    kept.pending, kept.episode = True, None
        self._memory.forget(episodes)

    async def reopen(self, episodes: Sequence[str]) -> None:
        for kept in self._memory.turns.values():
            kept.pending = kept.pending or kept.episode in episodes

    async def flaws(self) -> Mapping[Flaw, int]:
        return {Flaw.ECHO: len(self._echoes())}

    async def drop_flawed(self) -> int:
        echoes = self._echoes()
        for name in echoes:
            self._memory.sources[name] = [""]
        self._memory.drop_facts()
        return len(echoes)

    async def scrub(self) -> None:
        """What is gone from memory is gone."""

    def _clean(self, turn: Turn) -> Turn:
        fresh = self._redacted(content(turn))
        return replace(turn, **dict(zip(CONTENT, fresh, strict=True)))

    def _redacted(self, version: Content) -> Content:
        return tuple(
            self._redactor.redact(value).text or value if value and place in _WORDS else value
            for place, value in enumerate(version)
        )

    def _drop_facts_of(self, kept: Kept) -> None:
        for name, said in self._memory.sources.items():
            if kept.turn.id in said:
                self._memory.sources[name] = [""]
        self._memory.drop_facts()

    def _echoes(self) -> list[str]:
        said = self._memory.sources.items()
        return [name for name, turns in said if all(self._memory.turns[turn].turn.derived for turn in turns)]

    def _made(self, episode: str) -> Iterator[str]:
        for note in self._memory.notes.get(episode, {}).values():
            yield from (note.summary, note.context, *note.keywords, *note.tags, *note.entities)
        for name, fact in self._memory.facts.items():
            if fact.episode == episode:
                yield from (fact.subject, fact.value, fact.text, *fact.people, *fact.keywords)
                if event := self._memory.events.get(self._memory.event_of.get(name, "")):
                    yield from (event.summary, *event.people, *event.keywords)
        yield from (link.reason for (name, _), link in self._memory.links.items() if name == episode)


def _texts(kept: Kept) -> Iterator[str]:
    for version in kept.versions:
        yield from (value for place in _WORDS if (value := version[place]))
