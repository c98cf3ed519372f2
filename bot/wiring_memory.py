"""The memory put together over parts that are open: its read path, its write path and its upkeep."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo

from bot.application import Models, Store
from bot.desks import reminders_over, silence_over
from bot.maintenance import Upkeep
from bot.readiness import Readiness
from bot.report.posting import WeeklyReport
from config.schema import Settings
from handlers.boards import Boards
from handlers.ports import Answers
from memory.chat_model import ModelRole
from memory.daily_tokens import DailyTokens
from memory.fact_ports import FactReading
from memory.index_ports import Encoder, KeyIndex
from memory.knowledge.sync import Sync
from memory.llm.counted import CountedModel
from memory.ports import Clock, Ledger, Reading
from memory.recall.connections import Connections
from memory.recall.contradictions import Contradictions
from memory.recall.facts import Facts
from memory.recall.model_assistants import ModelAssistants
from memory.recall.model_master import ModelMaster
from memory.recall.pipeline import Recall
from memory.recall.sparing import SparingRecall
from memory.recall.ticket_states import TicketStates
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
from memory.upkeep.examine import Examine, Mend
from memory.upkeep.forget import Forget
from memory.upkeep.reindex import Reindex
from memory.upkeep.retention import Retention
from memory.upkeep.retry import EnrichRetry
from memory.upkeep.stored_secrets import RedactStored
from memory.upkeep.withdraw import Withdraw


def recall_over(
    settings: Settings,
    clock: Clock,
    *,
    store: Store,
    index: KeyIndex,
    encoder: Encoder,
    models: Models,
    ledger: Ledger | None = None,
) -> Recall:
    """The read path; without models it answers with quotes. `ledger` is told of its questions in the store's place."""
    assistant, master = models.get(ModelRole.ASSISTANT), models.get(ModelRole.MASTER)
    return Recall(
        reading=store.reading,
        personal=store.personal,
        facts=facts_over(settings, store.reading, store.facts),
        connections=Connections(reading=store.reading, facts=store.facts, settings=settings.recall.graph),
        index=index,
        encoder=encoder,
        assistants=ModelAssistants(assistant, settings.recall) if assistant else None,
        master=ModelMaster(master, settings.recall) if master else None,
        ledger=ledger or store.ledger,
        settings=settings.recall,
        contradictions=contradictions_over(settings, store),
        tickets=TicketStates(store.tickets),
        addresses={one.name: one.base_url for one in settings.knowledge.collections if one.base_url},
        clock=clock,
        glossary=Glossary(settings.glossary),
    )


def answers_over(
    settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, encoder: Encoder, recall: Recall
) -> Answers:
    """What answers people: the read path, without models where the day's tokens are limited and spent."""
    limits = settings.limits
    if limits.tokens_a_day is None and limits.person_tokens_a_day is None:
        return recall
    by_quotes = recall_over(settings, clock, store=store, index=index, encoder=encoder, models={})
    return SparingRecall(recall, by_quotes, daily_tokens_over(settings, clock, store))


def daily_tokens_over(settings: Settings, clock: Clock, store: Store) -> DailyTokens:
    """What knows whether the day's tokens are spent."""
    return DailyTokens(store.ledger, settings.limits, ZoneInfo(settings.bot.time_zone), clock)


def counted(settings: Settings, clock: Clock, store: Store, models: Models) -> Models:
    """The models for upkeep, which no question pays for."""
    tokens = daily_tokens_over(settings, clock, store)
    return {role: CountedModel(model, tokens, store.ledger, clock) for role, model in models.items()}


def contradictions_over(settings: Settings, store: Store) -> Contradictions:
    """What finds newer tickets against an article."""
    return Contradictions(
        facts=facts_over(settings, store.reading, store.facts),
        reading=store.reading,
        predicates=settings.remember.predicates,
    )


def forget_from(store: Store, withdraw: Callable[[*tuple[str, ...]], Awaitable[None]], clock: Clock) -> Forget:
    """What takes back what was said; `withdraw` takes turns of these ids back."""
    return Forget(
        personal=store.personal,
        mailbox=store.mailbox,
        feedback=store.feedback,
        incidents=store.incidents,
        followers=store.followers,
        lines=store.lines,
        acts=store.acts,
        holds=store.holds,
        audit=store.audit,
        inspection=store.inspection,
        withdraw=withdraw,
        clock=clock,
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


def _sync(settings: Settings, clock: Clock, *, store: Store, index: KeyIndex, flush: Flush) -> Sync:
    return Sync(
        settings=settings.knowledge,
        shelf=store.shelf,
        writing=store.writing,
        withdraw=Withdraw(store.mailbox, index, store.feedback),
        flush=flush,
        redactor=store.redactor,
        zone=ZoneInfo(settings.bot.time_zone),
        clock=clock,
    )


def upkeep_over(
    settings: Settings,
    clock: Clock,
    readiness: Readiness,
    boards: Boards,
    *,
    store: Store,
    index: KeyIndex,
    encoder: Encoder,
    models: Models,
) -> Upkeep:
    """The jobs' work, over parts that are open; `boards` are those of the platforms that are connected."""
    models = counted(settings, clock, store, models)
    flush = flush_over(settings, clock, store=store, index=index, encoder=encoder, models=models)
    retry = EnrichRetry(
        writing=store.writing,
        noting=noting_over(settings, clock, store=store, index=index, encoder=encoder),
        enricher=_enricher(settings, models),
        rules=_enricher(settings, {}),
        settings=settings.remember,
        clock=clock,
    )
    secrets = secrets_over(clock, store, index)
    return Upkeep(
        settings=settings,
        clock=clock,
        encoder=encoder,
        readiness=readiness,
        audit=store.audit,
        flush=flush,
        reindex=Reindex(writing=store.writing, index=index, encoder=encoder, flush=flush, clock=clock),
        retry=retry,
        retention=Retention(
            writing=store.writing, index=index, audit=store.audit, settings=settings.retention, clock=clock
        ),
        consolidate=_consolidate(settings, clock, store=store, index=index, encoder=encoder, models=models),
        sync=_sync(settings, clock, store=store, index=index, flush=flush),
        silence=silence_over(settings, clock, store),
        reminders=reminders_over(settings, clock, store),
        report=report_over(settings, clock, store, boards),
        secrets=secrets,
        examine=examine_over(store, index),
        mend=Mend(inspection=store.inspection, index=index, audit=store.audit, secrets=secrets, clock=clock),
    )


def report_over(settings: Settings, clock: Clock, store: Store, boards: Boards) -> WeeklyReport:
    """What puts up the report of a week."""
    return WeeklyReport(
        settings=settings,
        boards=boards,
        ledger=store.ledger,
        feedback=store.feedback,
        reading=store.reading,
        vault=store.vault,
        clock=clock,
    )


def secrets_over(clock: Clock, store: Store, index: KeyIndex) -> RedactStored:
    """What takes secrets out of what is stored."""
    return RedactStored(
        writing=store.writing,
        inspection=store.inspection,
        index=index,
        audit=store.audit,
        redactor=store.redactor,
        clock=clock,
    )


def examine_over(store: Store, index: KeyIndex) -> Examine:
    """What looks through the memory."""
    return Examine(
        writing=store.writing,
        inspection=store.inspection,
        index=index,
        audit=store.audit,
        redactor=store.redactor,
    )
