"""Tickets in Slack: on the note to the support team agents take, hand back and resolve them; who asked hears of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.desks import tickets_over
from config.schema import AccessSettings
from config.slack import Transport
from handlers.slack.acts.names import (
    ASK_PERSON,
    ASK_USER,
    CAUSE,
    FIX,
    HAND_BACK_TICKET,
    LEARNED,
    RESOLUTION_FORM,
    RESOLVE_TICKET,
    SHARE,
    SYMPTOM,
    TAKE_TICKET,
)
from handlers.tickets.records import Actor, Resolution
from memory.model import Role, Viewer
from memory.tickets import State, Ticket
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, HELPDESK, KEN, MAI
from tests.fakes.slack.faults import Fault
from tests.fakes.slack_acts import SUPPORT, die, forged, idle, posted, pressable, whispered, with_support
from tests.fakes.slack_place import LATER, Place, opened
from tests.fakes.small_application import deciding

KEEPER = Viewer(user="keeper", agent=True)
KEEPER_ACTS = Actor(viewer=KEEPER, name="番", language="ja")
QUESTION = "VPNが切れます"
STEPS = [TAKE_TICKET, ASK_USER, RESOLVE_TICKET]
NOTICE = "これから HD-1 に担当者がいる間、ここに書いたことは担当者に届きます。"


@pytest.fixture
async def place(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Ken is a support agent; Mai is in the support team's channel and none."""
    async with opened(tmp_path, getattr(request, "param", Transport.SOCKET)) as place:
        with_support(place.slack)
        place.slack.world.channels[SUPPORT].members.add(MAI)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        access = AccessSettings(agents=(KEN,))
        app, settings = place.app, place.app.settings.model_copy(update={"access": access})
        desk = desk_over(
            app.store,
            place.answers,
            app.clock,
            agents=(KEN,),
            held=app.tickets.held,
            under_way=app.tickets.under_way,
            returning=app.comebacks.would,
            unsolved=app.comebacks.said,
        )
        tickets = tickets_over(settings, app.clock, app.store)
        place.app = deciding(app, settings=settings, desk=desk, tickets=tickets)
        yield place


either_way = pytest.mark.parametrize("place", list(Transport), indirect=True, ids=[each.value for each in Transport])


async def handed_over(place: Place, text: str = QUESTION, channel: str = HELPDESK) -> tuple[str, dict[str, Any]]:
    """Aya asks and wants a person: the ts of her question, and the note."""
    asked = await place.slack.say(AYA, channel, text, mention=not channel.startswith("D"))
    [answer] = await place.slack.answered(channel, asked)
    await place.slack.settled()
    await place.slack.press(AYA, ASK_PERSON, channel=channel, ts=answer["ts"])
    await place.slack.answered(channel, asked, count=2)
    [note] = await posted(place.slack, SUPPORT)
    await idle()
    return asked, note


async def pressed(place: Place, user: str, name: str) -> None:
    """Somebody presses a button of the note, and all that follows is done."""
    note = note_of(place)
    await place.slack.press(user, name, channel=SUPPORT, ts=note["ts"])
    await idle()


async def resolved(place: Place, user: str, **filled: str) -> None:
    """Somebody opens the form of the note, fills it in and sends it off."""
    await pressed(place, user, RESOLVE_TICKET)
    [form] = place.slack.views(user)
    await place.slack.submit(user, form["id"], {name: {name: words} for name, words in filled.items()})
    await idle()


async def ticket(place: Place, name: str = "HD-1") -> Ticket:
    [found] = await place.app.store.tickets.named([name], KEEPER)
    return found


def note_of(place: Place) -> dict[str, Any]:
    return place.slack.answers(SUPPORT)[0]


def heard(place: Place, asked: str, channel: str = HELPDESK) -> list[str]:
    """What the bot said in the thread after its answer and the word that somebody was told."""
    return [each["text"] for each in place.slack.answers(channel, asked)][2:]


