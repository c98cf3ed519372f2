"""What passes between who asked and the support team in Teams, where a bot is called to be heard, and can read nothing
back: what may have arrived is not said twice."""

from __future__ import annotations

from typing import Any

import pytest

from bot.platforms import own_records_over
from handlers.teams.names import ASK_PERSON, ASK_USER, ASKED, FIX, HAND_BACK_TICKET, RESOLVE_TICKET, TAKE_TICKET
from handlers.tickets.records import Actor
from memory.model import Role, Viewer, Visibility
from memory.tickets import State, Step
from tests.fakes.platforms import lanes
from tests.fakes.slack_acts import idle
from tests.fakes.teams import Fault
from tests.fakes.teams.server import (
    AYA,
    BOB,
    GROUP,
    KEN,
    SUPPORT,
    Json,
    Written,
    group,
    in_channel,
    personal,
    place_of,
)
from tests.fakes.teams_acts import asked, asked_in_channel, just_now, lines, pressed, want_a_person
from tests.fakes.teams_cards import faults
from tests.fakes.teams_place import LATER, Place
from tests.scenario.test_teams_tickets import KEEPER, TAKEN, below, click, note_of, place, ticket
from tests.scenario.test_teams_tickets import PASSED_ON_PRIVATELY as PASSED_ON

__all__ = ["place"]

NOT_PASSED = "HD-1 はいま担当者がいないため、依頼した人に伝えていません。担当してから、もう一度書いてください。"
SETTLED = (
    "HD-1 は「解決済み」のため、依頼した人に伝えていません。続けるには、コマンド"
    " helpdesk tickets reopen HD-1 で再開し、担当してから書いてください。本人に直接連絡することもできます。"
)
NOT_PASSABLE = "HD-1 を依頼した人に伝えられませんでした。長すぎるか、届け先に書き込めません。"
PASSED_UNSURE = (
    "HD-1 を依頼した人にいまの書き込みが届いたかどうか、確認が取れませんでした。"
    "返事がなければ、もう一度書いてください。"
)
REACHED_UNSURE = (
    "HD-1: いまの書き込みが担当者に届いたかどうか、確認が取れませんでした。返事がなければ、もう一度書いてください。"
)
UNREACHED = (
    "HD-1: いまの書き込みは、まだ担当者に届いていません。担当者のチャンネルに書き込めるようになったら届けます。"
    "お急ぎのときは、ほかの方法で連絡してください。"
)
UNREACHABLE = "HD-1: いまの書き込みは、担当者に届けられませんでした。ほかの方法で連絡してください。"
HERE = personal(AYA)
AGENT = Actor(viewer=Viewer(user=KEN, agent=True), name="岡部 健", language="ja")


async def taken(place: Place) -> None:
    """Aya asked in her personal chat, and Ken has it."""
    await want_a_person(place, AYA, "給与明細が見られません")
    await click(place, KEN, TAKE_TICKET)


async def says(place: Place, person: str, where: Json, text: str, *, mention: bool = False, **more: Any) -> str:
    """Somebody writes, and all that follows is done."""
    said = await place.teams.say(person, where, text, mention=mention, **just_now(), **more)
    await place.replied()
    await idle()
    return said


async def agent_says(place: Place, text: str, person: str = KEN, *, mention: bool = True, **more: Any) -> str:
    return await says(place, person, thread(place), text, mention=mention, **more)


async def changes(place: Place, person: str, where: Json, kind: str, event: str, message: str, text: str = "") -> None:
    """Somebody edits, deletes or brings back a message."""
    data = {**where["channelData"], "eventType": event}
    told = place.teams.activity(kind, person, {**where, "channelData": data}, text=text, **just_now())
    await place.teams.tell({**told, "id": message})
    await idle()


async def deletes(place: Place, person: str, where: Json, message: str) -> None:
    await changes(place, person, where, "messageDelete", "softDeleteMessage", message)


async def brings_back(place: Place, person: str, where: Json, message: str, text: str) -> None:
    await changes(place, person, where, "messageUpdate", "undeleteMessage", message, text)


def thread(place: Place) -> Json:
    """Of the note."""
    return in_channel(note_of(place).id, channel=SUPPORT)


