"""Taking in the knowledge base: only articles that changed since the last time are recorded and embedded.

A process that dies anywhere leaves an article without a digest, which the next run takes in again from the beginning.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice
from pathlib import Path

import structlog

from config.knowledge import KnowledgeSettings
from memory.errors import FolderUnreadable
from memory.knowledge.articles import Article, article_of, turns_of
from memory.knowledge.folder import BadFile, Written, paths_in, read
from memory.knowledge.front_matter import Unreadable
from memory.knowledge.shelf import Shelf, Shelved
from memory.model import Turn, turn_id
from memory.ports import Clock, Writing
from memory.remember.flush import Flush
from memory.remember.reports import Progress, Watcher, nobody
from memory.text.redact import Redactor
from memory.upkeep.withdraw import Withdraw

log = structlog.get_logger()

#: Files that are looked at together, and articles that wait for each other to be taken in together: each time the
#: index writes to the disk.
_AT_ONCE = 16
#: More are counted, but not kept: nobody reads them one by one.
_MOST_LISTED = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What became of the files. `bad` lists the first thousand that could not be taken in; what they said before
    stays."""

    articles: int = 0
    changed: int = 0
    sections: int = 0
    removed: int = 0
    refused: int = 0
    bad: tuple[BadFile, ...] = ()

    def counts(self) -> Mapping[str, int]:
        return {
            "articles": self.articles,
            "changed": self.changed,
            "sections": self.sections,
            "removed": self.removed,
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edition:
    """An article that is taken in: its turns, the sections that leave, and what is known of it before and after."""

    turns: Sequence[Turn]
    leaving: tuple[str, ...]
    begun: Shelved
    done: Shelved


class Sync:
    """Brings what is remembered to what stands in the folders. `zone` is that of times without an offset."""

    def __init__(
        self,
        *,
        settings: KnowledgeSettings,
        shelf: Shelf,
        writing: Writing,
        withdraw: Withdraw,
        flush: Flush,
        redactor: Redactor,
        zone: tzinfo,
        clock: Clock,
    ) -> None:
        self._collections = {one.name: Path(one.folder) for one in settings.collections}
        self._shelf = shelf
        self._writing = writing
        self._withdraw = withdraw
        self._flush = flush
        self._redactor = redactor
        self._zone = zone
        self._clock = clock
        self._last = SyncReport()

    @property
    def last(self) -> SyncReport:
        """What came of the newest run in this process."""
        return self._last

    async def run(self, *, watcher: Watcher = nobody) -> SyncReport:
        """Take in what is new or changed, take back what is gone. Raises StoreUnavailable and IndexUnavailable; the
        next run does the rest. A folder that cannot be read is said to be bad, and what was in it stays."""
        shelved = await self._shelf.shelved()
        report = SyncReport()
        for name, folder in self._collections.items():
            known = {one.path: one for one in shelved if one.collection == name}
            report = await self._collection(name, folder, known, report, watcher)
        closed = [one for one in shelved if one.collection not in self._collections]
        self._last = replace(report, removed=report.removed + await self._remove(closed))
        return self._last

    async def _collection(
        self, name: str, folder: Path, known: Mapping[str, Shelved], report: SyncReport, watcher: Watcher
    ) -> SyncReport:
        try:
            paths = await asyncio.to_thread(paths_in, folder)
        except FolderUnreadable as error:
            return _refusing(report, [BadFile(collection=name, path="", line=1, reason=str(error))])
        done, waiting = 0, list[tuple[str, Article]]()
        async for page in _pages(lambda some: read(name, folder, some), paths):
            bad = [one for one in page if isinstance(one, BadFile)]
            articles = await asyncio.to_thread(self._articles, name, page, known)
            bad += [one for _, one in articles if isinstance(one, BadFile)]
            waiting += [(digest, one) for digest, one in articles if isinstance(one, Article)]
            done += len(page)
            watcher(Progress(done=done, total=len(paths)))
            said = len(page) - len(bad) - _silent(page, articles, known)
            report = _refusing(replace(report, articles=report.articles + said), bad)
            if len(waiting) >= _AT_ONCE:
                report = await self._take_in(waiting, known, report)
                waiting.clear()
        report = await self._take_in(waiting, known, report)
        gone = [one for one in known.values() if one.path not in set(paths)]
        return replace(report, removed=report.removed + await self._remove(gone))

    def _articles(
        self, name: str, page: Iterable[Written | BadFile], known: Mapping[str, Shelved]
    ) -> list[tuple[str, Article | BadFile]]:
        """The articles of those files that are not as they were taken in, each with the digest of its file."""
        return [
            (one.digest, self._article(name, one))
            for one in page
            if isinstance(one, Written) and (one.path not in known or known[one.path].digest != one.digest)
        ]

    def _article(self, name: str, file: Written) -> Article | BadFile:
        try:
            return article_of(
                # Before it is cut: headings become names, which nothing looks into any more.
                self._redactor.redact(file.text).text,
                collection=name,
                path=file.path,
                changed=file.changed,
                zone=self._zone,
                now=self._clock(),
            )
        except Unreadable as error:
            return BadFile(collection=name, path=file.path, line=error.line, reason=str(error))

    async def _take_in(
        self, fresh: Sequence[tuple[str, Article]], known: Mapping[str, Shelved], report: SyncReport
    ) -> SyncReport:
        """Record and index these articles, and count them and their sections. What is to go is noted before it goes, so
        that a section that comes back is never mistaken for one that was taken back."""
        if not fresh:
            return report
        editions = [_edition(article, digest, known.get(article.path), self._clock()) for digest, article in fresh]
        await self._shelf.shelve([one.begun for one in editions])
        await self._take_back([(one.begun, one.leaving) for one in editions])
        said = [turn for one in editions for turn in one.turns]
        await self._writing.record(said)
        await self._flush.of([one.begun.conversation.id for one in editions])
        await self._shelf.shelve([one.done for one in editions])
        return replace(report, changed=report.changed + len(fresh), sections=report.sections + len(said))

    async def _remove(self, gone: Iterable[Shelved]) -> int:
        """Take all of these articles back that are there; how many."""
        there = [one for one in gone if one.sections]
        for start in range(0, len(there), _AT_ONCE):
            some = there[start : start + _AT_ONCE]
            leaving = [_leaving(one, self._clock()) for one in some]
            await self._shelf.shelve(leaving)
            await self._take_back([(one, one.sections) for one in some])
            await self._shelf.shelve([replace(one, sections=()) for one in leaving])
        return len(there)

    async def _take_back(self, sections: Iterable[tuple[Shelved, Iterable[str]]]) -> None:
        """Withdraw these sections of articles, together."""
        await self._withdraw(*[turn_id(one.conversation, name) for one, names in sections for name in names])


def _silent(
    page: Iterable[Written | BadFile], fresh: Iterable[tuple[str, Article | BadFile]], known: Mapping[str, Shelved]
) -> int:
    """How many of these files say nothing: they are no articles that anybody finds."""
    sections = {path: one.sections for path, one in known.items()}
    read = {one.path: one.sections for _, one in fresh if isinstance(one, Article)}
    refused = {one.path for _, one in fresh if isinstance(one, BadFile)}
    good = (one.path for one in page if isinstance(one, Written) and one.path not in refused)
    return sum(not (read[path] if path in read else sections[path]) for path in good)


def _leaving(article: Shelved, at: datetime) -> Shelved:
    """What is known of an article of which all sections are about to go."""
    gone = tuple(dict.fromkeys((*article.gone, *article.sections)))
    return replace(article, digest="", gone=gone, at=at)


def _edition(article: Article, digest: str, before: Shelved | None, at: datetime) -> _Edition:
    number, gone = (before.edition + 1, before.gone) if before else (1, ())
    turns = turns_of(article, edition=number, gone=gone)
    said = tuple(turn.message for turn in turns)
    leaving = tuple(name for name in (before.sections if before else ()) if name not in said)
    done = Shelved(
        collection=article.collection,
        path=article.path,
        title=article.title,
        digest=digest,
        edition=number,
        sections=said,
        gone=tuple(dict.fromkeys((*gone, *leaving))),
        at=at,
    )
    begun = replace(done, digest="", sections=(*said, *leaving))
    return _Edition(turns=turns, leaving=leaving, begun=begun, done=done)


def _refusing(report: SyncReport, bad: Sequence[BadFile]) -> SyncReport:
    for one in bad:
        log.warning("article_refused", collection=one.collection, path=one.path, line=one.line, reason=one.reason)
    return replace(report, refused=report.refused + len(bad), bad=(*report.bad, *bad)[:_MOST_LISTED])


async def _pages(
    look: Callable[[list[str]], Iterable[Written | BadFile]], paths: Iterable[str]
) -> AsyncIterator[list[Written | BadFile]]:
    rest = iter(paths)
    while some := list(islice(rest, _AT_ONCE)):
        yield await asyncio.to_thread(lambda these: list(look(these)), some)
