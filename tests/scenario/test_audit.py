"""What the audit log tells of a running bot, and that it never has anybody's words."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.configured import configured
from bot.platforms import changes_over
from bot.reloading import Reloading
from bot.telling import unheard
from bot.use_cases import perform
from handlers.handover import CountedHandOver, Handed, Wanted
from memory.audit_log import AuditKind
from memory.errors import NothingFound, WrongUse
from memory.model import Viewer, turn_id
from tests.fakes.remembering import HOUSES, remembering
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, conversation, turn

ASKED = turn(1, "The badge reader E-4711 blinks red", minutes=0)
HELPED = turn(2, "Hold the badge to the reader E-4711 for five seconds", author="kato", minutes=1)


async def asked(app: Application, command: str, **arguments: Any) -> dict[str, Any]:
    found = await perform(app, command, arguments, unheard)
    assert found is not None
    return found


async def entries(app: Application, **arguments: Any) -> list[dict[str, Any]]:
    found = await asked(app, "audit list", **arguments)
    return [dict(entry) for entry in found["entries"]]


async def kinds(app: Application) -> list[tuple[str, str | None, list[str]]]:
    return [(entry["kind"], entry["person"], entry["about"]) for entry in await entries(app)]


@pytest.mark.parametrize("house", HOUSES)
async def test_an_answer_is_noted_by_the_turns_that_it_stands_on(house: str, tmp_path: Path) -> None:
    async with remembering(house, tmp_path) as memory:
        await memory.remember(ASKED, HELPED)
        answer = await memory.answer("What to do with the badge reader E-4711?", "mori")
        await memory.app.store.ledger.since(NOON)
        [entry] = await entries(memory.app)
        assert (entry["kind"], entry["person"]) == ("answered", "mori")
        assert entry["sources"]
        assert entry["sources"] == [turn for one in answer.cited for turn in one.turn_ids]
        everything = json.dumps([entry, await asked(memory.app, "audit verify")])
        assert "badge" not in everything
        assert "E-4711" not in everything


async def test_what_administrators_do_is_noted_with_who_and_with_what(tmp_path: Path) -> None:
    async with remembering("in-memory", tmp_path) as memory:
        app = memory.app
        await memory.remember(ASKED, HELPED)
        await asked(app, "memory pin", id="INC-1", user="okabe")
        await asked(app, "memory unpin", id="INC-1", user="okabe")
        with pytest.raises(NothingFound):
            await perform(app, "memory pin", {"id": "INC-9", "user": "okabe"}, unheard)
        assert await kinds(app) == [("pinned", "okabe", ["INC-1"]), ("unpinned", "okabe", ["INC-1"])]


async def test_what_a_platform_takes_back_and_what_retention_deletes_is_noted(tmp_path: Path) -> None:
    async with remembering("in-memory", tmp_path) as memory:
        await memory.remember(ASKED, HELPED)
        await changes_over(memory.app).deleted(ASKED.conversation, ASKED.message)
        await memory.remember()
        memory.watch.now += timedelta(days=91)
        await memory.app.jobs.run("retention")
        found = [(one["kind"], one["about"], one["counts"]) for one in await entries(memory.app)]
        assert found == [
            ("withdrawn", [ASKED.id], {}),
            ("expired", [], {"episodes": 1, "turns": 1}),
        ]


async def test_a_hand_over_is_noted_once_with_its_message(tmp_path: Path) -> None:
    app = small_application(tmp_path, lambda: NOON)

    async def told(wanted: Wanted) -> Handed:
        return Handed(ticket=None, away=None)

    hand_over = CountedHandOver(told, app.store.ledger, app.clock)
    wanted = Wanted(conversation=conversation(), message="1", viewer=Viewer(user="sato"), language="en", note="E-4711!")
    for _ in range(2):
        await hand_over(wanted)
    assert await kinds(app) == [("handed over", "sato", [turn_id(conversation(), "1")])]


async def test_settings_that_changed_are_noted_by_name_and_without_values(tmp_path: Path) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text("retention:\n  days: 30\n", encoding="utf-8")
    app = small_application(tmp_path, lambda: NOON, settings=configured(path, {}))
    async with AsyncExitStack() as stack:
        following = Reloading(app, path, {}, stack, lambda: None)
        await following.begin()
        path.write_text("retention:\n  days: 365\nbot:\n  name: secret-name\n", encoding="utf-8")
        await following.look()
    assert await kinds(app) == [("config changed", None, ["bot.name", "retention.days"])]
    assert "secret-name" not in json.dumps(await entries(app))


async def test_the_log_is_verified_from_a_day_on_and_against_what_was_noted(tmp_path: Path) -> None:
    async with remembering("sqlite", tmp_path) as memory:
        app = memory.app
        await memory.remember(ASKED)
        await asked(app, "memory pin", id="INC-1", user="okabe")
        noted = (await asked(app, "audit verify"))["last"]
        memory.watch.now += timedelta(days=2)
        await asked(app, "memory unpin", id="INC-1", user="okabe")
        whole = await asked(app, "audit verify", known=noted)
        assert (whole["records"], whole["faults"]) == (2, [])
        day = f"{memory.watch.now:%Y-%m-%d}"
        assert (await asked(app, "audit verify", since=day))["records"] == 1
        assert [one["kind"] for one in await entries(app, since=day)] == [AuditKind.UNPINNED]
        other = await asked(app, "audit verify", known=f"1:{'0' * 64}")
        assert other["faults"] == [{"number": 1, "fault": "not as it was noted"}]
        later = await asked(app, "audit verify", known=f"9:{'0' * 64}")
        assert later["faults"] == [{"number": 9, "fault": "not as it was noted"}]
        for wrong in ("tomorrow", "9"):
            with pytest.raises(WrongUse):
                await perform(app, "audit verify", {"since": wrong}, unheard)