def seen(message: Written) -> str:
    return str(message.content["text"]) if "text" in message.content else " | ".join(lines(message))


def heard(place: Place, where: Json = HERE) -> list[str]:
    """What the bot said where Aya asked, after its answer and the word that somebody was told."""
    return [seen(one) for one in place.teams.written(place_of(where))[2:]]


def team(place: Place) -> list[str]:
    """What the bot said in the thread of the note."""
    return [seen(one) for one in place.teams.written(f"{SUPPORT};messageid={note_of(place).id}")]


async def remembered(place: Place) -> list[str]:
    """What people said about the ticket."""
    found = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    return [one.text for one in found if one.status is None and not one.derived]


async def restarted(place: Place) -> None:
    """The next process looks for what is owed."""
    async with place.running():
        await idle()


async def test_words_go_both_ways_as_cards_on_which_nothing_is_parsed(place: Place) -> None:
    async with place.running():
        await taken(place)
        await agent_says(place, "**再起動** <b>して</b>ください\n  1. 電源\n\n[ここ](https://evil.example)")
        await says(place, AYA, HERE, "まだです <at>岡部 健</at>")
    assert heard(place)[:2] == [TAKEN, PASSED_ON]
    [passed] = place.teams.written(place_of(HERE))[4:]
    assert lines(passed) == [
        "岡部 健（サポート担当）:",
        "**再起動** <b>して</b>ください",
        "  1. 電源",
        "[ここ](https://evil.example)",
    ]
    [back] = place.teams.written(f"{SUPPORT};messageid={note_of(place).id}")
    assert lines(back)[0] == "佐藤 彩:"
    assert [faults(one.content) for one in (passed, back)] == [[], []]
    kens = [one for one in await place.app.store.reading.named("HD-1", KEEPER, LATER) if one.author == KEN][-1]
    assert (kens.role, kens.visibility) == (Role.AGENT, Visibility.PRIVATE)


@pytest.mark.parametrize("character", ["あ", "😀", '"', "<at>", "行\n"])
async def test_the_longest_words_are_cut_and_fit_into_a_message(place: Place, character: str) -> None:
    async with place.running():
        await taken(place)
        await says(place, AYA, HERE, (character * 9_000)[:19_000])
    [passed] = place.teams.written(f"{SUPPORT};messageid={note_of(place).id}")
    assert faults(passed.content) == []
    assert lines(passed)[-1].endswith("（長いため、ここまでを表示しています）")


async def test_a_copy_that_teams_does_not_take_as_a_card_comes_as_words(place: Place) -> None:
    async with place.running():
        await taken(place)
        place.teams.coming = [Fault(status=400)]
        await agent_says(place, "再起動してください")
    assert heard(place)[2:] == ["岡部 健（サポート担当）:\n再起動してください"]


async def test_of_files_the_other_side_reads_the_names(place: Place) -> None:
    shot = {"contentType": "image/png", "contentUrl": "https://example.com/screen.png", "name": "screen.png"}
    async with place.running():
        await taken(place)
        await says(place, AYA, HERE, "見てください", attachments=[shot])
        await agent_says(place, "", attachments=[shot])
    assert team(place) == ["佐藤 彩: | 見てください | 📎 screen.png（名前のみ）"]
    assert heard(place)[2:] == ["岡部 健（サポート担当）: | 📎 screen.png（名前のみ）"]


# --- who is heard -----------------------------------------------------------------------------------------------------


async def test_where_teams_tells_of_every_message_none_has_to_be_a_mention(place: Place) -> None:
    """The app has resource-specific consent. The bot is still no part of the talks of others."""
    async with place.running():
        where, answer = await asked_in_channel(place, AYA, "VPNが切れます")
        await pressed(place, AYA, answer, ASK_PERSON, where)
        await says(place, BOB, where, "Mine too")
        await click(place, KEN, TAKE_TICKET)
        await agent_says(place, "再起動してください", mention=False)
        await says(place, AYA, where, "まだ切れます")
        await says(place, BOB, where, "ありがとう")
        await says(place, AYA, in_channel(), "お昼は何にしますか")
    assert team(place) == ["佐藤 彩: | まだ切れます", "Bob Stone: | ありがとう"]
    assert heard(place, where)[2:] == ["岡部 健（サポート担当）: | 再起動してください"]
    assert len(place.answers.questions) == 1


