"""What stands under an answer in Slack: feedback, and the way to a person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from config.slack import SlackChannelSettings, Transport
from handlers.claims import Claims
from handlers.slack.acts.names import ASK_PERSON, FEEDBACK, SHOW_WORDS
from handlers.slack.address import filed
from memory.feedback import Tally
from memory.model import Conversation, turn_id
from tests.fakes.slack import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, MAI, TEAM
from tests.fakes.slack_acts import SUPPORT, die, forged, idle, posted, pressable, whispered, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import deciding

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
QUESTION = "VPNが切れます"
NOT_KNOWN = "この質問は、もう覚えていないか、あなたには表示できません。もう一度お尋ねください。"
TOLD = "HD-1: 担当者に伝えました。返事をお待ちください。"
TOLD_ALREADY = "HD-1: この件は、すでに担当者に伝えてあります。返事をお待ちください。"


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        with_support(place.slack)
        yield place


either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


def asked_turn(channel: str, message: str) -> str:
    """The id of the turn that is a message at the top of a channel, or of a direct message."""
    return turn_id(filed(Conversation(platform="slack", workspace=TEAM, channel=channel, thread=message)), message)


def with_handover(place: Place, channel: str = SUPPORT) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": channel})


async def answered(place: Place, user: str = AYA, channel: str = HELPDESK, text: str = QUESTION) -> tuple[str, str]:
    """The ts of a question and of the answer to it."""
    asked = await place.slack.say(user, channel, text, mention=not channel.startswith("D"))
    [answer] = await place.slack.answered(channel, asked)
    await place.slack.settled()
    return asked, str(answer["ts"])


async def tally(place: Place) -> Tally:
    return await place.app.store.feedback.tally(LONG_AGO)


# --- feedback ---------------------------------------------------------------------------------------------------------


@either_way
async def test_who_found_an_answer_helpful_is_thanked_alone(place: Place) -> None:
    async with place.running():
        asked, answer = await answered(place)
        done = await place.slack.press(
            AYA, FEEDBACK, channel=HELPDESK, ts=answer, value=f"+{asked_turn(HELPDESK, asked)}"
        )
        assert done.ok
        assert await whispered(place.slack, AYA) == ["ありがとうございます。ご意見を記録しました。"]
    assert await tally(place) == Tally(helpful=1, unhelpful=0)
    assert place.slack.ephemerals(AYA)[0]["thread_ts"] == asked
    assert len(place.slack.answers(HELPDESK)) == 1


async def test_another_click_changes_what_was_said_and_offers_a_person(place: Place) -> None:
    async with place.running():
        asked, answer = await answered(place, BOB, HELPDESK, "The Wi-Fi is slow in room 3")
        turn = asked_turn(HELPDESK, asked)
        await place.slack.press(BOB, FEEDBACK, channel=HELPDESK, ts=answer, value=f"+{turn}")
        await whispered(place.slack, BOB)
        await place.slack.press(BOB, FEEDBACK, channel=HELPDESK, ts=answer, value=f"-{turn}")
        [thanks, sorry] = await whispered(place.slack, BOB, 2)
        assert thanks == "Thank you. I made a note of it."
        assert sorry.startswith("Sorry that this did not help.")
        offer = place.slack.ephemerals(BOB)[1]
        assert list(pressable(offer["blocks"])) == [ASK_PERSON]
        await place.slack.press(BOB, ASK_PERSON, channel=HELPDESK, ts=offer["ts"])
        assert (await whispered(place.slack, BOB, 3))[2] == (
            "I cannot call a person from here. Please contact a support agent directly."
        )
    assert await tally(place) == Tally(helpful=0, unhelpful=1)


@pytest.mark.parametrize(
    ("user", "question", "sorry"),
    [
        (
            AYA,
            QUESTION,
            "お役に立てず申し訳ありません。ご意見を記録しました。"
            "この件は HD-1 として担当者に伝えてあります。返事をお待ちください。",
        ),
        (
            BOB,
            "The Wi-Fi is slow in room 3",
            "Sorry that this did not help. I made a note of it. The support team has this as HD-1; please wait for "
            "their reply.",
        ),
    ],
)
async def test_who_was_not_helped_is_offered_no_person_that_has_it_already(
    place: Place, user: str, question: str, sorry: str
) -> None:
    with_handover(place)
    async with place.running():
        asked, answer = await answered(place, user, HELPDESK, question)
        await place.slack.press(user, ASK_PERSON, channel=HELPDESK, ts=answer)
        await place.slack.answered(HELPDESK, asked, count=2)
        turn = asked_turn(HELPDESK, asked)
        await place.slack.press(user, FEEDBACK, channel=HELPDESK, ts=answer, value=f"-{turn}")
        assert await whispered(place.slack, user) == [sorry]
    [said] = place.slack.ephemerals(user)
    assert list(pressable(said["blocks"])) == []
    assert await tally(place) == Tally(unhelpful=1)


async def test_each_person_has_a_word_of_their_own(place: Place) -> None:
    async with place.running():
        asked, answer = await answered(place)
        for user, sign in ((AYA, "+"), (KEN, "-")):
            value = f"{sign}{asked_turn(HELPDESK, asked)}"
            await place.slack.press(user, FEEDBACK, channel=HELPDESK, ts=answer, value=value)
            await whispered(place.slack, user)
    assert await tally(place) == Tally(helpful=1, unhelpful=1)


async def test_in_a_direct_message_thanks_stand_in_the_thread(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, answer = await answered(place, AYA, direct)
        await place.slack.press(AYA, FEEDBACK, channel=direct, ts=answer)
        [_, thanks] = await place.slack.answered(direct, asked, count=2)
    assert thanks["text"] == "ありがとうございます。ご意見を記録しました。"
    assert await tally(place) == Tally(helpful=1)


async def test_what_answers_nothing_has_no_buttons(place: Place) -> None:
    async with place.running():
        _, answer = await answered(place)
        [shown] = [each for each in place.slack.answers(HELPDESK) if each["ts"] == answer]
        assert list(pressable(shown["blocks"])) == [FEEDBACK, ASK_PERSON]
        place.answers.errors = [ZeroDivisionError()]
        await answered(place, text="プリンターが動きません")
        await answered(place, text="👋")
    plain = [each for each in place.slack.answers(HELPDESK) if each["ts"] != answer]
    assert [list(pressable(each["blocks"])) for each in plain] == [[], []]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("担当者につないで", "担当者に相談するには、下の「担当者に相談する」を押してください。"),
        ("talk to a human", "To talk to a person, click “Ask a person” below."),
    ],
)
async def test_who_wants_a_person_gets_the_button_and_no_search(place: Place, wish: str, words: str) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, place.slack.dm(AYA), wish)
        [shown] = await place.slack.answered(place.slack.dm(AYA), asked)
    assert list(pressable(shown["blocks"])) == [ASK_PERSON]
    assert shown["text"].startswith(words)
    assert place.answers.questions == []


async def test_thanks_are_returned_alone_and_left_alone_among_others(place: Place) -> None:
    async with place.running():
        thanked = await place.slack.say(AYA, place.slack.dm(AYA), "thanks, that worked!")
        [said] = await place.slack.answered(place.slack.dm(AYA), thanked)
        asked = await place.slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        await place.slack.answered(HELPDESK, asked)
        for courtesy in (
            "ありがとうございました",
            "Emmaさん、ありがとう",
            "やってみます！",
            "自己解決しました",
            "+1",
            "👍",
            "…",
        ):
            await place.slack.say(BOB, HELPDESK, courtesy, thread=asked)
        await place.slack.settled()
    assert said["text"].startswith("You are welcome.")
    assert len(place.slack.answers(HELPDESK, asked)) == 1
    assert len(place.answers.questions) == 1


async def test_only_the_last_of_several_messages_has_buttons(place: Place) -> None:
    place.answers.body = "\n\n".join(f"{n}: {'あ' * 900}" for n in range(30))
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, QUESTION, mention=True)
        await place.slack.answered(HELPDESK, asked, count=2)
        await idle()
    *before, last = [list(pressable(each["blocks"])) for each in place.slack.answers(HELPDESK, asked)]
    assert before
    assert not any(before)
    assert last == [FEEDBACK, ASK_PERSON]


@pytest.mark.parametrize("action", [FEEDBACK, ASK_PERSON])
async def test_a_button_opens_nothing_that_its_presser_may_not_see(place: Place, action: str) -> None:
    """The value names what Aya said to the bot alone, what was said elsewhere, the bot's own words, and nothing."""
    with_handover(place)
    direct, sign = place.slack.dm(AYA), "+" if action == FEEDBACK else ""
    async with place.running():
        asked, answer = await answered(place)
        private, _ = await answered(place, AYA, direct)
        elsewhere, _ = await answered(place, AYA, GENERAL)
        hidden = Conversation(platform="slack", workspace=TEAM, channel="dm", thread=f"{direct}:{private}")
        of_the_bot = Conversation(platform="slack", workspace=TEAM, channel=HELPDESK, thread=asked)
        values = [
            turn_id(hidden, private),
            asked_turn(GENERAL, elsewhere),
            turn_id(of_the_bot, f"{asked}-reply"),
            "x" * 2000,
        ]
        for count, value in enumerate(values, start=1):
            await forged(place.slack, KEN, action, sign + value, channel=HELPDESK, ts=answer, thread=asked)
            assert (await whispered(place.slack, KEN, count))[-1] == NOT_KNOWN
    assert await tally(place) == Tally()
    assert place.slack.answers(SUPPORT) == []


