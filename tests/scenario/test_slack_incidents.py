"""Incidents in Slack: who asks is told, support is told once, and who wants to hears once that it is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import system_clock
from config.incidents import IncidentSettings
from config.loader import load_settings
from config.schema import AccessSettings
from handlers.slack.acts.names import ASK_PERSON, CONFIRM_INCIDENT, DISMISS_INCIDENT, END_INCIDENT, FEEDBACK, SUBSCRIBE
from memory.incidents import Incident, Phase, Ruling
from tests.fakes.slack import AYA, BOB, FINANCE, HELPDESK, KEN, MAI
from tests.fakes.slack_acts import SUPPORT, forged, idle, pressable, whispered, with_support
from tests.fakes.slack_place import Place, opened
from tests.fakes.small_application import small_application

TEXT = "プリンタがエラー QX-7713 で止まり、印刷できません。"
OVER = "HD-1: QX-7713 は終わりました。まだ困っている場合は、もう一度質問してください。"


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """Two people make an incident; Ken is a support agent, and Mai in the support team's channel without being one."""
    async with opened(tmp_path) as place:
        with_support(place.slack)
        place.slack.world.channels[SUPPORT].members.add(MAI)
        place.settings = place.settings.model_copy(update={"handover_channel": SUPPORT})
        changes = {"access": AccessSettings(agents=(KEN,)), "incidents": IncidentSettings(people=2)}
        settings = load_settings(None, {}).model_copy(update=changes)
        place.app = small_application(tmp_path, system_clock, settings=settings)
        yield place


async def asked(place: Place, user: str, channel: str = HELPDESK, text: str = TEXT) -> tuple[str, dict[str, Any]]:
    """The ts of a question, and its answer."""
    ts = await place.slack.say(user, channel, text, mention=not channel.startswith("D"))
    [answer] = await place.slack.answered(channel, ts)
    await place.slack.settled()
    return ts, answer


async def reported(place: Place) -> tuple[str, dict[str, Any]]:
    """Aya and Bob ask the same: the ts of Bob's question, and the answer to it."""
    await asked(place, AYA)
    return await asked(place, BOB)


async def pressed(place: Place, user: str, name: str, answer: dict[str, Any], channel: str = HELPDESK) -> None:
    await place.slack.press(user, name, channel=channel, ts=answer["ts"])
    await idle()


def notes(place: Place) -> list[dict[str, Any]]:
    return place.slack.answers(SUPPORT)


def links(note: dict[str, Any]) -> list[tuple[str, str]]:
    """The reports that the note leads to: by which words, and the end of the address."""
    found: list[tuple[str, str]] = []

    def look(block: Any) -> None:
        if isinstance(block, dict) and block.get("type") == "link":
            found.append((block["text"], block["url"].rpartition("/p")[2]))
        for inner in block.values() if isinstance(block, dict) else block if isinstance(block, list) else ():
            look(inner)

    look(note["blocks"])
    return found


async def incident(place: Place) -> Incident:
    [found] = await place.app.incidents.listed(10, going_on=False)
    return found


async def test_who_reports_what_others_do_is_told_and_offered_to_hear_of_the_end(place: Place) -> None:
    async with place.running():
        _, first = await asked(place, AYA)
        assert list(pressable(first["blocks"])) == [FEEDBACK, ASK_PERSON]
        _, second = await asked(place, BOB)
    said = "いま、ほかの人からも同じような問い合わせが来ています（HD-1: QX-7713）。"
    assert second["text"].startswith(said)
    assert list(pressable(second["blocks"])) == [FEEDBACK, SUBSCRIBE, ASK_PERSON]
    # The first report, which everybody may read, is what the ticket leads to.
    assert "slack.com/archives/" in str(second["blocks"])


