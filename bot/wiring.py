"""The only place that builds things. Whatever is opened here is closed here, in reverse order."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from bot.application import Application, Current, Decided, FileState, Models, Store
from bot.embeddings import open_encoder
from bot.health import Health
from bot.jobs import Jobs
from bot.kept_encoder import KeptEncoder
from bot.maintenance import Upkeep, jobs_of
from bot.metrics import Metrics
from bot.opening import open_index, open_models, open_words, warming
from bot.readiness import Readiness
from config.schema import Settings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.tickets.desk import TicketDesk
from handlers.wording_names import wording_of
from memory.fact_ports import FactReading
from memory.index_ports import Encoder, KeyIndex
from memory.knowledge.sync import Sync
from memory.llm.redacting import RedactingModel
from memory.ports import Clock, ModelRole, Reading
from memory.recall.connections import Connections
from memory.recall.contradictions import Contradictions
from memory.recall.facts import Facts
from memory.recall.model_assistants import ModelAssistants
from memory.recall.model_master import ModelMaster
from memory.recall.pipeline import Recall
from memory.remember.enricher import Enricher
from memory.remember.evolver import Evolver
from memory.remember.flush import Flush
from memory.remember.gatherer import Gatherer
from memory.remember.links import Linker
from memory.remember.model_enricher import ModelEnricher
from memory.remember.model_links import ModelLinkReasons
from memory.remember.noting import Noting
from memory.remember.rules import RuleEnricher
from memory.remember.site_names import SiteNames
from memory.remember.timeline import Policy
from memory.text.glossary import Glossary
from memory.upkeep.consolidate import Consolidate
from memory.upkeep.reindex import Reindex
from memory.upkeep.retention import Retention
from memory.upkeep.retry import EnrichRetry
from memory.upkeep.rollback import Rollback
from memory.upkeep.withdraw import Withdraw

One = TypeVar("One")
Other = TypeVar("Other")


def system_clock() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@asynccontextmanager
async def build(settings: Settings, data: Path, clock: Clock) -> AsyncIterator[Application]:
    """Everything that this data folder and these settings need, open until the context is left.

    A damaged index does not stop it: using that index raises IndexDamaged, and the reindex job mends it. Raises
    StoreUnavailable and its kin, IndexUnavailable when a Qdrant server cannot be reached.
    """
    async with AsyncExitStack() as stack:
        encoder = KeptEncoder(await stack.enter_async_context(open_encoder(settings.embeddings)), data)
        await stack.enter_async_context(warming(encoder))
        models = await stack.enter_async_context(open_models(settings))
        store, index = await _both(
            stack.enter_async_context(open_words(settings, data, clock)),
            stack.enter_async_context(open_index(settings, data)),
        )
        yield assembled(settings, data, clock, store=store, index=index, encoder=encoder, models=models)


async def _both(one: Awaitable[One], other: Awaitable[Other]) -> tuple[One, Other]:
    """The results of two that run at the same time; when one fails, the other is waited for all the same."""
    first, second = asyncio.ensure_future(one), asyncio.ensure_future(other)
    await asyncio.gather(first, second, return_exceptions=True)
    return first.result(), second.result()


def assembled(
    settings: Settings,
    data: Path,
    clock: Clock,
    *,
    store: Store,
    index: KeyIndex,
    encoder: Encoder,
    models: Models,
) -> Application:
    """The application over parts that are open already."""
    metrics, readiness = Metrics(), Readiness(index=index, encoder=encoder, writing=store.writing)
    holder = f"{socket.gethostname()}:{data}"
    claims = Claims(store.leases, clock, holder)
    careful = _redacting(models, store)
    upkeep = _upkeep(settings, clock, readiness, store=store, index=index, encoder=encoder, models=careful)
    recall = recall_over(settings, clock, store=store, index=index, encoder=encoder, models=careful)
    desk = _desk(settings, clock, store=store, recall=recall, claims=claims, metrics=metrics)
    return Application(
        current=Current(
            Decided(
                settings=settings, recall=recall, desk=desk, tickets=_tickets(settings, clock, store), models=models
            )
        ),
        data=data,
        clock=clock,
        store=store,
        index=index,
        encoder=encoder,
        claims=claims,
        readiness=readiness,
        jobs=Jobs(jobs_of(upkeep), leases=store.leases, holder=holder, metrics=metrics, clock=clock),
        metrics=metrics,
        health=Health(),
        sync=upkeep.sync,
        contradictions=contradictions_over(settings, store),
        rollback=Rollback(writing=store.writing, facts=store.fact_writing, index=index, encoder=encoder, clock=clock),
    )


def decide(app: Application, settings: Settings, models: Models, file: FileState) -> None:
    """Have the application go on with other settings, over the parts that it has open."""
    clock, store, index, encoder = app.clock, app.store, app.index, app.encoder
    careful = _redacting(models, store)
    recall = recall_over(settings, clock, store=store, index=index, encoder=encoder, models=careful)
    desk = _desk(settings, clock, store=store, recall=recall, claims=app.claims, metrics=app.metrics)
    upkeep = _upkeep(settings, clock, app.readiness, store=store, index=index, encoder=encoder, models=careful)
    app.jobs.exchange(jobs_of(upkeep))
    tickets = _tickets(settings, clock, store)
    app.current.decided = Decided(
        settings=settings, recall=recall, desk=desk, tickets=tickets, models=models, file=file
    )


def _desk(settings: Settings, clock: Clock, *, store: Store, recall: Recall, claims: Claims, metrics: Metrics) -> Desk:
    return Desk(
        recall=recall,
        recorder=store.writing,
        mailbox=store.mailbox,
        reading=store.reading,
        claims=claims,
        access=settings.access,
        bot=settings.bot,
        knowledge=settings.knowledge,
        clock=clock,
        answered=metrics.answered,
        redactor=store.redactor,
        wording=wording_of(settings.wording),
    )


def _redacting(models: Models, store: Store) -> Models:
    """The models, none of which is told a secret."""
    return {role: RedactingModel(model, store.redactor) for role, model in models.items()}


def _tickets(settings: Settings, clock: Clock, store: Store) -> TicketDesk:
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        settings=settings.tickets,
        clock=clock,
        wording=wording_of(settings.wording),
    )


def recall_over(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, models: Models
) -> Recall:
    """The read path; without models it answers with quotes."""
    assistant, master = models.get(ModelRole.ASSISTANT), models.get(ModelRole.MASTER)
    return Recall(
        reading=store.reading,
        facts=facts_over(settings, store.reading, store.facts),
        connections=Connections(reading=store.reading, facts=store.facts, settings=settings.recall.graph),
        index=index,
        encoder=encoder,
        assistants=ModelAssistants(assistant, settings.recall) if assistant else None,
        master=ModelMaster(master, settings.recall) if master else None,
        ledger=store.ledger,
        settings=settings.recall,
        contradictions=contradictions_over(settings, store),
        addresses={one.name: one.base_url for one in settings.knowledge.collections if one.base_url},
        clock=clock,
        glossary=Glossary(settings.glossary),
    )


def contradictions_over(settings: Settings, store: Store) -> Contradictions:
    """What finds newer tickets against an article."""
    return Contradictions(
        facts=facts_over(settings, store.reading, store.facts),
        reading=store.reading,
        predicates=settings.remember.predicates,
    )


def flush_over(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, models: Models
) -> Flush:
    """The write path; without a model notes are made by rule."""
    return Flush(
        writing=store.writing,
        index=index,
        noting=noting_over(settings, clock, store=store, index=index, encoder=encoder),
        enricher=_enricher(settings, models),
        settings=settings.remember,
        clock=clock,
    )


def noting_over(settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder) -> Noting:
    """What makes and keeps notes, facts and keys."""
    return Noting(
        writing=store.writing,
        facts=store.fact_writing,
        index=index,
        encoder=encoder,
        predicates=settings.remember.predicates,
        clock=clock,
    )


def facts_over(settings: Settings, reading: Reading, facts: FactReading) -> Facts:
    """What weighs evidence by what holds when."""
    predicates = settings.remember.predicates
    return Facts(
        reading=reading,
        facts=facts,
        single=frozenset(name for name, predicate in predicates.items() if predicate.single),
        policy=Policy(settings.recall.policy),
        glossary=Glossary(settings.glossary),
    )


def _enricher(settings: Settings, models: Models) -> Enricher:
    model, given = models.get(ModelRole.ENRICHER), settings.models.enricher
    predicates = settings.remember.predicates
    enricher: Enricher = RuleEnricher(predicates)
    if model and given:
        enricher = ModelEnricher(model, given.model, predicates)
    return SiteNames(enricher, Glossary(settings.glossary)) if settings.glossary else enricher


def linker_over(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, models: Models
) -> Linker:
    """What links notes; the enricher's model, where there is one, words the reasons."""
    model, given = models.get(ModelRole.ENRICHER), settings.models.enricher
    return Linker(
        writing=store.writing,
        facts=store.fact_writing,
        index=index,
        encoder=encoder,
        clock=clock,
        reasons=ModelLinkReasons(model, given.model) if model and given else None,
    )


