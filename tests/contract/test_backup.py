"""A backup put back, from either database into either: everything is there, what was erased since is not, and what does
not fit changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from memory.audit_log import AuditEntry, AuditKind, verified
from memory.errors import BackupNewer, BackupUnusable, StoreFilled, StoreInUse, StoreNewer, UnderHold
from memory.feedback import Feedback, Tally
from memory.holds import Hold
from memory.knowledge.articles import PLATFORM, place_of
from memory.knowledge.shelf import Shelved
from memory.model import Role, Turn, Viewer, reply_message
from memory.ports import Recorded
from memory.remember.reports import Progress, nobody
from memory.stores.archive import FORMAT, Manifest, reading, writing
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_backup import back_up
from memory.stores.sql_erasures import CarriedOver
from memory.stores.sql_restore import Allowed, Restored, There, check, look, restore
from memory.stores.sql_schema import VERSION_TABLE, known_revisions
from tests.fakes import postgres
from tests.fakes.folders import contents
from tests.fakes.forgetting import forget_in
from tests.fakes.old_database import migrated_to, rows_in, walked
from tests.fakes.old_rows import Row
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch, place

SQL = ("sqlite", "postgresql")
AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=1)
REPLACE = Allowed(replace=True, person="abe")

SECRET = "ZX-7731"
ASKED = turn(1, f"The printer shows {SECRET}", title="Printer", status="open")
REPLY = turn(reply_message("1"), f"{SECRET} is not known", author="helpdesk", role=Role.BOT, derived=True, minutes=1)
HELPED = turn(2, "Please restart it", author="kato", role=Role.AGENT, minutes=2)
MORIS = turn(1, "My screen flickers", thread="INC-2", ticket="INC-2", author="mori", requester="mori")
ALL = [ASKED, REPLY, HELPED, MORIS]


@asynccontextmanager
async def new(backend: str, folder: Path, name: str = "one") -> AsyncIterator[str]:
    """The address of a database that nobody has opened yet."""
    if backend == "sqlite":
        yield f"sqlite:///{folder / name}.db"
        return
    postgres.require()
    async with postgres.database() as url:
        yield url


@pytest.fixture(params=SQL)
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database with nothing in it."""
    async with place(request.param, tmp_path) as url:
        yield url


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[str]:
    """The same, of a file: where no database does it in a way of its own."""
    async with place("sqlite", tmp_path) as url:
        yield url


def opened(url: str) -> Any:
    return open_store(url, busy_seconds=10, clock=Watch())


async def backed_up(url: str, path: Path) -> Manifest:
    return await back_up(url, path, busy_seconds=10, program="0.1.0", now=LATER, watcher=nobody)


async def put_back(url: str, path: Path, allowed: Allowed = Allowed(), *, seconds: float = 10) -> Restored:  # noqa: B008
    with reading(path) as archive:
        check(archive, nobody)
        return await restore(url, archive, busy_seconds=seconds, allowed=allowed, now=LATER, watcher=nobody)