async def test_support_is_told_once_whatever_process_does_it(place: Place) -> None:
    async with place.running():
        await reported(place)
    for _ in range(2):
        async with place.running():
            await idle()
    [note] = notes(place)
    assert note["text"].startswith("2人から同じような問い合わせが来ています（HD-1: QX-7713）。")
    assert list(pressable(note["blocks"])) == [CONFIRM_INCIDENT, END_INCIDENT, DISMISS_INCIDENT]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("社内の無線LANにつながらず、何も開けません。", ["報告 1", "報告 2"]),
        ("The office wifi does not work, nothing loads.", ["Report 1", "Report 2"]),
    ],
    ids=["ja", "en"],
)
async def test_the_note_leads_to_what_was_reported_in_public(place: Place, text: str, told: list[str]) -> None:
    """Nothing that the reports share has a name."""
    async with place.running():
        reports = [(await asked(place, user, text=text))[0] for user in (AYA, BOB)]
    async with place.running():
        await idle()
        [note] = notes(place)
        assert links(note) == [(label, ts.replace(".", "")) for label, ts in zip(told, reports, strict=True)]
        assert "helpdesk incidents show" not in str(note)
        assert text not in str(note)
        await place.slack.delete(HELPDESK, reports[0])
        await place.slack.settled()
        await pressed(place, KEN, CONFIRM_INCIDENT, note, SUPPORT)
        assert links(notes(place)[0]) == [(told[0], reports[1].replace(".", ""))]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TEXT, "すべての報告は、サーバーで helpdesk incidents show HD-1 を実行すると見られます。"),
        (
            "The printer stops with error QX-7713 and does not print.",
            "On the server, helpdesk incidents show HD-1 shows all reports.",
        ),
    ],
    ids=["ja", "en"],
)
async def test_of_private_reports_the_note_says_where_they_are_shown(place: Place, text: str, shown: str) -> None:
    async with place.running():
        for user in (AYA, BOB):
            await asked(place, user, place.slack.dm(user), text)
    async with place.running():
        await idle()
    [note] = notes(place)
    assert links(note) == []
    assert shown in note["text"]
    assert text not in str(note)


async def test_a_process_that_died_after_its_note_leaves_no_second_one(place: Place) -> None:
    async with place.running():
        await reported(place)
    async with place.running():
        await idle()
    # It told support, and died before it could note that it had.
    place.app.store.incidents._told.clear()  # type: ignore[attr-defined]
    async with place.running():
        await idle()
    assert len(notes(place)) == 1


async def test_who_wants_to_hears_once_in_the_thread_that_it_is_over(place: Place) -> None:
    async with place.running():
        ts, answer = await reported(place)
        await pressed(place, BOB, SUBSCRIBE, answer)
        await pressed(place, BOB, SUBSCRIBE, answer)
        assert await whispered(place.slack, BOB, 2) == [
            "HD-1 が終わったら、ここでお知らせします。",
            "もう登録してあります。HD-1 が終わったら、ここでお知らせします。",
        ]
    async with place.running():
        [note] = notes(place)
        await pressed(place, KEN, CONFIRM_INCIDENT, note, SUPPORT)
        assert list(pressable(notes(place)[0]["blocks"])) == [END_INCIDENT, DISMISS_INCIDENT]
        await pressed(place, KEN, END_INCIDENT, note, SUPPORT)
    assert list(pressable(notes(place)[0]["blocks"])) == []
    assert "HD-1: 終了" in str(notes(place)[0]["blocks"])
    for _ in range(2):
        async with place.running():
            await idle()
    assert [each["text"] for each in place.slack.answers(HELPDESK, ts)][1:] == [OVER]


async def test_who_is_no_support_agent_rules_nothing(place: Place) -> None:
    async with place.running():
        await reported(place)
    async with place.running():
        [note] = notes(place)
        await pressed(place, MAI, END_INCIDENT, note, SUPPORT)
        assert await whispered(place.slack, MAI) == ["これはサポート担当者だけができます。"]
    assert (await incident(place)).phase is Phase.SUSPECTED


async def test_a_forged_button_does_nothing(place: Place) -> None:
    async with place.running():
        ts, answer = await reported(place)
        found = await incident(place)
        # A note is believed only where the bot wrote it, and an answer only by who may read its question.
        await forged(place.slack, KEN, END_INCIDENT, found.id, channel=HELPDESK, ts=answer["ts"], thread=ts)
        await idle()
        for value in ("", found.id, f"{found.id} nothing", f"nothing {ts}"):
            await forged(place.slack, AYA, SUBSCRIBE, value, channel=HELPDESK, ts=answer["ts"], thread=ts)
            await idle()
    assert (await incident(place)).phase is Phase.SUSPECTED
    await place.app.store.incidents.rule(found.id, _over(found))
    assert await place.app.store.incidents.owed("slack", 10) == []


async def test_what_a_closed_channel_reports_is_counted_and_not_named(place: Place) -> None:
    async with place.running():
        await asked(place, MAI, FINANCE)
        _, answer = await asked(place, AYA, FINANCE)
    assert answer["text"].startswith(
        "いま、ほかの人からも同じような問い合わせが来ています（HD-1: 同じような問い合わせ）。"
    )
    found = await incident(place)
    assert (found.people, found.title) == (2, "")
    async with place.running():
        await idle()
    assert "QX-7713" not in str(notes(place))


def _over(found: Incident) -> Ruling:
    return Ruling(phase=Phase.OVER, by=KEN, at=found.began_at)
