"""What passes between who asked and the support team in Slack while a person has the ticket: in order, and once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.desks import reminders_over
from bot.platforms import own_records_over
from config.schema import AccessSettings
from handlers.slack.acts.names import (
    ASK_USER,
    ASKED,
    FIX,
    HAND_BACK_TICKET,
    MAKE_TICKET,
    NOTE,
    RESOLVE_TICKET,
    SUBJECT,
    TAKE_TICKET,
)
from handlers.tickets.records import Actor
from memory.model import Role, Viewer, Visibility
from memory.tickets import State, Step
from tests.fakes.platforms import nodes
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, MAI
from tests.fakes.slack.cast import ALERTS
from tests.fakes.slack_acts import SUPPORT, die, idle, posted, whispered
from tests.fakes.slack_place import LATER, Place
from tests.fakes.small_application import deciding
from tests.scenario.test_slack_tickets import (
    KEEPER,
    NOTICE,
    QUESTION,
    handed_over,
    heard,
    note_of,
    place,
    pressed,
    resolved,
    ticket,
)

__all__ = ["place"]

TAKEN = "HD-1 は 健 が担当します。"
NOT_PASSED = "HD-1 はいま担当者がいないため、依頼した人に伝えていません。担当してから、もう一度書いてください。"
SETTLED = (
    "HD-1 は「解決済み」のため、依頼した人に伝えていません。続けるには、コマンド"
    " helpdesk tickets reopen HD-1 で再開し、担当してから書いてください。本人に直接連絡することもできます。"
)


async def taken(place: Place, channel: str = HELPDESK) -> tuple[str, str]:
    """Aya asked, and Ken has it: the ts of her question and of the note."""
    asked, note = await handed_over(place, channel=channel)
    await pressed(place, KEN, TAKE_TICKET)
    return asked, str(note["ts"])


async def says(place: Place, user: str, channel: str, text: str, thread: str) -> str:
    """Somebody writes into a thread, and all that follows is done."""
    said = await place.slack.say(user, channel, text, thread=thread)
    await place.slack.settled()
    await idle()
    return said


async def asks(place: Place, words: str) -> None:
    """Ken opens the form of the note, asks and sends it off."""
    await pressed(place, KEN, ASK_USER)
    [form] = place.slack.views(KEN)
    await place.slack.submit(KEN, form["id"], {ASKED: {ASKED: words}})
    await idle()


def team(place: Place) -> list[str]:
    """What the bot said in the thread of the note."""
    return [each["text"] for each in place.slack.answers(SUPPORT)[1:]]


def copies(place: Place, channel: str, thread: str, words: str) -> list[dict[str, Any]]:
    return [each for each in place.slack.answers(channel, thread) if words in each["text"]]


async def test_what_an_agent_asks_is_answered_and_the_answer_reaches_the_team(place: Place) -> None:
    """Nobody had taken it: who asks has it."""
    async with place.running():
        asked, _ = await handed_over(place)
        await asks(place, "どのネットワークですか？")
        assert heard(place, asked) == [
            "健（サポート担当）からの質問です。ここに返事を書いてください。 どのネットワークですか？",
            NOTICE,
        ]
        assert "HD-1: ご本人の返事待ち（担当: 健）" in str(note_of(place)["blocks"])
        await says(place, AYA, HELPDESK, "自宅のWi-Fiです", asked)
        assert "HD-1: 担当者が対応中（担当: 健）" in str(note_of(place)["blocks"])
    assert team(place) == ["彩: 自宅のWi-Fiです"]
    assert len(place.answers.questions) == 1
    assert (await ticket(place)).state is State.WAITING_FOR_SUPPORT
    words = [(one.author, one.role) for one in await place.app.store.reading.named("HD-1", KEEPER, LATER)]
    assert words[-3:] == [(KEN, Role.AGENT), (AYA, Role.REQUESTER), (AYA, Role.REQUESTER)]


async def test_a_note_of_an_older_version_serves_as_well(place: Place) -> None:
    """Nothing is kept of where its thread is."""
    async with place.running():
        asked, note = await handed_over(place)
        vars(place.app.store.lines)["_lines"].clear()
        await asks(place, "直りましたか？")
        await says(place, AYA, HELPDESK, "まだです", asked)
        await says(place, KEN, SUPPORT, "わかりました", str(note["ts"]))
    assert team(place) == ["彩: まだです"]
    assert heard(place, asked)[-1] == "健（サポート担当）: わかりました"


async def test_thanks_are_an_answer_to_a_person(place: Place) -> None:
    """The bot alone would leave them unanswered and unpassed."""
    async with place.running():
        asked, _ = await handed_over(place)
        await asks(place, "直りましたか？")
        await says(place, AYA, HELPDESK, "直りました", asked)
    assert team(place) == ["彩: 直りました"]
    assert (await ticket(place)).state is State.WAITING_FOR_SUPPORT


async def test_who_is_no_agent_asks_nothing(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await pressed(place, MAI, ASK_USER)
        assert await whispered(place.slack, MAI) == ["これはサポート担当者だけができます。"]
    assert place.slack.views(MAI) == []
    assert heard(place, asked) == []


async def test_words_go_both_ways_in_order_with_who_said_them(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, KEN, SUPPORT, "再起動してみてください", note)
        await says(place, AYA, HELPDESK, "まだ切れます", asked)
        await says(place, BOB, HELPDESK, "My laptop as well", asked)
        await says(place, KEN, SUPPORT, "確認します <@U0BOB>", note)
    assert heard(place, asked) == [
        TAKEN,
        NOTICE,
        "健（サポート担当）: 再起動してみてください",
        "健（サポート担当）: 確認します @Bob",
    ]
    assert team(place) == ["彩: まだ切れます", "Bob: My laptop as well"]
    words = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    kens = [one for one in words if one.author == KEN][1:]
    assert [one.text for one in kens] == ["再起動してみてください", "確認します @Bob"]
    assert {(one.role, one.visibility) for one in kens} == {(Role.AGENT, Visibility.EVERYONE)}


@pytest.mark.parametrize("words", ["// 前にもあった", "／／前にもあった"])
async def test_what_is_marked_for_the_team_alone_stays_there(place: Place, words: str) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, KEN, SUPPORT, words, note)
    assert heard(place, asked) == [TAKEN, NOTICE]


async def test_neither_colleagues_nor_programs_in_the_teams_channel_are_passed_on(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, MAI, SUPPORT, "誰か見ましたか", note)
        await place.slack.bot_says(ALERTS, SUPPORT, "build failed", thread=note)
        await says(place, KEN, SUPPORT, "別の話", "1700000000.000001")
    assert heard(place, asked) == [TAKEN, NOTICE]


@pytest.mark.parametrize("end", [HAND_BACK_TICKET, FIX])
async def test_where_nobody_has_the_ticket_the_agent_is_told_and_the_words_are_not_kept(place: Place, end: str) -> None:
    async with place.running():
        asked, note = await taken(place)
        if end == FIX:
            await resolved(place, KEN, **{FIX: "再起動"})
        else:
            await pressed(place, KEN, HAND_BACK_TICKET)
        before = heard(place, asked)
        await says(place, KEN, SUPPORT, "もう一つあります", note)
        assert await whispered(place.slack, KEN) == [SETTLED if end == FIX else NOT_PASSED]
    assert heard(place, asked) == before
    words = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    assert "もう一つあります" not in [one.text for one in words]


async def test_words_that_are_too_long_to_be_kept_are_not_passed_on_and_the_agent_is_told(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, KEN, SUPPORT, "長" * 20_001, note)
        assert await whispered(place.slack, KEN) == [
            "HD-1 を依頼した人に伝えられませんでした。長すぎるか、届け先に書き込めません。"
        ]
    assert heard(place, asked) == [TAKEN, NOTICE]


async def test_of_long_words_the_other_side_reads_that_they_were_cut(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, KEN, SUPPORT, "長" * 9_000, note)
    shown = str(place.slack.answers(HELPDESK, asked)[-1]["blocks"])
    assert shown.count("長") == 8_000 + "（長いため、ここまでを表示しています）".count("長")
    assert "（長いため、ここまでを表示しています）" in shown


async def test_edits_and_deletions_follow_on_both_sides(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        agents = await says(place, KEN, SUPPORT, "再起動", note)
        users = await says(place, AYA, HELPDESK, "まだです", asked)
        await place.slack.edit(KEN, SUPPORT, agents, "再起動を2回")
        await place.slack.edit(AYA, HELPDESK, users, "直りました！")
        await place.slack.settled()
        await idle()
        assert heard(place, asked)[2:] == ["健（サポート担当）: 再起動を2回"]
        assert team(place) == ["彩: 直りました！"]
        await place.slack.delete(HELPDESK, users)
        await place.slack.edit(KEN, SUPPORT, agents, "// 再起動を2回")
        await place.slack.settled()
        await idle()
    assert heard(place, asked) == [TAKEN, NOTICE]
    assert team(place) == []


async def test_where_slack_lets_no_copy_go_its_words_go(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        agents = await says(place, KEN, SUPPORT, "再起動", note)
        place.slack.fail("chat.delete", error="compliance_prevents_message_deletion")
        await place.slack.edit(KEN, SUPPORT, agents, "// 再起動")
        await place.slack.settled()
        await idle()
    assert heard(place, asked) == [TAKEN, NOTICE, "このメッセージは、書いた人が削除しました。"]


async def test_of_a_direct_message_only_what_is_written_after_taking_reaches_the_team(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, note = await taken(place, direct)
        await says(place, AYA, direct, "自宅からです", asked)
        await says(place, KEN, SUPPORT, "わかりました", note)
    assert team(place) == ["彩: 自宅からです"]
    assert "VPN" not in str(place.slack.messages(SUPPORT))
    assert heard(place, asked, direct) == [TAKEN, NOTICE, "健（サポート担当）: わかりました"]
    words = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    assert {one.visibility for one in words} == {Visibility.PRIVATE}


async def test_private_words_that_waited_while_somebody_took_the_ticket_stay_where_they_are(place: Place) -> None:
    """They were written for the bot, which was about to answer."""
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await handed_over(place, channel=direct)
        place.answers.seconds, place.answers.asked = 1.0, type(place.answers.asked)()
        await place.slack.say(AYA, direct, "給与のことです", thread=asked)
        await place.answers.asked.wait()
        await pressed(place, KEN, TAKE_TICKET)
        await place.slack.settled()
        await idle()
        await says(place, AYA, direct, "VPNのことです", asked)
    assert team(place) == ["彩: VPNのことです"]
    assert heard(place, asked, direct) == [TAKEN, NOTICE]


async def test_private_words_of_somebody_who_was_not_told_stay_where_they_are(place: Place) -> None:
    """It was taken on the command line, which says nothing in the conversation."""
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await handed_over(place, channel=direct)
        kato = Actor(viewer=Viewer(user="kato", agent=True), name="", language="ja")
        await place.app.tickets.step("HD-1", Step.TAKE, kato, key="typed")
        await says(place, AYA, direct, "給与のことです", asked)
        assert heard(place, asked, direct) == [NOTICE]
        await says(place, AYA, direct, "VPNのことです", asked)
    assert team(place) == ["彩: VPNのことです"]
    assert heard(place, asked, direct) == [NOTICE]


async def test_of_files_the_other_side_reads_the_names(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        log = place.slack.file("lift.log", "E42 扉".encode())
        picture = place.slack.file("screen.png", b"\x89PNG", mimetype="image/png")
        plan = place.slack.file("plan.pdf", b"%PDF", mimetype="application/pdf")
        await place.slack.say(AYA, HELPDESK, "見てください", thread=asked, files=[log, picture])
        await place.slack.settled()
        await idle()
        await place.slack.say(AYA, HELPDESK, "", thread=asked, files=[picture])
        await place.slack.say(KEN, SUPPORT, "手順です", thread=note, files=[plan])
        await place.slack.settled()
        await idle()
    assert team(place) == ["彩: 見てください 📎 lift.log, screen.png（名前のみ）", "彩: 📎 screen.png（名前のみ）"]
    assert heard(place, asked)[2:] == ["健（サポート担当）: 手順です 📎 plan.pdf（名前のみ）"]
    assert "E42" not in str(team(place))


UNREACHED = (
    "HD-1: いまの書き込みは、まだ担当者に届いていません。担当者のチャンネルに書き込めるようになったら届けます。"
    "お急ぎのときは、ほかの方法で連絡してください。"
)


@pytest.mark.parametrize("code", ["is_archived", "not_in_channel"])
async def test_who_writes_while_the_teams_channel_is_closed_hears_so_once_and_it_comes_later(
    place: Place, code: str
) -> None:
    async with place.running():
        asked, _ = await taken(place)
        place.slack.fail("chat.postMessage", error=code)
        await says(place, AYA, HELPDESK, "まだ切れます", asked)
        assert heard(place, asked) == [TAKEN, NOTICE, UNREACHED]
        assert team(place) == []
    place.slack.fail("chat.postMessage", error=code)
    async with place.running():
        await idle()
        assert heard(place, asked) == [TAKEN, NOTICE, UNREACHED]
    async with place.running():
        await idle()
    assert team(place) == ["彩: まだ切れます"]
    assert heard(place, asked) == [TAKEN, NOTICE, UNREACHED]


async def test_who_writes_what_slack_never_takes_hears_so(place: Place) -> None:
    async with place.running():
        asked, _ = await taken(place)
        place.slack.fail("chat.postMessage", error="msg_too_long")
        await says(place, AYA, HELPDESK, "まだ切れます", asked)
    assert heard(place, asked)[2:] == [
        "HD-1: いまの書き込みは、担当者に届けられませんでした。ほかの方法で連絡してください。"
    ]
    async with place.running():
        await idle()
    assert team(place) == []


async def test_secrets_are_passed_on_to_nobody(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, AYA, HELPDESK, "パスワードは hunter2-Xy9! です", asked)
        await says(place, KEN, SUPPORT, "password: hunter2-Xy9!", note)
        told = (
            "メッセージにパスワードと思われるものがあったため、保存する前に取り除きました。"
            "念のため、新しいものに変えてください。"
            "Slack のメッセージも削除してください。削除すると、私の記憶からも消えます。"
        )
        assert await whispered(place.slack, AYA) == [told]
        assert await whispered(place.slack, KEN) == [told]
    assert "hunter2" not in str(team(place))
    assert "hunter2" not in str(heard(place, asked))


async def test_who_writes_a_secret_to_the_team_from_a_direct_message_is_told_there(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await taken(place, direct)
        await says(place, AYA, direct, "パスワードは hunter2-Xy9! です", asked)
    [told] = heard(place, asked, direct)[2:]
    assert told.startswith("メッセージにパスワードと思われるものがあったため")


async def test_a_thread_that_the_bot_was_no_part_of_reaches_the_team_once_it_is_a_ticket(place: Place) -> None:
    """Bob makes a ticket of what Aya wrote to her colleagues."""
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, QUESTION)
        await place.slack.settled()
        await place.slack.shortcut(BOB, MAKE_TICKET, channel=HELPDESK, ts=asked)
        await idle()
        [form] = place.slack.views(BOB)
        await place.slack.submit(BOB, form["id"], {SUBJECT: {SUBJECT: "VPN"}, NOTE: {NOTE: ""}})
        await posted(place.slack, SUPPORT)
        await idle()
        await says(place, AYA, HELPDESK, "誰か見てくれますか", asked)
        assert team(place) == []
        await pressed(place, KEN, TAKE_TICKET)
        await says(place, AYA, HELPDESK, "自宅からです", asked)
    assert team(place) == ["彩: 自宅からです"]
    assert place.answers.questions == []
    assert (await ticket(place)).requester == AYA


async def test_who_is_forgotten_is_forgotten_in_the_teams_thread_too(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await taken(place, direct)
        await says(place, AYA, direct, "自宅からです", asked)
        assert team(place) == ["彩: 自宅からです"]
        await own_records_over(place.app).forgotten(AYA, place.app.desk.wording.acts("ja"))
    async with place.running():
        await idle()
    assert team(place) == []


# --- the looks of words -----------------------------------------------------------------------------------------------


async def test_words_are_passed_on_with_their_looks_and_the_form_begins_without_marks(place: Place) -> None:
    async with place.running():
        asked, note = await taken(place)
        await says(place, AYA, HELPDESK, "画面に *E-77* と出ます & 音もします", asked)
        await says(place, KEN, SUPPORT, "*型番* AB_1_C の _電源_ を切る & 再起動する", note)
        [up] = place.slack.answers(SUPPORT)[1:]
        down = place.slack.answers(HELPDESK, asked)[-1]
        await pressed(place, KEN, RESOLVE_TICKET)
        form = place.slack.views(KEN)[-1]
    assert up["text"] == "彩: 画面に E-77 と出ます &amp; 音もします"
    assert {"type": "text", "text": "E-77", "style": {"bold": True}} in list(nodes(up["blocks"]))
    assert down["text"] == "健（サポート担当）: 型番 AB_1_C の 電源 を切る &amp; 再起動する"
    assert {"type": "text", "text": "型番", "style": {"bold": True}} in list(nodes(down["blocks"]))
    assert {"type": "text", "text": "電源", "style": {"italic": True}} in list(nodes(down["blocks"]))
    [fix] = [one["initial_value"] for one in nodes(form["blocks"]) if "initial_value" in one]
    assert fix == "型番 AB_1_C の 電源 を切る & 再起動する"


# --- whatever happens to the process ----------------------------------------------------------------------------------


async def test_what_a_dying_process_owed_is_passed_on_once_by_the_next(place: Place) -> None:
    async with place.running():
        asked, _ = await taken(place)
        place.slack.fail("chat.postMessage", slow=60)
        await place.slack.say(AYA, HELPDESK, "まだ切れます", thread=asked)
        await die(place.slack)
    async with place.running():
        await idle()
        await says(place, AYA, HELPDESK, "まだです", asked)
    assert team(place) == ["彩: まだ切れます", "彩: まだです"]
    assert await place.owed() == 0


async def test_an_answer_of_slacks_that_was_lost_makes_no_second_copy(place: Place) -> None:
    """Slack has taken the message, and the connection breaks before it says so."""
    async with place.running():
        asked, note = await taken(place)
        place.slack.fail("chat.postMessage", drop="after")
        await says(place, KEN, SUPPORT, "再起動してください", note)
    async with place.running():
        await idle()
    assert heard(place, asked)[2:] == ["健（サポート担当）: 再起動してください"]


async def test_who_lost_the_ticket_while_words_waited_is_told(place: Place) -> None:
    """Slack would not take them at first, and the ticket was handed back meanwhile."""
    settings = place.app.settings.model_copy(update={"access": AccessSettings(agents=(KEN, MAI))})
    place.app = deciding(place.app, settings=settings)
    async with place.running():
        asked, note = await taken(place)
        place.slack.fail("chat.postMessage", error="internal_error", times=1)
        await says(place, MAI, SUPPORT, "少し待ってください", note)
        await pressed(place, KEN, HAND_BACK_TICKET)
    before = heard(place, asked)
    async with place.running():
        await idle()
        assert await whispered(place.slack, MAI) == [NOT_PASSED]
    assert heard(place, asked) == before


# --- reminders --------------------------------------------------------------------------------------------------------


async def reminded(place: Place) -> None:
    """The bot looks for what is owed."""
    async with place.running():
        await idle()


async def test_the_team_is_reminded_once_in_the_thread_of_the_note(place: Place) -> None:
    async with place.running():
        asked, _ = await taken(place)
    now = place.app.clock() + timedelta(days=1)
    await reminders_over(place.app.settings, lambda: now, place.app.store).decide()
    await reminded(place)
    await reminded(place)
    assert team(place) == ["HD-1 は対応を待っています（担当: 健）。しばらく、どなたも返事をしていません。"]
    assert heard(place, asked) == [TAKEN, NOTICE]


async def test_who_was_asked_is_reminded_in_their_thread(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await asks(place, "直りましたか？")
    now = place.app.clock() + timedelta(days=4)
    await reminders_over(place.app.settings, lambda: now, place.app.store).decide()
    await reminded(place)
    assert heard(place, asked)[2:] == ["HD-1 は、あなたの返事を待っています。ここに返事を書いてください。"]
    assert team(place) == []


async def test_a_reminder_that_the_ticket_has_outrun_is_not_given(place: Place) -> None:
    async with place.running():
        await handed_over(place)
    now = place.app.clock() + timedelta(days=1)
    await reminders_over(place.app.settings, lambda: now, place.app.store).decide()
    kato = Actor(viewer=Viewer(user="kato", agent=True), name="", language="ja")
    await place.app.tickets.step("HD-1", Step.TAKE, kato, key="typed")
    await reminded(place)
    assert team(place) == []
    assert await place.app.store.lines.reminders("slack", 9) == []
