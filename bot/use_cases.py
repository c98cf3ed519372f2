"""Everything that can be asked of a running bot, as one table: called in process, or through the owner's socket.

A use-case takes the application, its arguments and somebody to tell; it returns plain JSON. What only some commands
need is imported by them, because a command that answers one question has to be quick.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from bot.application import Application
from bot.arguments import (
    Arguments,
    Ask,
    Days,
    Import,
    ListIncidents,
    ListTickets,
    Measure,
    Named,
    NoteVersion,
    Nothing,
    RedoClosing,
    Reply,
    Report,
    RuleIncident,
    RunJob,
    Search,
    StepTicket,
    UndoClosing,
)
from bot.moments import end_of_day, horizon, moment
from bot.own_config import ASKED, hash_of_settings
from bot.readiness import IndexState
from bot.telling import JsonObject, Notice, Step, Tell
from handlers.answers import answer_object, explain_text, pending_text
from handlers.messages import IncomingMessage
from handlers.replies import answer_text
from memory.answers import AnswerKind
from memory.errors import (
    EncoderChanged,
    EncoderUnavailable,
    HelpdeskError,
    IndexDamaged,
    IndexUnavailable,
    WrongUse,
)
from memory.model import Conversation
from memory.remember.reports import Progress, Watcher

REMEMBERING = "remembering"


#: What does it: `Any` is the use-case's own kind of arguments.
Run: TypeAlias = Callable[[Application, Any, Tell], Awaitable[JsonObject | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCase:
    """What it takes, and the function that does it."""

    takes: type[Arguments]
    run: Run


async def perform(app: Application, command: str, arguments: Mapping[str, Any], tell: Tell) -> JsonObject | None:
    """Do what a command asks. Raises WrongUse for what is not in the table, and what the use-case raises."""
    use_case = USE_CASES.get(command)
    if use_case is None:
        raise WrongUse(f"The running process does not know {command}; is it of another version?")
    try:
        given = use_case.takes.model_validate(arguments)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise WrongUse(f"{command} does not take that ({problems}).") from None
    return await use_case.run(app, given, tell)


# --- questions and messages -------------------------------------------------------------------------------------------


async def ask(app: Application, given: Ask, tell: Tell) -> JsonObject:
    """Answer one question and keep nothing of it: the object of `ask --json`, and the explanation.

    Where nothing supports an answer, `pending` is how many recorded messages no search finds yet; else null.
    """
    home = ZoneInfo(app.settings.bot.time_zone)
    now = moment(given.now, home, "--now") if given.now else app.clock().astimezone(home)
    zone = now.tzinfo or home
    as_of = end_of_day(given.as_of, zone, "--as-of") if given.as_of else None
    known_at = horizon(given.known_at, zone, "--known-at") if given.known_at else None
    await make_ready(app, tell)
    answer = await app.desk.ask(
        given.question,
        user=given.user,
        channel=given.channel,
        now=now,
        as_of=as_of,
        known_at=known_at,
        language=given.language,
    )
    wording = app.desk.wording
    pending = (await app.store.writing.counts())["pending"] if answer.kind is AnswerKind.ABSTAINED else None
    if pending:
        tell(Notice(text=pending_text(pending, answer.language, wording=wording)))
    found = answer_object(answer, answer_text(answer, zone=zone, wording=wording))
    return {"answer": {**found, "pending": pending}, "explanation": explain_text(answer, wording=wording)}


async def reply(app: Application, given: Reply, tell: Tell) -> JsonObject | None:
    """One message in, one reply out; None when this message was handled before."""
    incoming = IncomingMessage(
        conversation=Conversation(
            platform=given.platform, workspace=given.workspace, channel=given.channel, thread=given.thread
        ),
        message=given.message,
        author=given.author,
        text=given.text,
        said_at=given.said_at,
        visibility=given.visibility,
        requester=given.requester,
    )
    said = await app.desk.reply(incoming)
    if said is None:
        return None
    return {"text": said.text, "language": said.language, "reference": said.reference}


async def make_ready(app: Application, tell: Tell) -> None:
    """See to it that the index can be searched; a missing one is rebuilt first, unless that is going on already.

    Raises EncoderChanged and IndexDamaged, which need a person. What may come back by itself is told, and makes answers
    smaller.
    """
    try:
        state = await app.readiness.check()
    except (EncoderChanged, IndexDamaged):
        raise
    except (EncoderUnavailable, IndexUnavailable) as error:
        tell(Notice(text=str(error)))
        return
    if state is IndexState.READY:
        return
    if app.jobs.busy:
        tell(Notice(text="The search index is being rebuilt; answers may be incomplete until that is done."))
        return
    tell(Notice(text="The search index is missing; it is rebuilt from the stored words first."))
    await app.jobs.run("flush", watching(tell))


def watching(tell: Tell) -> Watcher:
    """A watcher of the memory's long work that tells on."""

    def watch(progress: Progress) -> None:
        tell(Step(what=REMEMBERING, done=progress.done, total=progress.total))

    return watch


