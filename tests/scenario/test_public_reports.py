"""What broke in other people's memories and was reported in public: the whole kind of each, over the write and read
path as it is shipped. The reports are named as owner/repository#number."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.answers import AnswerKind, Degraded
from memory.chat_model import ModelRole
from memory.llm.scripted import ScriptedModel
from memory.model import DIRECT, KeyKind, Role, Turn, Viewer, Visibility
from tests.fakes.remembering import HOUSES, Remembering, WordsOnly, remembering
from tests.fakes.turns import NOON, turn

DAY = 24 * 60


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture(params=HOUSES)
async def words_only(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    """A memory that finds by words alone."""
    async with remembering(request.param, tmp_path, encoder=WordsOnly()) as opened:
        yield opened


def said(ticket: str, text: str, *, days: float = 0, author: str = "sato", private: bool = False) -> Turn:
    """The one turn of a ticket, so many days after the first day."""
    return turn(
        1,
        text,
        thread=ticket,
        ticket=ticket,
        minutes=days * DAY,
        author=author,
        requester=author,
        visibility=Visibility.PRIVATE if private else Visibility.EVERYONE,
        channel=DIRECT if private else "it-help",
    )


# --- words in writing without spaces ----------------------------------------------------------------------------------

OTHERS = (
    said("INC-90", "明日の会議は十時からです"),
    said("INC-91", "The cafeteria opens at noon."),
    said("INC-92", "新しい椅子が届きました"),
)


async def _found_by_words(memory: Remembering, text: str, word: str) -> None:
    wanted = said("INC-1", text)
    await memory.remember(wanted, *OTHERS)
    ranking = await memory.rank(word)
    assert Degraded.MEANING in ranking.degraded
    assert [one.turn_id for one in ranking.turns] == [wanted.id]
    assert {wanted.id} <= await memory.hits(word) <= {wanted.id, ranking.turns[0].episode}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("三階のプリンターが紙詰まりを起こした", "紙詰まり"),
        ("経費精算システムにログインできない", "経費精算"),
        ("ﾌﾟﾘﾝﾀが動かない", "プリンター"),
        ("至急★ルーター→再起動★", "ルーター"),
        ("The word-chain game was blocked by the proxy.", "blocked"),
        ("Restart the print-spooler(again)please", "spooler"),
    ],
)
async def test_a_word_inside_a_run_of_writing_is_found(words_only: Remembering, text: str, word: str) -> None:
    """openclaw/openclaw#20730: a full-text index that splits at spaces found no Japanese word inside a sentence."""
    await _found_by_words(words_only, text, word)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("步2 重跑gen-itgc后50条悬空引用清零，修复已验证", "itgc"),
        ("サーバーWEB01が応答しない", "WEB01"),
        ("画面にE-4711が出て止まる", "E-4711"),
        ("画面にＥ－４７１１が出て止まる", "e-4711"),
        ("VPNクライアントを再起動した", "VPN"),
        ("ask for host:srv042.down again", "srv042"),
        ("usb0→usb1で接続", "usb1"),
        ("set MTU=1400|retry", "retry"),
    ],
)
async def test_an_identifier_that_is_glued_to_other_writing_is_found(
    words_only: Remembering, text: str, identifier: str
) -> None:
    """tommy0103/obelisk#9: an ASCII name between CJK characters was one token with them, and was never found."""
    await _found_by_words(words_only, text, identifier)


# --- questions that look like a query language ------------------------------------------------------------------------

SIGNS = [*"?!.,;/#\"'*():^-|~<=>%_\\{[$&@+`", "？", "、。", "★", "→", "～", "🔥"]
OPERATORS = ["AND", "OR NOT", "NEAR(", "title:", "'; DROP TABLE turns;--", '" OR 1=1']