async def test_who_is_not_in_a_private_channel_presses_nothing_there(place: Place) -> None:
    async with place.running():
        asked, answer = await answered(place, AYA, FINANCE, "請求書の締め日は？")
        value = f"+{asked_turn(FINANCE, asked)}"
        await forged(place.slack, BOB, FEEDBACK, value, channel=FINANCE, ts=answer, thread=asked)
        assert (await whispered(place.slack, BOB))[0].startswith("I no longer remember that question")
        await place.slack.press(MAI, FEEDBACK, channel=FINANCE, ts=answer, value=value)
        await whispered(place.slack, MAI)
    assert await tally(place) == Tally(helpful=1)


async def test_where_the_bot_was_switched_off_a_button_says_so(place: Place) -> None:
    async with place.running():
        _, answer = await answered(place)
    place.settings = place.settings.model_copy(update={"channels": {HELPDESK: SlackChannelSettings(enabled=False)}})
    async with place.running():
        await place.slack.press(AYA, FEEDBACK, channel=HELPDESK, ts=answer)
        assert await whispered(place.slack, AYA) == [
            "ここではヘルプデスクを使えません。サポート担当者に直接ご連絡ください。"
        ]
    assert await tally(place) == Tally()


async def test_what_goes_wrong_is_said_with_the_number_that_is_in_the_log(place: Place) -> None:
    async with place.running():
        _, answer = await answered(place, AYA, FINANCE, "請求書の締め日は？")
        place.slack.fail("conversations.members", error="internal_error")
        with capture_logs() as logged:
            await place.slack.press(AYA, FEEDBACK, channel=FINANCE, ts=answer)
            [said] = await whispered(place.slack, AYA)
        [entry] = [each for each in logged if each["event"] == "slack_act_failed"]
        assert said.startswith("申し訳ありません。うまくいきませんでした。")
        assert entry["reference"] in said
        assert "請求書" not in str(entry)
        # The next click is not held up by it.
        await idle()
        await place.slack.press(AYA, FEEDBACK, channel=FINANCE, ts=answer)
        await whispered(place.slack, AYA, 2)
    assert await tally(place) == Tally(helpful=1)


