"""The note to the support team says what stands behind a request: what the bot found, and what was said before. It
shows no more than its channel may read, and follows what it shows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.platforms import Message, Person, Place
from tests.fakes.platforms_slack import in_slack
from tests.fakes.platforms_teams import in_teams

AYA, KEN, BOB = Person.AYA, Person.KEN, Person.BOB
PLATFORMS = {"slack": in_slack, "teams": in_teams}


@pytest.fixture(params=PLATFORMS)
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Ken is a support agent; the bot answers from what it remembers, and what is said in channels everybody may
    read."""
    async with PLATFORMS[request.param](tmp_path) as place:
        place.open_to_all()
        place.answer_from_memory(agents=[KEN])
        yield place


async def handed_over(place: Place, person: Person, question: str) -> Message:
    asked = await place.ask_in_channel(person, question)
    await place.answered(asked)
    await place.ask_a_person(asked, person)
    await place.settled()
    return asked


FOUND = [
    (
        AYA,
        "複合機 MX-27 は、給紙ローラーを拭いたら直りました。",
        "複合機 MX-27 がまた止まりました。どう直しましたか？",
        "「複合機 MX-27 は、給紙ローラーを拭いたら直りました。」",
        "ボットが見つけた記録: ",
        "複合機 MX-27 は、部品を交換したら直りました。",
    ),
    (
        BOB,
        "Printer MX-27 was fixed by cleaning the feed roller.",
        "Printer MX-27 stops again. How was it fixed?",
        "“Printer MX-27 was fixed by cleaning the feed roller.”",
        "What the bot found: ",
        "Printer MX-27 was fixed with another part.",
    ),
]


@pytest.mark.parametrize(("person", "record", "question", "quoted", "found", "corrected"), FOUND, ids=["ja", "en"])
async def test_the_note_quotes_what_the_bot_found_and_goes_with_it(
    place: Place, person: Person, record: str, question: str, quoted: str, found: str, corrected: str
) -> None:
    async with place.running():
        said = await place.ask_in_channel(KEN, record)
        await place.answered(said)
        await place.remember()
        await handed_over(place, person, question)
        [note] = place.support()
        assert found in note
        assert quoted in note
        await place.edit(said, corrected)
        [note] = place.support()
        assert corrected in note
        assert quoted not in note
        await place.take(KEN)
        assert corrected in place.support()[0]
        await place.delete(said)
        [note] = place.support()
    assert found not in note
    assert corrected not in note
    assert question in note


@pytest.mark.parametrize(
    ("person", "question", "nothing"),
    [
        (AYA, "第二倉庫の鍵はどこにありますか？", "ボットは何も見つけられませんでした。"),
        (BOB, "Where is the key of the second store room?", "The bot found nothing."),
    ],
    ids=["ja", "en"],
)
async def test_the_note_says_that_the_bot_found_nothing(
    place: Place, person: Person, question: str, nothing: str
) -> None:
    async with place.running():
        await handed_over(place, person, question)
        assert nothing in place.support()[0]


@pytest.mark.parametrize(("person", "record", "question", "quoted", "found", "_"), FOUND, ids=["ja", "en"])
async def test_of_a_private_request_the_note_shows_nothing_of_what_the_bot_found(
    place: Place, person: Person, record: str, question: str, quoted: str, found: str, _: str
) -> None:
    async with place.running():
        said = await place.ask_in_channel(KEN, record)
        await place.answered(said)
        await place.remember()
        asked = await place.ask_privately(person, question)
        await place.answered(asked)
        await place.ask_a_person(asked, person)
        await place.settled()
        await place.take(KEN)
        [note] = place.support()
    assert found not in note
    assert "MX-27" not in note


@pytest.mark.parametrize(("person", "record", "question", "quoted", "found", "_"), FOUND, ids=["ja", "en"])
async def test_what_the_support_channel_may_not_read_is_not_quoted_to_it(
    place: Place, person: Person, record: str, question: str, quoted: str, found: str, _: str
) -> None:
    """The answer stood on what who asked had told the bot alone."""
    async with place.running():
        said = await place.ask_privately(person, record)
        await place.answered(said)
        await place.remember()
        await handed_over(place, person, question)
        [note] = place.support()
    assert question in note
    assert quoted not in note
