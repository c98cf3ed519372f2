"""Tickets in Slack that were resolved and are not solved: they come back, and nobody is told to wait for nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import system_clock
from config.loader import load_settings
from config.schema import AccessSettings
from handlers.slack.acts.names import (
    ASK_PERSON,
    ASK_USER,
    ASKED,
    FIX,
    LEARNED,
    MAKE_TICKET,
    NOTE,
    RESOLVE_TICKET,
    SHARE,
    SUBJECT,
    SYMPTOM,
    TAKE_TICKET,
)
from handlers.tickets.records import Actor
from memory.model import Viewer
from memory.tickets import State, Step, Ticket
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, MAI
from tests.fakes.slack_acts import SUPPORT, idle, pressable, whispered, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import small_application

KEEPER = Viewer(user="keeper", agent=True)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Ken is a support agent; answers come from memory, in which there is nothing."""
    async with opened(tmp_path) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
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
    passed: tuple[str, str]
    second: str
    new: str
    earlier: str


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
    passed=("彩: まだ直りません", "彩: HD-1 はまだ解決していないため、再開しました。"),
    second="マウスも動きません",
    new="HD-2: 担当者に伝えました。返事をお待ちください。",
    earlier="同じ人の以前の依頼: HD-1（終了）",
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
    passed=("Bob: It is still broken.", "Bob: HD-1 is not solved, so it is open again."),
    second="My mouse is dead as well",
    new="HD-2: I told the support team. Please wait for their reply.",
    earlier="Earlier request of the same person: HD-1 (closed)",
)
both = pytest.mark.parametrize("said", [JAPANESE, ENGLISH], ids=["ja", "en"])


async def say(place: Place, user: str, text: str, thread: str | None = None, channel: str = HELPDESK) -> str:
    """Somebody writes to the bot, which answers; the message."""
    before = len(place.slack.answers(channel, thread)) if thread else 0
    ts = await place.slack.say(user, channel, text, thread=thread, mention=thread is None and channel == HELPDESK)
    await place.slack.answered(channel, thread or ts, count=before + 1)
    await place.slack.settled()
    await idle()
    return ts


async def click(place: Place, user: str, thread: str, channel: str = HELPDESK) -> None:
    """They want a person, below the last message of the thread that offers one."""
    found = [one for one in place.slack.answers(channel, thread) if ASK_PERSON in pressable(one.get("blocks", []))]
    await place.slack.press(user, ASK_PERSON, channel=channel, ts=found[-1]["ts"])
    await idle()


async def step(place: Place, name: str, **filled: str) -> None:
    """Ken presses a button of the first note, and sends off the form that it opens."""
    await place.slack.press(KEN, name, channel=SUPPORT, ts=notes(place)[0]["ts"])
    await idle()
    if filled:
        form = place.slack.views(KEN)[-1]
        await place.slack.submit(KEN, form["id"], {block: {block: words} for block, words in filled.items()})
        await idle()


async def make(place: Place, user: str, message: str, **filled: str) -> None:
    """Somebody has a ticket made of a message with the form."""
    await place.slack.shortcut(user, MAKE_TICKET, channel=HELPDESK, ts=message)
    await idle()
    form = place.slack.views(user)[-1]
    await place.slack.submit(user, form["id"], {block: {block: words} for block, words in filled.items()})
    await idle()


async def resolved(place: Place, said: Said) -> str:
    """A question in the helpdesk's channel, whose ticket Ken has taken and resolved."""
    asked = await say(place, said.user, said.question)
    await click(place, said.user, asked)
    await step(place, TAKE_TICKET)
    await step(place, RESOLVE_TICKET, **{FIX: "restart"})
    return asked


def notes(place: Place) -> list[dict[str, Any]]:
    return [one for one in place.slack.answers(SUPPORT) if one.get("thread_ts", one["ts"]) == one["ts"]]


def below(place: Place) -> list[str]:
    """What the bot said in the thread of the first note."""
    return [str(one["text"]) for one in place.slack.answers(SUPPORT, notes(place)[0]["ts"])[1:]]


def last(place: Place, thread: str, channel: str = HELPDESK) -> str:
    return str(place.slack.answers(channel, thread)[-1]["text"])