@pytest.mark.parametrize(
    "address", ["{slack}/hooks/H0GONE", "http://127.0.0.1:1/hooks/x", "https://hooks.slack.com.evil.example/x"]
)
async def test_who_cannot_be_told_where_they_clicked_is_told_directly(place: Place, address: str) -> None:
    """The address is used up or out of reach; or it is not Slack's, and is not even tried."""
    async with place.running():
        asked, answer = await answered(place)
        await forged(
            place.slack,
            AYA,
            FEEDBACK,
            f"+{asked_turn(HELPDESK, asked)}",
            channel=HELPDESK,
            ts=answer,
            thread=asked,
            response_url=address.format(slack=place.slack.base_url),
        )
        [said] = await posted(place.slack, place.slack.dm(AYA))
    assert said["text"] == "ありがとうございます。ご意見を記録しました。"


async def test_an_act_of_another_app_is_acknowledged_and_left_alone(place: Place) -> None:
    async with place.running():
        asked, answer = await answered(place)
        done = await forged(place.slack, AYA, "poll_vote", "1", channel=HELPDESK, ts=answer, thread=asked)
        await place.slack.settled()
    assert done.ok
    assert place.slack.ephemerals(AYA) == []


# --- a person ---------------------------------------------------------------------------------------------------------


async def test_whom_to_write_to_is_said_where_nobody_can_be_told(place: Place) -> None:
    bot = place.app.settings.bot.model_copy(update={"contact": "情シス 内線 1234"})
    place.app = deciding(place.app, settings=place.app.settings.model_copy(update={"bot": bot}))
    async with place.running():
        _, answer = await answered(place)
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        assert await whispered(place.slack, AYA) == ["ここから担当者を呼ぶことはできません。連絡先: 情シス 内線 1234"]


