"""Conversations that are taken up into the memory at once: beside the schedule, and left to it where that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.application import Application
from bot.remembering import remembering
from memory.model import Conversation
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.slack_acts import idle
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

HERE = Conversation(platform="slack", workspace="T1", channel="C1", thread="1.0")
THERE = replace(HERE, thread="2.0")


async def application(data: Path, store: InMemoryStore | None = None) -> Application:
    """Two conversations in which something was said a moment ago."""
    app = small_application(data, lambda: NOON, store=store)
    said = [replace(turn("1"), conversation=place, said_at=NOON) for place in (HERE, THERE)]
    await app.store.writing.record(said)
    return app


async def pending(app: Application) -> Mapping[str, bool]:
    """Which conversations wait to be taken up."""
    return {place.thread: bool(await app.store.writing.open_run(place.id)) for place in (HERE, THERE)}


async def test_a_conversation_is_taken_up_at_once_and_others_wait_for_the_schedule(tmp_path: Path) -> None:
    app = await application(tmp_path)
    async with remembering(app, finish_seconds=10) as soon:
        soon(HERE.id)
        await idle()
    assert await pending(app) == {"1.0": False, "2.0": True}


async def test_while_another_process_is_at_the_index_it_is_left_alone_and_the_schedule_does_it(tmp_path: Path) -> None:
    app = await application(tmp_path)
    await app.store.leases.acquire("flush", "another process", NOON, 60)
    async with remembering(app, finish_seconds=10) as soon:
        soon(HERE.id)
    assert await pending(app) == {"1.0": True, "2.0": True}
    await app.store.leases.release("flush", "another process")
    await app.jobs.run("flush")
    assert await pending(app) == {"1.0": False, "2.0": False}


async def test_what_a_dying_process_did_not_take_up_the_schedule_does_when_it_is_due(tmp_path: Path) -> None:
    store = InMemoryStore(clock=lambda: NOON)
    app = await application(tmp_path, store)
    async with remembering(app, finish_seconds=0) as soon:
        soon(HERE.id)
    assert await pending(app) == {"1.0": True, "2.0": True}
    two_hours_later = small_application(tmp_path, lambda: NOON + timedelta(hours=2), store=store)
    await two_hours_later.jobs.scheduled("flush")
    assert await pending(app) == {"1.0": False, "2.0": False}
