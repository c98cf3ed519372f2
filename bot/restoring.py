"""A backup back into the database, by a command: the bot does not run meanwhile."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from pathlib import Path

from bot.configured import configured
from bot.lifecycle import owning
from bot.logs import log_to_file
from bot.opening import database_address
from bot.places import Place
from bot.telling import JsonObject, Notice, Tell
from bot.use_cases import watching
from bot.use_cases_backup import telling
from bot.wiring import build, system_clock
from config.schema import Settings
from memory.errors import HelpdeskError
from memory.stores.archive import Archive, Manifest, reading
from memory.stores.sql_restore import Allowed, check, look, restore

CHECKING = "checking"
RESTORING = "restoring"


async def looked_at(place: Place, path: Path, tell: Tell) -> JsonObject:
    """What the backup is, read to its end, and what is in its place now; nothing is changed.

    Raises BackupUnusable, BackupNewer, IndexInUse while the bot runs, and StoreUnavailable and its kin.
    """
    async with _owned(place, tell) as settings:
        with _checked(path, tell) as archive:
            there = await look(database_address(settings, place.data), busy_seconds=settings.store.busy_seconds)
            return {"backup": _summary(archive.manifest), "there": asdict(there)}


async def put_back(place: Place, path: Path, allowed: Allowed, tell: Tell) -> JsonObject:
    """The backup in the place of what there is, and the index written anew from it.

    Raises what `looked_at` raises, StoreFilled and UnderHold; then everything is as it was. That the index cannot be
    written is told: the words are there, and it is written when it can be.
    """
    async with _owned(place, tell) as settings:
        with _checked(path, tell) as archive:
            done = await restore(
                database_address(settings, place.data),
                archive,
                busy_seconds=settings.store.busy_seconds,
                allowed=allowed,
                now=system_clock(),
                watcher=telling(tell, RESTORING),
            )
        indexed = await _indexed(settings, place, tell)
        return {"backup": _summary(archive.manifest), **asdict(done), "indexed": indexed}


@asynccontextmanager
async def _owned(place: Place, tell: Tell) -> AsyncIterator[Settings]:
    settings = configured(place.config, os.environ)
    async with owning(place, lambda text: tell(Notice(text=text))):
        log_to_file(settings.log, place.data)
        yield settings


@contextmanager
def _checked(path: Path, tell: Tell) -> Iterator[Archive]:
    with reading(path) as archive:
        check(archive, telling(tell, CHECKING))
        yield archive


async def _indexed(settings: Settings, place: Place, tell: Tell) -> JsonObject | None:
    """What was written to the index; None when it could not be."""
    try:
        async with build(settings, place.data, system_clock) as app:
            return dict((await app.jobs.run("reindex", watching(tell))).counts)
    except HelpdeskError as error:
        tell(Notice(text=f"Everything is restored, but cannot be searched yet: {error}"))
        return None


def _summary(manifest: Manifest) -> JsonObject:
    return {
        "made_at": manifest.made_at.isoformat(timespec="seconds"),
        "program": manifest.program,
        "revision": manifest.revision,
        "database": manifest.database,
        "rows": manifest.rows,
        "messages": manifest.rows_of("turns"),
    }
