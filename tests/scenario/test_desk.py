"""One message in, one reply out: what is kept, what is said, and what happens when a part fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from config.schema import BotSettings, Language
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.ports import Send
from memory.answers import Answer, AnswerKind
from memory.errors import IndexDamaged, InputRefused, StoreUnavailable
from memory.model import DIRECT, Conversation, Role, Turn, Viewer, Visibility
from memory.ports import Recorded
from memory.stores.in_memory_mailbox import InMemoryMailbox
from memory.stores.in_memory_state import Memory
from memory.stores.in_memory_words import InMemoryStore
from memory.text.redact import Redactor
from tests.fakes.answers import JST, ScriptedAnswers, abstained, evidence
from tests.fakes.desks import desk_over

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=JST)
WRITTEN = Answer(
    kind=AnswerKind.WRITTEN, language="ja", body="証明書を入れ直してください。", cited=(evidence("直りました。"),)
)


def clock() -> datetime:
    return NOON.astimezone(UTC)


def message(
    text: str, *, id: str = "m1", channel: str = DIRECT, author: str = "tanaka", **more: object
) -> IncomingMessage:
    defaults: dict[str, object] = {"said_at": NOON, "visibility": Visibility.PRIVATE} | more
    return IncomingMessage(
        conversation=Conversation(platform="terminal", workspace="local", channel=channel, thread="t1"),
        message=id,
        author=author,
        text=text,
        **defaults,  # type: ignore[arg-type]
    )


class Place:
    """A desk over a store in memory, with scripted answers."""

    def __init__(self, *script: Answer | Exception, **bot: object) -> None:
        self.store = InMemoryStore(clock=clock)
        self.answers = ScriptedAnswers(script)
        #: Whether a person has the conversation, each time that the desk looks; then nobody has.
        self.held: list[bool] = []
        self.desk = desk_over(
            self.store, self.answers, clock, bot=BotSettings(**bot), agents=("okabe",), held=self.is_held
        )

    async def is_held(self, _: Turn) -> bool:
        return self.held.pop(0) if self.held else False

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply:
        reply = await self.desk.reply(incoming)
        assert reply is not None
        return reply

    async def kept(self, channel: str = DIRECT) -> list[Turn]:
        conversation = Conversation(platform="terminal", workspace="local", channel=channel, thread="t1")
        everything = Viewer(user="okabe", channel=DIRECT, agent=True)
        return await self.store.reading.recent(conversation.id, everything, NOON + timedelta(days=1), 100)


async def test_a_message_is_kept_verbatim_and_answered_and_the_answer_is_kept_as_the_bots_own_words() -> None:
    place = Place(WRITTEN)
    reply = await place.reply(message("ＶＰＮがまた切れます"))
    assert reply.text.startswith(
        "証明書を入れ直してください。\n\n出典:\n[1] INC-1067, 2026年11月22日(日) 01:05 (UTC), okabe"
    )
    assert (reply.language, reply.answer, reply.reference) == ("ja", WRITTEN, None)
    asked, answered = await place.kept()
    assert (asked.text, asked.author, asked.role, asked.derived) == (
        "ＶＰＮがまた切れます",
        "tanaka",
        Role.REQUESTER,
        False,
    )
    assert (answered.text, answered.author, answered.role, answered.derived) == (reply.text, "helpdesk", Role.BOT, True)
    assert (answered.requester, answered.visibility) == ("tanaka", Visibility.PRIVATE)
    assert answered.said_at > asked.said_at


async def test_the_question_carries_who_asks_where_and_when_and_which_turn_it_is() -> None:
    place = Place(WRITTEN, abstained())
    await place.reply(message("VPNが切れます"))
    await place.reply(message("VPN?", id="m2", author="okabe", channel="it-help", visibility=Visibility.CHANNEL))
    first, second = place.answers.questions
    assert first.viewer == Viewer(user="tanaka", channel=DIRECT, agent=False)
    assert (first.now, first.now.utcoffset()) == (NOON, timedelta(hours=9))
    assert first.turn == (await place.kept())[0].id
    assert second.viewer == Viewer(user="okabe", channel="it-help", agent=True)


async def test_a_message_delivered_again_gets_no_second_answer_and_is_kept_once() -> None:
    place = Place(WRITTEN)
    await place.reply(message("VPNが切れます"))
    assert await place.desk.reply(message("VPNが切れます")) is None
    assert len(place.answers.questions) == 1
    assert len(await place.kept()) == 2


@pytest.mark.parametrize(("held", "asked"), [([True], 0), ([False, True], 1)], ids=["before", "meanwhile"])
async def test_what_is_said_while_a_person_has_the_conversation_is_kept_and_not_answered(
    held: list[bool], asked: int
) -> None:
    place = Place(WRITTEN, WRITTEN)
    place.held = held
    assert await place.desk.reply(message("VPNが切れます")) is None
    assert len(place.answers.questions) == asked
    assert [turn.text for turn in await place.kept()] == ["VPNが切れます"]
    assert await place.desk.waiting("terminal", 10) == []
    assert (await place.reply(message("まだ切れます", id="m2"))).answer == WRITTEN


async def test_an_edited_message_is_kept_as_edited_and_gets_no_second_answer() -> None:
    place = Place(WRITTEN)
    reply = await place.reply(message("VPNが切れます"))
    assert await place.desk.reply(message("VPNではなくWi-Fiが切れます")) is None
    assert [turn.text for turn in await place.kept()] == ["VPNではなくWi-Fiが切れます", reply.text]


async def test_a_message_delivered_many_times_at_once_gets_one_answer() -> None:
    place = Place(*[WRITTEN] * 8)
    replies = await asyncio.gather(*(place.desk.reply(message("VPNが切れます")) for _ in range(8)))
    assert len([reply for reply in replies if reply is not None]) == 1
    assert len(place.answers.questions) == 1


async def test_a_message_that_was_overheard_before_it_was_told_as_addressed_gets_one_answer() -> None:
    place = Place(WRITTEN)
    await place.desk.overhear(message("VPNが切れます"))
    assert (await place.reply(message("VPNが切れます"))).answer == WRITTEN
    assert await place.desk.overhear(message("VPNが切れます"))
    assert await place.desk.reply(message("VPNが切れます")) is None
    assert await place.desk.waiting("terminal", 10) == []


async def test_a_message_whose_process_died_before_replying_is_replied_to_when_it_comes_again() -> None:
    place = Place(WRITTEN)
    assert isinstance(await place.desk.receive(message("VPNが切れます")), Turn)
    (waiting,) = await place.desk.waiting("terminal", 10)
    assert waiting.text == "VPNが切れます"
    assert (await place.reply(message("VPNが切れます"))).answer == WRITTEN
    assert await place.desk.waiting("terminal", 10) == []


async def test_a_message_that_another_process_is_answering_is_left_to_it() -> None:
    place = Place(WRITTEN)
    turn = await place.desk.receive(message("VPNが切れます"))
    assert isinstance(turn, Turn)
    await place.store.leases.acquire(f"reply {turn.id}", "another process", clock(), 60)
    assert await place.desk.reply(message("VPNが切れます")) is None
    assert len(await place.desk.waiting("terminal", 10)) == 1


async def test_a_reply_that_could_not_be_sent_is_still_owed() -> None:
    place = Place(WRITTEN, WRITTEN)
    turn = await place.desk.receive(message("VPNが切れます"))
    assert isinstance(turn, Turn)

    @asynccontextmanager
    async def broken() -> AsyncIterator[Send]:
        async def send(reply: OutgoingReply) -> None:
            raise ConnectionError

        yield send

    with pytest.raises(ConnectionError):
        await place.desk.handle(turn, broken())
    assert [each.text for each in await place.kept()] == ["VPNが切れます"]
    assert (await place.reply(message("VPNが切れます"))).answer == WRITTEN


@pytest.mark.parametrize("text", ["", "   ", "\x00\x1b", "\u200b", "x" * 101])
async def test_a_refused_message_gets_a_sentence_and_touches_nothing(text: str) -> None:
    place = Place(max_message_characters=100)
    reply = await place.reply(message(text))
    assert reply.text
    assert reply.reference is None
    assert reply.answer is None
    assert await place.kept() == []


async def test_a_refusal_is_worded_in_the_language_of_the_message_or_the_bots() -> None:
    place = Place(max_message_characters=100, language=Language.ENGLISH)
    assert "上限は100文字" in (await place.reply(message("あ" * 101))).text
    assert "the limit is 100" in (await place.reply(message("a" * 101))).text
    assert (await place.reply(message(" "))).text.startswith("That message was empty")


async def test_an_emoji_is_kept_and_asked_about_without_a_search() -> None:
    place = Place()
    reply = await place.reply(message("😭"))
    assert "どうされましたか" in reply.text
    assert [turn.text for turn in await place.kept()] == ["😭", reply.text]


async def test_right_to_left_words_are_searched_for_like_any_others() -> None:
    place = Place(abstained("ja"), language=Language.ENGLISH)
    reply = await place.reply(message("الشبكة لا تعمل"))
    assert place.answers.questions[0].text == "الشبكة لا تعمل"
    assert reply.text.startswith("Still open: I could not find that in past tickets")


async def test_lone_surrogates_and_controls_do_not_reach_the_store() -> None:
    place = Place(abstained())
    await place.reply(message("VPN\ud83dが\x00切れます\u202e"))
    assert (await place.kept())[0].text == "VPN\ufffdが切れます"


@pytest.mark.parametrize(
    ("before", "language", "told"),
    [("VPNが切れます", Language.ENGLISH, "読める文字"), ("The VPN drops.", Language.JAPANESE, "read")],
)
async def test_what_cannot_be_read_is_refused_in_the_language_of_the_conversation(
    before: str, language: Language, told: str
) -> None:
    place = Place(abstained(), language=language)
    await place.reply(message(before))
    assert told in (await place.reply(message("\x01\x02\x03", id="m2"))).text


async def test_a_message_from_nobody_is_refused() -> None:
    assert "IDを指定してください" in (await Place().reply(message("VPNが切れます", author=" "))).text


async def test_nobody_speaks_from_the_future() -> None:
    place = Place(abstained())
    await place.reply(message("VPNが切れます", said_at=NOON + timedelta(days=36_500)))
    assert (await place.kept())[0].said_at == NOON


async def test_an_agent_speaks_as_one_only_in_the_requests_of_others() -> None:
    place = Place(abstained(), abstained())
    await place.reply(message("VPNが切れます", author="okabe"))
    await place.reply(message("証明書を見てください", id="m2", author="okabe", requester="tanaka"))
    assert [turn.role for turn in await place.kept() if not turn.derived] == [Role.REQUESTER, Role.AGENT]


@pytest.mark.parametrize(
    ("channel", "asked", "answer", "expected"),
    [
        ("it-help", Visibility.EVERYONE, WRITTEN, Visibility.CHANNEL),
        ("it-help", Visibility.EVERYONE, abstained(), Visibility.EVERYONE),
        ("it-help", Visibility.CHANNEL, WRITTEN, Visibility.CHANNEL),
        ("it-help", Visibility.PRIVATE, WRITTEN, Visibility.PRIVATE),
        (DIRECT, Visibility.EVERYONE, WRITTEN, Visibility.PRIVATE),
        (DIRECT, Visibility.PRIVATE, abstained(), Visibility.PRIVATE),
    ],
)
async def test_an_answer_is_kept_no_wider_than_the_place_it_was_read_for(
    channel: str, asked: Visibility, answer: Answer, expected: Visibility
) -> None:
    place = Place(answer)
    await place.reply(message("VPNが切れます", channel=channel, visibility=asked))
    assert [turn.visibility for turn in await place.kept(channel)] == [asked, expected]


class Full:
    """A store that takes nothing."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def record(self, turns: Sequence[Turn]) -> Recorded:
        raise self._error


