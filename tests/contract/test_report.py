"""A report may be posted anywhere: whatever store it is read from, it holds what everybody may read and no more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.report.message import message
from bot.report.page import page
from bot.report.reading import Gap, Report, Topic, report_of
from bot.report.spoken import Spoken
from config.schema import ModelsSettings
from memory.feedback import Feedback
from memory.model import DIRECT, Role, Turn, Viewer, Visibility
from memory.ports import HandedOver
from memory.tickets import Draft, opening_message
from tests.fakes.reports import WEEK, asked
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, note, opened

EN, JA = Spoken(language="en"), Spoken(language="ja")
LATER = NOON + timedelta(hours=5)
BY_MODEL = {"made_by": "small-model"}


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def reported(store: Store) -> Report:
    return await report_of(
        WEEK,
        LATER,
        ledger=store.ledger,
        feedback=store.feedback,
        reading=store.reading,
        models=ModelsSettings(),
    )


async def left_open(store: Store, *turns: Turn) -> None:
    """Questions that were abstained on, one a minute."""
    await store.writing.record(turns)
    for number, one in enumerate(turns):
        entry = asked(one.id, conversation=one.conversation.id, minutes=number, abstained=True)
        await store.ledger.add(entry)


async def noted(
    store: Store, name: str, keywords: Sequence[str], made: Mapping[str, Any] = BY_MODEL, **of: Any
) -> None:
    """An episode of one message with a note that has these keywords."""
    said = turn(1, "words", thread=name, ticket=name, **of)
    part = episode(name, [said])
    await store.writing.record([said])
    await store.writing.store_episodes(part.conversation.id, [part])
    await store.writing.store_note(replace(note(name), keywords=tuple(keywords), **made))


async def test_an_empty_store_has_an_empty_report(store: Store) -> None:
    found = await reported(store)
    assert (found.topics, found.gaps, found.further, found.unread) == ((), (), 0, 0)


async def test_words_that_not_everybody_may_read_are_in_no_report(store: Store) -> None:
    everyone = turn(1, "open question", visibility=Visibility.EVERYONE)
    hidden = [
        turn(2, "private secret", visibility=Visibility.PRIVATE, channel=DIRECT, thread="T2"),
        turn(3, "channel secret", visibility=Visibility.CHANNEL, thread="T3"),
        turn(4, "secret among those who took part", visibility=Visibility.CHANNEL, channel=DIRECT, thread="T4"),
    ]
    await left_open(store, everyone, *hidden)
    for number, visibility in enumerate((Visibility.PRIVATE, Visibility.CHANNEL, Visibility.EVERYONE)):
        for name in (f"E{number}", f"F{number}"):
            topic = "open topic" if visibility is Visibility.EVERYONE else "secret topic"
            await noted(store, name, [topic], visibility=visibility)
    found = await reported(store)
    assert [gap.words for gap in found.gaps] == ["open question"]
    assert found.topics == (Topic(name="open topic", episodes=2),)
    assert (found.figures.abstained, found.unread) == (4, 3)
    for told in (page(found, EN), page(found, JA), message(found, EN), message(found, JA)):
        assert "open question" in told
        assert "secret" not in told


async def test_a_question_that_was_taken_back_goes_from_the_next_report_and_is_counted_still(store: Store) -> None:
    asking = turn(1, "open question")
    await left_open(store, asking)
    assert [gap.words for gap in (await reported(store)).gaps] == ["open question"]
    await store.mailbox.withdraw(asking.id)
    found = await reported(store)
    assert (found.gaps, found.unread, found.figures.abstained) == ((), 1, 1)


async def test_what_was_asked_outside_any_conversation_has_no_words(store: Store) -> None:
    await store.ledger.add(asked(None, conversation=None, abstained=True))
    await store.ledger.add(asked(None, conversation=None, abstained=True))
    found = await reported(store)
    assert (found.gaps, found.unread) == ((), 2)


async def test_an_edited_question_is_shown_in_its_new_words(store: Store) -> None:
    asking = turn(1, "wrong words")
    await left_open(store, asking)
    await store.writing.record([replace(asking, text="right words")])
    assert [gap.words for gap in (await reported(store)).gaps] == ["right words"]


async def test_questions_in_the_same_words_are_one_gap_and_the_newest_gap_is_first(store: Store) -> None:
    words = ("What is the Wi-Fi password?", "When is payday?", "what is  the wi-fi PASSWORD?")
    said = [turn(n, text, minutes=n, thread=f"T{n}") for n, text in enumerate(words)]
    await left_open(store, *said)
    assert (await reported(store)).gaps == (
        Gap(words="what is the wi-fi PASSWORD?", times=2, last=date(2026, 11, 20)),
        Gap(words="When is payday?", times=1, last=date(2026, 11, 20)),
    )


async def test_only_the_newest_gaps_are_shown_and_the_others_are_counted(store: Store) -> None:
    await left_open(store, *(turn(n, f"question {n}", minutes=n) for n in range(23)))
    found = await reported(store)
    assert [gap.words for gap in found.gaps] == [f"question {n}" for n in range(22, 2, -1)]
    assert (found.further, found.unread) == (3, 0)


async def test_a_question_that_a_dying_process_answered_twice_is_one_gap(store: Store) -> None:
    asking = turn(1, "open question")
    await left_open(store, asking)
    await store.ledger.add(asked(asking.id, minutes=9, abstained=True))
    found = await reported(store)
    assert [(gap.words, gap.times) for gap in found.gaps] == [("open question", 1)]
    assert found.unread == 0


async def test_a_question_whose_conversation_was_told_something_since_is_no_gap(store: Store) -> None:
    """What is answered elsewhere, earlier, or with nothing to stand on answers nothing."""
    said = [turn(1, f"question {name}", thread=name, ticket=None) for name in ("later", "earlier", "bare", "elsewhere")]
    await left_open(store, *said)
    for thread, minutes, sources in (
        ("later", 9, ("S1",)),
        ("earlier", -9, ("S1",)),
        ("bare", 9, ()),
        ("X", 9, ("S1",)),
    ):
        answered = asked(f"{thread} again", conversation=conversation(thread).id, minutes=minutes)
        await store.ledger.add(replace(answered, sources=sources))
    found = await reported(store)
    assert {gap.words for gap in found.gaps} == {"question earlier", "question bare", "question elsewhere"}
    assert (found.settled, found.further, found.unread) == (1, 0, 0)


async def test_a_question_whose_ticket_was_resolved_in_words_is_no_gap(store: Store) -> None:
    """Not the one that was closed without a word, and not the one that was opened again."""
    said = [turn(1, f"question {name}", thread=name, ticket=None) for name in ("told", "mute", "again", "unresolved")]
    await left_open(store, *said)
    names = {one.conversation.thread: await opened_ticket(store, one) for one in said}
    await changed(store, said[0], names["told"], "resolved", "Resolved.\nFix: a new drum")
    await changed(store, said[1], names["mute"], "resolved", "Resolved.")
    await changed(store, said[2], names["again"], "resolved", "Resolved.\nFix: a new drum")
    await changed(store, said[2], names["again"], "reopened", "It is open again.")
    found = await reported(store)
    assert {gap.words for gap in found.gaps} == {"question mute", "question again", "question unresolved"}
    assert (found.settled, found.further, found.unread) == (1, 0, 0)


async def opened_ticket(store: Store, asking: Turn) -> str:
    opening = replace(asking, message=opening_message(asking.message), text="A ticket was opened.")
    return await store.ticket_writing.open(Draft(turn=asking.id), opening, "HD")


async def changed(store: Store, asking: Turn, name: str, status: str, text: str) -> None:
    [ticket] = await store.tickets.named([name], Viewer(user="okabe", agent=True))
    said_at = ticket.changed_at + timedelta(minutes=1)
    change = replace(
        asking,
        ticket=name,
        message=f"{name}-{status}",
        author="okabe",
        role=Role.AGENT,
        text=text,
        status=status,
        said_at=said_at,
    )
    await store.ticket_writing.change(name, ticket.changes, change)


async def test_topics_are_the_keywords_of_most_episodes_of_the_period_however_they_are_written(store: Store) -> None:
    await noted(store, "E1", ["VPN", "printer", "ＶＰＮ"])
    await noted(store, "E2", ["VPN"])
    await noted(store, "E3", ["vpn", "printer", "once"])
    await noted(store, "E4", ["VPN"], said_at=NOON - timedelta(days=7))
    await noted(store, "E5", ["VPN"], said_at=LATER + timedelta(minutes=1))
    assert (await reported(store)).topics == (Topic(name="VPN", episodes=3), Topic(name="printer", episodes=2))


async def test_keywords_by_rule_are_topics_where_the_title_or_else_the_summary_has_them(store: Store) -> None:
    said = ["vpn", "says"]
    await noted(store, "E1", said, {"made_by": "rules", "context": "No VPN; open", "summary": "It says no VPN"})
    await noted(store, "E2", said, {"made_by": "rules", "context": "", "summary": "My VPN is gone"})
    assert (await reported(store)).topics == (Topic(name="vpn", episodes=2),)


async def test_votes_and_persons_are_those_of_the_period(store: Store) -> None:
    for number in range(4):
        await store.ledger.add(asked(f"T{number}", conversation=f"C{number}"))
    await store.ledger.add(asked("old", at=WEEK.since - timedelta(microseconds=1)))
    await store.feedback.give(Feedback(turn="T0", author="sato", helpful=False, at=NOON))
    await store.feedback.give(Feedback(turn="T1", author="sato", helpful=True, at=NOON))
    await store.ledger.note_handed_over(HandedOver(turn="wish", conversation="C2", at=NOON))
    found = (await reported(store)).figures
    assert (found.questions, found.alone, found.votes.helpful, found.votes.unhelpful) == (4, 2, 1, 1)
