"""What a memory shows of a person or a system, by whichever of its names, in Japanese and in English."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from bot.telling import unheard
from bot.use_cases import perform
from memory.errors import NothingFound
from memory.model import Role, Turn
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

TOKYO = timezone(timedelta(hours=9))


def said(number: int, text: str, author: str, ticket: str, role: Role = Role.AGENT, **state: Any) -> Turn:
    """On the day of that number, in the thread of a ticket of priya's."""
    when = datetime(2026, 9, number, 10, tzinfo=TOKYO)
    made = turn(number, text, thread=ticket, ticket=ticket, author=author, role=role, said_at=when, requester="priya")
    return replace(made, **state)


HISTORY = [
    said(1, "Can anybody help me with the kiosk?", "priya", "INC-1", Role.REQUESTER, title="Kiosk", status="open"),
    said(2, "Nadia here. Andon is mine, ask me.", "nadia", "INC-1", assignee="nadia"),
    said(3, "ロビーのサイネージが映りません。", "priya", "INC-2", Role.REQUESTER, title="サイネージ", status="open"),
    said(4, "岡部です。Andonの担当は今日から岡部に替わりました。", "okabe", "INC-2", assignee="okabe"),
    said(5, "Yes, Andon is my job now. The gateway ng-tky-2 is fine.", "okabe", "INC-2"),
]


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as house:
        house.watch.now = datetime(2026, 10, 20, 10, tzinfo=TOKYO)
        await house.remember(*HISTORY)
        yield house


async def shown(memory: Remembering, name: str) -> dict[str, Any]:
    found = await perform(memory.app, "memory show", {"id": name}, unheard)
    assert found is not None
    return dict(found)


def owners(profile: dict[str, Any]) -> list[tuple[str, str | None, list[str]]]:
    """The owners in a profile, each with its last day and what says so."""
    [owner] = [one for one in profile["attributes"] if one["predicate"] == "owner"]
    values = [*owner["current"], *owner["history"]]
    return [(one["value"], one["valid_to"] and one["valid_to"][:10], one["said_in"]) for one in values]


async def test_two_names_of_one_person_are_one_owner_at_a_time(memory: Remembering) -> None:
    found = await shown(memory, "Andon")
    assert owners(found["profile"]) == [
        ("okabe", None, ["INC-2/4", "INC-2/5"]),
        ("nadia", "2026-09-04", ["INC-1/2"]),
    ]


@pytest.mark.parametrize("name", ["okabe", "Okabe", "岡部"])
async def test_a_person_is_shown_by_each_name_with_what_is_theirs(memory: Remembering, name: str) -> None:
    found = await shown(memory, name)
    assert (found["profile"]["subject"], found["also_called"]) == ("okabe", ["岡部"])
    assert {one["subject"]: owners(one) for one in found["elsewhere"]} == {
        "Andon": [("okabe", None, ["INC-2/4", "INC-2/5"])]
    }
    assert [one["ticket"] for one in found["held"]["tickets"]] == ["INC-2"]
    assert (found["asked"]["tickets"], found["wrote"]["messages"]) == ([], 2)


async def test_who_only_asked_is_known_by_requests_and_words(memory: Remembering) -> None:
    found = await shown(memory, "priya")
    assert [one["ticket"] for one in found["asked"]["tickets"]] == ["INC-2", "INC-1"]
    assert (found["wrote"]["messages"], found["wrote"]["first_at"][:10], found["wrote"]["last_at"][:10]) == (
        2,
        "2026-09-01",
        "2026-09-03",
    )
    history = await perform(memory.app, "memory history", {"id": "priya"}, unheard)
    assert history == {"facts": [], "notes": []}


@pytest.mark.parametrize(
    ("name", "message"), [("ng-tky-2", "INC-2/5"), ("サイネージ", "INC-2/3"), ("kiosk", "INC-1/1")]
)
async def test_what_is_only_named_is_known_by_the_messages_that_name_it(
    memory: Remembering, name: str, message: str
) -> None:
    found = await shown(memory, name)
    assert message in [one["turn"] for one in found["turns"]]


@pytest.mark.parametrize("name", ["ng-tky-21", "ng-tk", "倉庫"])
async def test_a_name_that_occurs_nowhere_is_nothing(memory: Remembering, name: str) -> None:
    for command in ("memory show", "memory history"):
        with pytest.raises(NothingFound, match=name):
            await perform(memory.app, command, {"id": name}, unheard)


async def test_the_history_of_a_person_tells_what_they_had_by_each_name(memory: Remembering) -> None:
    history = await perform(memory.app, "memory history", {"id": "okabe"}, unheard)
    assert history is not None
    assert [(one["value"], one["also"]) for one in history["facts"] if one["subject"] == "Andon"] == [
        ("nadia", None),
        ("岡部", "okabe"),
        ("okabe", None),
    ]


async def test_a_name_that_two_people_sign_with_joins_nobody(memory: Remembering) -> None:
    other = said(6, "岡部です。初めまして。", "okabe2", "INC-3")
    await memory.remember(other)
    assert (await shown(memory, "okabe"))["also_called"] == []
    assert (await shown(memory, "岡部"))["profile"]["subject"] == "岡部"
