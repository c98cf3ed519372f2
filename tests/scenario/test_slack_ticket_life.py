"""The life of a ticket in Slack, from a question that nobody could answer to the answer that cites its fix."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import system_clock
from config.loader import load_settings
from config.schema import AccessSettings
from handlers.slack.acts.names import (
    ASK_PERSON,
    ASK_USER,
    ASKED,
    CAUSE,
    FIX,
    LEARNED,
    RESOLVE_TICKET,
    SHARE,
    SYMPTOM,
    TAKE_TICKET,
)
from memory.model import Viewer
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, MAI
from tests.fakes.slack_acts import SUPPORT, idle, posted, pressable, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import small_application


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Nothing is remembered yet; Ken is a support agent; answers come from memory."""
    async with opened(tmp_path) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        loaded = load_settings(None, {})
        tickets = loaded.tickets.model_copy(update={"categories": {"printer": ("複合機", "scanner")}})
        update = {"access": AccessSettings(agents=(KEN,)), "tickets": tickets}
        place.app = small_application(tmp_path, system_clock, settings=loaded.model_copy(update=update))
        yield place


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What people say, and what the bot says to it, in one language."""

    user: str
    question: str
    nothing: str
    offer: str
    told: str
    taken: str
    notice: str
    asks: str
    asked: str
    answer: str
    relayed: str
    cause: str
    fix: str
    symptom: str
    again: str
    shared: str


JAPANESE = Life(
    user=AYA,
    question="エラー QX-7713 が出て複合機でスキャンできません。",
    nothing="確認中: 過去のチケットの中に、お答えの根拠になる記録は見つかりませんでした。",
    offer="担当者に相談しますか？「エラー QX-7713 が出て複合機でスキャンできません。」"
    "（分類: printer）としてチケットを作成します。",
    told="HD-1: 担当者に伝えました。返事をお待ちください。",
    taken="HD-1 は 健 が担当します。",
    notice="これから HD-1 に担当者がいる間、ここに書いたことは担当者に届きます。",
    asks="いつからですか？",
    asked="健（サポート担当）からの質問です。ここに返事を書いてください。 いつからですか？",
    answer="今朝からです",
    relayed="彩: 今朝からです",
    cause="給紙ローラーの汚れ",
    fix="給紙ローラーを掃除して再起動する",
    symptom="複合機のエラー QX-7713",
    again="エラー QX-7713 はどうやって直しましたか？",
    shared="HD-1 の内容を保存しました。検索できるようになりしだい（通常は1分以内）、全員への回答に使います。",
)
ENGLISH = Life(
    user=BOB,
    question="The scanner shows error QX-7713 and does not scan.",
    nothing="Still open: I could not find that in past tickets.",
    offer="Shall I ask a person? I would open a ticket in printer: The scanner shows error QX-7713 and does not scan.",
    told="HD-1: I told the support team. Please wait for their reply.",
    taken="健 takes HD-1.",
    notice="From now on, while somebody has HD-1, what you write here reaches the support team.",
    asks="Since when?",
    asked="健 (support) asks. Please answer here: Since when?",
    answer="Since this morning",
    relayed="Bob: Since this morning",
    cause="a dirty feed roller",
    fix="clean the feed roller and restart the scanner",
    symptom="Error QX-7713 of the scanner",
    again="How was error QX-7713 fixed?",
    shared="HD-1 の内容を保存しました。検索できるようになりしだい（通常は1分以内）、全員への回答に使います。",
)


async def pressed(place: Place, name: str, note: dict[str, Any]) -> None:
    """Ken presses a button of the note, and all that follows is done."""
    await place.slack.press(KEN, name, channel=SUPPORT, ts=note["ts"])
    await idle()


async def filled_in(place: Place, name: str, note: dict[str, Any], **given: str) -> None:
    """Ken opens a form of the note, changes some of what stands there and sends it off."""
    await pressed(place, name, note)
    form = place.slack.views(KEN)[-1]
    inputs = {block["block_id"]: block["element"] for block in form["blocks"] if "element" in block}
    stands = {name: element["initial_value"] for name, element in inputs.items() if "initial_value" in element}
    await place.slack.submit(KEN, form["id"], {block: {block: words} for block, words in {**stands, **given}.items()})
    await idle()


async def answered(place: Place, user: str, channel: str, question: str) -> str:
    """What the bot answers somebody there."""
    await place.app.jobs.run("flush")
    said = await place.slack.say(user, channel, question, mention=channel == HELPDESK)
    [answer] = await place.slack.answered(channel, said)
    await place.slack.settled()
    return str(answer["text"])


@pytest.mark.parametrize("life", [JAPANESE, ENGLISH], ids=["ja", "en"])
async def test_what_a_person_found_out_answers_a_colleague_once_an_agent_approved_it(place: Place, life: Life) -> None:
    """It was asked in a direct message, so that until then it is nobody else's."""
    slack, direct = place.slack, place.slack.dm(life.user)
    async with place.running():
        asked = await slack.say(life.user, direct, life.question)
        [abstained] = await slack.answered(direct, asked)
        assert abstained["text"].startswith(life.nothing)
        assert life.offer in str(abstained["blocks"])
        await slack.settled()
        await slack.press(life.user, ASK_PERSON, channel=direct, ts=abstained["ts"])
        [note] = await posted(slack, SUPPORT)
        await idle()

        await pressed(place, TAKE_TICKET, note)
        await filled_in(place, ASK_USER, note, **{ASKED: life.asks})
        await slack.say(life.user, direct, life.answer, thread=asked)
        await slack.settled()
        await idle()
        [told, *others] = [each["text"] for each in slack.answers(direct, asked)][1:]
        assert told.startswith(life.told)
        assert others == [life.taken, life.notice, life.asked]
        assert [each["text"] for each in slack.answers(SUPPORT)[1:]] == [life.relayed]
        assert "QX-7713" not in str(slack.messages(SUPPORT))

        await filled_in(place, RESOLVE_TICKET, note, **{CAUSE: life.cause, FIX: life.fix})
        assert life.fix in slack.answers(direct, asked)[-1]["text"]
        unshared = await answered(place, MAI, slack.dm(MAI), life.again)
        assert life.fix not in unshared
        assert life.cause not in unshared

        assert list(pressable(slack.answers(SUPPORT)[0]["blocks"])) == [SHARE]
        await filled_in(place, SHARE, note, **{SYMPTOM: life.symptom})
        assert slack.answers(slack.dm(KEN))[-1]["text"] == life.shared
        answer = await answered(place, MAI, HELPDESK, life.again)
    assert life.fix in answer
    assert "HD-1" in answer
    assert life.answer not in answer


