"""The life of a ticket in Slack, from a question that nobody could answer to the answer that cites its fix."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.wiring import system_clock
from config.loader import load_settings
from config.schema import AccessSettings
from handlers.slack.acts.names import ASK_PERSON, CAUSE, FIX, RESOLVE_TICKET, TAKE_TICKET
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN
from tests.fakes.slack_acts import SUPPORT, idle, posted, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import small_application


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Nothing is remembered yet; Ken is a support agent; answers come from memory."""
    async with opened(tmp_path) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        settings = load_settings(None, {}).model_copy(update={"access": AccessSettings(agents=(KEN,))})
        place.app = small_application(tmp_path, system_clock, settings=settings)
        yield place


@pytest.mark.parametrize(
    ("user", "question", "nothing", "told", "taken", "cause", "fix", "again"),
    [
        (
            AYA,
            "エラー QX-7713 が出て複合機でスキャンできません。",
            "確認中です。過去のチケットの中に、お答えの根拠になる記録は見つかりませんでした。",
            "HD-1: 担当者に伝えました。返事をお待ちください。",
            "HD-1 は 健 が担当します。",
            "給紙ローラーの汚れ",
            "給紙ローラーを掃除して再起動する",
            "エラー QX-7713 はどうやって直しましたか？",
        ),
        (
            BOB,
            "The scanner shows error QX-7713 and does not scan.",
            "I could not find that in past tickets; it stays an open question.",
            "HD-1: I told the support team. Please wait for their reply.",
            "健 takes HD-1.",
            "a dirty feed roller",
            "clean the feed roller and restart the scanner",
            "How was error QX-7713 fixed?",
        ),
    ],
    ids=["ja", "en"],
)
async def test_what_a_person_found_out_answers_the_next_question(
    place: Place, user: str, question: str, nothing: str, told: str, taken: str, cause: str, fix: str, again: str
) -> None:
    slack = place.slack
    async with place.running():
        asked = await slack.say(user, HELPDESK, question, mention=True)
        [abstained] = await slack.answered(HELPDESK, asked)
        assert abstained["text"].startswith(nothing)
        await slack.settled()
        await slack.press(user, ASK_PERSON, channel=HELPDESK, ts=abstained["ts"])
        [note] = await posted(slack, SUPPORT)
        await idle()
        await slack.press(KEN, TAKE_TICKET, channel=SUPPORT, ts=note["ts"])
        await idle()
        await slack.press(KEN, RESOLVE_TICKET, channel=SUPPORT, ts=note["ts"])
        await idle()
        [form] = slack.views(KEN)
        await slack.submit(KEN, form["id"], {CAUSE: {CAUSE: cause}, FIX: {FIX: fix}})
        await idle()
        assert [each["text"] for each in slack.answers(HELPDESK, asked)][1:3] == [told, taken]
        assert fix in slack.answers(HELPDESK, asked)[-1]["text"]

        await place.app.jobs.run("flush")
        later = await slack.say(user, HELPDESK, again, mention=True)
        [answer] = await slack.answered(HELPDESK, later)
    assert fix in answer["text"]
    assert "HD-1" in answer["text"]
