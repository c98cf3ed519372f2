"""Erased for good: by person, conversation, ticket and message; verified in the raw files, and against legal holds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.platforms import changes_over, own_records_over
from bot.telling import unheard
from bot.use_cases import perform
from handlers.acts.own import OwnRecords
from handlers.wording_acts import ENGLISH
from memory.errors import NothingFound, UnderHold
from memory.feedback import Feedback
from memory.model import Role, Viewer, reply_message
from tests.fakes.facts import event, fact, link
from tests.fakes.folders import contents
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import NOON, turn

#: In the words that go, in either script, and in nothing else.
WORDS = ("ZX-7731", "浮遊檻")
SAID = f"The machine shows {WORDS[0]} beside {WORDS[1]}"
ASKED = turn(1, SAID, title=f"{WORDS[0]} on the machine", status="open")
REPLY = turn(reply_message("1"), f"{WORDS[0]}?", author="helpdesk", role=Role.BOT, derived=True, minutes=1)
HELPED = turn(2, "Please restart it", author="kato", role=Role.AGENT, status="resolved", minutes=2)
OTHER = turn(1, "The screen E-4711 flickers", thread="INC-2", ticket="INC-2", author="mori", requester="mori")
LATER = NOON + timedelta(days=9)
AGENT = Viewer(user="kato", agent=True)


@asynccontextmanager
async def filled(folder: Path, house: str = "sqlite") -> AsyncIterator[Remembering]:
    """Said, edited, cut, noted, indexed, linked, answered from, called helpful, and by now also exported."""
    async with remembering(house, folder) as memory:
        store = memory.app.store
        await store.writing.record([replace(ASKED, text=f"{SAID}, I thnik")])
        await memory.remember(ASKED, REPLY, HELPED, OTHER)
        episodes = await store.writing.episodes_after(None, 9)
        machine = next(one.id for one in episodes if HELPED.id in {turn.id for turn in one.turns})
        screen = next(one.id for one in episodes if one.id != machine)
        made = [fact([ASKED, HELPED], WORDS[0], episode=machine)]
        await store.fact_writing.store_facts(machine, made, NOON)
        await store.fact_writing.store_event(replace(event("V1", made), summary=f"{WORDS[0]} {WORDS[1]}"))
        await store.fact_writing.store_links(screen, [replace(link(screen, machine), reason=f"both have {WORDS[1]}")])
        await store.feedback.give(Feedback(turn=ASKED.id, author="sato", helpful=False, at=NOON))
        await memory.answer(f"What is {WORDS[0]} on the machine?", "sato")
        await store.ledger.since(NOON)
        yield memory


async def forget(memory: Remembering, what: str, name: str, **more: Any) -> dict[str, Any]:
    given = {"what": what, "id": name, "by": "abe", "dry_run": False, **more}
    done = await perform(memory.app, "memory forget", given, unheard)
    assert done is not None
    return done


def files_with_words(folder: Path) -> list[str]:
    """Every file (database, its log, index, what encoders keep) that has one of the words, read raw."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(word.encode() in contents(path) for word in WORDS)
    ]


TARGETS = [("user", "sato"), ("conversation", "INC-1/2"), ("ticket", "INC-1"), ("message", "INC-1/1")]


@pytest.mark.parametrize(("what", "name"), TARGETS)
async def test_no_file_has_the_words_that_were_erased(what: str, name: str, tmp_path: Path) -> None:
    async with filled(tmp_path) as memory:
        assert files_with_words(tmp_path)
        await forget(memory, what, name)
        assert files_with_words(tmp_path) == []
        await memory.remember()
        exported = await perform(memory.app, "tickets export", {}, unheard)
        assert not any(word in repr(exported) for word in WORDS)
        assert files_with_words(tmp_path) == []
    assert files_with_words(tmp_path) == []


async def test_a_message_that_is_deleted_on_its_platform_is_in_no_file_once_the_log_is_emptied(tmp_path: Path) -> None:
    """SQLite empties its own log now and then; a command that erases does so at once."""
    async with filled(tmp_path) as memory:
        for one in (ASKED, REPLY):
            await changes_over(memory.app).deleted(one.conversation, one.message)
        await memory.app.store.inspection.scrub()
        assert files_with_words(tmp_path) == []