def _consolidate(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, models: Models
) -> Consolidate:
    writing, facts = store.writing, store.fact_writing
    return Consolidate(
        writing=writing,
        linker=linker_over(settings, clock, store=store, index=index, encoder=encoder, models=models),
        gatherer=Gatherer(writing=writing, facts=facts, reading=store.facts, index=index),
        evolver=Evolver(writing=writing, facts=facts, index=index, encoder=encoder, clock=clock),
    )


def _upkeep(
    settings: Settings,
    clock: Clock,
    readiness: Readiness,
    *,
    store: Store,
    index: KeyIndex,
    encoder: Encoder,
    models: Models,
) -> Upkeep:
    flush = flush_over(settings, clock, store=store, index=index, encoder=encoder, models=models)
    retry = EnrichRetry(
        writing=store.writing,
        noting=noting_over(settings, clock, store=store, index=index, encoder=encoder),
        enricher=_enricher(settings, models),
        rules=_enricher(settings, {}),
        settings=settings.remember,
        clock=clock,
    )
    sync = Sync(
        settings=settings.knowledge,
        shelf=store.shelf,
        writing=store.writing,
        withdraw=Withdraw(store.mailbox, index),
        flush=flush,
        zone=ZoneInfo(settings.bot.time_zone),
        clock=clock,
    )
    return Upkeep(
        settings=settings,
        clock=clock,
        encoder=encoder,
        readiness=readiness,
        flush=flush,
        reindex=Reindex(writing=store.writing, index=index, encoder=encoder, flush=flush, clock=clock),
        retry=retry,
        retention=Retention(writing=store.writing, index=index, settings=settings.retention, clock=clock),
        consolidate=_consolidate(settings, clock, store=store, index=index, encoder=encoder, models=models),
        sync=sync,
    )
