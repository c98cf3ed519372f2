"""What stands behind a request: what the bot found, and what who asked had said before, as the viewer may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from handlers.tickets.background import Background, Behind
from handlers.tickets.note_lines import behind_lines
from handlers.wordings import SHIPPED
from memory.lines import Line
from memory.model import SHARED, Conversation, Role, TokenUse, Turn, Viewer, Visibility, reply_message
from memory.ports import AnsweredQuestion
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

TEAM = Viewer(user="", channel="support")
NOTHING = Behind()


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore(clock=Watch())


@pytest.fixture
def background(store: InMemoryStore) -> Background:
    return Background(
        reading=store.reading, ledger=store.ledger, lines=store.lines, clock=lambda: NOON + timedelta(hours=1)
    )


def said(number: int | str, text: str, thread: str = "T1", ticket: str | None = None, author: str = "sato") -> Turn:
    return turn(
        number,
        text,
        ticket=ticket,
        thread=thread,
        author=author,
        requester=author,
        minutes=int(number) if str(number).isdigit() else 0,
        visibility=Visibility.EVERYONE,
    )


async def answered(store: InMemoryStore, asked: Turn, sources: Sequence[Turn] = ()) -> None:
    nothing = TokenUse(prompt=0, completion=0)
    await store.ledger.add(
        AnsweredQuestion(
            asked_at=NOON,
            mode="direct",
            abstained=not sources,
            episodes_read=0,
            assistant=nothing,
            master=nothing,
            full_context_tokens=0,
            milliseconds={},
            turn=asked.id,
            conversation=asked.conversation.id,
            sources=tuple(one.id for one in sources),
        )
    )


async def test_one_turn_of_each_ticket_that_was_cited_is_found_three_at_most(
    store: InMemoryStore, background: Background
) -> None:
    asked = said(9, "The printer stops.")
    cited = [said(number, f"fix {number}", f"T{number}", f"INC-{number}") for number in (2, 3, 4, 5)]
    again = said(6, "more", "T2", "INC-2")
    await store.writing.record([asked, *cited, again])
    await answered(store, asked, [cited[0], again, *cited[1:]])
    assert await background.of(asked, TEAM) == Behind(found=tuple(cited[:3]))


async def test_what_the_viewer_may_not_see_and_what_the_bot_said_itself_is_not_found(
    store: InMemoryStore, background: Background
) -> None:
    asked = said(9, "The printer stops.")
    private = replace(said(2, "my own", "T2"), visibility=Visibility.PRIVATE)
    derived = replace(said(3, "an answer", "T3"), derived=True)
    await store.writing.record([asked, private, derived])
    await answered(store, asked, [private, derived])
    assert await background.of(asked, TEAM) == NOTHING


async def test_of_a_message_that_was_not_answered_nothing_is_told(store: InMemoryStore, background: Background) -> None:
    asked, other = said(9, "The printer stops."), said(8, "The scanner stops.", "T8")
    await store.writing.record([asked, other])
    await answered(store, other)
    assert await background.of(asked, TEAM) == NOTHING
    assert await background.of(other, TEAM) == Behind(nothing=True)


async def test_the_last_words_of_who_asked_are_told_and_nobody_elses(
    store: InMemoryStore, background: Background
) -> None:
    asked = said(9, "It says E-42 now.")
    first, second, third, fourth = (said(number, f"The printer stops, try {number}.") for number in (1, 2, 3, 4))
    others = [said(5, "Mine, too.", author="mori"), said(6, "thanks"), said(7, "It did not help"), said(10, "later")]
    reply = replace(said(1, "an answer"), message=reply_message("1"), author="helpdesk", role=Role.BOT, derived=True)
    await store.writing.record([first, second, third, fourth, *others, reply, asked])
    assert (await background.of(asked, TEAM)).earlier == (second, third, fourth)


async def test_a_note_is_stale_when_anything_changes_that_it_shows(
    store: InMemoryStore, background: Background
) -> None:
    place = Conversation(platform="slack", workspace="T1", channel="support", thread="note")
    asked, earlier, cited = said(9, "It says E-42."), said(1, "The printer stops."), said(2, "fix", "T2", "INC-2")
    await store.writing.record([asked, earlier, cited])
    await answered(store, asked, [cited])
    line = Line(ticket="HD-1", conversation=asked.conversation.id, place=place, request=asked.id)
    await store.lines.lay(line, NOON)
    await background.watch(line)
    for changed in (earlier, cited):
        await store.writing.record([replace(changed, text="otherwise")])
        [stale] = await store.lines.stale("slack", 9)
        await store.lines.drawn(stale)
    assert await store.lines.stale("slack", 9) == []


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "ja",
            (
                "その前の発言: 「止まります。」 「まだです。」",
                "ボットが見つけた記録: INC-2 加藤 「ローラーを拭く」",
                "ボットが見つけた記録: HD-7 「部品を替える」",
                "ボットは何も見つけられませんでした。",
            ),
        ),
        (
            "en",
            (
                "Said before: “止まります。” “まだです。”",
                "What the bot found: INC-2 加藤 “ローラーを拭く”",
                "What the bot found: HD-7 “部品を替える”",
                "The bot found nothing.",
            ),
        ),
    ],
)
def test_each_is_a_line_in_either_language(language: str, expected: tuple[str, ...]) -> None:
    shared = replace(
        said(3, "部品を替える"),
        conversation=Conversation(platform=SHARED, workspace="", channel=SHARED, thread="HD-7"),
    )
    behind = Behind(
        found=(replace(said(2, "ローラーを拭く", ticket="INC-2"), speaker="加藤"), shared),
        nothing=True,
        earlier=(said(1, "止まります。"), said(2, "まだです。")),
    )
    assert behind_lines(behind, None, language=language, wording=SHIPPED) == expected


def test_no_quote_is_longer_than_a_line_or_gets_out_of_its_marks() -> None:
    behind = Behind(found=(said(2, "“a”\n" + "b" * 500),))
    [line] = behind_lines(behind, None, language="en", wording=SHIPPED)
    assert len(line) < 120
    assert line.count("“") == line.count("”") == 1