@pytest.mark.parametrize(("text", "word"), [("The VPN drops every hour", "VPN"), ("証明書の期限が切れた", "証明書")])
async def test_no_sign_in_a_question_is_syntax(words_only: Remembering, text: str, word: str) -> None:
    """yusheng-g/openagent-go#4: questions with ? ! . , ; / # were errors of the full-text query language."""
    wanted = said("INC-1", text)
    await words_only.remember(wanted, *OTHERS)
    before = await words_only.stored()
    questions = [f"{sign}{word}{sign}" for sign in SIGNS] + [f"{word} {operator} {word}" for operator in OPERATORS]
    for asked in questions:
        assert [one.turn_id for one in (await words_only.rank(asked)).turns[:1]] == [wanted.id], asked
    for sign in (*SIGNS, *OPERATORS):
        assert (await words_only.answer(sign)).kind is AnswerKind.ABSTAINED, sign
        assert await _named(words_only, sign) == [], sign
    assert await words_only.stored() == before


async def _named(memory: Remembering, ref: str, user: str = "sato") -> list[Turn]:
    return await memory.app.store.reading.named(ref, Viewer(user=user), memory.watch.now)


# --- what was true and what is true -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("earlier", "later", "asked"),
    [
        ("I love Chinese food.", "I hate Chinese food.", "Chinese food"),
        ("中華料理が大好きです。", "中華料理が大嫌いです。", "中華料理"),
    ],
)
async def test_of_two_statements_that_contradict_each_other_both_are_told_and_the_newest_last(
    memory: Remembering, earlier: str, later: str, asked: str
) -> None:
    """mem0ai/mem0#4536: a second statement against the first left neither of them in the memory."""
    await memory.remember(said("CHAT-1", earlier), *OTHERS)
    await memory.remember(said("CHAT-2", later, days=2))
    await memory.remember()
    answer = await memory.answer(asked)
    assert [one.quote for one in answer.cited] == [earlier, later]
    assert [one.said_from for one in answer.cited] == [NOON, NOON + timedelta(days=2)]
    assert (await memory.stored())["turns"] == 5


@pytest.mark.parametrize(
    ("before", "after", "asked", "gone", "now"),
    [
        ("I love Chinese food.", "I hate Chinese food.", "Chinese food", "love", "hate"),
        ("担当は佐藤です。", "担当は鈴木です。", "担当", "佐藤", "鈴木"),
    ],
)
async def test_after_an_edit_the_earlier_wording_is_history_and_no_longer_answers(
    memory: Remembering, before: str, after: str, asked: str, gone: str, now: str
) -> None:
    """mem0ai/mem0#4536, where the contradiction is an edit of the same message."""
    first = said("CHAT-1", before)
    edited = said("CHAT-1", after)
    await memory.remember(first, *OTHERS)
    assert first.id in await memory.hits(gone)
    assert (await memory.say(edited)).revised == 1
    await memory.remember()
    answer = await memory.answer(asked)
    assert [one.quote for one in answer.cited if one.ticket == "CHAT-1"] == [after]
    assert before not in {one.quote for one in answer.evidence}
    assert first.id not in await memory.hits(gone)
    assert first.id in await memory.hits(now)
    # The earlier wording is still known: told again, it is a repeat of history and undoes nothing.
    assert (await memory.say(first)).repeated == 1
    await memory.remember()
    told = (await memory.answer(asked)).evidence
    assert [one.quote for one in told if one.ticket == "CHAT-1"] == [after]


BROKEN_AND_FIXED = [
    (
        [
            "The card reader on floor 3 is broken.",
            "Floor 3: the card reader is broken.",
            "The card reader, floor 3, is still broken.",
        ],
        "The card reader on floor 3 is fixed and works.",
        "card reader on floor 3",
    ),
    (
        [
            "三階のカードリーダーは故障しています。",
            "三階のカードリーダーが故障中です。",
            "三階のカードリーダーはまだ故障しています。",
        ],
        "三階のカードリーダーは修理が終わり、使えます。",
        "三階のカードリーダー",
    ),
]


