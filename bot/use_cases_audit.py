"""The audit log, looked at and verified."""

from __future__ import annotations

from datetime import datetime, time, tzinfo
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Since, Verify
from bot.moments import end_of_day, moment, shown
from bot.telling import JsonObject, Tell
from memory.audit_log import AuditLog, AuditRecord, verified

_FIRST = datetime(1900, 1, 1, tzinfo=ZoneInfo("UTC"))
_DAY = len("2026-03-02")


async def listed(app: Application, given: Since, tell: Tell) -> JsonObject:
    """The newest entries, oldest first, and whether there are more."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    since = _moment(given.since, zone) if given.since else _FIRST
    found = await app.store.audit.newest(since, given.limit + 1)
    return {"entries": [_entry(one, zone) for one in found[-given.limit :]], "more": len(found) > given.limit}


async def verify(app: Application, given: Verify, tell: Tell) -> JsonObject:
    """Whether the chain stands, and what is wrong with it."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    log = app.store.audit
    after = await log.before(_moment(given.since, zone)) if given.since else 0
    verdict = await verified(log, after)
    faults = [{"number": number, "fault": fault.value} for number, fault in verdict.faults]
    if given.known is not None:
        faults += await _unlike(log, given.known)
    return {
        "records": verdict.records,
        "erased": verdict.erased,
        "last": f"{verdict.last}:{verdict.digest}",
        "faults": faults,
    }


async def _unlike(log: AuditLog, known: str) -> list[JsonObject]:
    number, _, digest = known.partition(":")
    found = await log.page(int(number) - 1, 1)
    if found and found[0].number == int(number) and found[0].digest == digest:
        return []
    return [{"number": int(number), "fault": "not as it was noted"}]


def _moment(text: str, zone: tzinfo) -> datetime:
    """A moment, or the begin of a day. Raises WrongUse."""
    if len(text.strip()) <= _DAY:
        return datetime.combine(end_of_day(text, zone, "--since").date(), time(), zone)
    return moment(text, zone, "--since")


def _entry(record: AuditRecord, zone: tzinfo) -> JsonObject:
    details = record.details
    return {
        "number": record.number,
        "at": shown(record.at, zone),
        "kind": record.kind.value,
        "forgotten": details is None,
        "person": details and details.person,
        "about": list(details.about) if details else [],
        "sources": list(details.sources) if details else [],
        "counts": dict(details.counts) if details else {},
        "digest": record.digest,
    }