@either_way
async def test_the_support_team_is_told_once_however_often_and_by_whomever_it_is_asked(place: Place) -> None:
    with_handover(place)
    async with place.running():
        asked, answer = await answered(place)
        await asyncio.gather(*(place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer) for _ in range(3)))
        [_, notice] = await place.slack.answered(HELPDESK, asked, count=2)
        await place.slack.press(KEN, ASK_PERSON, channel=HELPDESK, ts=answer)
        assert await whispered(place.slack, KEN) == [
            f"{TOLD_ALREADY} HD-1 は、ほかの方の依頼です。ご自分の依頼にするには、私に直接書いてください。"
        ]
    async with place.running():
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await place.slack.until(lambda: place.slack.ephemerals(AYA) != [])
    [note] = place.slack.answers(SUPPORT)
    [counted] = await place.app.store.ledger.handed_over_since(LONG_AGO)
    assert counted.turn == asked_turn(HELPDESK, asked)
    assert notice["text"] == TOLD
    assert "彩 さんが担当者に相談したいそうです。" in note["text"]
    assert f"質問: {QUESTION}" in note["text"]
    assert f"/archives/{HELPDESK}/p{asked.replace('.', '')}" in str(note["blocks"])
    assert {each["text"] for each in place.slack.ephemerals(AYA)} == {TOLD_ALREADY}
    assert len(place.slack.answers(HELPDESK, asked)) == 2


async def test_a_private_question_is_not_copied_into_the_support_teams_channel(place: Place) -> None:
    with_handover(place)
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, answer = await answered(place, AYA, direct, "給与明細が見られません")
        await place.slack.press(AYA, ASK_PERSON, channel=direct, ts=answer)
        [_, notice] = await place.slack.answered(direct, asked, count=2)
        [note] = await posted(place.slack, SUPPORT)
    assert notice["text"] == f"{TOLD} 担当者に伝わるのはお名前だけです。ここまでに書かれた内容は見えません。"
    assert "給与" not in str(note)
    assert "彩 さん" in note["text"]
    # A link to a direct message opens nothing for anybody else; the mention opens the way to the person.
    assert "/archives/" not in str(note)
    assert {"type": "user", "user_id": AYA} in note["blocks"][-4]["elements"][0]["elements"]


@either_way
@pytest.mark.parametrize(
    ("user", "question", "shown", "thanks"),
    [
        (
            AYA,
            "給与明細が見られません",
            "質問（ご本人の希望で表示しています）: 給与明細が見られません",
            "質問の内容を担当者に見せました。",
        ),
        (
            BOB,
            "I cannot see my payslip",
            "Question (shown because they want it): I cannot see my payslip",
            "I showed your question to the support team.",
        ),
    ],
)
async def test_a_private_question_is_shown_once_if_who_asked_it_wants_that(
    place: Place, user: str, question: str, shown: str, thanks: str
) -> None:
    with_handover(place)
    direct = place.slack.dm(user)
    async with place.running():
        asked, answer = await answered(place, user, direct, question)
        await place.slack.press(user, ASK_PERSON, channel=direct, ts=answer)
        [_, notice] = await place.slack.answered(direct, asked, count=2)
        for _ in range(2):
            await place.slack.press(user, SHOW_WORDS, channel=direct, ts=notice["ts"])
            said = await place.slack.answered(direct, asked, count=3)
            await idle()
        said = place.slack.answers(direct, asked)
    note, below = place.slack.answers(SUPPORT)
    assert question not in str(note)
    assert (below["thread_ts"], below["text"]) == (note["ts"], shown)
    assert [each["text"] for each in said[2:]] == [thanks]


async def test_nobody_shows_what_another_person_asked(place: Place) -> None:
    with_handover(place)
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, answer = await answered(place, AYA, direct, "給与明細が見られません")
        await place.slack.press(AYA, ASK_PERSON, channel=direct, ts=answer)
        [_, notice] = await place.slack.answered(direct, asked, count=2)
        for channel in (direct, place.slack.dm(KEN), HELPDESK):
            turn = asked_turn(direct, asked)
            await forged(place.slack, KEN, SHOW_WORDS, turn, channel=channel, ts=notice["ts"], thread=asked)
            await idle()
    assert "給与" not in str(place.slack.messages(SUPPORT))