async def test_of_a_group_chat_only_what_mentions_the_bot_reaches_the_team(place: Place) -> None:
    """It has no threads: what colleagues say to each other there is about anything."""
    async with place.running():
        await place.teams.say(AYA, group(), "VPNが切れます", mention=True)
        [answer] = await place.teams.answered(GROUP)
        await place.replied()
        await pressed(place, AYA, answer, ASK_PERSON, group())
        await click(place, KEN, TAKE_TICKET)
        await says(place, BOB, group(), "Lunch?")
        await says(place, AYA, group(), "まだ切れます", mention=True)
    assert team(place) == ["佐藤 彩: | まだ切れます"]


async def test_who_calls_for_help_or_says_nothing_means_the_bot(place: Place) -> None:
    async with place.running():
        await taken(place)
        await agent_says(place, "help")
        await agent_says(place, "")
        await says(place, AYA, HERE, "ヘルプ")
    assert heard(place)[:2] == [TAKEN, PASSED_ON]
    assert [one.partition(" | ")[0] for one in heard(place)[2:]] == ["ヘルプデスクの使い方"]
    assert [one.partition(" | ")[0] for one in team(place)][:1] == ["ヘルプデスクの使い方"]
    assert len(team(place)) == 2


async def test_neither_colleagues_nor_other_threads_are_passed_on(place: Place) -> None:
    async with place.running():
        await taken(place)
        await agent_says(place, "Try this", BOB)
        await says(place, KEN, in_channel(channel=SUPPORT), "別の話", mention=True)
        await says(place, KEN, in_channel("1700000000000", channel=SUPPORT), "別の話", mention=True)
    assert heard(place) == [TAKEN, PASSED_ON]


async def test_an_older_note_whose_line_was_never_laid_has_one_from_the_first_click(place: Place) -> None:
    async with place.running():
        await want_a_person(place, AYA, "給与明細が見られません")
        vars(place.app.store.lines)["_lines"].clear()
        await click(place, KEN, TAKE_TICKET)
        await agent_says(place, "再起動してください")
    assert heard(place) == [TAKEN, PASSED_ON, "岡部 健（サポート担当）: | 再起動してください"]


# --- asking -----------------------------------------------------------------------------------------------------------


async def test_who_is_asked_in_a_channel_reads_that_the_answer_needs_a_mention(place: Place) -> None:
    async with place.running():
        where, answer = await asked_in_channel(place, AYA, "VPNが切れます")
        await pressed(place, AYA, answer, ASK_PERSON, where)
        await click(place, KEN, ASK_USER, **{ASKED: "どのネットワークですか？"})
        assert "HD-1: ご本人の返事待ち（担当: 岡部 健）" in lines(note_of(place))
        await says(place, AYA, where, "自宅のWi-Fiです", mention=True)
        assert "HD-1: 担当者が対応中（担当: 岡部 健）" in lines(note_of(place))
    call_me = "書くときは私をメンションしてください。メンションがないと届きません。"
    assert heard(place, where) == [
        f"岡部 健（サポート担当）からの質問です。ここに返事を書いてください。 | どのネットワークですか？ | {call_me}",
        f"これから HD-1 に担当者がいる間、ここに書いたことは担当者に届きます。\n{call_me}",
    ]
    assert team(place) == ["佐藤 彩: | 自宅のWi-Fiです"]


@pytest.mark.parametrize(
    ("person", "said"), [(KEN, "聞きたいことを書いてください。"), (BOB, "Only support agents can do that.")]
)
async def test_an_empty_question_or_one_of_somebody_else_is_not_asked(place: Place, person: str, said: str) -> None:
    async with place.running():
        await want_a_person(place, AYA, "給与明細が見られません")
        await click(place, person, ASK_USER, **{ASKED: " \n" if person == KEN else "why?"})
    assert below(place) == [said]
    assert heard(place) == []
    assert (await ticket(place)).state is State.OPEN