# --- maintenance ------------------------------------------------------------------------------------------------------


async def list_jobs(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """Every job with its schedule and its newest run in this process."""
    return {"jobs": [_job(app, job.name) for job in app.jobs.all]}


def _job(app: Application, name: str) -> JsonObject:
    job, last = app.jobs.named(name), app.jobs.last(name)
    return {
        "name": job.name,
        "about": job.about,
        "every_seconds": job.every_seconds,
        "enabled": job.enabled and job.every_seconds is not None,
        "last": last
        and {
            "ended_at": last.ended_at.isoformat(),
            "outcome": last.outcome.value,
            "counts": dict(last.counts),
            "error": last.error,
        },
    }


async def run_job(app: Application, given: RunJob, tell: Tell) -> JsonObject:
    """Run one job now. Raises what it raises."""
    run = await app.jobs.run(given.name, watching(tell))
    return {
        "job": run.job,
        "outcome": run.outcome.value,
        "counts": dict(run.counts),
        "seconds": round((run.ended_at - run.started_at).total_seconds(), 3),
    }


async def status(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """What is remembered and whether it can be searched."""
    try:
        index = str((await app.readiness.check()).value)
    except HelpdeskError as error:
        index = str(error)
    return {
        "data": str(app.data),
        "index": index,
        "config": asdict(app.current.decided.file),
        "counts": {**await app.store.writing.counts(), **await app.store.fact_writing.counts()},
    }


# --- what is imported when it is needed -------------------------------------------------------------------------------


def later(module: str, name: str) -> Run:
    """The use-case `name` of a module in this package, which is imported when somebody asks for it."""

    async def run(app: Application, given: Any, tell: Tell) -> JsonObject | None:
        use_case: Run = getattr(import_module(f"bot.{module}"), name)
        return await use_case(app, given, tell)

    return run


def searching(run: Run) -> Run:
    """The same, once the index can be searched."""

    async def ready(app: Application, given: Any, tell: Tell) -> JsonObject | None:
        await make_ready(app, tell)
        return await run(app, given, tell)

    return ready


async def stats(app: Application, given: Days, tell: Tell) -> JsonObject:
    from bot.stats import statistics

    since = app.clock() - timedelta(days=given.days)
    entries, feedback = await app.store.ledger.since(since), await app.store.feedback.tally(since)
    return {"days": given.days, **statistics(entries, feedback, app.settings.models)}


USE_CASES: Mapping[str, UseCase] = {
    "ask": UseCase(takes=Ask, run=ask),
    "reply": UseCase(takes=Reply, run=reply),
    "import": UseCase(takes=Import, run=later("use_cases_import", "import_history")),
    "jobs list": UseCase(takes=Nothing, run=list_jobs),
    "jobs run": UseCase(takes=RunJob, run=run_job),
    "memory show": UseCase(takes=Named, run=later("use_cases_memory", "show")),
    "memory search": UseCase(takes=Search, run=searching(later("use_cases_memory", "search"))),
    "memory pin": UseCase(takes=Named, run=later("use_cases_memory", "pin")),
    "memory unpin": UseCase(takes=Named, run=later("use_cases_memory", "unpin")),
    "memory history": UseCase(takes=Named, run=later("use_cases_facts", "history")),
    "memory rollback": UseCase(takes=NoteVersion, run=later("use_cases_facts", "rollback")),
    "memory undo": UseCase(takes=UndoClosing, run=later("use_cases_facts", "undo")),
    "memory redo": UseCase(takes=RedoClosing, run=later("use_cases_facts", "redo")),
    "tickets list": UseCase(takes=ListTickets, run=later("use_cases_tickets", "listed")),
    "tickets show": UseCase(takes=Named, run=later("use_cases_tickets", "show")),
    "tickets export": UseCase(takes=ListTickets, run=later("use_cases_tickets", "export")),
    "tickets step": UseCase(takes=StepTicket, run=later("use_cases_tickets", "step")),
    "incidents list": UseCase(takes=ListIncidents, run=later("use_cases_incidents", "listed")),
    "incidents show": UseCase(takes=Named, run=later("use_cases_incidents", "show")),
    "incidents rule": UseCase(takes=RuleIncident, run=later("use_cases_incidents", "rule")),
    "knowledge list": UseCase(takes=Nothing, run=later("use_cases_knowledge", "listed")),
    "knowledge sync": UseCase(takes=Nothing, run=later("use_cases_knowledge", "sync")),
    "eval own": UseCase(takes=Measure, run=searching(later("measuring", "measure_own"))),
    "stats": UseCase(takes=Days, run=stats),
    "report": UseCase(takes=Report, run=later("use_cases_report", "report")),
    "status": UseCase(takes=Nothing, run=status),
    ASKED: UseCase(takes=Nothing, run=hash_of_settings),
}