async def ticket(place: Place, name: str = "HD-1") -> Ticket:
    [found] = await place.app.store.tickets.named([name], KEEPER)
    return found


@both
async def test_who_writes_that_it_is_not_solved_has_the_ticket_open_again(place: Place, said: Said) -> None:
    """A process that dies owes the team's thread the word."""
    async with place.running():
        asked = await resolved(place, said)
        await say(place, said.user, said.unhelped, asked)
        assert last(place, asked) == said.came_back
        await say(place, said.user, said.unhelped, asked)
        assert last(place, asked) == said.again
    async with place.running():
        await place.slack.until(lambda: len(below(place)) >= 2)
        await place.slack.until(lambda: said.standing in str(notes(place)[0]["text"]))
        [note] = notes(place)
        assert (below(place)[0], below(place)[1]) == said.passed
        assert {TAKE_TICKET, RESOLVE_TICKET} <= set(pressable(note["blocks"]))
        await step(place, TAKE_TICKET)
    assert (await ticket(place)).state is State.WAITING_FOR_SUPPORT


@both
async def test_who_asks_for_a_person_again_has_the_ticket_open_again(place: Place, said: Said) -> None:
    async with place.running():
        asked = await resolved(place, said)
        await say(place, said.user, said.wish, asked)
        assert said.would in last(place, asked)
        await click(place, said.user, asked)
        assert last(place, asked) == said.came_back
        assert (await ticket(place)).state is State.REOPENED
        await step(place, RESOLVE_TICKET, **{FIX: "restart again"})
        await click(place, said.user, asked)
    assert last(place, asked) == said.came_back
    assert (await ticket(place)).assignee is None
    place_of_it = (await ticket(place)).conversation.id
    assert [one.name for one in await place.app.store.tickets.of_conversation(place_of_it, KEEPER)] == ["HD-1"]


