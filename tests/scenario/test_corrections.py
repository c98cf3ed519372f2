"""An answer was wrong, and somebody says so: what is right is remembered from then on, with who said it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.desks import corrections_over
from bot.platforms import changes_over
from bot.telling import unheard
from bot.use_cases import perform
from handlers.messages import IncomingMessage, OutgoingReply
from memory.errors import NothingFound
from memory.feedback import Feedback
from memory.model import DIRECT, Conversation, Turn, Viewer, Visibility, turn_id
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import turn

THREAD = Conversation(platform="slack", workspace="T1", channel="it-help", thread="Q1")
ANYBODY = Viewer(user="mori", channel="it-help")


@pytest.fixture(params=HOUSES)
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as house:
        yield house


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering("in-memory", tmp_path) as house:
        yield house


def owner(words: str = "経費システムの担当は加藤さんです。", *, visibility: Visibility = Visibility.EVERYONE) -> Turn:
    return turn(1, words, thread="INC-1", author="okabe", requester="okabe", visibility=visibility)


async def say(
    house: Remembering,
    words: str,
    message: str,
    *,
    thread: Conversation = THREAD,
    author: str = "sato",
    visibility: Visibility = Visibility.EVERYONE,
) -> OutgoingReply:
    """Write to the bot a minute after what was said before."""
    house.watch.wait(1)
    reply = await house.app.desk.reply(
        IncomingMessage(
            conversation=thread,
            message=message,
            author=author,
            text=words,
            said_at=house.watch(),
            visibility=visibility,
            requester=author,
        )
    )
    assert reply is not None
    return reply


async def stated(house: Remembering, message: str = "2", *, thread: Conversation = THREAD) -> list[str]:
    found = await house.app.store.reading.recent(
        thread.id, Viewer(user="sato", channel=thread.channel), house.watch() + timedelta(hours=1), 20
    )
    return [one.text for one in found if one.message == f"{message}-correction"]


async def answered(house: Remembering, question: str, *, as_of: datetime | None = None) -> str:
    """What the bot answers to somebody else, somewhere else."""
    found = await house.app.desk.ask(question, user="mori", channel="it-help", now=house.watch(), as_of=as_of)
    return found.body or " ".join(one.quote for one in found.cited)


async def test_what_is_right_ends_what_was_said_before_and_says_who_said_it(house: Remembering) -> None:
    await house.remember(owner())
    before = house.watch() + timedelta(seconds=30)
    assert "加藤" in (await say(house, "経費システムの担当は誰ですか。", "1")).text
    reply = await say(house, "違います。今は森さんです。", "2")
    [sentence] = await stated(house)
    assert sentence.endswith("から、経費システムの担当は森さんです。")
    assert f"「{sentence}」と覚えました" in reply.text
    await house.remember()
    house.watch.wait(60)
    now = await answered(house, "経費システムの担当は誰ですか。")
    assert "森" in now
    assert "加藤" not in now
    assert "加藤" in await answered(house, "経費システムの担当は誰ですか。", as_of=before)
    told = turn_id(THREAD, "2-correction")
    [fact] = await house.app.store.facts.of_turns([told], ANYBODY, house.watch())
    assert (fact.subject, fact.predicate, fact.value) == ("経費システム", "owner", "森")
    assert (fact.dated, "sato" in fact.people, fact.scope.visibility) == (True, True, Visibility.EVERYONE)


async def test_the_same_in_english(house: Remembering) -> None:
    await house.remember(owner("The owner of Andon is Kato."))
    assert "Kato" in (await say(house, "Who is the owner of Andon?", "1")).text
    reply = await say(house, "That is wrong, it is now Mori.", "2")
    [sentence] = await stated(house)
    assert sentence.endswith(", the owner of Andon is Mori.")
    assert sentence in reply.text
    await house.remember()
    house.watch.wait(60)
    now = await answered(house, "Who is the owner of Andon?")
    assert "Mori" in now
    assert "Kato" not in now


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("違います。経費システムの担当は森さんです。", "経費システムの担当は森です。"),
        ("違います。担当は森さんです。", "経費システムの担当は森です。"),
        ("それは間違いです。正しくは森さんです。", "経費システムの担当は森さんです。"),
    ],
)
async def test_it_may_be_said_whole_or_by_what_was_asked(small: Remembering, words: str, sentence: str) -> None:
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, words, "2")
    [found] = await stated(small)
    assert found.endswith(sentence)


@pytest.mark.parametrize(
    "words",
    [
        "Your answer is wrong, the owner is Tanaka",
        "That is wrong, the owner is Tanaka.",
        "That's incorrect, Tanaka owns it now",
        "No, Tanaka owns it now.",
        "That's not right. The owner of the badge system is Tanaka now.",
    ],
)
async def test_what_names_only_the_attribute_is_of_what_was_told(small: Remembering, words: str) -> None:
    await small.remember(owner("The owner of the badge system is Okabe."))
    await say(small, "Who is the owner of the badge system?", "1")
    reply = await say(small, words, "2")
    [found] = await stated(small)
    assert found.endswith(", the owner of the badge system is Tanaka.")
    assert found in reply.text


async def test_a_bare_no_with_what_changed_puts_right(small: Remembering) -> None:
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, "いえ、もう田中さんに代わりました", "2")
    [found] = await stated(small)
    assert found.endswith("経費システムの担当は田中さんです。")


@pytest.mark.parametrize(
    ("told", "question", "words", "said"),
    [
        (
            "The owner of Andon is Kato.",
            "Who is the owner of Andon?",
            "No, that's not right any more. The owner of Andon is Tanaka and Sato now",
            "The owner of X is now Y",
        ),
        (
            "経費システムの担当は加藤さんです。",
            "経費システムの担当は誰ですか。",
            "違います。総務の二人で見ています。",
            "今は△△です",
        ),
    ],
)
async def test_what_cannot_be_read_is_kept_as_called_wrong_and_asked_for_again(
    small: Remembering, told: str, question: str, words: str, said: str
) -> None:
    await small.remember(owner(told))
    await say(small, question, "1")
    assert said in (await say(small, words, "2")).text
    assert await stated(small) == []
    kept = await small.app.store.feedback.correction(turn_id(THREAD, "2"))
    assert kept is not None
    assert (kept.about, kept.stated) == (turn_id(THREAD, "1"), None)


async def with_a_ticket(house: Remembering) -> None:
    """A ticket in which somebody tells who owns a system, and which has an assignee of its own."""
    words = [
        "ロビーのAndonに動画を出したいです。",
        "Andonの担当は先週から岡部さんに替わりました。",
        "岡部です。お預かりします。",
    ]
    people, held = ["sato", "nadia", "okabe"], [None, "nadia", "okabe"]
    told = [
        turn(number, said, author=author, requester="sato", visibility=Visibility.EVERYONE, title="動画", status="open")
        for number, (said, author) in enumerate(zip(words, people, strict=True), start=1)
    ]
    await house.remember(*[replace(one, assignee=name) for one, name in zip(told, held, strict=True)])


async def test_of_several_things_that_were_quoted_the_one_is_put_right_that_was_asked_for(small: Remembering) -> None:
    await with_a_ticket(small)
    assert "岡部" in (await say(small, "Andonの担当は？", "1")).text
    await say(small, "違います。今は森さんです。", "2")
    [sentence] = await stated(small)
    assert sentence.endswith("から、Andonの担当は森さんです。")


async def test_who_says_only_that_it_is_wrong_is_asked_what_is_right(small: Remembering) -> None:
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1")
    reply = await say(small, "違います。", "2")
    assert "一文で書いてください" in reply.text
    assert await stated(small) == []
    kept = await small.app.store.feedback.correction(turn_id(THREAD, "2"))
    assert kept is not None
    assert (kept.about, kept.author, kept.sources, kept.stated) == (turn_id(THREAD, "1"), "sato", (owner().id,), None)
    await say(small, "違います。今は森さんです。", "3")
    kept = await small.app.store.feedback.correction(turn_id(THREAD, "3"))
    assert kept is not None
    assert (kept.about, kept.sources) == (turn_id(THREAD, "1"), (owner().id,))
    assert len(await stated(small, "3")) == 1


async def test_what_is_no_correction_is_answered(small: Remembering) -> None:
    await small.remember(owner())
    # Nothing was answered yet, and then with an abstention.
    assert "確認中" in (await say(small, "違います。今は森さんです。", "1")).text
    await say(small, "経費システムの担当は誰ですか。", "3")
    assert "覚えました" not in (await say(small, "違います。経費システムにまだ入れません。", "4")).text
    assert await small.app.store.feedback.corrections(9) == []


async def test_a_correction_of_private_words_stays_private(small: Remembering) -> None:
    direct = Conversation(platform="slack", workspace="T1", channel=DIRECT, thread="D1")
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1", thread=direct, visibility=Visibility.PRIVATE)
    await say(small, "違います。今は森さんです。", "2", thread=direct, visibility=Visibility.PRIVATE)
    assert len(await stated(small, thread=direct)) == 1
    await small.remember()
    small.watch.wait(60)
    others = await answered(small, "経費システムの担当は誰ですか。")
    assert "加藤" in others
    assert "森" not in others


async def test_what_only_a_channel_may_know_stays_there(small: Remembering) -> None:
    await small.remember(owner(visibility=Visibility.CHANNEL))
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, "違います。今は森さんです。", "2")
    [found] = await small.app.store.reading.turns([turn_id(THREAD, "2-correction")], ANYBODY, small.watch())
    assert found.visibility is Visibility.CHANNEL


async def test_a_message_told_twice_is_one_correction(small: Remembering) -> None:
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, "違います。今は森さんです。", "2")
    [found] = await small.app.store.reading.turns([turn_id(THREAD, "2")], ANYBODY, small.watch())
    # A process that died before it had noted its reply does it again.
    app = small.app
    assert await corrections_over(app.settings, app.clock, app.store, app.index).taken(found, ANYBODY)
    assert len(await stated(small)) == 1
    assert len(await small.app.store.feedback.corrections(9)) == 1


async def test_who_takes_the_message_back_takes_back_what_it_put_right(house: Remembering) -> None:
    await house.remember(owner())
    await say(house, "経費システムの担当は誰ですか。", "1")
    await say(house, "違います。今は森さんです。", "2")
    await house.remember()
    await changes_over(house.app).deleted(THREAD, "2")
    await house.remember()
    assert await stated(house) == []
    house.watch.wait(60)
    now = await answered(house, "経費システムの担当は誰ですか。")
    assert "加藤" in now
    assert "森" not in now


async def test_who_edits_the_message_edits_what_it_put_right(small: Remembering) -> None:
    await small.remember(owner())
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, "違います。今は森さんです。", "2")
    changes = changes_over(small.app)
    await changes.edited(THREAD, "2", "sato", "違います。今は林さんです。")
    [sentence] = await stated(small)
    assert sentence.endswith("経費システムの担当は林さんです。")
    await changes.edited(THREAD, "2", "sato", "ありがとうございます。")
    assert await stated(small) == []


# --- measuring --------------------------------------------------------------------------------------------------------


async def test_what_people_said_of_answers_is_what_is_measured(small: Remembering) -> None:
    await small.remember(owner(), turn(1, "The printer needs a new drum.", thread="INC-2", ticket="INC-2", minutes=1))
    await say(small, "経費システムの担当は誰ですか。", "1")
    await say(small, "違います。今は森さんです。", "2")
    other = Conversation(platform="slack", workspace="T1", channel="it-help", thread="Q2")
    asked = await say(small, "What does the printer need?", "1", thread=other)
    assert asked.sources
    liked = Feedback(turn=turn_id(other, "1"), author="mori", helpful=True, at=small.watch())
    await small.app.store.feedback.give(liked)
    await small.remember()
    found = await perform(small.app, "eval own", {}, unheard)
    assert found is not None
    assert found["questions"] == 2
    assert found["groups"] == {"corrected": 1, "helpful": 1}
    assert found["recall"]["session_any"]["5"] == 1.0


async def test_before_anybody_said_anything_there_is_nothing_to_measure(small: Remembering) -> None:
    with pytest.raises(NothingFound, match="Nobody has called an answer helpful"):
        await perform(small.app, "eval own", {}, unheard)