class FullMailbox(InMemoryMailbox):
    """A mailbox that takes nothing."""

    def __init__(self, error: Exception) -> None:
        super().__init__(Memory(), clock, Redactor(b"key"))
        self._error = error

    async def receive(self, turn: Turn) -> Recorded:
        raise self._error


@pytest.mark.parametrize("error", [StoreUnavailable(), OSError("disk: VPNが切れます")])
async def test_a_message_that_could_not_be_kept_says_so_plainly(error: Exception) -> None:
    with capture_logs() as logs:
        desk = desk_over(InMemoryStore(clock=clock), ScriptedAnswers([]), clock, mailbox=FullMailbox(error))
        reply = await desk.reply(message("VPNが切れます"))
    assert reply is not None
    assert "このメッセージは残っていません" in reply.text
    assert reply.reference is not None
    assert reply.reference in reply.text
    assert [(entry["event"], entry["reference"], entry["kept"]) for entry in logs] == [
        ("message_failed", reply.reference, False)
    ]
    assert "切れます" not in str(logs)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreUnavailable(), "過去のチケットを読めません"),
        (IndexDamaged(), "検索が使えません"),
        (ZeroDivisionError("VPNが切れます"), "お答えする途中で問題が起きました"),
    ],
)
async def test_a_failure_while_answering_keeps_the_message_and_names_the_reference_of_the_log(
    error: Exception, words: str
) -> None:
    place = Place(error)
    with capture_logs() as logs:
        reply = await place.reply(message("VPNが切れます"))
    assert "メッセージは保存しました" in reply.text
    assert words in reply.text
    assert reply.reference is not None
    assert reply.reference in reply.text
    assert [(entry["reference"], entry["error"], entry["kept"]) for entry in logs] == [
        (reply.reference, type(error).__name__, True)
    ]
    assert "切れます" not in str(logs)
    assert [turn.text for turn in await place.kept()] == ["VPNが切れます"]


