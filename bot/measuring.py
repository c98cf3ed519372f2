"""The real read and write path under measurement, over a memory of its own or over the one that is there."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from bot.application import Application, Models
from bot.arguments import Measure
from bot.cached_encoder import CachedEncoder
from bot.embeddings import open_encoder
from bot.opening import open_index, open_models
from bot.telling import JsonObject, Step, Tell
from bot.wiring import redacting, system_clock
from bot.wiring_memory import flush_over, recall_over
from config.display import config_hash
from config.loader import load_settings
from config.recall import RecallPart
from config.schema import IndexSettings, ModelsSettings, Settings
from handlers.access import viewer_of
from memory.answers import Answer
from memory.errors import InputRefused
from memory.evaluation import feedback, locomo, longmemeval, own_tickets
from memory.evaluation.ablation import ablation, as_table, variants
from memory.evaluation.dataset import Dataset, narrowed
from memory.evaluation.evaluate import Outcome, collect, outcomes
from memory.evaluation.ports import Ranker
from memory.evaluation.report import as_json, report
from memory.evaluation.unasked import UnaskedLedger
from memory.index_ports import Encoder, KeyIndex
from memory.model import Question, Turn, Viewer
from memory.recall.pipeline import Recall
from memory.recall.ranking import Ranking
from memory.stores.in_memory_words import InMemoryStore

CACHE = "HELPDESK_EMBEDDING_CACHE"
ASKING = "asking"


class FreshRanker:
    """A `Ranker` whose words are in memory, made new for each load; the index is the one that is shipped."""

    def __init__(self, settings: Settings, *, index: KeyIndex, encoder: Encoder, models: Models) -> None:
        self._settings = settings
        self._index = index
        self._encoder = encoder
        self._models = models
        self._store: InMemoryStore | None = None
        self._recall: Recall | None = None

    async def load(self, turns: Sequence[Turn]) -> None:
        """Forget everything and hold exactly these turns, flushed."""
        store = InMemoryStore(clock=system_clock)
        await self._index.reset(await self._encoder.stamp())
        await store.writing.record(turns)
        flush = flush_over(
            self._settings, system_clock, store=store, index=self._index, encoder=self._encoder, models=self._models
        )
        await flush.run(idle_before=system_clock() + timedelta(minutes=1))
        self._store = store
        self._recall = self._recalling(self._settings, store)

    def varied(self, without: Sequence[RecallPart]) -> FreshRanker:
        """The same memory, ranked without these parts."""
        recall = self._settings.recall.model_copy(update={"without": tuple(without)})
        other = FreshRanker(
            self._settings.model_copy(update={"recall": recall}),
            index=self._index,
            encoder=self._encoder,
            models=self._models,
        )
        if self._store is not None:
            other._store, other._recall = self._store, other._recalling(other._settings, self._store)
        return other

    def _recalling(self, settings: Settings, store: InMemoryStore) -> Recall:
        return recall_over(
            settings, system_clock, store=store, index=self._index, encoder=self._encoder, models=self._models
        )

    async def rank(self, question: Question) -> Ranking:
        """The best turns and episodes; no model is asked."""
        return await self._loaded().rank(question)

    async def answer(self, question: Question) -> Answer | None:
        """The whole read path; None when no model is configured."""
        return await self._loaded().answer(question) if self._models else None

    def _loaded(self) -> Recall:
        if self._recall is None:
            raise InputRefused("There is nothing to measure before a history is loaded.")
        return self._recall


class HeldRanker:
    """A `Ranker` over the memory as it is, which nothing is loaded into. Nobody asks what it asks: it is in no
    statistics and in no audit log. It goes on with the settings that it began with."""

    def __init__(self, app: Application) -> None:
        self._recall = recall_over(
            app.settings,
            app.clock,
            store=app.store,
            index=app.index,
            encoder=app.encoder,
            models=redacting(app.models, app.store),
            ledger=UnaskedLedger(app.store.ledger),
        )

    async def load(self, turns: Sequence[Turn]) -> None:
        raise InputRefused("This memory is measured as it is; nothing can be loaded into it.")

    async def rank(self, question: Question) -> Ranking:
        return await self._recall.rank(question)

    async def answer(self, question: Question) -> Answer | None:
        """The whole read path; without a model its quotes."""
        return await self._recall.answer(question)


@asynccontextmanager
async def fresh_ranker(settings: Settings | None = None) -> AsyncIterator[FreshRanker]:
    """The pipeline of these settings (the shipped defaults if None) over a memory of its own, gone afterwards: whatever
    index is configured, it is an embedded one, for loading a memory empties its index.

    Where HELPDESK_EMBEDDING_CACHE names a folder, passage vectors are kept there for the next measurement.
    """
    given = settings or load_settings(None, {})
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="helpdesk-measuring-"))
        encoder = await stack.enter_async_context(open_encoder(given.embeddings))
        models = await stack.enter_async_context(open_models(given))
        embedded = given.model_copy(update={"index": IndexSettings()})
        index = await stack.enter_async_context(open_index(embedded, Path(folder)))
        yield FreshRanker(given, index=index, encoder=_cached(encoder), models=models)


def _cached(encoder: Encoder) -> Encoder:
    folder = os.environ.get(CACHE, "").strip()
    return CachedEncoder(encoder, Path(folder).expanduser()) if folder else encoder


async def measure_file(
    settings: Settings,
    dataset: str,
    path: Path,
    *,
    limit: int | None,
    sample: int | None,
    log: Path | None,
    audit: Path | None,
    tell: Tell,
) -> JsonObject:
    """The report on a LoCoMo or LongMemEval file. Raises InputRefused when it is none."""
    found = await asyncio.to_thread(_read, dataset, path, audit)
    async with fresh_ranker(settings) as ranker:
        return await _measured(narrowed(found, limit, sample), ranker, log, settings, tell)


async def measure_parts(
    settings: Settings,
    dataset: str,
    path: Path,
    parts: Sequence[RecallPart],
    *,
    limit: int | None,
    sample: int | None,
    tell: Tell,
) -> JsonObject:
    """What each of these parts of the ranking is worth on a LoCoMo or LongMemEval file; no model is asked."""
    found = narrowed(await asyncio.to_thread(_read, dataset, path, None), limit, sample)
    chosen = variants(settings.recall.without, parts)
    collected: dict[str, list[Outcome]] = {variant.name: [] for variant in chosen}
    async with fresh_ranker(settings.model_copy(update={"models": ModelsSettings()})) as ranker:
        async for variant, outcome in ablation(found, ranker, chosen):
            collected[variant.name].append(outcome)
            tell(Step(what=ASKING, done=len(collected[chosen[-1].name]), total=found.size))
    return as_table(found, collected)


async def measure_own(app: Application, given: Measure, tell: Tell) -> JsonObject:
    """The report on questions of one's own about the memory as it is. Raises InputRefused with the line, and
    NothingFound where there is no file and nobody has said anything of an answer."""
    found = narrowed(await own_questions(app, given.path), given.limit, given.sample)
    return await _measured(found, HeldRanker(app), Path(given.log) if given.log else None, app.settings, tell)


async def own_questions(app: Application, path: str | None) -> Dataset:
    """Those of a file, or those on whose answers people said something. Raises InputRefused, NothingFound."""
    now: datetime = app.clock()
    if path is not None:
        found = await asyncio.to_thread(own_tickets.read, Path(path), now)
        return await own_tickets.by_known_names(found, app.store.reading, Path(path))
    store, access = app.store, app.settings.access

    def eyes(author: str, channel: str) -> Viewer:
        return viewer_of(author, channel, access)

    return await feedback.read(store.feedback, store.ledger, store.reading, eyes, now)


def _read(dataset: str, path: Path, audit: Path | None) -> Dataset:
    return locomo.read(path, audit) if dataset == "locomo" else longmemeval.read(path)


async def _measured(dataset: Dataset, ranker: Ranker, log: Path | None, settings: Settings, tell: Tell) -> JsonObject:
    size = dataset.size
    asked = await collect(outcomes(dataset, ranker), log, lambda done: tell(Step(what=ASKING, done=done, total=size)))
    return as_json(report(dataset.name, dataset.unit, asked, config_hash(settings)))
