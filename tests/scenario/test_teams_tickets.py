"""Tickets in Teams: on the note to the support team agents take, hand back and resolve them; who asked hears of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from config.schema import AccessSettings
from config.teams import TeamsChannelSettings
from handlers.teams.names import (
    ASK_PERSON,
    ASK_USER,
    ASKED,
    CAUSE,
    FIX,
    HAND_BACK_TICKET,
    LEARNED,
    RESOLVE_TICKET,
    SHARE_TICKET,
    SYMPTOM,
    TAKE_TICKET,
)
from memory.model import Role, Viewer
from memory.tickets import State, Ticket
from tests.fakes.desks import desk_over
from tests.fakes.platforms import lanes
from tests.fakes.slack_acts import idle
from tests.fakes.small_application import deciding
from tests.fakes.teams import Fault
from tests.fakes.teams.server import AYA, BOB, HELPDESK, KEN, SUPPORT, Written, in_channel, personal, place_of
from tests.fakes.teams_acts import asked_in_channel, buttons, fields, lines, pressed, want_a_person, words
from tests.fakes.teams_place import LATER, Place, opened

KEEPER = Viewer(user="keeper", agent=True)
QUESTION = "VPNが切れます"
STEPS = [TAKE_TICKET, ASK_USER, RESOLVE_TICKET]
TAKEN = "HD-1 は 岡部 健 が担当します。"
#: In a channel the bot hears what mentions it.
PASSED_ON = (
    "これから HD-1 に担当者がいる間、ここに書いたことは担当者に届きます。\n"
    "書くときは私をメンションしてください。メンションがないと届きません。"
)
PASSED_ON_PRIVATELY = (
    "これから HD-1 に担当者がいる間、ここに書いたことは担当者に届きます。\n"
    "別の件は、チャネルの新しい投稿で私に尋ねてください。この件が終われば、ここでもお答えします。"
)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Ken is a support agent; Bob sees the support team's channel and is none. What is said in channels everybody may
    read."""
    async with opened(tmp_path) as place:
        open_to_all = TeamsChannelSettings(memory="everyone")
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT, "default": open_to_all})
        with_agents(place, KEN)
        yield place


def with_agents(place: Place, *people: str) -> None:
    """From now on these are the support agents, also for a process that runs already."""
    app = place.app
    settings = app.settings.model_copy(update={"access": AccessSettings(agents=people)})
    desk = desk_over(
        app.store,
        place.answers,
        app.clock,
        agents=people,
        held=app.tickets.held,
        under_way=app.tickets.under_way,
        returning=app.comebacks.would,
        unsolved=app.comebacks.said,
    )
    app.current.decided = deciding(app, settings=settings, desk=desk).current.decided


async def handed_over(place: Place, text: str = QUESTION) -> dict[str, Any]:
    """Aya asks in the helpdesk's channel and wants a person: the thread of her question."""
    where, answer = await asked_in_channel(place, AYA, text)
    await pressed(place, AYA, answer, ASK_PERSON, where)
    return where


def note_of(place: Place) -> Written:
    [note] = place.teams.written(SUPPORT)
    return note


async def click(place: Place, person: str, verb: str, **filled: str) -> None:
    """Somebody presses a button of the note, or has one of an hour ago before them."""
    note = note_of(place)
    await pressed(place, person, note, verb, in_channel(note.id, channel=SUPPORT), **filled)


def below(place: Place) -> list[str]:
    """What the bot said in the thread of the note."""
    return [str(one.content["text"]) for one in place.teams.written(f"{SUPPORT};messageid={note_of(place).id}")]


def heard(place: Place, where: dict[str, Any]) -> list[str]:
    """What the bot said where Aya asked, after its answer and the word that somebody was told."""
    return [str(one.content["text"]) for one in place.teams.written(place_of(where))[2:]]


async def ticket(place: Place) -> Ticket:
    [found] = await place.app.store.tickets.named(["HD-1"], KEEPER)
    return found