@pytest.mark.parametrize(
    ("what", "name", "left"),
    [
        ("user", "sato", [HELPED, OTHER]),
        ("conversation", "INC-1/2", [OTHER]),
        ("ticket", "INC-1", [OTHER]),
        ("message", "INC-1/1", [HELPED, OTHER]),
        ("message", HELPED.id, [ASKED, REPLY, OTHER]),
    ],
)
async def test_what_goes_and_what_stays(what: str, name: str, left: list[Any], tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        gone = [one.id for one in (ASKED, REPLY, HELPED, OTHER) if one not in left]
        await forget(memory, what, name)
        found = await memory.app.store.reading.turns([*gone, *(one.id for one in left)], AGENT, LATER)
        assert [one.id for one in found] == [one.id for one in left]
        await memory.app.store.writing.record([ASKED, REPLY, HELPED, OTHER])
        assert await memory.app.store.reading.turns(gone, AGENT, LATER) == []


@pytest.mark.parametrize(("what", "name"), TARGETS)
async def test_a_dry_run_says_what_would_go_and_changes_nothing(what: str, name: str, tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        before = await memory.stored()
        dry = await forget(memory, what, name, dry_run=True)
        assert await memory.stored() == before
        done = await forget(memory, what, name)
        assert (dry["dry_run"], done["dry_run"]) == (True, False)
        assert dry["messages"] == done["messages"] == {"conversation": 3, "ticket": 3}.get(what, 1)


async def test_the_audit_log_says_who_had_what_erased_and_nothing_of_the_person(tmp_path: Path) -> None:
    async with filled(tmp_path) as memory:
        await forget(memory, "user", "sato")
        await forget(memory, "ticket", "INC-1")
        records = await memory.app.store.audit.page(0, 10)
        told = [(one.kind.value, one.details and (one.details.person, one.details.about)) for one in records]
        assert told == [
            ("answered", None),
            ("forgetting", ("abe", ())),
            ("forgotten", ("abe", ())),
            ("forgetting", ("abe", ("INC-1",))),
            ("forgotten", ("abe", ("INC-1",))),
        ]
        assert [dict(one.details.counts) for one in records if one.details] == [
            {},
            {"messages": 1, "entries": 1, "held": 0},
            {},
            {"messages": 1, "entries": 0, "held": 0},
        ]
        done = await perform(memory.app, "audit verify", {}, unheard)
        assert done is not None
        assert (done["faults"], done["erased"]) == ([], 1)


async def test_an_administrator_who_erases_themselves_is_named_nowhere_in_the_audit_log(tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        await forget(memory, "user", "sato", by="sato")
        records = await memory.app.store.audit.page(0, 10)
        assert [one.details and one.details.person for one in records] == [None, None, None]


@pytest.mark.parametrize(("what", "name"), [("ticket", "INC-9"), ("message", "INC-1"), ("conversation", "x")])
async def test_what_is_not_there_or_not_one_message_is_said(what: str, name: str, tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        with pytest.raises(NothingFound):
            await forget(memory, what, name)
        assert (await memory.stored())["turns"] == 4


# --- under hold -------------------------------------------------------------------------------------------------------


async def held(memory: Remembering, name: str = "INC-1") -> None:
    assert await perform(memory.app, "holds add", {"id": name, "user": "abe"}, unheard) == {
        "conversations": 1,
        "new": 1,
    }


@pytest.mark.parametrize(("what", "name"), TARGETS)
async def test_an_erasure_passes_over_a_hold_only_by_an_explicit_word(what: str, name: str, tmp_path: Path) -> None:
    async with filled(tmp_path) as memory:
        await held(memory)
        with pytest.raises(UnderHold, match="INC-1"):
            await forget(memory, what, name)
        assert (await memory.stored())["turns"] == 4
        assert (await forget(memory, what, name, dry_run=True))["holds"] == ["INC-1"]
        done = await forget(memory, what, name, despite_hold=True)
        assert done["kept_versions_destroyed"] >= 2
        assert files_with_words(tmp_path) == []


async def test_what_people_take_back_under_hold_is_out_of_everybodys_sight_and_shown_to_the_keeper(
    tmp_path: Path,
) -> None:
    async with filled(tmp_path) as memory:
        await held(memory)
        await changes_over(memory.app).deleted(ASKED.conversation, ASKED.message)
        await memory.remember()
        for user in ("sato", "kato"):
            answered = repr(await memory.answer(f"{WORDS[0]} machine", user))
            assert not any(word in answered for word in WORDS)
        assert await memory.app.store.reading.turns([ASKED.id], AGENT, LATER) == []
        shown = await perform(memory.app, "holds show", {"id": "INC-1"}, unheard)
        assert shown is not None
        assert [one["text"] for one in shown["kept"]] == [f"{SAID}, I thnik", SAID]
        released = await perform(memory.app, "holds release", {"id": "INC-1", "user": "abe"}, unheard)
        assert released == {"conversations": 1, "destroyed": 2}
        await forget(memory, "message", "INC-1/1-reply")
        assert files_with_words(tmp_path) == []


async def test_who_forgets_themselves_hears_that_a_part_is_kept(tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        own: OwnRecords = own_records_over(memory.app)
        await held(memory)
        said = await own.forgotten("sato", ENGLISH)
        assert said == f"Deleted. Number of messages: 1. {ENGLISH.forgotten_held}"
        assert ENGLISH.forgotten_held not in await own.forgotten("mori", ENGLISH)


async def test_a_ticket_whose_message_was_forgotten_is_listed_by_its_name_and_leads_to_no_message(
    tmp_path: Path,
) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        await memory.app.store.mailbox.withdraw(ASKED.id)
        [left] = (await own_records_over(memory.app).of(Viewer(user="sato"), "")).requests
        assert (left.ticket, left.title, left.message) == ("INC-1", "INC-1", None)


async def test_retention_leaves_what_is_under_hold(tmp_path: Path) -> None:
    async with filled(tmp_path, "in-memory") as memory:
        await held(memory)
        memory.watch.now += timedelta(days=91)
        await memory.app.jobs.run("retention")
        listed = await perform(memory.app, "holds list", {}, unheard)
        assert listed is not None
        assert [(one["name"], one["who"], one["kept"]) for one in listed["holds"]] == [("INC-1", "abe", 0)]
        left = await memory.app.store.reading.turns([ASKED.id, OTHER.id], AGENT, memory.watch.now)
        assert [one.id for one in left] == [ASKED.id]
