"""The port `AuditLog`, on every backend: one chain whoever writes, and it stands when a person is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, text, update

from memory.audit_log import AuditEntry, AuditKind, AuditLog, AuditRecord, Fault, Verdict, verified
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver
from memory.stores.sql import SqlStore, open_store
from memory.stores.tables_audit import audit, audit_details
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, opened, place


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


@pytest.fixture
def log(store: Store) -> AuditLog:
    return store.audit


def entry(minutes: float = 0, *, person: str | None = "sato", kind: AuditKind = AuditKind.ANSWERED) -> AuditEntry:
    return AuditEntry(
        kind=kind,
        at=NOON + timedelta(minutes=minutes),
        person=person,
        about=("T1",),
        sources=("T2", "T3"),
        counts={"messages": 3},
    )


def shown(record: AuditRecord) -> AuditEntry:
    assert record.details is not None
    return AuditEntry(
        kind=record.kind,
        at=record.at,
        person=record.details.person,
        about=record.details.about,
        sources=record.details.sources,
        counts=record.details.counts,
    )


async def test_an_empty_log_stands(log: AuditLog) -> None:
    assert await verified(log) == Verdict(records=0, erased=0, last=0, digest="0" * 64, faults=())
    assert await log.page(0, 10) == []
    assert await log.before(NOON) == 0


async def test_entries_come_back_as_they_were_in_order(log: AuditLog) -> None:
    entries = [entry(3), entry(1, person=None), entry(2, kind=AuditKind.CONFIG_CHANGED)]
    for one in entries:
        await log.append(one)
    records = await log.page(0, 10)
    assert [record.number for record in records] == [1, 2, 3]
    assert [shown(record) for record in records] == entries
    assert await log.page(1, 1) == [records[1]]
    verdict = await verified(log)
    assert (verdict.records, verdict.erased, verdict.last, verdict.faults) == (3, 0, 3, ())
    assert verdict.digest == records[2].digest


async def test_what_no_database_can_hold_is_kept_and_stands(log: AuditLog) -> None:
    await log.append(replace(entry(), person="sa\x00to", about=("\ud800",)))
    [record] = await log.page(0, 10)
    assert shown(record).person == "sa\ufffdto"
    assert (await verified(log)).faults == ()


async def test_the_newest_since_a_moment_and_where_they_begin(log: AuditLog) -> None:
    for minutes in range(5):
        await log.append(entry(minutes))
    assert [record.number for record in await log.newest(NOON + timedelta(minutes=1), 3)] == [3, 4, 5]
    assert [record.number for record in await log.newest(NOON + timedelta(minutes=4), 3)] == [5]
    assert await log.newest(NOON, 0) == []
    assert await log.before(NOON + timedelta(minutes=2)) == 2
    assert await log.before(NOON + timedelta(minutes=9)) == 5
    assert (await verified(log, after=2)).records == 3


async def test_the_chain_stands_when_a_person_is_forgotten(log: AuditLog) -> None:
    for person in ("sato", "mori", None, "sato"):
        await log.append(entry(person=person))
    before = await log.page(0, 10)
    assert await log.forget("sato") == 2
    assert await log.forget("sato") == 0
    records = await log.page(0, 10)
    assert [record.details is None for record in records] == [True, False, False, True]
    assert [record.digest for record in records] == [record.digest for record in before]
    verdict = await verified(log)
    assert (verdict.records, verdict.erased, verdict.faults) == (4, 2, ())
    await log.append(entry())
    assert (await verified(log)).faults == ()


async def test_the_same_entry_has_another_seal_each_time(log: AuditLog) -> None:
    """So nobody can try out who was meant once the details are gone."""
    for _ in range(2):
        await log.append(entry())
    one, other = await log.page(0, 10)
    assert one.seal != other.seal


async def test_many_at_once_make_one_chain(log: AuditLog) -> None:
    await asyncio.gather(*(log.append(entry(minutes)) for minutes in range(40)))
    assert [record.number for record in await log.page(0, 100)] == list(range(1, 41))
    assert (await verified(log)).faults == ()


async def test_more_than_a_page_is_verified(log: AuditLog) -> None:
    for minutes in range(0, 520, 20):
        await asyncio.gather(*(log.append(entry(minutes)) for _ in range(20)))
    assert (await verified(log)).records == 520


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
async def test_stores_that_are_open_beside_each_other_keep_one_chain(backend: str, tmp_path: Path) -> None:
    """As processes are: each with connections of its own."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(place(backend, tmp_path))
        stores = [await stack.enter_async_context(open_store(url, busy_seconds=20, clock=Watch())) for _ in range(3)]
        await asyncio.gather(*(store.audit.append(entry(minutes)) for minutes in range(10) for store in stores))
        verdict = await verified(stores[0].audit)
        assert (verdict.records, verdict.faults) == (30, ())


