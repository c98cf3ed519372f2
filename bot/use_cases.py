"""Everything that can be asked of a running bot, as one table: called in process, or through the owner's socket.

A use-case takes the application, its arguments and somebody to tell; it returns plain JSON. What only some commands
need is imported by them, because a command that answers one question has to be quick.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from bot.application import Application
from bot.arguments import (
    Arguments,
    Ask,
    BackUp,
    Days,
    Erase,
    Import,
    ListIncidents,
    ListTickets,
    Marked,
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
    Since,
    StepTicket,
    TakeBack,
    Tune,
    UndoClosing,
    Verify,
    mistakes,
)
from bot.moments import end_of_day, horizon, moment
from bot.own_config import ASKED, hash_of_settings
from bot.readiness import IndexState
from bot.telling import JsonObject, Notice, Step, Tell
from handlers.answers import answer_object, explain_text, indexing_text, pending_text
from handlers.messages import IncomingMessage
from handlers.replies import answer_text
from memory.answers import AnswerKind
from memory.audit_log import AuditEntry, AuditKind
from memory.errors import (
    Busy,
    EncoderChanged,
    EncoderUnavailable,
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
    """What it takes, the function that does it, and as what it is noted in the audit log."""

    takes: type[Arguments]
    run: Run
    audit: AuditKind | None = None


async def perform(app: Application, command: str, arguments: Mapping[str, Any], tell: Tell) -> JsonObject | None:
    """Do what a command asks. Raises WrongUse for what is not in the table, and what the use-case raises."""
    use_case = USE_CASES.get(command)
    if use_case is None:
        raise WrongUse(f"The running process does not know {command}; is it of another version?")
    try:
        given = use_case.takes.model_validate(arguments)
    except ValidationError as error:
        raise WrongUse(f"{command} does not take that: {mistakes(error)}.") from None
    done = await use_case.run(app, given, tell)
    if use_case.audit is not None:
        await app.store.audit.append(_entry(use_case.audit, given, app.clock()))
    return done


#: Which of the arguments say with what something was done. They are names and ids.
_ABOUT = ("id", "version", "by", "step")


def _entry(kind: AuditKind, given: Arguments, now: datetime) -> AuditEntry:
    values = (getattr(given, name, None) for name in _ABOUT)
    about = tuple(str(value) for value in values if value is not None)
    return AuditEntry(kind=kind, at=now, person=getattr(given, "user", None), about=about)


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
    if pending and answer.rebuilt is None:
        told = indexing_text if app.jobs.busy else pending_text
        tell(Notice(text=told(pending, answer.language, wording=wording)))
    found = answer_object(answer, answer_text(answer, zone=zone, contact=app.settings.bot.contact, wording=wording))
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
    return {"text": said.text, "language": said.language, "reference": said.reference, "pasted": said.pasted}


async def make_ready(app: Application, tell: Tell) -> None:
    """See to it that the index can be searched; what is missing of it is written first, unless that is going on.

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
        tell(_REBUILDING)
        return
    tell(_MENDED[state])
    try:
        await app.jobs.run("flush", watching(tell))
    except Busy:  # another process is at it
        tell(_REBUILDING)


_REBUILDING = Notice(text="The search index is being rebuilt; answers may be incomplete until that is done.")
_MENDED = {
    IndexState.MISSING: Notice(text="The search index is missing; it is rebuilt from the stored words first."),
    IndexState.REBUILDING: Notice(text="A rebuild of the search index was cut off; the rest is done first."),
}