@pytest.mark.parametrize(("reports", "fix", "asked"), BROKEN_AND_FIXED)
async def test_a_newer_state_is_cited_however_often_the_older_one_was_told(
    memory: Remembering, reports: list[str], fix: str, asked: str
) -> None:
    """CorVous/Familiar-Connect#249: a remembered "X is broken" went on being told after X had been fixed."""
    told = [said(f"INC-{day}", text, days=day) for day, text in enumerate(reports, start=1)]
    await memory.remember(*told, said("INC-9", fix, days=9), *OTHERS)
    answer = await memory.answer(asked)
    assert answer.kind is AnswerKind.QUOTES
    assert answer.cited[-1].quote == fix
    assert [one.said_from for one in answer.evidence] == sorted(one.said_from for one in answer.evidence)


@pytest.mark.parametrize(("reports", "fix", "asked"), BROKEN_AND_FIXED)
@pytest.mark.parametrize("house", HOUSES)
async def test_a_model_is_shown_the_newest_state_last_and_its_choice_is_cited(
    house: str, tmp_path: Path, reports: list[str], fix: str, asked: str
) -> None:
    """CorVous/Familiar-Connect#249, where a model words the answer."""
    model = ScriptedModel('{"answer": "OK", "cited": [4], "supported": true}')
    async with remembering(house, tmp_path, models={ModelRole.MASTER: model}) as memory:
        # Recorded newest first: what counts is when it was said.
        told = [said(f"INC-{day}", text, days=day) for day, text in enumerate(reports, start=1)]
        await memory.remember(said("INC-9", fix, days=9), *reversed(told))
        answer = await memory.answer(asked)
    (prompt,) = model.asked
    places = [prompt.material.index(text) for text in (*reports, fix)]
    assert places == sorted(places)
    assert [one.quote for one in answer.cited] == [fix]


# --- one person's memory and another's --------------------------------------------------------------------------------

TWINS = [
    ("My salary slip shows the wrong bank account.", "salary slip bank account"),
    ("給与明細の振込先口座が間違っています。", "給与明細の振込先口座"),
]


@pytest.mark.parametrize(("text", "asked"), TWINS)
async def test_erasing_what_one_person_said_keeps_what_another_said_in_the_same_words(
    memory: Remembering, text: str, asked: str
) -> None:
    """mem0ai/mem0#3928: deleting all of one user's memories deleted everybody's."""
    await memory.remember(said("INC-2", text, author="tanaka", private=True))
    alone = await memory.stored()
    mine = said("INC-1", text, author="sato", private=True)
    await memory.remember(mine)
    episodes = [one.episode for one in (await memory.rank(asked, "sato")).turns]
    await memory.app.index.remove(episodes)
    assert await memory.app.store.writing.erase(episodes) == 1
    await _only_tanakas_is_left(memory, text, asked, alone)


@pytest.mark.parametrize(("text", "asked"), TWINS)
async def test_retention_of_one_persons_old_ticket_keeps_anothers_newer_one(
    memory: Remembering, text: str, asked: str
) -> None:
    """mem0ai/mem0#3928, by the job that deletes most."""
    await memory.remember(said("INC-2", text, author="tanaka", private=True, days=60))
    alone = await memory.stored()
    await memory.remember(said("INC-1", text, author="sato", private=True))
    memory.watch.now = NOON + timedelta(days=100)
    assert await memory.app.jobs.run("retention", lambda _: None)
    await _only_tanakas_is_left(memory, text, asked, alone)


async def _only_tanakas_is_left(memory: Remembering, text: str, asked: str, alone: object) -> None:
    assert await memory.stored() == alone
    kept = await memory.answer(asked, "tanaka")
    assert [(one.speaker, one.quote) for one in kept.cited] == [("tanaka", text)]
    gone = await memory.answer(asked, "sato")
    assert gone.kind is AnswerKind.ABSTAINED
    assert (gone.evidence, gone.ranked, gone.routed) == ((), (), ())
    await memory.remember()
    assert await memory.stored() == alone