async def test_an_answer_is_given_even_when_it_cannot_be_remembered() -> None:
    store = InMemoryStore(clock=clock)
    desk = desk_over(store, ScriptedAnswers([WRITTEN]), clock, recorder=Full(StoreUnavailable()))
    with capture_logs() as logs:
        reply = await desk.reply(message("VPNが切れます"))
    assert reply is not None
    assert reply.text.startswith("証明書を入れ直してください。")
    assert [entry["event"] for entry in logs] == ["reply_not_remembered"]


async def test_a_question_of_its_own_records_nothing() -> None:
    place = Place(WRITTEN)
    answer = await place.desk.ask("VPNが切れます", user="tanaka", channel=DIRECT, now=NOON, as_of=NOON, known_at=NOON)
    assert answer == WRITTEN
    assert await place.kept() == []
    (question,) = place.answers.questions
    assert (question.as_of, question.known_at, question.conversation, question.turn) == (NOON, NOON, None, None)


@pytest.mark.parametrize(("text", "user"), [("", "tanaka"), ("😀", "tanaka"), ("x" * 20_001, "tanaka"), ("VPN", "")])
async def test_a_question_that_cannot_be_asked_is_refused(text: str, user: str) -> None:
    with pytest.raises(InputRefused):
        await Place().desk.ask(text, user=user, channel=DIRECT, now=NOON)


async def test_an_error_code_alone_is_answered_in_the_language_of_the_bot() -> None:
    place = Place(abstained("ja"), language=Language.ENGLISH)
    assert (await place.reply(message("BL-61"))).language == "en"
