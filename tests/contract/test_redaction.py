"""No store keeps a secret, whichever way a turn comes in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model import Turn, Viewer
from memory.stores.sql import open_store
from memory.tickets import Draft
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened, place

LATER = NOON + timedelta(days=1)
SATO = Viewer(user="sato")
SAID = turn(1, "パスワードは hunter2 です", title="PW: hunter2", status="PIN 4821")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def kept(store: Store) -> Turn:
    [turn] = await store.reading.turns([SAID.id], SATO, LATER)
    return turn


async def test_a_recorded_turn_has_no_secret_in_words_title_and_status(store: Store) -> None:
    await store.writing.record([SAID])
    hunter2, pin = store.redactor.redact("PW: hunter2").text[4:], store.redactor.redact("PIN 4821").text[4:]
    assert await kept(store) == replace(
        SAID, text=f"パスワードは {hunter2} です", title=f"PW: {hunter2}", status=f"PIN {pin}"
    )


async def test_a_received_turn_has_none_either(store: Store) -> None:
    await store.mailbox.receive(SAID)
    found = await kept(store)
    assert "hunter2" not in f"{found.text}{found.title}"
    assert store.redactor.kinds_in(found.text) == ("password",)


async def test_a_message_that_is_told_again_is_a_repeat_and_an_edit_has_no_secret(store: Store) -> None:
    await store.mailbox.receive(SAID)
    assert (await store.mailbox.receive(SAID)).repeated == 1
    assert (await store.writing.record([SAID])).repeated == 1
    assert (await store.writing.record([replace(SAID, text="パスワードは hunter3 です")])).revised == 1
    assert "hunter3" not in (await kept(store)).text


async def test_a_long_message_is_redacted_like_a_short_one(store: Store) -> None:
    await store.writing.record([replace(SAID, text="はい。" * 3000 + "\nパスワードは hunter2 です")])
    assert "hunter2" not in (await kept(store)).text


@pytest.mark.parametrize("backend", BACKENDS[1:])
async def test_all_processes_over_one_database_make_the_same_placeholders(backend: str, tmp_path: Path) -> None:
    said = "パスワードは hunter2 です"
    async with place(backend, tmp_path) as url:
        async with (
            open_store(url, busy_seconds=20, clock=Watch()) as one,
            open_store(url, busy_seconds=20, clock=Watch()) as other,
        ):
            made = {store.redactor.redact(said).text for store in (one, other)}
        async with open_store(url, busy_seconds=20, clock=Watch()) as later:
            assert {later.redactor.redact(said).text} == made


async def test_a_ticket_is_opened_and_changed_without_secrets(store: Store) -> None:
    asked = replace(SAID, ticket=None, title=None, status=None)
    await store.mailbox.receive(asked)
    opening = replace(asked, message="1-ticket", text="PW: hunter2")
    name = await store.ticket_writing.open(Draft(turn=asked.id, title="PW: hunter2"), opening, "HD")
    [ticket] = await store.tickets.named([name], SATO)
    change = replace(asked, message="2", text="パスワードは hunter2 です", status="resolved", ticket=None)
    await store.ticket_writing.change(
        name, ticket.changes, replace(change, said_at=change.said_at + timedelta(hours=1))
    )
    told = await store.tickets.history(name, SATO)
    assert len(told) >= 2
    assert "hunter2" not in f"{told}{await store.tickets.named([name], SATO)}"
    assert "[password-" in ticket.title
