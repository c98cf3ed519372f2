"""Tickets in Teams that were resolved and are not solved: they come back, and nobody is told to wait for nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import system_clock
from config.loader import load_settings
from config.schema import AccessSettings
from config.teams import TeamsChannelSettings
from handlers.teams.names import ASK_PERSON, FIX, LEARNED, RESOLVE_TICKET, SHARE_TICKET, SYMPTOM, TAKE_TICKET
from handlers.tickets.records import Actor
from memory.model import Viewer
from memory.tickets import State, Step, Ticket
from tests.fakes.slack_acts import idle
from tests.fakes.small_application import small_application
from tests.fakes.teams.server import AYA, BOB, KEN, SUPPORT, Written, in_channel, personal, place_of
from tests.fakes.teams_acts import asked, asked_in_channel, buttons, just_now, lines, pressed, want_a_person
from tests.fakes.teams_place import Place, opened

KEEPER = Viewer(user="keeper", agent=True)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Ken is a support agent; answers come from memory, in which there is nothing. What is said in channels everybody
    may read."""
    async with opened(tmp_path) as place:
        open_to_all = TeamsChannelSettings(memory="everyone")
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT, "default": open_to_all})
        settings = load_settings(None, {}).model_copy(update={"access": AccessSettings(agents=(KEN,))})
        place.app = small_application(tmp_path, system_clock, settings=settings)
        yield place


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What people say and are told, in one language."""

    user: str
    question: str
    unhelped: str
    wish: str
    came_back: str
    would: str
    again: str
    standing: str
    passed: list[str]
    second: str
    new: str
    earlier: str
    over: str


JAPANESE = Said(
    user=AYA,
    question="会議室Bのカメラが映りません。",
    unhelped="まだ直りません",
    wish="担当者につないでください",
    came_back="HD-1: この件を再開し、もう一度担当者に伝えました。返事をお待ちください。",
    would="担当者に相談すると、解決済みの HD-1 を再開します。",
    again="お役に立てず申し訳ありません。ご意見を記録しました。"
    "この件は HD-1 として担当者に伝えてあります。返事をお待ちください。",
    standing="HD-1: 再開（担当: なし）",
    passed=["佐藤 彩:", "HD-1 はまだ解決していないため、再開しました。"],
    second="マウスも動きません",
    new="HD-2: 担当者に伝えました。返事をお待ちください。",
    earlier="同じ人の以前の依頼: HD-1（終了）",
    over="HD-1 は「終了」のため、担当者には伝えていません。"
    "まだお困りのことがあれば、新しいメッセージで書いてください。新しいチケットにできます。",
)
ENGLISH = Said(
    user=BOB,
    question="The camera in room B shows nothing.",
    unhelped="It is still broken.",
    wish="talk to a human",
    came_back="HD-1: It is open again, and I told the support team. Please wait for their reply.",
    would="If you ask a person, HD-1, which is resolved, is opened again.",
    again="Sorry that this did not help. I made a note of it. The support team has this as HD-1; please wait for their "
    "reply.",
    standing="HD-1: reopened (owner: nobody)",
    passed=["Bob Stone:", "HD-1 is not solved, so it is open again."],
    second="My mouse is dead as well",
    new="HD-2: I told the support team. Please wait for their reply.",
    earlier="Earlier request of the same person: HD-1 (closed)",
    over="HD-1 is closed, so I told nobody. If you still need help, please write it in a new message: a new ticket can "
    "be made of that.",
)
both = pytest.mark.parametrize("said", [JAPANESE, ENGLISH], ids=["ja", "en"])


async def say(place: Place, said: Said, text: str, where: dict[str, Any]) -> None:
    """Who asked writes there, and the bot answers."""
    before = len(place.teams.written(place_of(where)))
    await place.teams.say(said.user, where, text, mention=True, **just_now())
    await place.teams.answered(place_of(where), count=before + 1)
    await place.replied()
    await idle()


async def click(place: Place, said: Said, where: dict[str, Any]) -> None:
    """They want a person, below the last message that offers one."""
    found = [one for one in place.teams.written(place_of(where)) if ASK_PERSON in _buttons(one)]
    await pressed(place, said.user, found[-1], ASK_PERSON, where)


async def step(place: Place, verb: str, **filled: str) -> None:
    """Ken presses a button of the first note."""
    note = notes(place)[0]
    await pressed(place, KEN, note, verb, in_channel(note.id, channel=SUPPORT), **filled)


async def resolved(place: Place, said: Said) -> dict[str, Any]:
    """A question in the helpdesk's channel, whose ticket Ken has taken and resolved: its thread."""
    where, answer = await asked_in_channel(place, said.user, said.question)
    await pressed(place, said.user, answer, ASK_PERSON, where)
    await step(place, TAKE_TICKET)
    await step(place, RESOLVE_TICKET, **{FIX: "restart"})
    return where


def notes(place: Place) -> list[Written]:
    return place.teams.written(SUPPORT)


def below(place: Place) -> list[Written]:
    return place.teams.written(f"{SUPPORT};messageid={notes(place)[0].id}")


def last(place: Place, where: dict[str, Any]) -> str:
    return "\n".join(_lines(place.teams.written(place_of(where))[-1]))


def _lines(message: Written) -> list[str]:
    return lines(message) if "attachments" in message.content else [str(message.content["text"])]


def _buttons(message: Written) -> dict[str, str]:
    return buttons(message) if "attachments" in message.content else {}