# --- with the ledger --------------------------------------------------------------------------------------------------


def question() -> AnsweredQuestion:
    return AnsweredQuestion(
        asked_at=NOON,
        mode="direct",
        abstained=False,
        episodes_read=1,
        assistant=TokenUse(),
        master=TokenUse(),
        full_context_tokens=0,
        milliseconds={},
    )


async def test_what_an_answer_stands_on_is_appended_with_what_it_cost(store: Store) -> None:
    await store.ledger.add(question(), entry())
    await store.ledger.add(question())
    assert len(await store.ledger.since(NOON)) == 2
    assert [shown(record) for record in await store.audit.page(0, 10)] == [entry()]


async def test_a_request_that_goes_to_a_person_is_appended_once(store: Store) -> None:
    for minutes in (0, 1):
        request = HandedOver(turn="T1", conversation="C1", at=NOON + timedelta(minutes=minutes))
        await store.ledger.note_handed_over(request, entry(minutes, kind=AuditKind.HANDED_OVER))
    assert len(await store.ledger.handed_over_since(NOON)) == 1
    assert [shown(record) for record in await store.audit.page(0, 10)] == [entry(kind=AuditKind.HANDED_OVER)]


# --- what somebody changes shows --------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlStore]:
    """With five entries, of which the second names nobody."""
    async with opened(request.param, tmp_path, Watch()) as store:
        assert isinstance(store, SqlStore)
        for number in range(1, 6):
            await store.audit.append(entry(number, person=None if number == 2 else "sato"))
        yield store


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (update(audit).where(audit.c.number == 3).values(kind="pinned"), [(3, Fault.CHANGED)]),
        (
            update(audit).where(audit.c.number == 3).values(at=NOON),
            [(3, Fault.CHANGED)],
        ),
        (
            update(audit).where(audit.c.number == 2).values(personal=True),
            [(2, Fault.CHANGED), (2, Fault.DETAILS_CHANGED)],
        ),
        (delete(audit).where(audit.c.number == 3), [(3, Fault.MISSING)]),
        (delete(audit).where(audit.c.number == 1), [(1, Fault.MISSING)]),
        (update(audit_details).where(audit_details.c.number == 4).values(person="mori"), [(4, Fault.DETAILS_CHANGED)]),
        (update(audit_details).where(audit_details.c.number == 4).values(counts={}), [(4, Fault.DETAILS_CHANGED)]),
        (delete(audit_details).where(audit_details.c.number == 2), [(2, Fault.DETAILS_GONE)]),
    ],
)
async def test_a_change_by_hand_is_found(database: SqlStore, change: object, faults: list[tuple[int, Fault]]) -> None:
    assert (await verified(database.audit)).faults == ()
    async with database.database.writing() as connection:
        await connection.execute(change)  # type: ignore[call-overload]
    assert list((await verified(database.audit)).faults) == faults


async def test_what_is_cut_off_at_the_end_shows_against_the_last_number(database: SqlStore) -> None:
    before = await verified(database.audit)
    async with database.database.writing() as connection:
        await connection.execute(text("DELETE FROM audit WHERE number = 5"))
    after = await verified(database.audit)
    assert after.faults == ()
    assert (after.last, before.last) == (4, 5)
    assert (await verified(database.audit, after=5)).faults == ((5, Fault.MISSING),)