async def test_of_what_is_written_to_the_bot_alone_the_team_reads_only_that_it_is_not_solved(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = await say(place, AYA, JAPANESE.question, channel=direct)
        await click(place, AYA, asked, direct)
        await step(place, RESOLVE_TICKET, **{FIX: "再起動"})
        await say(place, AYA, "ダメでした", asked, direct)
        assert last(place, asked, direct) == JAPANESE.came_back
    async with place.running():
        await place.slack.until(lambda: bool(below(place)))
    assert below(place) == [JAPANESE.passed[1]]


@both
async def test_what_was_asked_before_it_was_resolved_is_added_to_no_ticket_that_nobody_can_take(
    place: Place, said: Said
) -> None:
    async with place.running():
        asked = await say(place, said.user, said.question)
        await click(place, said.user, asked)
        await say(place, said.user, said.second, asked)
        await step(place, RESOLVE_TICKET, **{FIX: "restart"})
        await click(place, said.user, asked)
        assert last(place, asked) == said.came_back
    [_, second] = notes(place)
    assert said.second in second["text"]
    assert said.standing in second["text"]
    assert TAKE_TICKET in pressable(second["blocks"])


@both
async def test_after_a_ticket_is_closed_the_next_request_is_a_new_one_whose_note_names_it(
    place: Place, said: Said
) -> None:
    async with place.running():
        asked = await resolved(place, said)
        keeper = Actor(viewer=KEEPER, name="", language="en")
        await place.app.tickets.step("HD-1", Step.CLOSE, keeper, key="close")
        await say(place, said.user, said.second, asked)
        await click(place, said.user, asked)
        assert last(place, asked) == said.new
    assert said.earlier in notes(place)[1]["text"]
    assert (await ticket(place)).state is State.CLOSED


async def test_an_old_button_of_a_closed_ticket_says_what_to_do_and_tells_nobody(place: Place) -> None:
    async with place.running():
        asked = await resolved(place, ENGLISH)
        await place.app.tickets.step("HD-1", Step.CLOSE, Actor(viewer=KEEPER, name="", language="en"), key="close")
        await click(place, BOB, asked)
        assert await whispered(place.slack, BOB) == [
            "HD-1 is closed, so I told nobody. If you still need help, please write it in a new message: a new ticket "
            "can be made of that."
        ]
    assert len(notes(place)) == 1


async def test_a_colleague_who_wants_a_person_about_a_resolved_ticket_hears_whose_it_is(place: Place) -> None:
    async with place.running():
        asked = await resolved(place, JAPANESE)
        await click(place, MAI, asked)
        assert await whispered(place.slack, MAI) == [
            "HD-1 は、ほかの方の依頼です。ご自分の依頼にするには、私に直接書いてください。 "
            "HD-1 は「解決済み」のため、担当者には伝えていません。"
            "まだお困りのことがあれば、新しいメッセージで書いてください。新しいチケットにできます。"
        ]
    assert (await ticket(place)).state is State.RESOLVED


async def test_what_is_filled_in_about_a_known_request_reaches_the_team_once(place: Place) -> None:
    async with place.running():
        message = await place.slack.say(BOB, HELPDESK, "The scanner is broken")
        await make(place, BOB, message, **{SUBJECT: "Scanner", NOTE: "first"})
        await make(place, BOB, message, **{SUBJECT: "Scanner, urgent", NOTE: "It now smokes, serial 4711"})
        await make(place, BOB, message, **{SUBJECT: "Scanner, urgent", NOTE: "It now smokes, serial 4711"})
        await make(place, MAI, message, **{SUBJECT: "Mine too", NOTE: "serial 9999"})
        await step(place, RESOLVE_TICKET, **{FIX: "x"})
        await make(place, BOB, message, **{SUBJECT: "Broken again", NOTE: "serial 5555"})
        to_bob = [str(one["text"]) for one in place.slack.answers(place.slack.dm(BOB))]
        [to_mai] = [str(one["text"]) for one in place.slack.answers(place.slack.dm(MAI))]
    assert below(place) == [
        "HD-1: A request from Bob. Scanner, urgent It now smokes, serial 4711",
        "HD-1: 鈴木 舞 さんからの依頼です。 Mine too serial 9999",
        "Bob: HD-1 is not solved, so it is open again.",
        "HD-1: A request from Bob. Broken again serial 5555",
    ]
    assert to_bob == [
        "HD-1: I told the support team. Please wait for their reply. "
        "I opened no new ticket: this is added to HD-1, your request here.",
        "HD-1: The support team has been told about this already. Please wait for their reply.",
    ]
    assert "HD-1 は、ほかの方の依頼です。" in to_mai
    assert last(place, message) == ENGLISH.came_back


async def test_an_agent_who_writes_below_a_settled_ticket_hears_that_it_is_settled(place: Place) -> None:
    async with place.running():
        await resolved(place, ENGLISH)
        await place.slack.say(KEN, SUPPORT, "One more thing", thread=notes(place)[0]["ts"])
        assert await whispered(place.slack, KEN) == [
            "HD-1 is resolved, so the user was not told this. To go on, open it again with the command helpdesk "
            "tickets reopen HD-1 and take it, or contact the user directly."
        ]


async def test_forms_that_hold_nothing_but_blanks_change_nothing_and_say_so(place: Place) -> None:
    async with place.running():
        asked = await say(place, AYA, JAPANESE.question)
        await click(place, AYA, asked)
        await step(place, ASK_USER, **{ASKED: "  "})
        await step(place, RESOLVE_TICKET, **{FIX: " \n"})
        assert (await ticket(place)).state is State.OPEN
        await step(place, RESOLVE_TICKET, **{FIX: "再起動"})
        await step(place, SHARE, **{SYMPTOM: "カメラ", LEARNED: " "})
        told = [str(one["text"]) for one in place.slack.answers(place.slack.dm(KEN))]
    assert told == [
        "質問が空のため、HD-1 の依頼者には何も聞いていません。聞きたいことを書いてください。",
        "対応が空のため、HD-1 を解決にしていません。どうやって直したかを書いてください。",
        "「原因と対応」が空のため、HD-1 の内容は共有していません。",
    ]


async def test_a_second_click_that_adds_nothing_says_one_thing(place: Place) -> None:
    async with place.running():
        asked = await say(place, BOB, ENGLISH.question)
        await click(place, BOB, asked)
        await say(place, BOB, ENGLISH.second, asked)
        await click(place, BOB, asked)
        await click(place, BOB, asked)
        assert (await whispered(place.slack, BOB))[-1] == (
            "HD-1: The support team has been told about this already. Please wait for their reply."
        )
