"""Opens the parts that the settings name, each until its context is left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path

from bot.application import Models, Store
from bot.renewable_index import RenewableIndex
from config.redaction import RedactionSettings
from config.schema import IndexKind, Settings
from memory.errors import EncoderUnavailable, StoreLost
from memory.index_ports import Encoder, KeyIndex
from memory.ports import Clock
from memory.text.redact import Finder

#: Where the embedded index lies in the data folder.
INDEX = "index"
#: The path in the address of a SQLite file, as the database library reads it.
_SQLITE_FILE = re.compile(r"sqlite(?:\+\w+)?:///(?P<path>(?!file:)[^?]+)")


@asynccontextmanager
async def warming(encoder: Encoder) -> AsyncIterator[None]:
    """Load the encoder on its own thread while everything else is opened; that it cannot be loaded shows in its use."""

    async def warm() -> None:
        with suppress(EncoderUnavailable):
            await encoder.stamp()

    task = asyncio.create_task(warm())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@asynccontextmanager
async def open_models(settings: Settings) -> AsyncIterator[Models]:
    """The configured models. The client library takes a second to import, so without models it is left alone."""
    given = settings.models
    if given.assistant is None and given.master is None and given.enricher is None:
        yield {}
        return
    from bot import openai_models

    async with openai_models.open_models(given) as models:
        yield models


def refuse_lost_words(settings: Settings, data: Path) -> None:
    """Look before anything is opened: a file that is gone would be made anew, as if nobody had ever said anything.

    Raises StoreLost where the file of the words is missing or empty beside an index that has keys.
    """
    found = _SQLITE_FILE.match(database_address(settings, data))
    if found is None or settings.index.kind is not IndexKind.EDGE:
        return
    lost, index = _lost(Path(found["path"])), data / INDEX
    if not lost:
        return
    # Imported where it is needed, which is at a first start.
    from memory.stores.qdrant_edge_state import may_have_keys

    if may_have_keys(index):
        raise StoreLost(
            f"The database file {found['path']} is {lost}, but the search index beside it is not; put the file back "
            f"from a backup, or delete the folder {index} to begin anew."
        )


def _lost(file: Path) -> str:
    """What became of the file; "" where it is there, or where opening it says what is wrong."""
    try:
        return "" if file.stat().st_size else "empty"
    except FileNotFoundError:
        return "missing"
    except OSError:
        return ""


def database_address(settings: Settings, data: Path) -> str:
    """Where the words are, with the data folder filled in."""
    return settings.store.url.replace("{data}", str(data))


@asynccontextmanager
async def open_words(settings: Settings, data: Path, clock: Clock) -> AsyncIterator[Store]:
    # Half a second of imports, during which the engine of the index and the encoder start.
    await asyncio.to_thread(import_module, "memory.stores.sql")
    from memory.stores.sql import open_store

    finders = await asyncio.to_thread(_presidio, settings.redaction) if settings.redaction.presidio else None
    async with open_store(
        database_address(settings, data),
        busy_seconds=settings.store.busy_seconds,
        clock=clock,
        redaction=settings.redaction,
        slow_finders=finders,
        tracked=settings.tickets.tracker is not None,
    ) as store:
        yield store


def _presidio(settings: RedactionSettings) -> Mapping[str, Finder]:
    """An extra, imported only where it is wanted. Raises ConfigInvalid."""
    from bot.presidio import analyser_of, finders_over

    return finders_over(analyser_of(settings), settings)


@asynccontextmanager
async def open_index(settings: Settings, data: Path) -> AsyncIterator[KeyIndex]:
    """The index that is configured; the embedded one lies in `data`. Raises IndexInUse, IndexUnavailable."""
    if settings.index.kind is IndexKind.SERVER:
        from memory.stores.qdrant_server import open_server_index

        async with open_server_index(settings.index) as server:
            yield server
        return
    from memory.stores.qdrant_edge import open_edge_index

    index = RenewableIndex(data / INDEX, open_edge_index)
    await index.open()
    try:
        yield index
    finally:
        await index.aclose()
