"""What one can do in Teams besides writing: buttons, thumbs, wishes, and the bot's own coming and going."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from config.channels import AnswerOn
from config.teams import TeamsChannelSettings
from handlers.teams.names import SHOW_WORDS
from handlers.tickets.records import Actor
from handlers.wording_acts import JAPANESE as ACTS
from handlers.wording_teams import ENGLISH, JAPANESE
from handlers.wordings import SHIPPED
from memory.feedback import Feedback, Tally
from memory.model import Viewer
from memory.stores.in_memory_feedback import InMemoryFeedback
from memory.stores.in_memory_words import InMemoryStore
from memory.tickets import Step
from tests.fakes.slack_acts import idle
from tests.fakes.teams import Fault
from tests.fakes.teams.server import (
    AYA,
    BOB,
    BOT,
    GROUP,
    HELPDESK,
    KEN,
    NAMES,
    SUPPORT,
    TEAM,
    Written,
    group,
    in_channel,
    personal,
    place_of,
)
from tests.fakes.teams_acts import asked, buttons, lines, pressed, want_a_person, words
from tests.fakes.teams_place import Place, opened

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


# --- thumbs -----------------------------------------------------------------------------------------------------------


async def test_a_thumb_is_kept_once_for_each_person_and_the_last_one_counts(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
        assert await place.teams.judge(AYA, answer, "like", where) == (200, {})
        await tallied(place, Tally(helpful=1))
        await place.teams.judge(AYA, answer, "dislike", where)
        await tallied(place, Tally(unhelpful=1))
    assert len(place.teams.messages) == 1


@pytest.mark.parametrize(
    ("thumbs", "wanted"),
    [(["like", "dislike"], Tally(unhelpful=1)), (["like", "dislike", "like"], Tally(helpful=1))],
    ids=["another", "and back"],
)
async def test_of_thumbs_that_are_pressed_while_the_first_is_not_kept_yet_the_last_one_counts(
    place: Place, thumbs: list[str], wanted: Tally
) -> None:
    where, box = personal(AYA), SlowFeedback()
    assert isinstance(place.app.store, InMemoryStore)
    place.app.store.feedback = box
    async with place.running():
        answer = await asked(place, AYA, where)
        for thumb in thumbs:
            assert await place.teams.judge(AYA, answer, thumb, where) == (200, {})
        box.free.set()
        await idle()
    assert await box.tally(LONG_AGO) == wanted


class SlowFeedback(InMemoryFeedback):
    """Keeps nothing before it is free."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()

    async def give(self, feedback: Feedback) -> None:
        await self.free.wait()
        await super().give(feedback)


async def tallied(place: Place, wanted: Tally) -> None:
    """Wait until so much was said of answers."""
    await until(lambda: place.app.store.feedback.tally(LONG_AGO), wanted)


async def until(ask: Any, wanted: object) -> None:
    for _ in range(250):
        if await ask() == wanted:
            return
        await asyncio.sleep(0.02)
    assert await ask() == wanted


async def test_a_thumb_below_an_answer_in_another_chat_is_not_kept_and_who_pressed_it_is_told(place: Place) -> None:
    async with place.running():
        answer = await asked(place, AYA, personal(AYA))
        assert (await place.teams.judge(KEN, answer, "like", personal(KEN)))[0] == 200
        await place.teams.judge(KEN, answer, "like", group())
        await place.teams.judge(AYA, answer, "like", personal(AYA))
        await tallied(place, Tally(helpful=1))
        for where in (personal(KEN), group()):
            [told] = await place.teams.answered(place_of(where))
            assert JAPANESE.uncounted in words(told)
    assert len(place.teams.written(place_of(personal(AYA)))) == 1