async def test_an_agent_takes_and_resolves_a_ticket_and_who_asked_hears_of_both(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        assert "HD-1: 受付済み（担当: なし）" in lines(note_of(place))
        assert list(buttons(note_of(place))) == STEPS
        await click(place, KEN, TAKE_TICKET)
        assert "HD-1: 担当者が対応中（担当: 岡部 健）" in lines(note_of(place))
        assert list(buttons(note_of(place))) == [HAND_BACK_TICKET, ASK_USER, RESOLVE_TICKET]
        await click(place, KEN, RESOLVE_TICKET, **{CAUSE: "古い証明書", FIX: "証明書を更新\n再起動"})
    note = note_of(place)
    assert heard(place, where) == [
        TAKEN,
        PASSED_ON,
        "HD-1 は解決しました。\n原因: 古い証明書\n対応: 証明書を更新\n再起動",
    ]
    assert lines(note)[:2] == ["HD-1: 佐藤 彩 さんが担当者に相談したいそうです。", f"質問: {QUESTION}"]
    assert "HD-1: 解決済み（担当: 岡部 健）" in lines(note)
    assert list(buttons(note)) == [SHARE_TICKET]
    assert fields(note) == {SYMPTOM: QUESTION, LEARNED: "原因: 古い証明書\n対応: 証明書を更新\n再起動"}
    assert below(place) == []
    [*_, last] = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    assert (last.author, last.role) == (KEN, Role.AGENT)
    assert last.text == "HD-1 は解決しました。\n原因: 古い証明書\n対応: 証明書を更新\n再起動"


@pytest.mark.parametrize("asked", ["everyone", "channel"])
@pytest.mark.parametrize("support", ["everyone", "channel"])
async def test_the_note_shows_words_where_both_channels_are_for_everyone(
    place: Place, asked: str, support: str
) -> None:
    """Nothing that the team says among themselves needs to be remembered for that."""
    quiet = {"answer": "never", "remember": False}
    channels = {
        HELPDESK: TeamsChannelSettings.model_validate({"memory": asked}),
        SUPPORT: TeamsChannelSettings.model_validate({"memory": support, **quiet}),
    }
    place.settings = place.settings.model_copy(update={"default": TeamsChannelSettings(), "channels": channels})
    async with place.running():
        where = await handed_over(place)
        assert (QUESTION in words(note_of(place))) == (asked == support == "everyone")
        await click(place, KEN, TAKE_TICKET)
        assert heard(place, where) == [TAKEN, PASSED_ON]


async def test_a_ticket_that_is_handed_back_is_free_to_be_taken(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, TAKE_TICKET)
        await click(place, KEN, HAND_BACK_TICKET)
    assert heard(place, where) == [TAKEN, PASSED_ON, "岡部 健 が HD-1 の担当を外れました。"]
    assert list(buttons(note_of(place))) == STEPS
    assert (await ticket(place)).assignee is None


async def test_who_is_no_support_agent_is_told_so_and_changes_nothing(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        await click(place, BOB, TAKE_TICKET)
        await click(place, BOB, RESOLVE_TICKET, **{FIX: "restart"})
        with_agents(place)
        await click(place, KEN, RESOLVE_TICKET, **{FIX: "再起動"})
    assert below(place) == ["Only support agents can do that."] * 2 + ["これはサポート担当者だけができます。"]
    assert heard(place, where) == []
    assert ((await ticket(place)).state, (await ticket(place)).changes) == (State.OPEN, 1)


async def test_what_can_no_longer_be_done_is_said_below_the_note(place: Place) -> None:
    """Ken's note still shows the buttons of an hour ago."""
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, RESOLVE_TICKET, **{FIX: "再起動"})
        await click(place, KEN, TAKE_TICKET)
    assert below(place) == ["HD-1 は「解決済み」のため、これはできません。"]
    assert heard(place, where) == ["HD-1 は解決しました。\n対応: 再起動"]


async def test_of_two_who_take_a_ticket_at_once_one_has_it_and_the_other_is_told(place: Place) -> None:
    """Bob is an agent, too, and his note was drawn before Ken clicked."""
    with_agents(place, KEN, BOB)
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, TAKE_TICKET)
        await click(place, BOB, TAKE_TICKET)
    assert below(place) == ["岡部 健 has HD-1."]
    assert heard(place, where) == [TAKEN, PASSED_ON]
    assert (await ticket(place)).assignee == "岡部 健"