@pytest.mark.parametrize("end", [HAND_BACK_TICKET, RESOLVE_TICKET])
async def test_where_nobody_has_the_ticket_the_agent_is_told_and_the_words_are_not_kept(place: Place, end: str) -> None:
    async with place.running():
        await taken(place)
        await click(place, KEN, end, **{FIX: "再起動"} if end == RESOLVE_TICKET else {})
        before = heard(place)
        await agent_says(place, "もう一つあります")
    assert team(place) == [SETTLED if end == RESOLVE_TICKET else NOT_PASSED]
    assert heard(place) == before
    assert "もう一つあります" not in await remembered(place)


# --- edits, deletions, and what comes back ----------------------------------------------------------------------------


async def test_what_was_deleted_and_brought_back_goes_and_comes_on_both_sides(place: Place) -> None:
    async with place.running():
        await taken(place)
        agents = await agent_says(place, "再起動してください")
        users = await says(place, AYA, HERE, "まだです")
        await deletes(place, KEN, thread(place), agents)
        await deletes(place, AYA, HERE, users)
        assert (heard(place)[2:], team(place)) == ([], [])
        assert await remembered(place) == ["給与明細が見られません"]
        await brings_back(place, KEN, thread(place), agents, "再起動してください")
        await brings_back(place, AYA, HERE, users, "まだです")
        assert heard(place)[2:] == ["岡部 健（サポート担当）: | 再起動してください"]
        assert team(place) == ["佐藤 彩: | まだです"]
        await changes(place, KEN, thread(place), "messageUpdate", "editMessage", agents, "// 再起動してください")
        await deletes(place, AYA, HERE, users)
    assert (heard(place)[2:], team(place)) == ([], [])
    assert len(place.answers.questions) == 1


async def test_a_copy_that_somebody_deleted_in_teams_holds_nothing_up(place: Place) -> None:
    async with place.running():
        await taken(place)
        first = await says(place, AYA, HERE, "まだです")
        place.teams.messages = place.teams.messages[:-1]
        await deletes(place, AYA, HERE, first)
        await says(place, AYA, HERE, "自宅からです")
    assert team(place) == ["佐藤 彩: | 自宅からです"]


async def test_where_the_client_deletes_nothing_the_words_of_a_copy_go(place: Place) -> None:
    """As in the Agents Playground, which answers 501 to every wish to delete."""
    async with place.running():
        await taken(place)
        message = await says(place, AYA, HERE, "まだです")
        place.teams.coming = [Fault(status=501)]
        await deletes(place, AYA, HERE, message)
        assert team(place) == ["このメッセージは、書いた人が削除しました。"]
        calls = len(place.teams.calls)
    await restarted(place)
    assert len(place.teams.calls) == calls


async def test_who_is_forgotten_is_forgotten_in_the_teams_thread_too(place: Place) -> None:
    async with place.running():
        await taken(place)
        await says(place, AYA, HERE, "自宅からです")
        assert team(place) == ["佐藤 彩: | 自宅からです"]
        await own_records_over(place.app).forgotten(AYA, place.app.desk.wording.acts("ja"))
    await restarted(place)
    assert team(place) == []


# --- secrets ----------------------------------------------------------------------------------------------------------


async def test_secrets_are_passed_on_to_nobody_and_who_wrote_them_is_told(place: Place) -> None:
    async with place.running():
        await taken(place)
        await says(place, AYA, HERE, "パスワードは hunter2-Xy9! です")
        await agent_says(place, "password: hunter2-Xy9!")
    everything = [*heard(place), *team(place)]
    told = [one for one in everything if one.startswith("メッセージにパスワードと思われるものがあったため")]
    assert len(told) == 2
    assert all("Teams のメッセージも削除してください" in one for one in told)
    assert "hunter2" not in str(everything)


# --- whatever happens on the way --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Fault(status=503), Fault(cut="after")], ids=["503", "cut off"])
async def test_what_teams_did_not_confirm_is_not_said_twice_and_who_wrote_it_hears_so(
    place: Place, fault: Fault
) -> None:
    stood = 1 if fault.cut else 0
    async with place.running():
        await taken(place)
        place.teams.coming = [fault]
        await says(place, AYA, HERE, "まだです")
        place.teams.coming = [fault]
        await agent_says(place, "再起動してください")
        await agent_says(place, "どうですか")
    await restarted(place)
    assert heard(place)[2:] == [
        REACHED_UNSURE,
        *["岡部 健（サポート担当）: | 再起動してください"] * stood,
        "岡部 健（サポート担当）: | どうですか",
    ]
    assert team(place) == [*["佐藤 彩: | まだです"] * stood, PASSED_UNSURE]


