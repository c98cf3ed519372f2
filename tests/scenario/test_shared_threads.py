"""Several people in one thread: whose request is what, and what each of them is told of it, on every platform."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory.model import Viewer
from memory.tickets import State, TicketFilter
from tests.fakes.platforms import Message, Person, Place
from tests.fakes.platforms_slack import in_slack
from tests.fakes.platforms_teams import in_teams

AYA, KEN, BOB = Person.AYA, Person.KEN, Person.BOB
PLATFORMS = {"slack": in_slack, "teams": in_teams}
EYES = Viewer(user="", agent=True)


@pytest.fixture(params=PLATFORMS)
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Ken is a support agent; what is said in channels everybody may read."""
    async with PLATFORMS[request.param](tmp_path) as place:
        place.open_to_all()
        place.with_agents(KEN)
        yield place


async def asked_for_a_person(place: Place, message: Message, person: Person) -> None:
    await place.answered(message)
    await place.ask_a_person(message, person)
    await place.settled()


async def of(place: Place, person: Person) -> list[str]:
    """The tickets that are this person's."""
    return await place.tickets(TicketFilter(requester=place.id_of(person)), EYES)


#: The answers that are scripted here are Japanese.
BEFORE = (
    "ここでは、ほかの方の依頼 HD-1 が進行中です。ここで担当者に相談すると、書かれた内容はそれに加わります。"
    "ご自分の依頼にするには、私に直接書いてください。"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What two people ask in one thread, and what the second is told of the ticket of the first."""

    first: Person
    second: Person
    question: str
    other: str
    after: str
    over: str
    wish: str


ENGLISH = Told(
    first=AYA,
    second=BOB,
    question="VPNが毎朝切れます",
    other="The lift is stuck, number 4711",
    after="HD-1 is another person's request. What you wrote is added to it, and you have no "
    "ticket of your own. For a request of your own, please write to me directly.",
    over="HD-1 is closed, as who asked had all that they wrote deleted. If you still need help, please write to me "
    "again.",
    wish="忘れて",
)
JAPANESE = Told(
    first=BOB,
    second=AYA,
    question="The VPN drops every morning",
    other="エレベーターが止まりました。番号は 4711 です",
    after="HD-1 は、ほかの方の依頼です。書かれた内容はそれに加え、あなたのチケットは作っていません。"
    "ご自分の依頼にするには、私に直接書いてください。",
    over="HD-1 は、依頼した人の記録が削除されたため終了しました。まだお困りの方は、もう一度私に書いてください。",
    wish="forget me",
)
languages = pytest.mark.parametrize("told", [ENGLISH, JAPANESE], ids=["en", "ja"])


@languages
async def test_who_asks_beside_somebody_elses_ticket_is_told_before_and_after_that_it_is_added_to_that_one(
    place: Place, told: Told
) -> None:
    async with place.running():
        asked = await place.ask_in_channel(told.first, told.question)
        await asked_for_a_person(place, asked, told.first)
        beside = await place.call(asked, told.second, told.other)
        [answer] = await place.answered(beside)
        assert BEFORE in answer
        await place.ask_a_person(beside, told.second)
        await place.settled()
        assert told.after in place.answers(beside)[-1].replace("\n", "")
        assert (await of(place, told.first), await of(place, told.second)) == (["HD-1"], [])
        assert "4711" in place.support()[1]


@languages
async def test_every_note_of_a_ticket_shows_how_it_stands(place: Place, told: Told) -> None:
    async with place.running():
        asked = await place.ask_in_channel(told.first, told.question)
        await asked_for_a_person(place, asked, told.first)
        await asked_for_a_person(place, await place.call(asked, told.second, told.other), told.second)
        await place.take(KEN)
        notes = place.support()
    assert len(notes) == 2
    assert ["健" in note.rsplit("HD-1", 1)[-1] for note in notes] == [True, True]
    assert [("nobody" in note or "担当: なし" in note) for note in notes] == [False, False]


@languages
async def test_where_others_asked_too_the_thread_says_that_it_is_over_when_who_asked_is_forgotten(
    place: Place, told: Told
) -> None:
    async with place.running():
        asked = await place.ask_in_channel(told.first, told.question)
        await asked_for_a_person(place, asked, told.first)
        beside = await place.call(asked, told.second, told.other)
        await asked_for_a_person(place, beside, told.second)
        await place.wish(told.first, told.wish)
        await place.confirm_forgetting(told.first, told.first)
    async with place.running():
        await place.settled()
    async with place.running():
        await place.settled()
        assert [told.over in one for one in place.answers(beside)].count(True) == 1
    assert await place.state("HD-1") is State.CLOSED


async def test_who_asks_first_in_the_thread_of_somebody_else_has_a_ticket_of_their_own(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(AYA, "VPNが毎朝切れます")
        await place.answered(asked)
        beside = await place.call(asked, BOB, "The lift is stuck")
        await asked_for_a_person(place, beside, BOB)
        assert (await of(place, AYA), await of(place, BOB)) == ([], ["HD-1"])


async def test_who_adds_to_an_own_ticket_is_told_that_it_is_no_new_one(place: Place) -> None:
    async with place.running():
        asked = await place.ask_in_channel(BOB, "The VPN drops every morning")
        await asked_for_a_person(place, asked, BOB)
        more = await place.call(asked, BOB, "The lift is stuck as well")
        await asked_for_a_person(place, more, BOB)
        said = place.answers(more)[-1]
    assert "I opened no new ticket: this is added to HD-1, your request here." in said
    assert await of(place, BOB) == ["HD-1"]


async def test_a_call_with_no_word_of_what_about_asks_a_person_about_what_stands_above_for_who_called(
    place: Place,
) -> None:
    place.hear_all()
    async with place.running():
        said = await place.say_in_channel(AYA, "VPNが毎朝切れます")
        await asked_for_a_person(place, await place.call(said, BOB, "any idea?"), BOB)
        [note] = place.support()
    assert "VPNが毎朝切れます" in note
    assert "any idea" not in note
    assert (await of(place, AYA), await of(place, BOB)) == ([], ["HD-1"])
    assert await place.title("HD-1") == "VPNが毎朝切れます"