async def test_a_thumb_that_names_no_answer_is_for_the_only_one(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await asked(place, AYA, where)
        assert await place.teams.judge(AYA, None, "like", where) == (200, {})
        await tallied(place, Tally(helpful=1))
    assert len(place.teams.messages) == 1


@pytest.mark.parametrize("answers", [0, 2])
async def test_a_thumb_that_names_no_answer_where_it_could_be_any_or_none_is_not_counted_and_that_is_said(
    place: Place, answers: int
) -> None:
    where = personal(AYA)
    async with place.running():
        for _ in range(answers):
            await asked(place, AYA, where)
        await place.teams.judge(AYA, None, "like", where)
        said = await place.teams.answered(place_of(where), answers + 1)
        assert JAPANESE.uncounted in words(said[-1])
    assert await place.app.store.feedback.tally(LONG_AGO) == Tally()


async def test_what_is_no_thumb_is_not_counted_and_that_is_said(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
        await place.teams.judge(AYA, answer, "love", where)
        assert JAPANESE.uncounted in words((await place.teams.answered(place_of(where), 2))[-1])
    assert await place.app.store.feedback.tally(LONG_AGO) == Tally()


# --- a person ---------------------------------------------------------------------------------------------------------


async def test_without_a_channel_for_it_who_asks_for_a_person_is_told_whom_to_contact(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
        value = buttons(answer)["helpdesk_ask_person"]
        status, shown = await place.teams.execute(AYA, answer, "helpdesk_ask_person", value, where)
        told = (await place.teams.answered(place_of(where), count=2))[-1]
    assert (status, shown["statusCode"], shown["value"]) == (200, 200, JAPANESE.taken)
    assert told.content["text"] == ACTS.nobody_told.format(contact=ACTS.contact)


async def test_the_support_channel_is_told_once_and_not_what_was_asked_in_private(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
        value = buttons(answer)["helpdesk_ask_person"]
        for count in (2, 3):
            await place.teams.execute(AYA, answer, "helpdesk_ask_person", value, where)
            await place.teams.answered(place_of(where), count=count)
    [_, first, second] = place.teams.written(place_of(where))
    assert lines(first) == [f"HD-1: {ACTS.told}", ACTS.told_privately]
    assert second.content["text"] == f"HD-1: {ACTS.told_already}"
    [note] = place.teams.written(SUPPORT)
    assert "佐藤 彩" in words(note)
    assert JAPANESE.wanted_direct in lines(note)
    assert "VPN" not in words(note)
    assert "/l/message/" not in words(note)


@pytest.mark.parametrize(
    ("person", "question", "shown"),
    [
        (AYA, "給与明細が開けません", "質問（ご本人の希望で表示しています）: 給与明細が開けません"),
        (BOB, "My payslip is blank", "Question (shown because they want it): My payslip is blank"),
    ],
    ids=["ja", "en"],
)
async def test_who_wants_it_has_the_support_team_read_the_question_once_below_the_note(
    place: Place, person: str, question: str, shown: str
) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    where = personal(person)
    async with place.running():
        await want_a_person(place, person, question)
        notice = place.teams.written(place_of(where))[-1]
        forged = buttons(notice)[SHOW_WORDS]
        await place.teams.execute(KEN, notice, SHOW_WORDS, forged, personal(KEN))
        [refused] = await place.teams.answered(place_of(personal(KEN)))
        [note] = place.teams.written(SUPPORT)
        assert place.teams.written(f"{SUPPORT};messageid={note.id}") == []
        await pressed(place, person, notice, SHOW_WORDS, where)
        await pressed(place, person, notice, SHOW_WORDS, where)
    assert refused.content["text"] == ACTS.gone
    [below] = place.teams.written(f"{SUPPORT};messageid={note.id}")
    assert lines(below) == [shown]
    assert place.teams.written(SUPPORT) == [note]
    said = [one.content.get("text") for one in place.teams.written(place_of(where))][2:]
    assert said == [SHIPPED.acts("ja" if person == AYA else "en").words_shown]


@pytest.mark.parametrize(
    ("person", "question", "opening", "asked_at"),
    [
        (AYA, "VPNが切れます", "佐藤 彩 さんが担当者に相談したいそうです。", "質問の日時: 2026-11-30 09:00"),
        (BOB, "My VPN drops", "Bob Stone would like to talk to a person.", "Asked at: 2026-11-30 09:00"),
    ],
    ids=["ja", "en"],
)
async def test_the_support_team_is_told_who_asked_when_and_can_write_to_that_person(
    place: Place, person: str, question: str, opening: str, asked_at: str
) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    async with place.running():
        await want_a_person(place, person, question)
        [note] = await place.teams.answered(SUPPORT)
    assert opening in words(note)
    assert asked_at in words(note)
    assert mentioned(note) == [(person, NAMES[person])]


async def test_where_teams_lets_nobody_be_mentioned_the_team_is_told_without(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    async with place.running():
        answer = await asked(place, AYA, personal(AYA))
        place.teams.coming = [Fault(status=400)]
        value = buttons(answer)["helpdesk_ask_person"]
        await place.teams.execute(AYA, answer, "helpdesk_ask_person", value, personal(AYA))
        said = (await place.teams.answered(place_of(personal(AYA)), count=2))[-1]
    [note] = place.teams.written(SUPPORT)
    assert lines(said)[0] == f"HD-1: {ACTS.told}"
    assert "佐藤 彩 さん" in words(note)
    assert mentioned(note) == []


async def test_two_questions_while_one_ticket_is_under_way_are_told_as_that_ticket(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    where = personal(AYA)
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await want_a_person(place, AYA, "プリンターが動きません")
    assert len(place.teams.written(SUPPORT)) == 2
    [_, first, _, second] = place.teams.written(place_of(where))
    assert lines(first)[0] == lines(second)[0] == f"HD-1: {ACTS.told}"
    counted = await place.app.store.ledger.handed_over_since(LONG_AGO)
    assert len({request.turn for request in counted}) == len(counted) == 2


async def test_while_a_person_has_the_ticket_of_a_chat_the_bot_listens_and_does_not_answer(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    where = personal(AYA)
    agent = Actor(viewer=Viewer(user="kato", agent=True), name="加藤", language="ja")
    async with place.running():
        await want_a_person(place, AYA, "VPNが切れます")
        await place.app.tickets.step("HD-1", Step.TAKE, agent, key="1")
        await place.teams.say(AYA, where, "まだ切れます")
        await place.replied()
        assert len(place.answers.questions) == 1
        await place.app.tickets.step("HD-1", Step.HAND_BACK, agent, key="2")
        await place.teams.say(AYA, where, "VPNのIDは？")
        await place.teams.answered(place_of(where), count=4)
    words_of = await place.app.store.reading.named("HD-1", agent.viewer, datetime(2100, 1, 1, tzinfo=UTC))
    assert "まだ切れます" in [turn.text for turn in words_of]


async def test_who_has_no_name_is_no_number_to_the_support_team(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    where = {**personal(AYA), "from": {"id": f"29:{AYA}", "aadObjectId": AYA}}
    async with place.running():
        answer = await asked(place, AYA, where)
        value = buttons(answer)["helpdesk_ask_person"]
        await place.teams.execute(AYA, answer, "helpdesk_ask_person", value, where)
        [note] = await place.teams.answered(SUPPORT)
        await place.teams.answered(place_of(where), count=2)
    assert "利用者 さんが" in words(note)
    assert mentioned(note) == [(AYA, "利用者")]
    assert words(note).count(AYA) == 1


def mentioned(message: Written) -> list[tuple[str, str]]:
    """Whom the card mentions: the id and the name of each."""
    [attachment] = message.content["attachments"]
    entities = attachment["content"]["msteams"].get("entities", [])
    return [(one["mentioned"]["id"], one["mentioned"]["name"]) for one in entities]


async def test_a_request_from_a_channel_leads_back_to_it(place: Place) -> None:
    place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
    async with place.running():
        thread = await place.teams.say(AYA, in_channel(), "VPNが切れます", mention=True)
        [answer] = await place.teams.answered(f"{HELPDESK};messageid={thread}")
        await place.replied()
        value = buttons(answer)["helpdesk_ask_person"]
        await place.teams.execute(KEN, answer, "helpdesk_ask_person", value, in_channel(thread))
        [note] = await place.teams.answered(SUPPORT)
    assert "岡部 健" in words(note)
    assert f"/l/message/19%3Achan0help%40thread.tacv2/{thread}" in words(note)


async def test_a_forged_button_finds_nothing(place: Place) -> None:
    async with place.running():
        answer = await asked(place, AYA, personal(AYA))
        value = buttons(answer)["helpdesk_ask_person"]
        await place.teams.execute(KEN, answer, "helpdesk_ask_person", value, personal(KEN))
        [told] = await place.teams.answered(place_of(personal(KEN)))
    assert told.content["text"] == ACTS.gone


async def test_an_unknown_button_and_an_unknown_invocation_get_an_answer_that_says_so(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
        status, shown = await place.teams.execute(AYA, answer, "else", "", where)
        foreign = place.teams.activity("invoke", AYA, where, name="composeExtension/query", value={})
        assert (await place.teams.tell(foreign))[0] == 501
    assert (status, shown["statusCode"]) == (200, 400)
    assert len(place.teams.messages) == 1


# --- wishes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "shown"),
    [("help", ACTS.help), ("チケット", ACTS.requests), ("記憶", ACTS.memory), ("忘れて", ACTS.forget_question)],
)
async def test_a_wish_is_granted_and_not_remembered_as_a_question(place: Place, wish: str, shown: str) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, wish)
        [page] = await place.teams.answered(place_of(where))
        await place.teams.tell(place.teams.told[-1])
        assert await place.kept(where) == []
    assert shown in words(page)
    assert len(place.teams.messages) == 1
    assert place.answers.questions == []


async def test_own_requests_are_shown_in_the_personal_chat_and_nowhere_else(place: Place) -> None:
    async with place.running():
        await asked(place, AYA, personal(AYA), "プリンターが出ません")
        await asked(place, AYA, personal(AYA), "マウスが壊れました")
        question = place.answers.questions[0]
        await place.app.tickets.open(str(question.turn), Actor(viewer=question.viewer, name="彩", language="ja"))
        await place.teams.say(AYA, personal(AYA), "チケット")
        page = (await place.teams.answered(place_of(personal(AYA)), count=3))[-1]
        thread = await place.teams.say(AYA, in_channel(), "チケット", mention=True)
        [refused] = await place.teams.answered(f"{HELPDESK};messageid={thread}")
    assert "プリンターが出ません" in words(page)
    assert "マウス" not in words(page)
    assert refused.content["text"] == JAPANESE.personal_only.format(word="チケット")


@pytest.mark.parametrize(
    ("words_said", "shown"),
    [
        ("ヘルプ", "チケット: 自分の依頼の一覧"),
        ("help", "my tickets: your requests"),
        ("忘れて", JAPANESE.personal_only.format(word="忘れて")),
        ("記憶", JAPANESE.personal_only.format(word="記憶")),
        ("my tickets", ENGLISH.personal_only.format(word="my tickets")),
        ("forget me", ENGLISH.personal_only.format(word="forget me")),
    ],
)
@pytest.mark.parametrize("where", ["channel", "group chat"])
async def test_where_others_read_along_help_is_shown_and_for_the_rest_it_is_said_where(
    place: Place, where: str, words_said: str, shown: str
) -> None:
    said_in = in_channel() if where == "channel" else group()
    async with place.running():
        ts = await place.teams.say(AYA if words_said > "z" else BOB, said_in, words_said, mention=True)
        [answer] = await place.teams.answered(f"{HELPDESK};messageid={ts}" if where == "channel" else GROUP)
        assert await place.kept(said_in) == []
    assert shown.replace('"', '\\"') in words(answer)
    assert place.answers.questions == []


async def test_who_confirms_is_forgotten_and_the_question_cannot_be_answered_again(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await asked(place, AYA, where)
        await asked(place, KEN, personal(KEN), "Wi-Fiが切れます")
        await place.teams.say(AYA, where, "忘れて")
        question = (await place.teams.answered(place_of(where), count=2))[-1]
        assert buttons(question)["helpdesk_forget_yes"] == AYA
        await place.teams.execute(KEN, question, "helpdesk_forget_yes", AYA, personal(KEN))
        refused = (await place.teams.answered(place_of(personal(KEN)), count=2))[-1]
        assert await place.kept(where) == ["VPNが切れます"]
        await place.teams.execute(AYA, question, "helpdesk_forget_yes", AYA, where)
        done = ACTS.forgotten.format(count=1)
        await place.teams.until(lambda: any(one.content.get("text") == done for one in place.teams.messages))
        assert await place.kept(where) == []
        assert await place.kept(personal(KEN)) == ["Wi-Fiが切れます"]
    assert refused.content["text"] == ACTS.not_yours
    [replaced] = [one for one in place.teams.messages if one.id == question.id]
    assert buttons(replaced) == {}


async def test_a_card_that_cannot_be_changed_any_more_is_followed_by_the_word(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "忘れて")
        [question] = await place.teams.answered(place_of(where))
        place.teams.coming = [Fault(status=404)]
        await place.teams.execute(AYA, question, "helpdesk_forget_no", AYA, where)
        said = (await place.teams.answered(place_of(where), count=2))[-1]
    assert said.content["text"] == ACTS.not_forgotten


async def test_a_button_of_an_older_client_that_submits_does_the_same(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        submitted = place.teams.activity("message", AYA, where, value={"action": "helpdesk_memory", "value": ""})
        assert (await place.teams.tell(submitted))[0] == 200
        [page] = await place.teams.answered(place_of(where))
    assert ACTS.kept_none in words(page)


async def test_where_the_bot_is_switched_off_a_click_says_so(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        answer = await asked(place, AYA, where)
    off = TeamsChannelSettings(enabled=False)
    place.settings = place.settings.model_copy(update={"default": off})
    async with place.running():
        await place.teams.execute(AYA, answer, "helpdesk_ask_person", "", where)
        said = (await place.teams.answered(place_of(where), count=2))[-1]
    assert said.content["text"] == ACTS.switched_off.format(contact=ACTS.contact)


async def test_an_act_that_fails_says_so_with_a_number(place: Place) -> None:
    where = personal(AYA)
    async with place.running():
        place.teams.coming = [Fault(status=400)]
        await place.teams.say(AYA, where, "help")
        [said] = await place.teams.answered(place_of(where))
    assert said.content["text"].startswith(ACTS.failed)


# --- coming and going -------------------------------------------------------------------------------------------------


async def test_it_says_welcome_once_though_it_is_told_twice_and_again_when_it_comes_back(place: Place) -> None:
    where = personal(AYA)
    added = place.teams.activity("installationUpdate", AYA, where, action="add")
    member = place.teams.activity("conversationUpdate", AYA, where, membersAdded=[{"id": BOT}])
    removed = place.teams.activity("installationUpdate", AYA, where, action="remove")
    async with place.running():
        for told in (added, member, added):
            assert (await place.teams.tell({**told, "serviceUrl": place.teams.service}))[0] == 200
        [welcome] = await place.teams.answered(place_of(where))
        await place.teams.tell({**removed, "serviceUrl": place.teams.service})
        again = place.teams.activity("installationUpdate", AYA, where, action="add")
        await place.teams.tell(again)
        await place.teams.answered(place_of(where), count=2)
    assert JAPANESE.welcome in words(welcome)
    assert len(place.teams.messages) == 2


@pytest.mark.parametrize(
    ("kind", "more"),
    [("installationUpdate", {"action": "add"}), ("conversationUpdate", {"membersAdded": [{"id": BOT}]})],
)
@pytest.mark.parametrize(
    ("client", "title"), [("en-US", ENGLISH.welcome), ("ja-JP", JAPANESE.welcome), ("fr-FR", JAPANESE.welcome)]
)
async def test_it_says_welcome_in_the_language_of_the_client_of_whoever_added_it(
    place: Place, kind: str, more: dict[str, Any], client: str, title: str
) -> None:
    where = personal(AYA)
    async with place.running():
        await place.teams.tell(place.teams.activity(kind, AYA, where, locale=client, **more))
        [welcome] = await place.teams.answered(place_of(where))
    assert title in words(welcome)


async def test_where_it_was_removed_nothing_is_owed_any_more(place: Place) -> None:
    place.answers.seconds = 60
    where = personal(AYA)
    async with place.running():
        await place.teams.say(AYA, where, "VPNが切れます")
        await place.answers.asked.wait()
        await place.teams.tell(place.teams.activity("installationUpdate", AYA, where, action="remove"))
        lanes = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
        for task in lanes:
            task.cancel()
        await asyncio.wait(lanes)
    place.answers.seconds = 0
    async with place.running():
        await place.replied()
    assert place.teams.messages == []


@pytest.mark.parametrize(
    ("settings", "greeted"),
    [
        ({}, True),
        ({"handover_channel": SUPPORT}, False),
        ({"channels": {SUPPORT: TeamsChannelSettings(answer=AnswerOn.NEVER)}}, False),
        ({"channels": {SUPPORT: TeamsChannelSettings(enabled=False)}}, False),
    ],
    ids=["any channel", "the support team's", "no answers", "switched off"],
)
async def test_no_welcome_is_said_where_nobody_is_to_ask(place: Place, settings: dict[str, Any], greeted: bool) -> None:
    place.settings = place.settings.model_copy(update=settings)
    added = {"membersAdded": [{"id": BOT}]}
    async with place.running():
        await place.teams.tell(place.teams.activity("conversationUpdate", AYA, in_channel(channel=SUPPORT), **added))
        await place.teams.tell(place.teams.activity("conversationUpdate", AYA, personal(AYA), **added))
        await place.teams.answered(place_of(personal(AYA)))
        await idle()
    assert len(place.teams.written(SUPPORT)) == int(greeted)


async def test_the_team_is_greeted_in_its_first_channel(place: Place) -> None:
    where = in_channel(channel=TEAM)
    async with place.running():
        told = place.teams.activity("conversationUpdate", AYA, where, membersAdded=[{"id": BOT}])
        await place.teams.tell(told)
        [welcome] = await place.teams.answered(TEAM)
    assert JAPANESE.welcome_channel in words(welcome)