async def test_an_agent_takes_names_out_before_everybody_reads_it(place: Place) -> None:
    slack, direct = place.slack, place.slack.dm(AYA)
    async with place.running():
        asked = await slack.say(AYA, direct, "人事の山田の PC-0417 がつながりません。")
        [abstained] = await slack.answered(direct, asked)
        await slack.settled()
        await slack.press(AYA, ASK_PERSON, channel=direct, ts=abstained["ts"])
        [note] = await posted(slack, SUPPORT)
        await idle()
        await filled_in(place, RESOLVE_TICKET, note, **{FIX: "ドライバー ZK-88 を更新"})
        await filled_in(place, SHARE, note, **{SYMPTOM: "PCがつながらない", LEARNED: "ドライバー ZK-88 を更新"})
        answer = await answered(place, MAI, HELPDESK, "PCがつながらないときのドライバー ZK-88 とは？")
    assert "ZK-88 を更新" in answer
    assert "山田" not in answer
    assert "PC-0417" not in answer


@pytest.mark.parametrize("life", [JAPANESE, ENGLISH], ids=["ja", "en"])
async def test_a_call_by_name_alone_is_offered_noted_and_listed_as_what_stands_above_it(
    place: Place, life: Life
) -> None:
    """The ticket is that of who called, not of who began the thread."""
    slack = place.slack
    async with place.running():
        root = await slack.say(MAI, HELPDESK, life.question)
        called = await slack.say(life.user, HELPDESK, "", thread=root, mention=True)
        [abstained] = [one for one in await slack.answered(HELPDESK, root) if one["ts"] > called]
        await slack.settled()
        assert life.offer in str(abstained["blocks"])
        await slack.press(life.user, ASK_PERSON, channel=HELPDESK, ts=abstained["ts"])
        [note] = await posted(slack, SUPPORT)
        await idle()
    assert life.question in str(note["blocks"])
    assert ": @" not in str(note["blocks"])
    [ticket] = await place.app.store.tickets.named(["HD-1"], Viewer(user="", agent=True))
    assert (ticket.title, ticket.requester) == (life.question, life.user)


@pytest.mark.parametrize(
    "words", ["help", "forget me", "違います", "それはもう試しました", "山口です、よろしくお願いします"]
)
async def test_no_ticket_is_offered_of_words_on_which_nobody_could_work(place: Place, words: str) -> None:
    slack = place.slack
    async with place.running():
        said = await slack.say(AYA, HELPDESK, words, mention=True)
        [answer] = await slack.answered(HELPDESK, said)
        await slack.settled()
    assert "チケットを作成" not in str(answer["blocks"])
    assert "open a ticket" not in str(answer["blocks"])
