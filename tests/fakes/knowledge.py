"""A memory with a knowledge base: folders to write articles into, and an encoder that counts what it embeds."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from config.loader import load_settings
from config.schema import Settings
from memory.answers import Answer, Evidence
from memory.index_ports import Vectors
from memory.stores.in_memory_encoder import HashingEncoder
from tests.fakes.remembering import Remembering, remembering

CONFIGURATION = """\
access:
  agents: [okabe]
knowledge:
  collections:
    - {name: it, folder: it, base_url: "https://wiki.example/it"}
    - {name: internal, folder: internal, visibility: agents}
"""


class CountingEncoder(HashingEncoder):
    """Keeps the texts that it embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded.extend(texts)
        return await super().passages(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The memory, the folder of the collections, and what was embedded."""

    memory: Remembering
    folder: Path
    encoder: CountingEncoder = field(default_factory=CountingEncoder)

    def write(self, path: str, text: str, *, changed: datetime | None = None) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        moment = (changed or self.memory.watch.now).timestamp()
        os.utime(file, (moment, moment))
        return file

    async def sync(self) -> dict[str, int]:
        """The counts of one run of the job."""
        return dict((await self.memory.app.jobs.run("knowledge-sync")).counts)

    async def ask(self, text: str, *, user: str = "sato", channel: str = "dm") -> Answer:
        return await self.memory.app.desk.ask(text, user=user, channel=channel, now=self.memory.watch.now)

    async def cited(self, text: str, *, user: str = "sato", channel: str = "dm") -> list[Evidence]:
        return [*(await self.ask(text, user=user, channel=channel)).cited]


def settings_in(folder: Path, configuration: str = CONFIGURATION) -> Settings:
    """The settings of a file in this folder."""
    file = folder / "desk.yaml"
    file.write_text(configuration, encoding="utf-8")
    return load_settings(file, {})


@asynccontextmanager
async def library(house: str, folder: Path) -> AsyncIterator[Library]:
    """An empty memory and two empty collections."""
    encoder = CountingEncoder()
    async with remembering(house, folder, settings=settings_in(folder), encoder=encoder) as memory:
        for name in ("it", "internal"):
            (folder / name).mkdir()
        yield Library(memory=memory, folder=folder, encoder=encoder)
        # Reading the ledger waits for what is written to it behind an answer.
        await memory.app.store.ledger.count_since(memory.watch.now)
