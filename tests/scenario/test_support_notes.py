"""The note to the support team goes with what it shows: with a message that is edited or deleted, and a person who is
forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model import Viewer
from memory.tickets import State, TicketFilter
from tests.fakes.platforms import Message, Person, Place
from tests.fakes.platforms_slack import in_slack
from tests.fakes.platforms_teams import in_teams

AYA, KEN, BOB = Person.AYA, Person.KEN, Person.BOB
PLATFORMS = {"slack": in_slack, "teams": in_teams}
QUESTION = "VPNが毎朝切れます。番号は 4711 です"
ASKERS = [
    (AYA, QUESTION, "忘れて", "対応中の依頼（1件）", "HD-1 は質問とともに削除されました。対応は不要です。"),
    (
        BOB,
        "The VPN drops, my number is 4711",
        "forget me",
        "your open requests (1)",
        "HD-1 was deleted with what was asked. Nothing is left to do.",
    ),
]


@pytest.fixture(params=PLATFORMS)
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Ken is a support agent; what is said in channels everybody may read."""
    async with PLATFORMS[request.param](tmp_path) as place:
        place.open_to_all()
        place.with_agents(KEN)
        yield place


async def handed_over(place: Place, person: Person = AYA, question: str = QUESTION) -> Message:
    """Somebody asks in the channel and wants a person."""
    asked = await place.ask_in_channel(person, question)
    await place.answered(asked)
    await place.ask_a_person(asked, person)
    await place.settled()
    return asked


@pytest.mark.parametrize(("person", "question", "wish", "ends", "deleted"), ASKERS, ids=["ja", "en"])
async def test_who_is_forgotten_leaves_no_word_and_no_button_on_the_note_though_the_process_died(
    place: Place, person: Person, question: str, wish: str, ends: str, deleted: str
) -> None:
    async with place.running():
        await handed_over(place, person, question)
        assert "4711" in place.support()[0]
        assert ends in await place.wish(person, wish)
        await place.confirm_forgetting(person, person)
    async with place.running():
        await place.settled()
    assert place.support() == [deleted]


async def test_a_request_in_which_agents_have_spoken_is_closed_when_who_asked_is_forgotten(place: Place) -> None:
    async with place.running():
        await handed_over(place)
        await place.take(KEN)
        await place.wish(AYA, "忘れて")
        await place.confirm_forgetting(AYA, AYA)
    async with place.running():
        await place.settled()
    assert place.support() == ["HD-1 は質問とともに削除されました。対応は不要です。"]
    assert await place.state("HD-1") is State.CLOSED
    assert await place.tickets(TicketFilter(open=True), Viewer(user="", agent=True)) == []


GONE = [
    (
        "再起動してください",
        "HD-1 の依頼はもう削除されているため、いまの書き込みはどなたにも届いていません。対応は不要です。",
    ),
    (
        "Please restart it",
        "The request of HD-1 is gone, so what you just wrote reached nobody. Nothing is left to do.",
    ),
]


@pytest.mark.parametrize("taken", [False, True], ids=["untaken", "taken"])
@pytest.mark.parametrize(("words", "told"), GONE, ids=["ja", "en"])
async def test_who_writes_about_a_deleted_request_hears_that_it_is_gone_and_reached_nobody(
    place: Place, words: str, told: str, taken: bool
) -> None:
    """Of one that was taken agents' words are left, of the other nothing is."""
    async with place.running():
        asked = await handed_over(place)
        if taken:
            await place.take(KEN)
        await place.wish(AYA, "忘れて")
        await place.confirm_forgetting(AYA, AYA)
        await place.settled()
        heard = place.answers(asked)
        await place.say_to_team(KEN, words)
        assert place.told_aside(KEN) == told
        assert place.answers(asked) == heard


async def test_the_note_says_what_an_edited_question_says(place: Place) -> None:
    async with place.running():
        asked = await handed_over(place)
        await place.edit(asked, "プリンターが動きません")
        [note] = place.support()
        await place.take(KEN)
    assert "質問: プリンターが動きません" in note
    assert "4711" not in note
    assert "質問: プリンターが動きません" in place.support()[0]
    assert await place.state("HD-1") is State.WAITING_FOR_SUPPORT


async def test_a_question_that_was_deleted_is_no_more_on_the_note_and_its_ticket_goes_on(place: Place) -> None:
    async with place.running():
        asked = await handed_over(place)
        await place.delete(asked)
        [note] = place.support()
        await place.take(KEN)
    assert "質問のメッセージは削除されました。" in note
    assert "VPN" not in note + place.support()[0]
    assert "4711" not in note + place.support()[0]
    assert await place.state("HD-1") is State.WAITING_FOR_SUPPORT