# --- there and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite"), ("postgresql", "postgresql")]
)
async def test_every_row_is_the_same_in_another_database(source: str, target: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(new(source, tmp_path, "one"))
        other = await stack.enter_async_context(new(target, tmp_path, "other"))
        made = await walked(one, known_revisions()[-2:])
        manifest = await backed_up(one, tmp_path / "b.zip")
        assert (manifest.revision, manifest.database) == (known_revisions()[-1], source)
        assert {part.name: part.rows for part in manifest.tables} == {
            name: len(rows) for name, rows in made.items() if name != "leases"
        }
        assert await put_back(other, tmp_path / "b.zip") == Restored(knew=False, carried=CarriedOver(), waiting=0)
        await same(one, other)
        async with opened(other) as store:
            assert await store.ledger.rebuilt() == 0, "the index is to be written anew"
            assert await store.writing.record([turn(1, thread="INC-0")]) == Recorded(new=1)


async def same(one: str, other: str) -> None:
    """All rows but who was at work, that everything waits for the index, and that somebody restored it."""
    was, now = await rows_in(one), await rows_in(other)
    assert now["leases"] == []
    assert [row["kind"] for row in now["audit"]][len(was["audit"]) :] == ["restored"]
    for name in was.keys() - {"leases", "rebuilds", "turns", "audit", "audit_details"}:
        assert now[name] == was[name], name
    for name in ("audit", "audit_details"):
        assert now[name][: len(was[name])] == was[name]
    assert now["turns"] == [{**row, "pending": True} for row in was["turns"]]


@pytest.mark.parametrize(("revision", "target"), [("0002", "sqlite"), ("0014", "postgresql")])
async def test_a_backup_of_an_older_version_is_brought_up_to_date(revision: str, target: str, tmp_path: Path) -> None:
    async with new(target, tmp_path, "one") as url:
        await older(revision, url, tmp_path)


async def older(revision: str, url: str, tmp_path: Path) -> None:
    old = f"sqlite:///{tmp_path / 'old.db'}"
    await walked(old, [revision])
    assert (await backed_up(old, tmp_path / "b.zip")).revision == revision
    await put_back(url, tmp_path / "b.zip")
    async with opened(old):
        pass
    was, now = await rows_in(old), await rows_in(url)
    # Each has made one for itself, as neither had one.
    assert [row["name"] for row in was["redaction_keys"]][-1] == "placeholders"
    left_out = {"leases", "rebuilds", "turns", "audit", "audit_details", "redaction_keys"}
    assert {name: now[name] for name in was.keys() - left_out} == {name: was[name] for name in was.keys() - left_out}
    assert now["turns"] == [{**row, "pending": True} for row in was["turns"]]


async def test_progress_ends_with_all_rows(file: str, tmp_path: Path) -> None:
    told = list[Progress]()
    async with opened(file) as store:
        await store.writing.record(ALL)
    made = await back_up(file, tmp_path / "b.zip", busy_seconds=10, program="0.1.0", now=LATER, watcher=told.append)
    assert told[-1] == Progress(done=made.rows, total=made.rows)
    assert made.rows_of("turns") == len(ALL)


# --- what was erased since --------------------------------------------------------------------------------------------


async def fill(store: SqlStore) -> None:
    """Something is said, answered and called helpful."""
    await store.writing.record(ALL)
    for person in ("sato", "mori"):
        await store.feedback.give(Feedback(turn=ASKED.id, author=person, helpful=True, at=NOON))
        await store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=NOON, person=person, sources=(ASKED.id,)))


async def there(store: SqlStore) -> list[Turn]:
    return await store.reading.turns([one.id for one in ALL], AGENT, LATER)


async def test_who_was_forgotten_since_stays_forgotten(url: str, tmp_path: Path) -> None:
    async with opened(url) as store:
        await fill(store)
    await backed_up(url, tmp_path / "b.zip")
    async with opened(url) as store:
        await forget_in(store, Watch())("sato")
        await store.writing.record([turn(5, "Said since", thread="INC-5", author="mori")])
    done = await put_back(url, tmp_path / "b.zip", REPLACE)
    assert done == Restored(knew=True, carried=CarriedOver(messages=2, people=1), waiting=0)
    assert not any(SECRET in repr(rows) for rows in (await rows_in(url)).values())
    async with opened(url) as store:
        assert [one.id for one in await there(store)] == [HELPED.id, MORIS.id]
        assert await store.feedback.tally(NOON) == Tally(helpful=1)
        assert await store.writing.record([ASKED]) == Recorded(repeated=1), "a late delivery brings nothing"
        records = await store.audit.page(0, 10)
        assert [(one.kind, one.details and one.details.person) for one in records] == [
            (AuditKind.ANSWERED, None),
            (AuditKind.ANSWERED, "mori"),
            (AuditKind.RESTORED, "abe"),
        ]
        assert records[-1].details is not None
        # Four messages, two tickets, two votes, two entries with their details, and the key of the placeholders.
        assert records[-1].details.counts == {"rows": 13, "erased": 2, "forgotten": 1}
        verdict = await verified(store.audit)
        assert (verdict.faults, verdict.erased) == ((), 1)


