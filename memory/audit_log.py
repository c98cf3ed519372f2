"""The port of the audit log: what was done, in a chain of digests that shows whether anything of it was changed.

An entry has two halves. When something was done and of what kind stands in the chain. Who did it, the ids and the
numbers stand beside it, under a seal: the chain holds no more of them than a digest that is made with a random salt. So
what names a person can be erased when the person is forgotten, and the chain still stands. No words anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from memory.model import require_aware, utc

#: What the first entry follows.
GENESIS = "0" * 64

_PAGE = 500
#: Faults that one look tells.
_MOST_FAULTS = 20


class AuditKind(StrEnum):
    """What was done."""

    ANSWERED = "answered"
    HANDED_OVER = "handed over"
    CONFIG_CHANGED = "config changed"
    IMPORTED = "imported"
    ARTICLES_SYNCED = "articles synced"
    TICKET_CHANGED = "ticket changed"
    UNDONE = "undone"
    REDONE = "redone"
    ROLLED_BACK = "rolled back"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    FORGETTING = "forgetting"
    FORGOTTEN = "forgotten"
    REDACTED = "redacted"
    REPAIRED = "repaired"
    HELD = "held"
    RELEASED = "released"
    BACKED_UP = "backed up"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """Something that was done. `person` did it, or got the answer; None where the program acts by itself. `about` has
    the ids or names of what it was done with, `sources` the ids of the turns that an answer stands on."""

    kind: AuditKind
    at: datetime
    person: str | None = None
    about: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditDetails:
    """The half of an entry that can be erased, with the random `salt` (hex) of its seal."""

    salt: str
    person: str | None
    about: tuple[str, ...]
    sources: tuple[str, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """An entry in its place: the `number`s count from 1 without gaps. `personal` entries name a person, and only of
    these may `details` be gone (None). `seal` is the digest of the details, `digest` that of all this and of every
    record before it."""

    number: int
    at: datetime
    kind: AuditKind
    personal: bool
    seal: str
    digest: str
    details: AuditDetails | None


class AuditLog(Protocol):
    """Keeps what was done, for good. Raises StoreUnavailable."""

    async def append(self, entry: AuditEntry) -> None:
        """Durable when this returns, behind everything that any process appended before."""
        ...

    async def page(self, after: int, limit: int) -> list[AuditRecord]:
        """Up to `limit` records behind the number `after`, in order."""
        ...

    async def newest(self, since: datetime, limit: int) -> list[AuditRecord]:
        """The newest `limit` records of what was done from `since` on, in order."""
        ...

    async def before(self, moment: datetime) -> int:
        """The number behind which the first record from `moment` on stands; that of the last where there is none."""
        ...

    async def forget(self, person: str) -> int:
        """Erase the details of every record that names this person; how many there were."""
        ...


def seal_of(details: AuditDetails) -> str:
    """The digest of the details, in hex."""
    return _digest({**asdict(details), "counts": dict(details.counts)})


def digest_of(before: str, record: AuditRecord) -> str:
    """What the record's digest has to be behind a record whose digest is `before`, in hex."""
    at = utc(record.at).isoformat(timespec="microseconds")
    return _digest([before, record.number, at, record.kind.value, record.personal, record.seal])


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


# --- whether it stands ------------------------------------------------------------------------------------------------


class Fault(StrEnum):
    """What is wrong with a record."""

    MISSING = "missing"
    CHANGED = "changed"
    DETAILS_CHANGED = "details changed"
    DETAILS_GONE = "details gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a look at the chain found: how many `records`, of how many the details were `erased`, the number and digest
    of the last one, and the numbers of records with something wrong, the first twenty."""

    records: int
    erased: int
    last: int
    digest: str
    faults: tuple[tuple[int, Fault], ...]


async def verified(log: AuditLog, after: int = 0) -> Verdict:
    """Whether the chain stands behind the number `after`, which is taken as it is; a page at a time. That records are
    missing at its end only shows against a number and digest that were noted elsewhere. Raises StoreUnavailable."""
    trusted = await log.page(after - 1, 1) if after else []
    before = trusted[0].digest if trusted else GENESIS
    number, records, erased = after, 0, 0
    faults: list[tuple[int, Fault]] = [] if trusted or not after else [(after, Fault.MISSING)]
    while page := await log.page(number, _PAGE):
        for record in page:
            faults += _faults(number, before, record)
            erased += record.details is None
            number, before = record.number, record.digest
        records += len(page)
    return Verdict(records=records, erased=erased, last=number, digest=before, faults=tuple(faults[:_MOST_FAULTS]))


def _faults(last: int, before: str, record: AuditRecord) -> list[tuple[int, Fault]]:
    found: list[tuple[int, Fault]] = []
    if record.number != last + 1:
        found.append((last + 1, Fault.MISSING))
    elif record.digest != digest_of(before, record):
        found.append((record.number, Fault.CHANGED))
    if record.details is None:
        if not record.personal:
            found.append((record.number, Fault.DETAILS_GONE))
    elif seal_of(record.details) != record.seal or (record.details.person is not None) != record.personal:
        found.append((record.number, Fault.DETAILS_CHANGED))
    return found