async def test_who_takes_or_hands_back_what_they_have_or_have_not_changes_nothing_and_hears_how_it_stands(
    place: Place,
) -> None:
    """Bob is an agent, too; both have notes of an hour ago before them."""
    with_agents(place, KEN, BOB)
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, HAND_BACK_TICKET)
        await click(place, KEN, TAKE_TICKET)
        await click(place, KEN, TAKE_TICKET)
        await click(place, BOB, HAND_BACK_TICKET)
        assert (await ticket(place)).assignee == "岡部 健"
        await click(place, KEN, HAND_BACK_TICKET)
        await click(place, BOB, HAND_BACK_TICKET)
        await click(place, BOB, RESOLVE_TICKET, **{FIX: "restart"})
        await click(place, BOB, HAND_BACK_TICKET)
    assert below(place) == [
        "HD-1 には、いま担当者がいません。",
        "HD-1 は、すでにあなたが担当しています。",
        "岡部 健 has HD-1.",
        "Nobody has HD-1 just now.",
        "This cannot be done while HD-1 is resolved.",
    ]
    assert heard(place, where) == [
        TAKEN,
        PASSED_ON,
        "岡部 健 が HD-1 の担当を外れました。",
        "HD-1 は解決しました。\n対応: restart",
    ]
    assert (await ticket(place)).changes == 4


