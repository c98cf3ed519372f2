"""Secrets in what is stored: words that were remembered before anything was redacted, or before a pattern was added."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

import structlog

from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.index_ports import KeyIndex
from memory.inspection import Inspection, Made, Said
from memory.ports import Clock, Writing
from memory.redaction import redacted_texts
from memory.remember.reports import Progress, Watcher, nobody
from memory.text.redact import Redactor

log = structlog.get_logger()

_TURNS_AT_ONCE = 200
_EPISODES_AT_ONCE = 100


async def all_said(inspection: Inspection) -> AsyncIterator[list[Said]]:
    """Everything that was said, a page at a time."""
    last: str | None = None
    while page := await inspection.said_after(last, _TURNS_AT_ONCE):
        last = page[-1].turn
        yield page


async def all_made(writing: Writing, inspection: Inspection) -> AsyncIterator[list[Made]]:
    """What was made of all episodes, a page at a time."""
    last: str | None = None
    while page := await writing.episodes_after(last, _EPISODES_AT_ONCE):
        last = page[-1].id
        yield await inspection.made_of([episode.id for episode in page])


async def leaking(page: Sequence[Said | Made], redactor: Redactor) -> list[int]:
    """The places in this page where a text has a secret."""
    found = []
    for place, texts in enumerate([list(one.texts) for one in page]):
        if await redacted_texts(texts, redactor) != texts:
            found.append(place)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOut:
    """The receipt: how many turns and earlier versions of turns have other words now, and how many episodes are cut,
    noted and indexed anew for it."""

    turns: int = 0
    versions: int = 0
    episodes: int = 0

    def __add__(self, other: TakenOut) -> TakenOut:
        return TakenOut(
            turns=self.turns + other.turns,
            versions=self.versions + other.versions,
            episodes=self.episodes + other.episodes,
        )

    def counts(self) -> Mapping[str, int]:
        return {"turns": self.turns, "versions": self.versions, "episodes": self.episodes}


class RedactStored:
    """Takes secrets out of everything that is stored: words with their earlier versions, what was made of them, and the
    keys of both. A process that dies half-way leaves the rest to the next run, and one more run changes nothing."""

    def __init__(
        self,
        *,
        writing: Writing,
        inspection: Inspection,
        index: KeyIndex,
        audit: AuditLog,
        redactor: Redactor,
        clock: Clock,
    ) -> None:
        self._writing = writing
        self._inspection = inspection
        self._index = index
        self._audit = audit
        self._redactor = redactor
        self._clock = clock

    async def run(self, *, watcher: Watcher = nobody) -> TakenOut:
        """Raises StoreUnavailable and IndexUnavailable. What was unmade waits for the next flush."""
        total, done = TakenOut(), 0
        turns = (await self._writing.counts())["turns"]
        async for page in all_said(self._inspection):
            total += await self.take_out([page[place] for place in await leaking(page, self._redactor)])
            done += len(page)
            watcher(Progress(done=done, total=max(done, turns)))
        async for made in all_made(self._writing, self._inspection):
            total += await self.unmake([made[place].episode for place in await leaking(made, self._redactor)])
        await self._inspection.scrub()
        return total

    async def take_out(self, leaks: Sequence[Said]) -> TakenOut:
        """Take the secrets out of these turns, and note it."""
        if not leaks:
            return TakenOut()
        # Keys first: if the process dies here, the next run still finds the words and finishes.
        await self._index.remove(sorted({one.episode for one in leaks if one.episode is not None}))
        done = await self._inspection.redact([one.turn for one in leaks])
        await self._index.remove(done.episodes)
        return await self._noted(TakenOut(turns=done.turns, versions=done.versions, episodes=len(done.episodes)))

    async def unmake(self, episodes: Sequence[str]) -> TakenOut:
        """Have these episodes made anew, whose notes or facts say what their turns do not."""
        if not episodes:
            return TakenOut()
        await self._index.remove(episodes)
        await self._inspection.unmake(episodes)
        return await self._noted(TakenOut(episodes=len(episodes)))

    async def _noted(self, done: TakenOut) -> TakenOut:
        await self._audit.append(AuditEntry(kind=AuditKind.REDACTED, at=self._clock(), counts=done.counts()))
        log.info("secrets_taken_out", **done.counts())
        return done