@pytest.mark.parametrize(("text", "asked"), TWINS)
async def test_no_read_gives_one_person_the_private_words_of_another(
    memory: Remembering, text: str, asked: str
) -> None:
    """google/adk-python#1019: a search for one user returned the memory of another with the same session."""
    hers = said("INC-2", text, author="tanaka", private=True)
    await memory.say(hers)
    reading, conversation, now = memory.app.store.reading, hers.conversation.id, memory.watch.now
    tanaka, sato = Viewer(user="tanaka"), Viewer(user="sato")
    assert [one.id for one in await reading.live(conversation, tanaka, now, 10)] == [hers.id]
    assert await reading.live(conversation, sato, now, 10) == []
    await memory.remember()
    (routed,) = (await memory.rank(asked, "tanaka")).episodes
    mine = said("INC-1", text, private=True)
    await memory.remember(mine)

    for viewer in (sato, Viewer(user="tanaka", channel="it-help"), Viewer(user="okabe", channel="it-help", agent=True)):
        assert await reading.recent(conversation, viewer, now, 10) == []
        assert await reading.turns([hers.id], viewer, now) == []
        assert await reading.episodes([routed.episode], viewer, now) == []
        assert await reading.named("INC-2", viewer, now) == []
        assert await reading.named("INC-2/1", viewer, now) == []
        assert await reading.tickets(["INC-2"], viewer, now) == []
        assert await reading.notes([routed.episode], viewer) == {}
    assert hers.id not in await memory.hits(asked, "sato")
    answer = await memory.answer(asked, "sato")
    assert {one.turn_id for one in answer.ranked} == {mine.id}
    assert {one.ticket for one in answer.routed} == {"INC-1"}
    assert {one.speaker for one in answer.evidence} == {"sato"}
    assert [one.episode for one in (await memory.rank(asked, "tanaka")).turns] == [routed.episode]
    stranger = await memory.answer(asked, "lucas")
    assert (stranger.kind, stranger.ranked, stranger.evidence) == (AnswerKind.ABSTAINED, (), ())


# --- the same day once more -------------------------------------------------------------------------------------------


def _a_day() -> list[Turn]:
    """A ticket with an answer, a private one, a thread that never ends, a message that was edited twice, the bot's own
    words."""
    thread = [turn(n, f"Release {n} is out", thread="news", ticket=None, minutes=n) for n in range(1, 46)]
    return [
        said("INC-1", "VPNに接続できません"),
        turn(2, "証明書を再登録してください", author="okabe", role=Role.AGENT, minutes=5, status="resolved"),
        turn("2-reply", "出典つきの回答です", author="helpdesk", role=Role.BOT, minutes=6, derived=True),
        said("INC-2", "My salary slip is wrong", author="tanaka", private=True),
        *thread,
        turn(46, "Release 46 is ou", thread="news", ticket=None, minutes=46),
        turn(46, "Release 46 is out", thread="news", ticket=None, minutes=46),
        turn(46, "Release 46 is out today", thread="news", ticket=None, minutes=46),
    ]


async def test_a_day_that_is_delivered_three_times_is_remembered_once(memory: Remembering) -> None:
    day = _a_day()
    first = await memory.say(*day)
    await memory.remember()
    stored = await memory.stored()
    assert (first.new, first.revised) == (50, 2)
    assert (stored["turns"], stored["pending"], stored["retries"]) == (50, 0, 0)
    # The bot's own words have no keys.
    assert stored[KeyKind.TURN.value] == 49
    for _ in range(2):
        again = await memory.say(*day)
        assert (again.new, again.repeated, again.revised) == (0, len(day), 0)
        await memory.remember()
        assert await memory.stored() == stored
    newest = await _named(memory, "news/46")
    assert [one.text for one in newest] == ["Release 46 is out today"]
