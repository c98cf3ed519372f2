"""A talk in which not every message is a question: what counts as said of which answer, and what is searched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from handlers.earlier import CALLED
from handlers.messages import IncomingMessage
from memory.feedback import Tally
from memory.model import Conversation, Visibility
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.answers import JST, ScriptedAnswers, abstained
from tests.fakes.desks import desk_over

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=JST)
THREAD = Conversation(platform="terminal", workspace="local", channel="it-help", thread="t1")


class Talk:
    """Some people and the bot in one thread; each message comes a minute after the one before it."""

    def __init__(self) -> None:
        self.now = NOON
        self.store = InMemoryStore(clock=self.clock)
        self.answers = ScriptedAnswers([abstained() for _ in range(9)])
        self.desk = desk_over(self.store, self.answers, self.clock)

    def clock(self) -> datetime:
        return self.now.astimezone(UTC)

    async def say(self, text: str, *, by: str = "aya") -> str:
        """To the bot; its reply."""
        reply = await self.desk.reply(self._message(text, by))
        assert reply is not None
        return reply.text

    async def say_among(self, text: str, *, by: str) -> None:
        """To the others."""
        await self.desk.overhear(self._message(text, by))

    def _message(self, text: str, by: str) -> IncomingMessage:
        self.now += timedelta(minutes=1)
        return IncomingMessage(
            conversation=THREAD,
            message=f"{self.now:%H%M}",
            author=by,
            text=text,
            said_at=self.now,
            visibility=Visibility.EVERYONE,
        )

    @property
    def asked(self) -> list[str]:
        return [question.text for question in self.answers.questions]

    async def tally(self) -> Tally:
        return await self.store.feedback.tally(NOON)


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.mark.parametrize(
    ("question", "denial", "sorry"),
    [
        ("VPNが切れます", "ダメでした", "お役に立てず申し訳ありません。"),
        ("The VPN drops", "no", "Sorry that this did not help."),
    ],
    ids=["ja", "en"],
)
async def test_in_plain_text_who_was_not_helped_is_told_whom_to_ask(
    talk: Talk, question: str, denial: str, sorry: str
) -> None:
    await talk.say(question)
    said = await talk.say(denial)
    assert said.startswith(sorry)
    assert "サポート担当者" in said or "support agent" in said
    assert await talk.tally() == Tally(unhelpful=1)


@pytest.mark.parametrize(
    ("words", "said"), [("まだ直りません", "どうされましたか"), ("still not working", "What can I do for you?")]
)
async def test_with_nothing_before_it_nothing_is_judged_and_nothing_searched(talk: Talk, words: str, said: str) -> None:
    assert said in await talk.say(words)
    assert talk.asked == []
    assert await talk.tally() == Tally()


async def test_a_promise_in_between_changes_nothing(talk: Talk) -> None:
    await talk.say("VPNが切れます")
    await talk.say_among("やってみます！", by="aya")
    await talk.say("やっぱりダメでした")
    assert await talk.tally() == Tally(unhelpful=1)


async def test_where_others_have_written_since_it_may_be_meant_for_them(talk: Talk) -> None:
    await talk.say("VPNが切れます")
    await talk.say_among("証明書は入れ直しましたか", by="ken")
    await talk.say("まだ直りません")
    assert await talk.tally() == Tally()
    assert talk.asked == ["VPNが切れます", "VPNが切れます\n証明書は入れ直しましたか"]


async def test_what_was_asked_by_a_call_alone_can_be_called_unhelpful_and_pointed_at(talk: Talk) -> None:
    await talk.say_among("The till beeps", by="ken")
    await talk.say_among("It says QX-7713", by="aya")
    await talk.say(CALLED)
    await talk.say("and how do I fix that?")
    await talk.say("where do I find it?")
    await talk.say("that didn't help")
    above = "The till beeps\nIt says QX-7713"
    assert talk.asked == [above, f"{above}\nand how do I fix that?", f"{above}\nwhere do I find it?"]
    assert await talk.tally() == Tally(unhelpful=1)


async def test_a_new_report_is_what_the_next_call_means_and_not_the_old_question(talk: Talk) -> None:
    await talk.say("VPNが切れます")
    await talk.say_among("三階のプリンタも止まっています", by="ken")
    await talk.say("これ分かる？")
    assert talk.asked[1:] == ["三階のプリンタも止まっています"]


async def test_words_that_point_at_nothing_are_asked_as_they_are(talk: Talk) -> None:
    await talk.say("それはどこにありますか")
    assert talk.asked == ["それはどこにありますか"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("お疲れ様です。山口です。", "こんにちは。お困りのことを、一文か二文で書いてください。"),
        ("Hello, this is Mary.", "Hello. Please tell me in a sentence or two what you need."),
        (
            "あなたは誰ですか",
            "ヘルプデスクのボットです。過去のチケットなどの記録からお答えし、必要なら担当者に取り次ぎます。",
        ),
        (
            "who are you?",
            "I am the helpdesk's bot. I answer from what is remembered of past tickets, and bring you to a person.",
        ),
    ],
)
async def test_who_only_greets_or_asks_who_answers_is_answered_without_a_search(
    talk: Talk, words: str, said: str
) -> None:
    assert await talk.say(words) == said
    assert talk.asked == []


@pytest.mark.parametrize(
    ("question", "denial", "sorry"),
    [
        ("VPNが切れます", "それはもう試しました", "お役に立てず申し訳ありません。"),
        ("VPNが切れます", "違います", "お役に立てず申し訳ありません。"),
        ("The VPN drops", "I already tried that", "Sorry that this did not help."),
    ],
)
async def test_what_was_tried_already_or_is_wrong_did_not_help(
    talk: Talk, question: str, denial: str, sorry: str
) -> None:
    await talk.say(question)
    assert (await talk.say(denial)).startswith(sorry)
    assert talk.asked == [question]