async def test_a_click_anywhere_but_on_a_note_changes_nothing_whatever_it_says(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        answer = place.teams.written(place_of(where))[0]
        await place.teams.execute(KEN, answer, TAKE_TICKET, "HD-1", where)
        await place.teams.execute(KEN, note_of(place), TAKE_TICKET, "HD-1", personal(KEN))
        await idle()
        [said] = place.teams.written(place_of(personal(KEN)))
    gone = "この質問は、もう覚えていないか、あなたには表示できません。もう一度お尋ねください。"
    assert [said.content["text"], *heard(place, where)] == [gone, gone]
    assert (await ticket(place)).changes == 1


async def test_a_form_without_a_fix_is_not_taken(place: Place) -> None:
    async with place.running():
        await handed_over(place)
        await click(place, KEN, RESOLVE_TICKET, **{CAUSE: "古い証明書", FIX: " \n"})
    assert below(place) == ["対応を書いてください。"]
    assert (await ticket(place)).state is State.OPEN


async def test_of_a_private_question_the_note_shows_the_name_of_the_ticket_and_no_words(place: Place) -> None:
    """Not even those of the agent who answered it."""
    where = personal(AYA)
    async with place.running():
        await want_a_person(place, AYA, "給与明細が見られません")
        await click(place, KEN, TAKE_TICKET)
        assert heard(place, where) == [TAKEN, PASSED_ON_PRIVATELY]
        await click(place, KEN, HAND_BACK_TICKET)
    note = note_of(place)
    assert lines(note)[:2] == [
        "HD-1: 佐藤 彩 さんが担当者に相談したいそうです。",
        "私との個人チャットでの質問なので、内容は表示しません。",
    ]
    assert "給与" not in words(note)
    assert fields(note) == {ASKED: None, CAUSE: None, FIX: None}


async def test_an_agent_approves_what_everybody_may_read_and_nobody_else_can(place: Place) -> None:
    """Of a private request the form begins empty: the team's channel may not read its words."""
    async with place.running():
        await want_a_person(place, AYA, "給与明細が見られません")
        await click(place, KEN, RESOLVE_TICKET, **{FIX: "権限を付け直した"})
        assert fields(note_of(place)) == {SYMPTOM: None, LEARNED: None}
        await click(place, BOB, SHARE_TICKET, **{LEARNED: "everything"})
        await click(place, KEN, SHARE_TICKET, **{SYMPTOM: "給与明細が見られない", LEARNED: "権限を付け直す"})
    assert below(place) == [
        "Only support agents can do that.",
        "HD-1 の内容を保存しました。検索できるようになりしだい（通常は1分以内）、全員への回答に使います。",
    ]
    assert heard(place, personal(AYA)) == ["HD-1 は解決しました。\n対応: 権限を付け直した"]
    anybody = Viewer(user="anybody")
    assert [one.text for one in await place.app.store.reading.named("HD-1", anybody, LATER)] == [
        "給与明細が見られない\n権限を付け直す"
    ]


async def test_the_form_begins_with_what_an_agent_said_last(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        assert fields(note_of(place)) == {ASKED: None, CAUSE: None, FIX: None}
        await place.teams.say(KEN, where, "証明書を更新してください", mention=True)
        await place.replied()
        await click(place, KEN, TAKE_TICKET)
    assert fields(note_of(place)) == {ASKED: None, CAUSE: None, FIX: "証明書を更新してください"}
    said = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    helped = next(one for one in said if one.text == "証明書を更新してください")
    assert (helped.author, helped.requester, helped.role) == (KEN, AYA, Role.AGENT)


async def test_words_that_were_forgotten_are_gone_from_a_note_that_is_drawn_anew(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        gone = place.teams.activity("messageDelete", AYA, where, channelData=where["channelData"])
        thread = place_of(where).partition("messageid=")[2]
        await place.teams.tell({**gone, "id": thread})
        await click(place, KEN, TAKE_TICKET)
    assert QUESTION not in words(note_of(place))


@pytest.mark.parametrize("count", [1, 2], ids=["without the mention", "not at all"])
async def test_a_note_that_teams_does_not_let_us_change_keeps_nobody_from_the_step(place: Place, count: int) -> None:
    async with place.running():
        where = await handed_over(place)
        place.teams.coming = [Fault(), Fault(), *(Fault(status=400) for _ in range(count))]
        await click(place, KEN, TAKE_TICKET)
    assert heard(place, where) == [TAKEN, PASSED_ON]
    assert (await ticket(place)).assignee == "岡部 健"
    assert ("担当: 岡部 健" in words(note_of(place))) == (count == 1)


async def test_a_click_that_is_told_again_after_a_restart_is_one_click(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, TAKE_TICKET)
        told = place.teams.told[-1]
    async with place.running():
        await place.teams.tell({**told, "serviceUrl": place.teams.service})
        await idle()
    assert heard(place, where) == [TAKEN, PASSED_ON]
    assert (await ticket(place)).changes == 2


async def test_a_process_that_died_before_who_asked_was_told_leaves_it_to_the_next_one(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        place.teams.coming = [Fault(status=429, retry_after="60")]
        await place.teams.execute(KEN, note_of(place), TAKE_TICKET, "", in_channel(note_of(place).id, channel=SUPPORT))
        await place.teams.until(lambda: not place.teams.coming)
        for task in lanes():
            task.cancel()
        await idle()
    assert (await ticket(place)).assignee == "岡部 健"
    async with place.running():
        await place.teams.until(lambda: "担当者が対応中" in words(note_of(place)))
        await idle()
    assert heard(place, where) == [TAKEN, PASSED_ON]
    assert (await ticket(place)).changes == 2
    assert "HD-1: 担当者が対応中（担当: 岡部 健）" in lines(note_of(place))


async def test_a_form_that_a_dying_process_took_is_taken_down_by_the_next_one(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        note, filled = note_of(place), {CAUSE: "古い証明書", FIX: "証明書を更新"}
        place.teams.coming = [Fault(status=429, retry_after="60")]
        await place.teams.execute(KEN, note, RESOLVE_TICKET, "", in_channel(note.id, channel=SUPPORT), **filled)
        await place.teams.until(lambda: not place.teams.coming)
        for task in lanes():
            task.cancel()
        await idle()
    async with place.running():
        await place.teams.until(lambda: "解決済み" in words(note_of(place)))
        await idle()
    assert heard(place, where) == ["HD-1 は解決しました。\n原因: 古い証明書\n対応: 証明書を更新"]


async def test_while_a_person_has_a_ticket_the_bot_listens_and_answers_again_when_it_is_resolved(place: Place) -> None:
    async with place.running():
        where = await handed_over(place)
        await click(place, KEN, TAKE_TICKET)
        await place.teams.say(AYA, where, "まだ切れます", mention=True)
        await place.replied()
        await idle()
        assert heard(place, where) == [TAKEN, PASSED_ON]
        await click(place, KEN, RESOLVE_TICKET, **{FIX: "証明書を更新"})
        await place.teams.say(AYA, where, "証明書はどこですか", mention=True)
        await place.teams.answered(place_of(where), count=6)
    assert [one.text for one in place.answers.questions] == [QUESTION, "証明書はどこですか"]
    assert place_of(where).startswith(HELPDESK)


async def test_a_support_channel_that_takes_no_note_is_told_until_it_takes_one(place: Place) -> None:
    """Teams cannot be asked before."""
    async with place.running():
        where, answer = await asked_in_channel(place, AYA, QUESTION)
        # With and without a mention of who asks.
        place.teams.coming = [Fault(status=403), Fault(status=403)]
        await pressed(place, AYA, answer, ASK_PERSON, where)
        closed = place.app.health.ready()["teams handover"]
        assert closed.ok
        assert "`teams.handover_channel`: nobody is told who wants a person" in closed.why
        await pressed(place, AYA, answer, ASK_PERSON, where)
        assert place.app.health.ready()["teams handover"].why == ""
    assert len(place.teams.written(SUPPORT)) == 1