async def test_what_a_private_channel_was_told_stays_there_too(place: Place) -> None:
    with_handover(place)
    async with place.running():
        _, answer = await answered(place, MAI, FINANCE, "請求書の締め日は？")
        await place.slack.press(MAI, ASK_PERSON, channel=FINANCE, ts=answer)
        [note] = await posted(place.slack, SUPPORT)
    assert "請求書" not in str(note)


@pytest.mark.parametrize("drop", ["before", "after"])
async def test_nobody_is_told_twice_when_it_is_not_known_whether_slack_took_it(place: Place, drop: str) -> None:
    with_handover(place)
    async with place.running():
        asked, answer = await answered(place)
        place.slack.fail("chat.postMessage", drop=drop)
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        assert (await whispered(place.slack, AYA))[0].startswith("申し訳ありません。うまくいきませんでした。")
    async with place.running():
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        [_, notice] = await place.slack.answered(HELPDESK, asked, count=2)
    assert notice["text"] == TOLD
    assert len(place.slack.answers(SUPPORT)) == 1


async def test_a_process_that_died_between_the_support_team_and_the_thread_leaves_the_rest_to_the_next(
    place: Place,
) -> None:
    with_handover(place)
    async with place.running():
        asked, answer = await answered(place)
        place.slack.fail("conversations.replies", slow=60)
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await die(place.slack)
    assert len(place.slack.answers(HELPDESK, asked)) == 1
    async with place.running():
        [_, notice] = await place.slack.answered(HELPDESK, asked, count=2)
        await idle()
    assert notice["text"] == TOLD
    assert len(place.slack.answers(SUPPORT)) == 1
    assert place.slack.ephemerals(AYA) == []


async def test_while_another_process_tells_the_support_team_one_is_asked_to_wait(place: Place) -> None:
    with_handover(place)
    async with place.running():
        asked, answer = await answered(place)
        elsewhere = Claims(place.app.store.leases, place.app.clock)
        async with elsewhere.claimed(f"handover {asked_turn(HELPDESK, asked)}"):
            await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
            assert (await whispered(place.slack, AYA))[0].startswith("ただいま混み合っています。")
            await idle()
        assert place.slack.answers(SUPPORT) == []
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await posted(place.slack, SUPPORT)


async def test_a_channel_that_the_bot_may_not_write_to_is_as_good_as_none(place: Place) -> None:
    place.slack.add_channel("C0CLOSED", "closed", KEN, kind="private")
    with_handover(place, "C0CLOSED")
    async with place.running():
        _, answer = await answered(place)
        with capture_logs() as logged:
            await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
            [said] = await whispered(place.slack, AYA)
    assert said == "ここから担当者を呼ぶことはできません。サポート担当者に直接ご連絡ください。"
    [entry] = [each for each in logged if each["event"] == "slack_handover_refused"]
    assert (entry["channel"], entry["error"]) == ("C0CLOSED", "channel_not_found")


async def test_where_only_the_asker_sees_answers_only_the_asker_hears_of_the_person(place: Place) -> None:
    with_handover(place)
    place.settings = place.settings.model_copy(update={"channels": {HELPDESK: SlackChannelSettings(ephemeral=True)}})
    async with place.running():
        await place.slack.say(AYA, HELPDESK, QUESTION, mention=True)
        await whispered(place.slack, AYA)
        [answer] = place.slack.ephemerals(AYA)
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer["ts"])
        assert (await whispered(place.slack, AYA, 2))[1] == TOLD
        await idle()
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer["ts"])
        assert (await whispered(place.slack, AYA, 3))[2] == TOLD_ALREADY
    assert len(place.slack.answers(SUPPORT)) == 1
    assert place.slack.answers(HELPDESK) == []


async def test_the_bot_does_not_answer_what_it_tells_the_support_team(place: Place) -> None:
    with_handover(place)
    place.settings = place.settings.model_copy(update={"channels": {SUPPORT: SlackChannelSettings(answer="always")}})
    async with place.running():
        _, answer = await answered(place)
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer)
        await posted(place.slack, SUPPORT)
        await place.slack.settled()
    assert len(place.slack.messages(SUPPORT)) == 1
    assert len(place.answers.questions) == 1
