"""While somebody has the ticket of a chat in Teams: the bot says once that it only listens, and how to reach them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from handlers.tickets.records import Actor
from memory.model import Viewer
from memory.tickets import Step
from tests.fakes.slack_acts import idle
from tests.fakes.small_application import deciding
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA, BOB, SUPPORT, Written, personal, place_of
from tests.fakes.teams_acts import buttons, lines, want_a_person
from tests.fakes.teams_place import Place, opened

AGENT = Actor(viewer=Viewer(user="okabe", agent=True), name="岡部", language="ja")
JAPANESE = [
    "HD-1 は 岡部 が担当しています。その間、ここに書かれたことは覚えますが、私はお答えしません。",
    "サポート担当者はこのチャットを読めません。岡部 に伝えたいことは、Teams で直接お送りください。",
    "別の件は、ほかのチャットやチャネルの新しい投稿でお尋ねください。終わればここでもお答えします。",
]
ENGLISH = [
    "岡部 has HD-1. Until that is done I remember what is written here, but do not answer.",
    "The support team cannot read this chat. To tell 岡部 something, please write to them in Teams.",
    "Ask me anything else in another chat or a new channel post. After this I answer here again.",
]


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        yield place


async def step(place: Place, step: Step, key: str) -> None:
    await place.app.tickets.step("HD-1", step, AGENT, key=key)


async def said(place: Place, person: str, *texts: str) -> list[Written]:
    """What comes of it that this person writes these messages to the bot alone."""
    before = len(seen(place, person))
    for text in texts:
        await place.teams.say(person, personal(person), text)
        await idle()
    await place.replied()
    return seen(place, person)[before:]


def seen(place: Place, person: str) -> list[Written]:
    return place.teams.written(place_of(personal(person)))


def texts(messages: list[Written]) -> list[list[str]]:
    return [str(one.content["text"]).splitlines() for one in messages]


@pytest.mark.parametrize(
    ("person", "question", "words", "shown"),
    [(AYA, "VPNが切れます", "まだ切れます", JAPANESE), (BOB, "My VPN drops", "It drops again", ENGLISH)],
    ids=["ja", "en"],
)
async def test_who_writes_while_somebody_has_the_ticket_hears_once_that_the_bot_only_listens(
    place: Place, person: str, question: str, words: str, shown: list[str]
) -> None:
    async with place.running():
        await want_a_person(place, person, question)
        await step(place, Step.TAKE, "1")
        assert texts(await said(place, person, words, words)) == [shown]
    async with place.running():
        assert await said(place, person, words) == []
    assert len(place.answers.questions) == 1


async def test_each_time_that_the_ticket_is_taken_it_is_said_anew(place: Place) -> None:
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await step(place, Step.TAKE, "1")
        assert texts(await said(place, AYA, "まだ切れます")) == [JAPANESE]
        await step(place, Step.HAND_BACK, "2")
        await step(place, Step.TAKE, "3")
        assert texts(await said(place, AYA, "まだ切れます", "まだです")) == [JAPANESE]


async def test_help_and_the_wish_for_a_person_are_always_answered(place: Place) -> None:
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await step(place, Step.TAKE, "1")
        await said(place, AYA, "まだ切れます")
        assert texts(await said(place, AYA, "担当者につないで", "talk to a human")) == [JAPANESE, ENGLISH]
        [card] = await said(place, AYA, "help")
    assert "• help: この説明" in lines(card)
    assert "helpdesk_tickets" in buttons(card)


async def test_whom_the_administrator_named_is_named(place: Place) -> None:
    settings = place.app.settings
    bot = settings.bot.model_copy(update={"contact": "内線1234"})
    place.app = deciding(place.app, settings=settings.model_copy(update={"bot": bot}))
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await step(place, Step.TAKE, "1")
        assert texts(await said(place, AYA, "まだ切れます")) == [[*JAPANESE, "連絡先: 内線1234"]]


async def test_where_teams_did_not_confirm_it_the_next_message_has_it_said_again(place: Place) -> None:
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await step(place, Step.TAKE, "1")
        place.teams.coming = [Fault(status=503)]
        assert await said(place, AYA, "まだ切れます") == []
        assert texts(await said(place, AYA, "まだです")) == [JAPANESE]
