"""Two requests about the same in Slack: the second is closed by who made it, who then hears how the first one ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from config.schema import AccessSettings
from handlers.incidents.clicks import subscription
from handlers.slack.acts.names import ASK_PERSON, SAME, SHOW_WORDS
from handlers.tickets.records import Actor, Resolution
from memory.model import Conversation, Viewer, turn_id
from memory.tickets import State, Ticket
from tests.fakes.desks import desk_over
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, MAI, TEAM
from tests.fakes.slack_acts import SUPPORT, forged, idle, posted, pressable, whispered, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import deciding

KEEPER = Viewer(user=KEN, agent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A request, and what is said of it, in one language."""

    text: str
    button: str
    closed: str
    ended: str
    over: str


JAPANESE = Spoken(
    text="プリンタがエラー QX-7713 で止まり、印刷できません。",
    button="HD-1 と同じ件です",
    closed="HD-2 は HD-1 と同じ件のため終了しました。 HD-1 が終わったら、ここでお知らせします。 HD-1",
    ended="HD-1 は「解決済み」になりました。 対応: ローラーを掃除",
    over="HD-1 はもう終わっているか、見られなくなっています。この件はそのまま受け付けています。",
)
ENGLISH = Spoken(
    text="The printer stops with error QX-7713 and does not print.",
    button="Same as HD-1",
    closed="HD-2 is closed: it is the same as HD-1. You will hear here when HD-1 is over. HD-1",
    ended="HD-1 is resolved. 対応: ローラーを掃除",
    over="HD-1 is over already, or can no longer be seen. Your request stays open.",
)


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Ken is a support agent."""
    async with opened(tmp_path) as place:
        with_support(place.slack)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        app = place.app
        settings = app.settings.model_copy(update={"access": AccessSettings(agents=(KEN,))})
        desk = desk_over(app.store, place.answers, app.clock, agents=(KEN,), held=app.tickets.held)
        place.app = deciding(app, settings=settings, desk=desk)
        yield place


async def handed_over(place: Place, user: str, text: str, channel: str = HELPDESK) -> tuple[str, dict[str, Any]]:
    """Somebody asks and wants a person, and what was said is remembered: the ts of the question, and what is said of
    that."""
    asked = await place.slack.say(user, channel, text, mention=not channel.startswith("D"))
    [answer] = await place.slack.answered(channel, asked)
    await place.slack.settled()
    await place.slack.press(user, ASK_PERSON, channel=channel, ts=answer["ts"])
    notice = (await place.slack.answered(channel, asked, count=2))[-1]
    await idle()
    await place.app.jobs.run("flush")
    return asked, notice


async def pressed(place: Place, user: str, notice: dict[str, Any]) -> None:
    await place.slack.press(user, SAME, channel=HELPDESK, ts=notice["ts"])
    await idle()


async def resolved(place: Place) -> None:
    actor = Actor(viewer=KEEPER, name="健", language="ja")
    await place.app.tickets.resolve("HD-1", Resolution(fix="ローラーを掃除"), actor, key="k1")


async def ticket(place: Place, name: str) -> Ticket:
    [found] = await place.app.store.tickets.named([name], KEEPER)
    return found


def heard(place: Place, asked: str) -> list[str]:
    """What the bot said in the thread after its answer and the word that somebody was told."""
    return [each["text"] for each in place.slack.answers(HELPDESK, asked)][2:]


@pytest.mark.parametrize("spoken", [JAPANESE, ENGLISH], ids=["ja", "en"])
async def test_who_says_that_it_is_the_same_hears_once_how_that_ends(place: Place, spoken: Spoken) -> None:
    async with place.running():
        await handed_over(place, AYA, spoken.text)
        asked, notice = await handed_over(place, BOB, spoken.text)
        assert list(pressable(notice["blocks"])) == [SAME]
        assert spoken.button in str(notice["blocks"])
        await pressed(place, BOB, notice)
        assert heard(place, asked) == [spoken.closed]
        assert "slack.com/archives/" in str(place.slack.answers(HELPDESK, asked)[-1]["blocks"])
        assert (await ticket(place, "HD-2")).state is State.CLOSED
        note = (await posted(place.slack, SUPPORT, count=2))[-1]
        assert list(pressable(note["blocks"])) == []
        assert (await ticket(place, "HD-1")).state is State.OPEN
        await resolved(place)
    for _ in range(2):
        async with place.running():
            await idle()
    assert heard(place, asked) == [spoken.closed, spoken.ended]


@pytest.mark.parametrize(
    ("spoken", "ended"),
    [
        (JAPANESE, "HD-2 は HD-1 と同じ件でした。HD-1 は「解決済み」になりました。 対応: ローラーを掃除"),
        (ENGLISH, "HD-2 was the same as HD-1, and HD-1 is resolved. 対応: ローラーを掃除"),
    ],
    ids=["ja", "en"],
)
async def test_who_waits_for_a_ticket_that_was_the_same_as_another_hears_how_that_one_ends(
    place: Place, spoken: Spoken, ended: str
) -> None:
    async with place.running():
        await handed_over(place, AYA, spoken.text)
        second, notice = await handed_over(place, BOB, spoken.text)
        third, third_notice = await handed_over(place, MAI, spoken.text)
        where = Conversation(platform="slack", workspace=TEAM, channel=HELPDESK, thread=third)
        value = subscription("HD-2", turn_id(where, third))
        await forged(place.slack, MAI, SAME, value, channel=HELPDESK, ts=third_notice["ts"], thread=third)
        await idle()
        await pressed(place, BOB, notice)
    async with place.running():
        await idle()
        assert len(heard(place, third)) == 1
        await resolved(place)
    for _ in range(2):
        async with place.running():
            await idle()
    assert heard(place, third)[1:] == [ended]
    assert heard(place, second) == [spoken.closed, spoken.ended]


async def test_a_second_click_and_one_that_comes_too_late_change_nothing(place: Place) -> None:
    async with place.running():
        await handed_over(place, AYA, JAPANESE.text)
        asked, notice = await handed_over(place, BOB, JAPANESE.text)
        await resolved(place)
        await pressed(place, BOB, notice)
        assert await whispered(place.slack, BOB) == [JAPANESE.over]
    assert heard(place, asked) == []
    assert (await ticket(place, "HD-2")).state is State.OPEN


async def test_only_who_asked_says_that_it_is_the_same(place: Place) -> None:
    async with place.running():
        await handed_over(place, AYA, JAPANESE.text)
        _, notice = await handed_over(place, BOB, JAPANESE.text)
        await pressed(place, AYA, notice)
        assert await whispered(place.slack, AYA) == ["これはサポート担当者だけができます。"]
    assert (await ticket(place, "HD-2")).state is State.OPEN


async def test_nobody_follows_a_ticket_that_is_not_theirs_to_see(place: Place) -> None:
    async with place.running():
        await handed_over(place, AYA, JAPANESE.text, place.slack.dm(AYA))
        asked, notice = await handed_over(place, BOB, JAPANESE.text)
        assert SAME not in list(pressable(notice["blocks"]))
        where = Conversation(platform="slack", workspace=TEAM, channel=HELPDESK, thread=asked)
        value = subscription("HD-1", turn_id(where, asked))
        await forged(place.slack, BOB, SAME, value, channel=HELPDESK, ts=notice["ts"], thread=asked)
        await idle()
        assert await whispered(place.slack, BOB) == [JAPANESE.over]
    assert (await ticket(place, "HD-2")).state is State.OPEN
    assert await place.app.store.followers.owed("slack", 9) == []


async def test_in_a_direct_message_both_buttons_are_there(place: Place) -> None:
    direct = place.slack.dm(BOB)
    async with place.running():
        await handed_over(place, AYA, JAPANESE.text)
        _, notice = await handed_over(place, BOB, JAPANESE.text, direct)
    assert list(pressable(notice["blocks"])) == [SAME, SHOW_WORDS]
