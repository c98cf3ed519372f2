"""A memory that was filled before secrets were taken out of words, and is opened now that they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from config.redaction import RedactionSettings
from memory.stores.in_memory_words import InMemoryStore
from memory.stores.sql import open_store
from tests.fakes.words import Store, Watch, place

#: As it is told to a colleague, and what of it nobody may read.
PASSWORD = "Tk9-fluss-88"
SAID = f"The password: {PASSWORD} opens the badge reader"
OFF = RedactionSettings(password=False, token=False, private_key=False, url_password=False, card=False, my_number=False)


@asynccontextmanager
async def leaky(
    backend: str, folder: Path, watch: Watch, fill: Callable[[Store], Awaitable[None]]
) -> AsyncIterator[Store]:
    """The store, filled while nothing was taken out."""
    if backend == "in-memory":
        before = InMemoryStore(clock=watch, redaction=OFF)
        await fill(before)
        yield InMemoryStore(clock=watch, memory=before.memory)
        return
    async with place(backend, folder) as url:
        async with open_store(url, busy_seconds=10, clock=watch, redaction=OFF) as store:
            await fill(store)
        async with open_store(url, busy_seconds=10, clock=watch) as store:
            yield store