async def test_the_notes_plain_text_says_what_its_blocks_say(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        await handed_over(place, channel=direct)
        assert f"ご本人の連絡先: <@{AYA}> HD-1: 受付済み（担当: なし）" in note_of(place)["text"]
        await pressed(place, KEN, TAKE_TICKET)
        assert f"ご本人の連絡先: <@{AYA}> HD-1: 担当者が対応中（担当: 健）" in note_of(place)["text"]
        await resolved(place, KEN, **{FIX: "証明書を更新"})
        assert f"ご本人の連絡先: <@{AYA}> HD-1: 解決済み（担当: 健）" in note_of(place)["text"]


@either_way
async def test_an_agent_takes_and_resolves_a_ticket_and_who_asked_hears_of_both(place: Place) -> None:
    async with place.running():
        asked, note = await handed_over(place)
        assert "HD-1: 受付済み（担当: なし）" in str(note["blocks"])
        assert list(pressable(note["blocks"])) == STEPS
        await pressed(place, KEN, TAKE_TICKET)
        assert "HD-1: 担当者が対応中（担当: 健）" in str(note_of(place)["blocks"])
        assert list(pressable(note_of(place)["blocks"])) == [HAND_BACK_TICKET, ASK_USER, RESOLVE_TICKET]
        await resolved(place, KEN, **{CAUSE: "古い証明書", FIX: "証明書を更新"})
    assert heard(place, asked) == [
        "HD-1 は 健 が担当します。",
        NOTICE,
        "HD-1 は解決しました。 原因: 古い証明書 対応: 証明書を更新",
    ]
    assert "HD-1: 解決済み（担当: 健）" in str(note_of(place)["blocks"])
    assert list(pressable(note_of(place)["blocks"])) == [SHARE]
    assert f"質問: {QUESTION}" in str(note_of(place)["blocks"])
    [*_, last] = await place.app.store.reading.named("HD-1", KEEPER, LATER)
    assert (last.author, last.role) == (KEN, Role.AGENT)
    assert last.text == "HD-1 は解決しました。\n原因: 古い証明書\n対応: 証明書を更新"


async def test_a_ticket_that_is_handed_back_is_free_to_be_taken(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await pressed(place, KEN, TAKE_TICKET)
        await pressed(place, KEN, HAND_BACK_TICKET)
    assert heard(place, asked) == ["HD-1 は 健 が担当します。", NOTICE, "健 が HD-1 の担当を外れました。"]
    assert list(pressable(note_of(place)["blocks"])) == STEPS
    assert (await ticket(place)).assignee is None


@pytest.mark.parametrize("name", [TAKE_TICKET, RESOLVE_TICKET])
async def test_who_is_no_support_agent_is_told_so_alone_and_changes_nothing(place: Place, name: str) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await pressed(place, MAI, name)
        assert await whispered(place.slack, MAI) == ["これはサポート担当者だけができます。"]
    assert place.slack.views(MAI) == []
    assert heard(place, asked) == []
    assert (await ticket(place)).changes == 1


async def test_a_form_is_taken_from_nobody_who_is_no_support_agent_any_more(place: Place) -> None:
    async with place.running():
        await handed_over(place)
        await pressed(place, KEN, RESOLVE_TICKET)
        [form] = place.slack.views(KEN)
        settings = place.app.settings.model_copy(update={"access": AccessSettings()})
        place.app.current.decided = deciding(place.app, settings=settings).current.decided
        await place.slack.submit(KEN, form["id"], {FIX: {FIX: "restart"}})
        await idle()
    assert (await ticket(place)).state is State.OPEN


async def test_what_can_no_longer_be_done_is_said_to_who_clicked(place: Place) -> None:
    """Ken's note still shows the buttons of an hour ago."""
    async with place.running():
        asked, note = await handed_over(place)
        await resolved(place, KEN, **{FIX: "再起動"})
        await forged(place.slack, KEN, TAKE_TICKET, "", channel=SUPPORT, ts=note["ts"], thread=note["ts"])
        assert await whispered(place.slack, KEN) == ["HD-1 は「解決済み」のため、これはできません。"]
    assert heard(place, asked) == ["HD-1 は解決しました。 対応: 再起動"]


async def test_of_two_who_take_a_ticket_at_once_one_has_it_and_the_other_is_told(place: Place) -> None:
    """Mai is an agent, too, and her note was drawn before Ken clicked."""
    settings = place.app.settings.model_copy(update={"access": AccessSettings(agents=(KEN, MAI))})
    place.app = deciding(place.app, settings=settings)
    async with place.running():
        asked, note = await handed_over(place)
        await pressed(place, KEN, TAKE_TICKET)
        await forged(place.slack, MAI, TAKE_TICKET, "", channel=SUPPORT, ts=note["ts"], thread=note["ts"])
        assert await whispered(place.slack, MAI) == ["HD-1 は 健 が担当しています。"]
        await idle()
    assert heard(place, asked) == ["HD-1 は 健 が担当します。", NOTICE]
    assert (await ticket(place)).assignee == "健"


async def test_who_takes_or_hands_back_what_they_have_or_have_not_changes_nothing_and_hears_how_it_stands(
    place: Place,
) -> None:
    """Mai is an agent, too; both have notes of an hour ago before them."""
    settings = place.app.settings.model_copy(update={"access": AccessSettings(agents=(KEN, MAI))})
    place.app = deciding(place.app, settings=settings)
    async with place.running():
        asked, note = await handed_over(place)
        for person, name in (
            (KEN, HAND_BACK_TICKET),
            (KEN, TAKE_TICKET),
            (KEN, TAKE_TICKET),
            (MAI, HAND_BACK_TICKET),
            (KEN, HAND_BACK_TICKET),
            (MAI, HAND_BACK_TICKET),
        ):
            await forged(place.slack, person, name, "", channel=SUPPORT, ts=note["ts"], thread=note["ts"])
            await idle()
        assert await whispered(place.slack, KEN, 2) == [
            "HD-1 には、いま担当者がいません。",
            "HD-1 は、すでにあなたが担当しています。",
        ]
        assert await whispered(place.slack, MAI, 2) == [
            "HD-1 は 健 が担当しています。",
            "HD-1 には、いま担当者がいません。",
        ]
    assert heard(place, asked) == ["HD-1 は 健 が担当します。", NOTICE, "健 が HD-1 の担当を外れました。"]
    assert (await ticket(place)).changes == 3


async def test_a_click_beside_a_note_changes_nothing(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await forged(place.slack, KEN, TAKE_TICKET, "HD-1", channel=HELPDESK, ts=asked, thread=asked)
        await idle()
    assert (await ticket(place)).changes == 1


async def test_of_a_private_question_the_note_shows_the_name_of_the_ticket_and_no_words(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await handed_over(place, "給与明細が見られません", direct)
        await pressed(place, KEN, TAKE_TICKET)
    assert "給与" not in str(place.slack.messages(SUPPORT))
    assert "HD-1" in note_of(place)["text"]
    assert heard(place, asked, direct) == ["HD-1 は 健 が担当します。", NOTICE]


async def test_the_form_begins_with_what_an_agent_said_last(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await pressed(place, KEN, TAKE_TICKET)
        await place.slack.say(KEN, HELPDESK, "証明書を更新してください", thread=asked)
        await place.slack.settled()
        await idle()
        await pressed(place, KEN, RESOLVE_TICKET)
        [form] = place.slack.views(KEN)
    assert form["callback_id"] == RESOLUTION_FORM
    given = {block["block_id"]: block["element"].get("initial_value") for block in form["blocks"] if "element" in block}
    assert given == {CAUSE: None, FIX: "証明書を更新してください"}


def given_in(form: dict[str, Any]) -> dict[str, str | None]:
    return {block["block_id"]: block["element"].get("initial_value") for block in form["blocks"] if "element" in block}


@pytest.mark.parametrize(
    ("question", "said", "learned"),
    [
        ("モニターが映りません", "ケーブルを挿し直しました", "対応: ケーブルを挿し直しました"),
        ("My monitor stays dark", "I replaced the cable", "Fix: I replaced the cable"),
    ],
    ids=["ja", "en"],
)
async def test_the_first_thing_that_an_agent_does_after_a_restart_is_done(
    place: Place, question: str, said: str, learned: str
) -> None:
    """Nobody has been looked up yet, and the request is private."""
    direct = place.slack.dm(AYA)
    async with place.running():
        await handed_over(place, question, direct)
        await pressed(place, KEN, TAKE_TICKET)
        await place.slack.say(KEN, SUPPORT, said, thread=note_of(place)["ts"])
        await place.slack.settled()
        await idle()
    async with place.running():
        await pressed(place, KEN, RESOLVE_TICKET)
        [form] = place.slack.views(KEN)
        assert given_in(form) == {CAUSE: None, FIX: said}
        await place.slack.submit(KEN, form["id"], {FIX: {FIX: said}})
        await idle()
    async with place.running():
        await pressed(place, KEN, SHARE)
        form = place.slack.views(KEN)[-1]
    assert given_in(form) == {SYMPTOM: None, LEARNED: learned}
    assert place.slack.ephemerals(KEN) == []


async def test_where_slack_does_not_say_who_an_agent_is_they_are_asked_to_try_again(place: Place) -> None:
    async with place.running():
        await handed_over(place)
        await resolved(place, KEN, **{FIX: "証明書を更新"})
    async with place.running():
        place.slack.api.faults.add(Fault(method="users.info", error="fatal_error"))
        await pressed(place, KEN, SHARE)
        assert await whispered(place.slack, KEN) == [
            "画面を開くのが間に合いませんでした。お手数ですが、もう一度お試しください。"
        ]


async def test_a_guest_among_the_agents_sees_no_more_after_a_restart_than_before(place: Place) -> None:
    place.slack.world.people[KEN].is_restricted = True
    async with place.running():
        await handed_over(place, channel=place.slack.dm(AYA))
        await place.app.tickets.resolve("HD-1", Resolution(fix="証明書を更新"), KEEPER_ACTS, key="k1")
    async with place.running():
        await place.slack.until(lambda: list(pressable(note_of(place)["blocks"])) == [SHARE])
        await pressed(place, KEN, SHARE)
        assert await whispered(place.slack, KEN) == ["その名前のチケットは見つかりません。"]
    assert place.slack.views(KEN) == []


@pytest.mark.parametrize(
    ("first", "then", "line"),
    [
        ("複合機 MX-27 が止まります", "エラー E-42 と出ています", "その前の発言: 「複合機 MX-27 が止まります」"),
        ("Printer MX-27 stops", "It shows error E-42", "Said before: “Printer MX-27 stops”"),
    ],
    ids=["ja", "en"],
)
async def test_the_note_says_what_who_asked_had_said_before_and_goes_with_it(
    place: Place, first: str, then: str, line: str
) -> None:
    async with place.running():
        asked = await place.slack.say(AYA, HELPDESK, first, mention=True)
        await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        await place.slack.say(AYA, HELPDESK, then, thread=asked, mention=True)
        answer = (await place.slack.answered(HELPDESK, asked, count=2))[-1]
        await place.slack.settled()
        await place.slack.press(AYA, ASK_PERSON, channel=HELPDESK, ts=answer["ts"])
        await posted(place.slack, SUPPORT)
        await idle()
        assert line in str(note_of(place)["blocks"])
        await place.slack.delete(HELPDESK, asked)
        await place.slack.settled()
    async with place.running():
        await place.slack.until(lambda: first not in str(note_of(place)["blocks"]))
        assert then in str(note_of(place)["blocks"])


async def test_a_support_agents_own_request_is_resolved_and_shared_with_their_words(place: Place) -> None:
    async with place.running():
        asked = await place.slack.say(KEN, HELPDESK, "モニターが映りません", mention=True)
        [answer] = await place.slack.answered(HELPDESK, asked)
        await place.slack.settled()
        await place.slack.press(KEN, ASK_PERSON, channel=HELPDESK, ts=answer["ts"])
        await posted(place.slack, SUPPORT)
        await idle()
        await pressed(place, KEN, TAKE_TICKET)
        await place.slack.say(KEN, SUPPORT, "ケーブルを挿し直しました", thread=note_of(place)["ts"])
        await place.slack.settled()
        await idle()
        await pressed(place, KEN, RESOLVE_TICKET)
        [form] = place.slack.views(KEN)
        assert given_in(form) == {CAUSE: None, FIX: "ケーブルを挿し直しました"}
        await place.slack.submit(KEN, form["id"], {FIX: {FIX: "ケーブルを挿し直した"}})
        await idle()
        await pressed(place, KEN, SHARE)
    assert given_in(place.slack.views(KEN)[-1])[LEARNED] == "対応: ケーブルを挿し直した"


async def test_a_process_that_died_before_who_asked_was_told_leaves_that_to_the_next(place: Place) -> None:
    async with place.running():
        asked, note = await handed_over(place)
        place.slack.fail("conversations.replies", slow=60)
        await place.slack.press(KEN, TAKE_TICKET, channel=SUPPORT, ts=note["ts"])
        await die(place.slack)
    assert (await ticket(place)).assignee == "健"
    async with place.running():
        await idle()
    assert heard(place, asked) == ["HD-1 は 健 が担当します。", NOTICE]
    assert place.slack.ephemerals(KEN) == []
    assert "担当者が対応中（担当: 健）" in str(note_of(place)["blocks"])


# --- while a person has it --------------------------------------------------------------------------------------------


async def test_while_a_person_has_a_ticket_the_bot_listens_and_does_not_answer(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        await pressed(place, KEN, TAKE_TICKET)
        before = len(place.slack.answers(HELPDESK, asked))
        await place.slack.say(AYA, HELPDESK, "まだ切れます", thread=asked)
        await place.slack.say(AYA, HELPDESK, "いつ直りますか", thread=asked, mention=True)
        await place.slack.settled()
        await idle()
        assert len(place.slack.answers(HELPDESK, asked)) == before
        assert len(place.answers.questions) == 1
        assert await place.owed() == 0
        await resolved(place, KEN, **{FIX: "証明書を更新"})
        await place.slack.say(AYA, HELPDESK, "証明書はどこですか", thread=asked)
        await place.slack.answered(HELPDESK, asked, count=before + 2)
    assert len(place.answers.questions) == 2
    kept = await place.kept(HELPDESK, asked)
    assert {"まだ切れます", "証明書はどこですか"} <= set(kept)


async def test_an_answer_that_was_under_way_when_a_person_took_over_is_not_given(place: Place) -> None:
    async with place.running():
        asked, _ = await handed_over(place)
        place.answers.seconds, place.answers.asked = 1.0, type(place.answers.asked)()
        await place.slack.say(AYA, HELPDESK, "まだ切れます", thread=asked)
        await place.answers.asked.wait()
        await pressed(place, KEN, TAKE_TICKET)
        await place.slack.settled()
        await idle()
    assert heard(place, asked) == ["HD-1 は 健 が担当します。", NOTICE]
    assert await place.owed() == 0


# --- a person's own ---------------------------------------------------------------------------------------------------


async def test_my_tickets_names_each_with_its_state_and_another_one_after_it(place: Place) -> None:
    """Also where both were asked in one thread."""
    direct = place.slack.dm(AYA)
    async with place.running():
        asked, _ = await handed_over(place, "給与明細が見られません", direct)
        await resolved(place, KEN, **{FIX: "権限を直した"})
        await place.slack.say(AYA, direct, "VPNも切れます", thread=asked)
        answer = (await place.slack.answered(direct, asked, count=4))[-1]
        await place.slack.settled()
        await place.slack.press(AYA, ASK_PERSON, channel=direct, ts=answer["ts"])
        await posted(place.slack, SUPPORT, 2)
        await idle()
        wished = await place.slack.say(AYA, direct, "チケット")
        [shown] = await place.slack.answered(direct, wished)
    assert "HD-1 給与明細が見られません（解決済み）" in shown["text"]
    assert "HD-2 VPNも切れます（受付済み）" in shown["text"]


async def test_in_a_thread_that_a_person_has_a_wish_to_nobody_by_name_is_for_that_person(place: Place) -> None:
    async with place.running():
        asked, note = await handed_over(place)
        await pressed(place, KEN, TAKE_TICKET)
        before = len(place.slack.answers(HELPDESK, asked))
        await place.slack.say(AYA, HELPDESK, "ヘルプ", thread=asked)
        await place.slack.settled()
        await place.slack.until(
            lambda: any("ヘルプ" in one["text"] for one in place.slack.answers(SUPPORT, note["ts"]))
        )
        await idle()
        assert len(place.slack.answers(HELPDESK, asked)) == before
        await place.slack.say(AYA, HELPDESK, "ヘルプ", thread=asked, mention=True)
        said = await place.slack.answered(HELPDESK, asked, count=before + 1)
    assert "チケット: 自分の依頼の一覧" in said[-1]["text"]