async def test_what_was_forgotten_since_is_in_no_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    url = f"sqlite:///{data / 'one.db'}"
    async with opened(url) as store:
        await fill(store)
    await backed_up(url, tmp_path / "b.zip")
    async with opened(url) as store:
        await forget_in(store, Watch())("sato")
    await put_back(url, tmp_path / "b.zip", REPLACE)
    assert [path.name for path in sorted(data.iterdir()) if SECRET.encode() in contents(path)] == []


async def test_one_message_that_was_taken_back_since_stays_so_and_the_rest_comes_back(url: str, tmp_path: Path) -> None:
    async with opened(url) as store:
        await fill(store)
    await backed_up(url, tmp_path / "b.zip")
    async with opened(url) as store:
        await store.mailbox.withdraw(MORIS.id)
        await store.writing.record([replace(HELPED, text="Please turn it off")])
    done = await put_back(url, tmp_path / "b.zip", REPLACE)
    assert done.carried == CarriedOver(messages=1)
    async with opened(url) as store:
        assert [(one.id, one.text) for one in await there(store)] == [(one.id, one.text) for one in ALL[:-1]]


async def test_what_was_destroyed_under_a_hold_since_is_not_kept_again(url: str, tmp_path: Path) -> None:
    async with opened(url) as store:
        await fill(store)
        for one in (ASKED, MORIS):
            await store.holds.put(Hold(conversation=one.conversation.id, name=one.ticket or "", who="abe", at=NOON))
    await backed_up(url, tmp_path / "b.zip")
    async with opened(url) as store:
        for one in (ASKED, MORIS):
            await store.mailbox.withdraw(one.id)
        await store.holds.destroy([ASKED.id])
    await put_back(url, tmp_path / "b.zip", replace_all())
    async with opened(url) as store:
        assert await store.holds.kept(ASKED.conversation.id) == []
        assert [one.text for one in await store.holds.kept(MORIS.conversation.id)] == [MORIS.text]


def replace_all() -> Allowed:
    return replace(REPLACE, despite_hold=True)


async def test_sections_that_left_an_article_since_are_there_again_until_it_is_looked_at(
    file: str, tmp_path: Path
) -> None:
    said = replace(turn("start", ticket=None), conversation=place_of("it", "vpn.md"))
    article = Shelved(
        collection="it", path="vpn.md", title="VPN", digest="d", edition=1, sections=("start",), gone=(), at=NOON
    )
    assert said.conversation.platform == PLATFORM
    async with opened(file) as store:
        await store.writing.record([said])
        await store.shelf.shelve([article])
    await backed_up(file, tmp_path / "b.zip")
    async with opened(file) as store:
        await store.mailbox.withdraw(said.id)
        await store.shelf.shelve([replace(article, sections=(), gone=("start",))])
    assert (await put_back(file, tmp_path / "b.zip", REPLACE)).carried == CarriedOver()
    async with opened(file) as store:
        assert [one.id for one in await store.reading.turns([said.id], AGENT, LATER)] == [said.id]
        assert await store.shelf.shelved() == [article]


async def test_a_database_of_another_past_is_not_said_to_know_of_erasures(file: str, tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path / 'first.db'}") as store:
        await fill(store)
    await backed_up(f"sqlite:///{tmp_path / 'first.db'}", tmp_path / "b.zip")
    async with opened(file) as store:
        await fill(store)
        await store.mailbox.withdraw(MORIS.id)
    done = await put_back(file, tmp_path / "b.zip", REPLACE)
    assert (done.knew, done.carried) == (False, CarriedOver(messages=1))


