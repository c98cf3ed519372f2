"""A whole memory to talk to: the real write and read path over small stores, with a clock to turn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bot.application import Application
from bot.wiring import assembled
from config.loader import load_settings
from config.schema import Settings
from memory.answers import Answer
from memory.chat_model import ChatModel, ModelRole
from memory.errors import EncoderUnavailable
from memory.index_ports import Encoder, KeyIndex, Probe, Vector
from memory.model import DIRECT, KeyKind, Question, Turn, Viewer
from memory.ports import Recorded
from memory.recall.ranking import Ranking
from memory.remember.reports import nobody
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.qdrant_edge import open_edge_index
from memory.text.sparse import question_terms
from tests.fakes.words import Watch, opened

#: Everything in memory; and what is shipped: SQLite and the embedded index.
HOUSES = ("in-memory", "sqlite")


class WordsOnly(HashingEncoder):
    """Remembers as usual, but cannot read a question: what is found then is found by its words."""

    async def question(self, text: str) -> Vector:
        raise EncoderUnavailable


class Remembering:
    """An application without platforms, asked in few words. A viewer is a user in a direct message."""

    def __init__(self, app: Application, watch: Watch) -> None:
        self.app = app
        self.watch = watch

    async def say(self, *turns: Turn) -> Recorded:
        """Record these turns; the clock goes on to an hour after the last one."""
        self.watch.now = max(self.watch.now, *(turn.said_at + timedelta(hours=1) for turn in turns))
        return await self.app.store.writing.record(turns)

    async def remember(self, *turns: Turn) -> None:
        """Record these turns and flush everything."""
        if turns:
            await self.say(*turns)
        await self.app.jobs.run("flush", nobody)

    def question(self, text: str, user: str = "sato", *, channel: str = DIRECT, agent: bool = False) -> Question:
        return Question(text=text, viewer=Viewer(user=user, channel=channel, agent=agent), now=self.watch.now)

    async def answer(self, text: str, user: str = "sato", *, channel: str = DIRECT) -> Answer:
        return await self.app.recall.answer(self.question(text, user, channel=channel))

    async def rank(self, text: str, user: str = "sato", *, channel: str = DIRECT) -> Ranking:
        return await self.app.recall.rank(self.question(text, user, channel=channel))

    async def hits(self, text: str, user: str = "sato", *, channel: str = DIRECT) -> set[str]:
        """The turns that the index itself finds by these words, in every kind of key."""
        viewer = Viewer(user=user, channel=channel)
        probes = [Probe(kind=kind, terms=question_terms(text)) for kind in KeyKind]
        found = await self.app.index.search(probes, viewer, self.watch.now, 100)
        return {hit.pointer.turn or hit.pointer.episode for hits in found for hit in hits}

    async def stored(self) -> Mapping[str, int]:
        """How many turns, episodes, notes and the like there are, and keys of each kind."""
        keys = {kind.value: await self.app.index.count(kind) for kind in KeyKind}
        return {**await self.app.store.writing.counts(), **keys}


@asynccontextmanager
async def remembering(
    house: str,
    folder: Path,
    *,
    index: KeyIndex | None = None,
    encoder: Encoder | None = None,
    models: Mapping[ModelRole, ChatModel] | None = None,
    settings: Settings | None = None,
) -> AsyncIterator[Remembering]:
    """An empty memory, of the shipped defaults if nothing else is said; `house` is one of HOUSES, or with an index
    of the caller's any backend of the words."""
    watch = Watch()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(opened(house, folder, watch))
        if index is None:
            on_disk = house != HOUSES[0]
            index = await stack.enter_async_context(open_edge_index(folder / "index")) if on_disk else InMemoryIndex()
        app = assembled(
            settings or load_settings(None, {}),
            folder,
            watch,
            store=store,
            index=index,
            encoder=encoder or HashingEncoder(),
            models=models or {},
        )
        yield Remembering(app, watch)
