"""Who has a ticket and how it stands, asked by its name: its own record answers, exactly and at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.application import Application
from handlers.replies import answer_text
from handlers.tickets.records import Actor
from handlers.wordings import SHIPPED
from memory.answers import Answer, AnswerKind
from memory.model import Question, Turn, Viewer, Visibility
from memory.tickets import State, Step
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

KEN = Actor(viewer=Viewer(user="U0KEN", agent=True), name="健", language="ja")
MAI = Actor(viewer=Viewer(user="U0MAI", agent=True), name="鈴木 舞", language="ja")
REQUEST = {"ja": "複合機のエラー QX-7713 が出ます。", "en": "The copier shows error QX-7713."}
#: In the minutes of the watch.
HOUR = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One ticket of a private request: taken by Ken after an hour, handed back after 3, taken by Mai after 27."""

    app: Application
    watch: Watch

    async def asked(self, words: str, viewer: Viewer = KEN.viewer, as_of: datetime | None = None) -> Answer:
        return await self.app.recall.answer(Question(text=words, viewer=viewer, now=self.watch(), as_of=as_of))

    async def text(self, words: str) -> str:
        return answer_text(await self.asked(words), zone=NOON.tzinfo, wording=SHIPPED)  # type: ignore[arg-type]

    async def step(self, hours: float, step: Step, actor: Actor) -> None:
        self.watch.wait(hours * HOUR)
        await self.app.tickets.step("HD-1", step, actor, key=f"{step.value}-{self.watch():%d%H%M}")


async def desk_of(path: Path, language: str) -> Desk:
    watch = Watch()
    app = small_application(path, watch)
    asked: Turn = turn(1, REQUEST[language], ticket=None, thread="T1", visibility=Visibility.PRIVATE)
    await app.store.writing.record([asked])
    await app.tickets.open(asked.id, Actor(viewer=Viewer(user="sato"), name="佐藤", language="ja"))
    return Desk(app=app, watch=watch)


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    desk = await desk_of(tmp_path, "ja")
    await desk.step(1, Step.TAKE, KEN)
    await desk.step(2, Step.HAND_BACK, KEN)
    await desk.step(24, Step.TAKE, MAI)
    return desk


@pytest.mark.parametrize(
    "words", ["Who has HD-1?", "What is the status of hd-1?", "HD-1 の担当は誰ですか？", "ＨＤ-１の状態は？"]
)
async def test_owner_and_state_are_told_of_now(desk: Desk, words: str) -> None:
    answer = await desk.asked(words)
    assert [(one.ticket, one.state, one.assignee, one.since) for one in answer.stood] == [
        ("HD-1", State.WAITING_FOR_SUPPORT, "鈴木 舞", NOON + timedelta(hours=27))
    ]
    assert (answer.kind, [one.quote for one in answer.cited]) == (AnswerKind.QUOTES, ["HD-1 は 鈴木 舞 が担当します。"])


@pytest.mark.parametrize("words", ["11月20日の13時にHD-1を担当していたのは誰ですか？", "Who had HD-1 on 20 November?"])
async def test_of_an_earlier_day_what_was_so_then_is_told(desk: Desk, words: str) -> None:
    desk.watch.wait(72 * HOUR)
    first = await desk.asked(words, as_of=NOON + timedelta(hours=2))
    assert [(one.state, one.assignee) for one in first.stood] == [(State.WAITING_FOR_SUPPORT, "健")]
    later = await desk.asked(words, as_of=NOON + timedelta(hours=4))
    assert [(one.state, one.assignee) for one in later.stood] == [(State.OPEN, None)]


async def test_the_day_may_be_in_the_words(desk: Desk) -> None:
    desk.watch.wait(72 * HOUR)
    for words in ("Who had HD-1 on 20 November?", "11月20日にHD-1を担当していたのは誰ですか？"):
        [stood] = (await desk.asked(words)).stood
        assert (stood.assignee, stood.at.date()) == (None, NOON.date())


@pytest.mark.parametrize("words", ["Who had HD-1 first?", "HD-1 の担当は誰でしたか？", "HD-1 はいつ解決しましたか？"])
async def test_how_it_came_to_be_is_told_change_by_change(desk: Desk, words: str) -> None:
    answer = await desk.asked(words)
    assert [(one.state, one.assignee) for one in answer.stood] == [
        (State.OPEN, None),
        (State.WAITING_FOR_SUPPORT, "健"),
        (State.OPEN, None),
        (State.WAITING_FOR_SUPPORT, "鈴木 舞"),
    ]
    assert len(answer.cited) == 4


async def test_it_is_worded_in_the_language_of_the_question(desk: Desk) -> None:
    assert (await desk.text("Who has HD-1?")).splitlines()[0] == (
        "As of Sat 21 Nov 2026, 15:00, HD-1 is with support (since Sat 21 Nov 2026, 15:00). Owner: 鈴木 舞"
    )
    japanese = (await desk.text("HD-1 の担当は誰ですか？")).splitlines()[0]
    assert japanese.startswith("2026年11月21日(土) 15:00 の時点で、HD-1 は「")
    assert japanese.endswith("担当: 鈴木 舞")
    assert "2026年11月20日(金) 15:00: HD-1 は" in await desk.text("HD-1 の担当は誰でしたか？")


@pytest.mark.parametrize("language", ["ja", "en"])
async def test_that_it_was_closed_after_silence_is_told(tmp_path: Path, language: str) -> None:
    desk = await desk_of(tmp_path, language)
    await desk.app.tickets.ask("HD-1", "いつからですか？", MAI, key="ask")
    desk.watch.wait(30 * 24 * HOUR)
    await desk.app.jobs.run("tickets")
    for words in ("Was HD-1 closed?", "HD-1 は終了しましたか？"):
        [stood] = (await desk.asked(words)).stood
        assert stood.state is State.CLOSED


async def test_who_may_not_see_the_ticket_hears_nothing_of_it(desk: Desk) -> None:
    answer = await desk.asked("Who has HD-1?", Viewer(user="tanaka"))
    assert (answer.stood, answer.evidence) == ((), ())


async def test_an_imported_ticket_is_told_in_the_words_of_its_tool(desk: Desk) -> None:
    said = turn(1, "The screen flickers.", ticket="INC-7", thread="INC-7", status="対応中（業者）")
    await desk.app.store.writing.record([replace(said, assignee="mori")])
    assert "INC-7 は「対応中（業者）」" in await desk.text("INC-7 の状態は？")
    assert "Owner: mori" in await desk.text("Who has INC-7?")


@pytest.mark.parametrize(
    "words",
    [
        "How was HD-1 resolved?",
        "Who had the same error as HD-1?",
        "HD-1 を閉じてください",
        "HD-1 の対応方法は？",
        "HD-1 のプリンターは状態が悪いですか",
        "What is the status of the printer in HD-1?",
        "HD-1 は健が担当です。",
        "Who has HD-10?",
    ],
)
async def test_what_asks_for_anything_else_is_answered_as_ever(desk: Desk, words: str) -> None:
    assert (await desk.asked(words)).stood == ()