def watching(tell: Tell) -> Watcher:
    """A watcher of the memory's long work that tells on."""

    def watch(progress: Progress) -> None:
        tell(Step(what=REMEMBERING, done=progress.done, total=progress.total))

    return watch


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
    "take back": UseCase(takes=TakeBack, run=later("use_cases_erasing", "take_back")),
    "import": UseCase(takes=Import, run=later("use_cases_import", "import_history"), audit=AuditKind.IMPORTED),
    "jobs list": UseCase(takes=Nothing, run=later("use_cases_jobs", "list_jobs")),
    "jobs run": UseCase(takes=RunJob, run=later("use_cases_jobs", "run_job")),
    "memory show": UseCase(takes=Named, run=later("use_cases_memory", "show")),
    "memory search": UseCase(takes=Search, run=searching(later("use_cases_memory", "search"))),
    "memory pin": UseCase(takes=Marked, run=later("use_cases_memory", "pin"), audit=AuditKind.PINNED),
    "memory unpin": UseCase(takes=Marked, run=later("use_cases_memory", "unpin"), audit=AuditKind.UNPINNED),
    "memory forget": UseCase(takes=Erase, run=later("use_cases_erasing", "forget")),
    "holds add": UseCase(takes=Marked, run=later("use_cases_erasing", "hold"), audit=AuditKind.HELD),
    "holds release": UseCase(takes=Marked, run=later("use_cases_erasing", "release"), audit=AuditKind.RELEASED),
    "holds list": UseCase(takes=Nothing, run=later("use_cases_erasing", "held")),
    "holds show": UseCase(takes=Named, run=later("use_cases_erasing", "show_held")),
    "memory audit": UseCase(takes=Nothing, run=later("use_cases_upkeep", "examine")),
    "memory history": UseCase(takes=Named, run=later("use_cases_facts", "history")),
    "memory rollback": UseCase(
        takes=NoteVersion, run=later("use_cases_facts", "rollback"), audit=AuditKind.ROLLED_BACK
    ),
    "memory undo": UseCase(takes=UndoClosing, run=later("use_cases_facts", "undo"), audit=AuditKind.UNDONE),
    "memory redo": UseCase(takes=RedoClosing, run=later("use_cases_facts", "redo"), audit=AuditKind.REDONE),
    "tickets list": UseCase(takes=ListTickets, run=later("use_cases_tickets", "listed")),
    "tickets show": UseCase(takes=Named, run=later("use_cases_tickets", "show")),
    "tickets export": UseCase(takes=ListTickets, run=later("use_cases_tickets", "export")),
    "tickets step": UseCase(takes=StepTicket, run=later("use_cases_tickets", "step"), audit=AuditKind.TICKET_CHANGED),
    "tickets tracker": UseCase(takes=Nothing, run=later("use_cases_tickets", "owed_to_tracker")),
    "tickets tracker again": UseCase(takes=Named, run=later("use_cases_tickets", "told_again")),
    "incidents list": UseCase(takes=ListIncidents, run=later("use_cases_incidents", "listed")),
    "incidents show": UseCase(takes=Named, run=later("use_cases_incidents", "show")),
    "incidents rule": UseCase(takes=RuleIncident, run=later("use_cases_incidents", "rule")),
    "audit list": UseCase(takes=Since, run=later("use_cases_audit", "listed")),
    "audit verify": UseCase(takes=Verify, run=later("use_cases_audit", "verify")),
    "backup": UseCase(takes=BackUp, run=later("use_cases_backup", "back_up_to"), audit=AuditKind.BACKED_UP),
    "knowledge list": UseCase(takes=Nothing, run=later("use_cases_knowledge", "listed")),
    "knowledge sync": UseCase(takes=Nothing, run=later("use_cases_knowledge", "sync")),
    "eval own": UseCase(takes=Measure, run=searching(later("measuring", "measure_own"))),
    "tune": UseCase(takes=Tune, run=searching(later("tuning", "tune"))),
    "stats": UseCase(takes=Days, run=stats),
    "report": UseCase(takes=Report, run=later("use_cases_report", "report")),
    "status": UseCase(takes=Nothing, run=later("use_cases_jobs", "status")),
    ASKED: UseCase(takes=Nothing, run=hash_of_settings),
}