@pytest.mark.parametrize("agents", [True, False], ids=["to who asked", "to the team"])
async def test_what_a_process_that_died_may_have_passed_on_is_not_said_twice_and_who_wrote_it_hears_so(
    place: Place, agents: bool
) -> None:
    async with place.running():
        await taken(place)
        place.teams.coming = [Fault(status=429, retry_after="60")]
        where = thread(place) if agents else HERE
        await place.teams.say(KEN if agents else AYA, where, "まだです", mention=agents, **just_now())
        await place.teams.until(lambda: not place.teams.coming)
        for task in lanes():
            task.cancel()
        await idle()
    await restarted(place)
    await restarted(place)
    assert heard(place)[2:] == ([] if agents else [REACHED_UNSURE])
    assert team(place) == ([PASSED_UNSURE] if agents else [])
    assert await place.owed() == 0


async def test_what_certainly_did_not_arrive_comes_later_and_in_order(place: Place) -> None:
    async with place.running():
        await taken(place)
        # As often as a call is made with another token.
        place.teams.coming = [Fault(status=401)] * 5
        await says(place, AYA, HERE, "まだです")
        assert (place.teams.coming, team(place)) == ([], [])
        await says(place, AYA, HERE, "自宅からです")
    await restarted(place)
    assert team(place) == ["佐藤 彩: | まだです", "佐藤 彩: | 自宅からです"]
    assert heard(place)[2:] == []


async def test_who_writes_while_the_teams_channel_is_closed_hears_so_once_and_it_comes_later(place: Place) -> None:
    """The bot was removed from the team, and comes back."""
    async with place.running():
        await taken(place)
        place.teams.coming = [Fault(status=403)]
        await says(place, AYA, HERE, "まだです")
        assert heard(place)[2:] == [UNREACHED]
        assert team(place) == []
    place.teams.coming = [Fault(status=403)]
    await restarted(place)
    assert team(place) == []
    await restarted(place)
    assert heard(place)[2:] == [UNREACHED]
    assert team(place) == ["佐藤 彩: | まだです"]


async def test_words_to_somebody_whose_chat_is_gone_are_not_kept_and_the_agent_is_told(place: Place) -> None:
    async with place.running():
        await taken(place)
        gone = {"type": "installationUpdate", "action": "remove"}
        await place.teams.tell({**place.teams.activity("installationUpdate", AYA, HERE), **gone})
        await agent_says(place, "再起動してください")
    assert team(place) == [NOT_PASSABLE]
    assert "再起動してください" not in await remembered(place)


async def test_private_words_for_which_teams_told_no_place_are_not_swallowed(place: Place) -> None:
    """Teams did not say which message the note is: nobody can click on it, and it has no thread."""
    async with place.running():
        answer = await asked(place, AYA, HERE, "給与明細が見られません")
        place.teams.coming = [Fault(said=b"<html>")]
        await pressed(place, AYA, answer, ASK_PERSON, HERE)
        assert (await ticket(place)).assignee is None
        await place.app.tickets.step("HD-1", Step.TAKE, AGENT, key="typed")
        await says(place, AYA, HERE, "まだです")
    assert heard(place) == [UNREACHABLE]


async def test_that_words_are_passed_on_is_known_before_any_are(place: Place) -> None:
    """Teams did not confirm that it was said: it is said again, and private words wait until it stands there."""
    async with place.running():
        await want_a_person(place, AYA, "給与明細が見られません")
        await place.app.tickets.step("HD-1", Step.TAKE, AGENT, key="typed")
        place.teams.coming = [Fault(status=503)]
        await place.teams.say(AYA, HERE, "給与のことです", **just_now())
        await idle()
        assert (heard(place), team(place)) == ([], [])
    await restarted(place)
    assert (heard(place), team(place)) == ([PASSED_ON], [])
    async with place.running():
        await says(place, AYA, HERE, "VPNのことです")
    assert team(place) == ["佐藤 彩: | VPNのことです"]
