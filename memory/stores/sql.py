"""One open SQL database with all the ports of a store on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from config.redaction import RedactionSettings
from memory.ports import Clock
from memory.redaction import redactor_of
from memory.stores.sql_acts import SqlActBox
from memory.stores.sql_audit import SqlAuditLog
from memory.stores.sql_deliveries import SqlDeliveries
from memory.stores.sql_engine import Database, address, connect
from memory.stores.sql_fact_reading import SqlFactReading
from memory.stores.sql_fact_writing import SqlFactWriting
from memory.stores.sql_feedback import SqlFeedback
from memory.stores.sql_followers import SqlFollowers
from memory.stores.sql_holds import SqlHolds
from memory.stores.sql_inbox import Inbox
from memory.stores.sql_incidents import SqlIncidents
from memory.stores.sql_inspection import SqlInspection
from memory.stores.sql_leases import SqlLeases
from memory.stores.sql_ledger import SqlLedger
from memory.stores.sql_lines import SqlLines
from memory.stores.sql_mailbox import SqlMailbox
from memory.stores.sql_membership import SqlMembership
from memory.stores.sql_personal import SqlPersonal
from memory.stores.sql_reading import SqlReading
from memory.stores.sql_recording import record
from memory.stores.sql_redaction import placeholder_key
from memory.stores.sql_schema import prepare
from memory.stores.sql_shelf import SqlShelf
from memory.stores.sql_ticket_reading import SqlTicketReading
from memory.stores.sql_ticket_writing import SqlTicketWriting
from memory.stores.sql_vault import SqlVault
from memory.stores.sql_writing import SqlWriting
from memory.text.redact import Finder, Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlStore:
    """All ports of a store over one database."""

    database: Database
    reading: SqlReading
    writing: SqlWriting
    mailbox: SqlMailbox
    membership: SqlMembership
    leases: SqlLeases
    ledger: SqlLedger
    facts: SqlFactReading
    fact_writing: SqlFactWriting
    personal: SqlPersonal
    feedback: SqlFeedback
    vault: SqlVault
    acts: SqlActBox
    redactor: Redactor
    shelf: SqlShelf
    tickets: SqlTicketReading
    ticket_writing: SqlTicketWriting
    incidents: SqlIncidents
    lines: SqlLines
    audit: SqlAuditLog
    inspection: SqlInspection
    holds: SqlHolds
    deliveries: SqlDeliveries
    followers: SqlFollowers


@asynccontextmanager
async def open_store(
    url: str,
    *,
    busy_seconds: float,
    clock: Clock,
    redaction: RedactionSettings | None = None,
    slow_finders: Mapping[str, Finder] | None = None,
    tracked: bool = False,
) -> AsyncIterator[SqlStore]:
    """Open the database at `url` (sqlite:///file or postgresql://…), migrate it, and close it again.

    `busy_seconds` is how long a connection, a lock or a place in the queue is waited for, `redaction` what is taken out
    of words before they are written (without it everything that is known as a secret), with what `slow_finders` find;
    `tracked`: changes of tickets are owed to an outside tracker. Raises ConfigInvalid for an address that cannot be
    used, StoreForeign, StoreNewer and StoreUnavailable.
    """
    database = connect(address(url), busy_seconds)
    try:
        await prepare(database)
        redactor = redactor_of(redaction or RedactionSettings(), await placeholder_key(database), slow_finders)
        inbox, ledger = Inbox(partial(record, database), busy_seconds), SqlLedger(database)
        try:
            yield _store(database, inbox, ledger, clock=clock, redactor=redactor, tracked=tracked)
        finally:
            await ledger.settle()
            await inbox.close()
    finally:
        await database.close()


def _store(
    database: Database, inbox: Inbox, ledger: SqlLedger, *, clock: Clock, redactor: Redactor, tracked: bool
) -> SqlStore:
    return SqlStore(
        database=database,
        reading=SqlReading(database),
        writing=SqlWriting(database, inbox, clock, redactor, tracked=tracked),
        mailbox=SqlMailbox(database, inbox, clock, redactor, tracked=tracked),
        membership=SqlMembership(database),
        leases=SqlLeases(database),
        ledger=ledger,
        facts=SqlFactReading(database),
        fact_writing=SqlFactWriting(database),
        personal=SqlPersonal(database),
        feedback=SqlFeedback(database),
        vault=SqlVault(database),
        acts=SqlActBox(database, redactor),
        redactor=redactor,
        shelf=SqlShelf(database),
        tickets=SqlTicketReading(database),
        ticket_writing=SqlTicketWriting(database, clock, redactor, tracked=tracked),
        incidents=SqlIncidents(database),
        lines=SqlLines(database),
        audit=SqlAuditLog(database),
        holds=SqlHolds(database),
        deliveries=SqlDeliveries(database),
        followers=SqlFollowers(database),
        inspection=SqlInspection(database, redactor),
    )
