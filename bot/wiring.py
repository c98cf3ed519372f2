"""The only place that builds things, with `wiring_memory`. Whatever is opened here is closed here, in reverse order."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from bot.application import Application, Current, Decided, FileState, Models, Store
from bot.desks import comebacks_over, corrections_over, desk_over, incidents_over, offers_over, pace_over, tickets_over
from bot.embeddings import open_encoder
from bot.health import Health
from bot.jobs import Jobs
from bot.kept_encoder import KeptEncoder
from bot.maintenance import jobs_of
from bot.metrics import Metrics
from bot.opening import open_index, open_models, open_words, refuse_lost_words, warming
from bot.readiness import Readiness
from bot.wiring_memory import answers_over, contradictions_over, counted, flush_over, recall_over, upkeep_over
from config.schema import Settings
from handlers.boards import Boards
from handlers.claims import Claims
from handlers.pace import Windows
from handlers.ports import Around
from memory.index_ports import Encoder, KeyIndex
from memory.llm.redacting import RedactingModel
from memory.ports import Clock
from memory.upkeep.rollback import Rollback

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
    await asyncio.to_thread(refuse_lost_words, settings, data)
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
    metrics, boards = Metrics(), Boards()
    readiness = Readiness(index=index, encoder=encoder, writing=store.writing, ledger=store.ledger)
    holder = f"{socket.gethostname()}:{data}"
    claims, windows = Claims(store.leases, clock, holder), Windows()
    careful = redacting(models, store)
    upkeep = upkeep_over(settings, clock, readiness, boards, store=store, index=index, encoder=encoder, models=careful)
    decided = _decided(
        settings,
        clock,
        store=store,
        index=index,
        encoder=encoder,
        models=models,
        claims=claims,
        windows=windows,
        metrics=metrics,
    )
    return Application(
        current=Current(decided),
        data=data,
        clock=clock,
        store=store,
        index=index,
        encoder=encoder,
        claims=claims,
        windows=windows,
        readiness=readiness,
        jobs=Jobs(jobs_of(upkeep), leases=store.leases, holder=holder, metrics=metrics, clock=clock),
        metrics=metrics,
        health=Health(),
        boards=boards,
        sync=upkeep.sync,
        contradictions=contradictions_over(settings, store),
        rollback=Rollback(writing=store.writing, facts=store.fact_writing, index=index, encoder=encoder, clock=clock),
    )


def decide(app: Application, settings: Settings, models: Models, file: FileState) -> None:
    """Have the application go on with other settings, over the parts that it has open."""
    clock, store, index, encoder = app.clock, app.store, app.index, app.encoder
    decided = _decided(
        settings,
        clock,
        store=store,
        index=index,
        encoder=encoder,
        models=models,
        claims=app.claims,
        windows=app.windows,
        metrics=app.metrics,
    )
    careful = redacting(models, store)
    upkeep = upkeep_over(
        settings, clock, app.readiness, app.boards, store=store, index=index, encoder=encoder, models=careful
    )
    app.jobs.exchange(jobs_of(upkeep))
    app.current.decided = replace(decided, file=file)


def _decided(
    settings: Settings,
    clock: Clock,
    *,
    store: Store,
    index: KeyIndex,
    encoder: Encoder,
    models: Models,
    claims: Claims,
    windows: Windows,
    metrics: Metrics,
) -> Decided:
    """What follows from the settings alone, over parts that are open already."""
    careful = redacting(models, store)
    paid = counted(settings, clock, store, careful)
    recall = recall_over(settings, clock, store=store, index=index, encoder=encoder, models=careful)
    tickets = tickets_over(settings, clock, store)
    comebacks = comebacks_over(settings, clock, store, tickets)
    incidents = incidents_over(settings, clock, store=store, index=index, encoder=encoder, tickets=tickets)
    desk = desk_over(
        settings,
        clock,
        store=store,
        recall=answers_over(settings, clock, store=store, index=index, encoder=encoder, recall=recall),
        claims=claims,
        metrics=metrics,
        around=Around(
            held=tickets.held,
            noticed=incidents.noticed,
            corrected=corrections_over(settings, clock, store, index).taken,
            refused=pace_over(settings, clock, windows, store=store, held=tickets.held).refused,
            judged=store.feedback.give,
            offered=offers_over(settings, store, tickets, comebacks).told,
            unsolved=comebacks.said,
        ),
    )
    return Decided(
        settings=settings,
        recall=recall,
        desk=desk,
        tickets=tickets,
        comebacks=comebacks,
        incidents=incidents,
        models=models,
        flush=flush_over(settings, clock, store=store, index=index, encoder=encoder, models=paid),
    )


def redacting(models: Models, store: Store) -> Models:
    """The models, none of which is told a secret."""
    return {role: RedactingModel(model, store.redactor) for role, model in models.items()}
