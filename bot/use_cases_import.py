"""Taking in a history, and remembering it in the same breath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Import
from bot.importers import slack_export
from bot.importers.formats import Format, detect, reader
from bot.importers.own_words import OwnWords
from bot.importers.rows import Row
from bot.importers.run import ImportReport, Record, import_turns
from bot.importers.slack_threads import OneTurnEach, Places
from bot.telling import JsonObject, Notice, Step, Tell
from bot.use_cases import watching
from handlers.characters import one_line
from memory.errors import HelpdeskError, WrongUse
from memory.model import Turn, Viewer
from memory.upkeep.withdraw import Withdraw

READING = "reading"
_LONGEST_SOURCE = 100


async def import_history(app: Application, given: Import, tell: Tell) -> JsonObject:
    """Record a file's or folder's turns and flush them. Bad and replaced rows are listed; the others are in.

    Raises InputRefused when nothing of it can be read.
    """
    path = Path(given.path)
    if given.source is not None and given.source != one_line(given.source, _LONGEST_SOURCE):
        raise WrongUse(f"--source must be a name on one line, of at most {_LONGEST_SOURCE} characters.")
    chosen = given.format or detect(path)
    places: dict[str, Places] = {}
    read = partial(slack_export.read, places=places) if chosen == Format.SLACK_EXPORT else reader(chosen)
    rows = read(path, default_zone=ZoneInfo(app.settings.bot.time_zone), now=app.clock(), source=given.source)
    own = OwnWords(given.bots)
    report = await _taken_in(app, own.marked(rows), _one_turn_each(app, places), tell)
    for name in own.unmet:
        tell(Notice(text=f"Nobody there is called {one_line(name, _LONGEST_SOURCE)!r}, so that --bot marked nothing."))
    return {"format": str(chosen), **report}


async def take_in(app: Application, rows: Iterator[Row], tell: Tell) -> JsonObject:
    """Record turns as they are read, then flush whatever is pending."""
    return await _taken_in(app, rows, app.store.writing.record, tell)


async def _taken_in(app: Application, rows: Iterator[Row], record: Record, tell: Tell) -> JsonObject:
    report = await import_turns(rows, record, progress=lambda done: tell(Step(what=READING, done=done)))
    tell(Step(what=READING, done=report.rows, total=report.rows))
    return {**_as_json(report), **await _remembered(app, tell)}


def _one_turn_each(app: Application, places: dict[str, Places]) -> Record:
    async def known(ids: Sequence[str]) -> list[Turn]:
        # Whatever an import may bring, an hour of tomorrow included.
        return await app.store.reading.turns(ids, Viewer(user="", agent=True), app.clock() + timedelta(days=2))

    withdraw = Withdraw(app.store.mailbox, app.index, app.store.feedback)
    return OneTurnEach(app.store.writing.record, places=places, known=known, withdraw=withdraw)


async def _remembered(app: Application, tell: Tell) -> JsonObject:
    """What the flush did. The import itself is in by now, so that a flush which cannot run is told beside it."""
    try:
        run = await app.jobs.run("flush", watching(tell))
    except HelpdeskError as error:
        tell(Notice(text=f"Everything was recorded, but not made searchable yet: {error}"))
        return {"remembered": None, "problem": str(error)}
    return {"remembered": dict(run.counts), "problem": None}


def _as_json(report: ImportReport) -> JsonObject:
    return {
        "rows": report.rows,
        "new": report.new,
        "repeated": report.repeated,
        "revised": report.revised,
        "bad": [str(row) for row in report.bad],
        "unlisted": report.unlisted,
        "replaced": [str(row) for row in report.replaced],
        "unlisted_replaced": report.unlisted_replaced,
    }