async def ticket(place: Place) -> Ticket:
    [found] = await place.app.store.tickets.named(["HD-1"], KEEPER)
    return found


@both
async def test_who_writes_that_it_is_not_solved_has_the_ticket_open_again(place: Place, said: Said) -> None:
    """A process that dies owes the team's thread the word."""
    async with place.running():
        where = await resolved(place, said)
        await say(place, said, said.unhelped, where)
        assert last(place, where) == said.came_back
        await say(place, said, said.unhelped, where)
        assert last(place, where) == said.again
    async with place.running():
        await place.teams.until(lambda: len(below(place)) >= 2)
        await place.teams.until(lambda: said.standing in lines(notes(place)[0]))
        [words, change] = below(place)
        assert (lines(words), lines(change)) == ([said.passed[0], said.unhelped], said.passed)
        await step(place, TAKE_TICKET)
    assert (await ticket(place)).state is State.WAITING_FOR_SUPPORT


@both
async def test_who_asks_for_a_person_again_has_the_ticket_open_again(place: Place, said: Said) -> None:
    async with place.running():
        where = await resolved(place, said)
        await say(place, said, said.wish, where)
        assert said.would in last(place, where)
        await click(place, said, where)
        assert last(place, where) == said.came_back
        assert said.standing in lines(notes(place)[0])
        await step(place, RESOLVE_TICKET, **{FIX: "restart again"})
        await click(place, said, where)
    assert last(place, where) == said.came_back
    assert len(notes(place)) == 1
    assert lines(below(place)[0]) == said.passed


async def test_of_what_is_written_in_the_personal_chat_the_team_reads_only_that_it_is_not_solved(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await want_a_person(place, AYA, JAPANESE.question)
        await step(place, RESOLVE_TICKET, **{FIX: "再起動"})
        await asked(place, AYA, where, "ダメでした")
        assert last(place, where) == JAPANESE.came_back
    async with place.running():
        await place.teams.until(lambda: bool(below(place)))
    assert [lines(one) for one in below(place)] == [JAPANESE.passed]


async def test_what_is_asked_of_something_else_in_the_personal_chat_since_then_is_no_word_on_the_ticket(
    place: Place,
) -> None:
    where = personal(AYA)
    async with place.running():
        await want_a_person(place, AYA, JAPANESE.question)
        await step(place, RESOLVE_TICKET, **{FIX: "再起動"})
        await say(place, JAPANESE, "プリンターの用紙はどこですか？", where)
        await say(place, JAPANESE, "ダメでした", where)
    assert (await ticket(place)).state is State.RESOLVED


@both
async def test_what_was_asked_before_it_was_resolved_is_added_to_no_ticket_that_nobody_can_take(
    place: Place, said: Said
) -> None:
    async with place.running():
        where, answer = await asked_in_channel(place, said.user, said.question)
        await pressed(place, said.user, answer, ASK_PERSON, where)
        await say(place, said, said.second, where)
        await step(place, RESOLVE_TICKET, **{FIX: "restart"})
        await click(place, said, where)
        assert last(place, where) == said.came_back
    [_, second] = notes(place)
    assert any(said.second in line for line in lines(second))
    assert said.standing in lines(second)
    assert TAKE_TICKET in buttons(second)


@both
async def test_after_a_ticket_is_closed_the_next_request_is_a_new_one_whose_note_names_it(
    place: Place, said: Said
) -> None:
    async with place.running():
        where = await resolved(place, said)
        await place.app.tickets.step("HD-1", Step.CLOSE, Actor(viewer=KEEPER, name="", language="en"), key="close")
        await click(place, said, where)
        assert last(place, where) == said.over
        await say(place, said, said.second, where)
        await click(place, said, where)
        assert last(place, where) == said.new
        assert said.earlier in lines(notes(place)[1])
        note = notes(place)[1]
        await pressed(place, KEN, note, TAKE_TICKET, in_channel(note.id, channel=SUPPORT))
        assert said.earlier in lines(notes(place)[1])
    assert (await ticket(place)).state is State.CLOSED


async def test_an_agent_who_writes_below_a_settled_ticket_hears_that_it_is_settled(place: Place) -> None:
    async with place.running():
        await resolved(place, JAPANESE)
        where = in_channel(notes(place)[0].id, channel=SUPPORT)
        await place.teams.say(KEN, where, "もう一つあります", mention=True)
        await place.teams.until(lambda: bool(below(place)))
    [told] = below(place)
    assert told.content["text"] == (
        "HD-1 は「解決済み」のため、依頼した人に伝えていません。続けるには、コマンド"
        " helpdesk tickets reopen HD-1 で再開し、担当してから書いてください。本人に直接連絡することもできます。"
    )


async def test_what_is_shared_holds_more_than_blanks(place: Place) -> None:
    async with place.running():
        await resolved(place, ENGLISH)
        await step(place, SHARE_TICKET, **{SYMPTOM: "camera", LEARNED: " "})
    assert [one.content["text"] for one in below(place)] == [
        "「原因と対応」が空のため、HD-1 の内容は共有していません。"
    ]


async def test_a_second_click_that_adds_nothing_says_one_thing(place: Place) -> None:
    async with place.running():
        where, answer = await asked_in_channel(place, BOB, ENGLISH.question)
        await pressed(place, BOB, answer, ASK_PERSON, where)
        await say(place, ENGLISH, ENGLISH.second, where)
        await click(place, ENGLISH, where)
        await click(place, ENGLISH, where)
    assert last(place, where) == "HD-1: The support team has been told about this already. Please wait for their reply."