# --- refused ----------------------------------------------------------------------------------------------------------


@pytest.fixture
async def full(url: str, tmp_path: Path) -> Mapping[str, list[Row]]:
    """What is in the database: it was backed up, then something was said, and a conversation put under hold."""
    async with opened(url) as store:
        await fill(store)
    await backed_up(url, tmp_path / "b.zip")
    async with opened(url) as store:
        await store.mailbox.receive(turn(9, "Said since", thread="INC-9"))
        await store.holds.put(Hold(conversation=ASKED.conversation.id, name="INC-1", who="abe", at=NOON))
    return await rows_in(url)


async def test_what_is_there_is_destroyed_by_an_explicit_word_only(
    url: str, full: Mapping[str, list[Row]], tmp_path: Path
) -> None:
    with pytest.raises(StoreFilled, match="5 messages"):
        await put_back(url, tmp_path / "b.zip")
    with pytest.raises(UnderHold, match="INC-1"):
        await put_back(url, tmp_path / "b.zip", REPLACE)
    assert await rows_in(url) == full
    assert await look(url, busy_seconds=10) == There(
        rows=sum(len(rows) for name, rows in full.items() if name not in ("redaction_keys", "leases")),
        messages=5,
        holds=("INC-1",),
    )
    assert await rows_in(url) == full


async def test_what_waited_for_a_reply_waits_again(url: str, full: Mapping[str, list[Row]], tmp_path: Path) -> None:
    await backed_up(url, tmp_path / "later.zip")
    assert (await put_back(url, tmp_path / "later.zip", replace_all())).waiting == 1
    async with opened(url) as store:
        assert len(await store.mailbox.waiting("import", 10)) == 1


def empty_archive(path: Path, revision: str) -> Path:
    with writing(path) as archive:
        archive.seal(
            Manifest(
                format=FORMAT,
                program="7.0.0",
                revision=revision,
                database="sqlite",
                made_at=NOON,
                audited=None,
                tables=(),
            )
        )
    return path


async def test_a_backup_of_a_newer_schema_names_the_version_to_install(tmp_path: Path) -> None:
    with pytest.raises(BackupNewer, match=r"version 7\.0\.0"):
        await put_back(f"sqlite:///{tmp_path / 'new.db'}", empty_archive(tmp_path / "b.zip", "9999"))


async def test_a_backup_without_the_tables_of_its_version_changes_nothing(
    url: str, full: Mapping[str, list[Row]], tmp_path: Path
) -> None:
    with pytest.raises(BackupUnusable, match="tables"):
        await put_back(url, empty_archive(tmp_path / "e.zip", known_revisions()[-1]), replace_all())
    assert await rows_in(url) == full


async def test_a_database_of_a_newer_program_is_left_alone(file: str, tmp_path: Path) -> None:
    empty_archive(tmp_path / "b.zip", "0001")
    async with opened(file):
        pass
    database = (await rows_in(file)).keys()
    await migrated_to(file, "head", [text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")])
    with pytest.raises(StoreNewer, match="empty database"):
        await put_back(file, tmp_path / "b.zip", REPLACE)
    assert (await rows_in(file)).keys() == database


async def test_a_look_makes_no_database(tmp_path: Path) -> None:
    assert await look(f"sqlite:///{tmp_path / 'new.db'}", busy_seconds=10) == There()
    assert list(tmp_path.iterdir()) == []


async def test_on_postgresql_nobody_else_may_have_the_database_open(tmp_path: Path) -> None:
    async with place("postgresql", tmp_path) as url:
        async with opened(url) as store:
            await fill(store)
        await backed_up(url, tmp_path / "b.zip")
        async with opened(url) as store:
            assert len(await there(store)) == len(ALL)
            with pytest.raises(StoreInUse):
                await put_back(url, tmp_path / "b.zip", REPLACE, seconds=0.1)
        await put_back(url, tmp_path / "b.zip", REPLACE)
