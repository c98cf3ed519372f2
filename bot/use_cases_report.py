"""The report as a use-case: the same page and message for whoever asks."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Report
from bot.report.figures import period_of
from bot.report.message import message
from bot.report.page import page
from bot.report.reading import report_of
from bot.report.spoken import Spoken
from bot.telling import JsonObject, Tell
from handlers.wording_names import wording_of


async def report(app: Application, given: Report, tell: Tell) -> JsonObject:
    """The last days as a `page` of HTML and as a `message` of plain lines. Raises StoreUnavailable."""
    now, store = app.clock(), app.store
    language = given.language or app.settings.bot.language
    spoken = Spoken(language=language.value, wording=wording_of(app.settings.wording))
    found = await report_of(
        period_of(now, ZoneInfo(app.settings.bot.time_zone), given.days),
        now,
        ledger=store.ledger,
        feedback=store.feedback,
        reading=store.reading,
        models=app.settings.models,
    )
    return {"page": page(found, spoken), "message": message(found, spoken)}
