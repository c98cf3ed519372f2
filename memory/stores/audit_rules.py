"""How an entry of the audit log becomes the record behind the last one, in every store."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_hex

from memory.audit_log import AuditDetails, AuditEntry, AuditRecord, digest_of, seal_of
from memory.stores.words import storable

_SALT_BYTES = 16


def following(number: int, digest: str, entry: AuditEntry) -> AuditRecord:
    """The record behind the one with this number and digest."""
    details = AuditDetails(
        salt=token_hex(_SALT_BYTES),
        person=None if entry.person is None else storable(entry.person),
        about=tuple(map(storable, entry.about)),
        sources=tuple(map(storable, entry.sources)),
        counts={storable(name): count for name, count in entry.counts.items()},
    )
    record = AuditRecord(
        number=number + 1,
        at=entry.at,
        kind=entry.kind,
        personal=entry.person is not None,
        seal=seal_of(details),
        digest="",
        details=details,
    )
    return replace(record, digest=digest_of(digest, record))
