"""A procedure that support changed in the ticket in which it had told it: who asks now reads the new one, who asks
about an earlier day the old one. In Japanese and in English."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory.model import Role, Turn
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

TOKYO = timezone(timedelta(hours=9))


def at(month: int, day: int) -> datetime:
    return datetime(2026, month, day, 10, tzinfo=TOKYO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tale:
    """What was asked and answered, the notice in the same ticket, and how one asks later."""

    asked: str
    told: str
    notice: str
    question: str
    old: str
    new: str


TALES = [
    pytest.param(
        Tale(
            asked="客先にデータを渡すので、USBメモリの使用許可がほしいです。どう申請すればいいですか。",
            told="紙の申請書 F-21 に課長印をもらって、情シスまで出してください。",
            notice="【変更】8月3日からUSBメモリの申請は窓口サイトの「持出し」になります。紙のF-21は廃止です。",
            question="USBメモリの使用許可はどう申請すればいいですか",
            old="課長印",
            new="持出し",
        ),
        id="ja",
    ),
    pytest.param(
        Tale(
            asked="I need a loan laptop for a fair. How early does the form have to be in?",
            told="Fill in the loan form at least 3 working days before.",
            notice="Change of rule: from 3 August the loan form must be in 5 working days before.",
            question="How early does the loan form for a laptop have to be in?",
            old="at least 3 working days",
            new="5 working days",
        ),
        id="en",
    ),
]


@pytest.fixture
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as house:
        house.watch.now = at(11, 20)
        yield house


async def quoted(memory: Remembering, text: str, *, as_of: datetime | None = None) -> str:
    found = await memory.app.recall.answer(replace(memory.question(text), as_of=as_of))
    return "\n".join(one.quote for one in found.cited)


def ticket(tale: Tale) -> list[Turn]:
    said = (
        (tale.asked, "sato", Role.REQUESTER, at(4, 23)),
        (tale.told, "okabe", Role.AGENT, at(4, 24)),
        (tale.notice, "okabe", Role.AGENT, at(7, 17)),
    )
    return [
        turn(number, text, thread="INC-1", ticket="INC-1", author=author, role=role, said_at=when)
        for number, (text, author, role, when) in enumerate(said, start=1)
    ]


@pytest.mark.parametrize("memory", HOUSES, indirect=True)
@pytest.mark.parametrize("tale", TALES)
async def test_what_is_quoted_is_what_holds_then(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*ticket(tale))
    now = await quoted(memory, tale.question)
    assert tale.new in now
    assert tale.old not in now
    before = await quoted(memory, tale.question, as_of=at(6, 1))
    assert tale.old in before
    assert tale.new not in before


@pytest.mark.parametrize("memory", HOUSES[:1], indirect=True)
@pytest.mark.parametrize("tale", TALES)
async def test_until_the_day_that_the_notice_names_the_old_one_holds(memory: Remembering, tale: Tale) -> None:
    await memory.remember(*ticket(tale))
    memory.watch.now = at(7, 20)
    assert tale.old in await quoted(memory, tale.question)
