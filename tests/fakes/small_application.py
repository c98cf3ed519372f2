"""The whole application over parts that are gone when the test is: words and index in memory, no model anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.application import Application, Current
from bot.wiring import assembled
from config.loader import load_settings
from config.schema import Settings
from memory.index_ports import Encoder, KeyIndex
from memory.ports import Clock
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore


def small_application(
    data: Path,
    clock: Clock,
    *,
    settings: Settings | None = None,
    index: KeyIndex | None = None,
    encoder: Encoder | None = None,
    store: InMemoryStore | None = None,
) -> Application:
    """An application of the shipped defaults; whatever a test is about is handed in."""
    return assembled(
        settings or load_settings(None, {}),
        data,
        clock,
        store=store or InMemoryStore(clock=clock),
        index=index or InMemoryIndex(),
        encoder=encoder or HashingEncoder(),
        models={},
    )


def deciding(app: Application, **changes: Any) -> Application:
    """The application with another desk, other settings or another way to answer."""
    return replace(app, current=Current(replace(app.current.decided, **changes)))
