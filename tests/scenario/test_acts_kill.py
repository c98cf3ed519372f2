"""`kill -9` between the acknowledgement of what people do and the doing: the next process does it, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from config.slack import Transport
from handlers.slack.acts.names import ASK_PERSON, MAKE_TICKET, NOTE, SUBJECT
from handlers.teams.names import ASK_PERSON as ASK_PERSON_IN_TEAMS
from memory.stores.sql import open_store
from memory.stores.tables_acts import acts
from tests.fakes import slack_place, teams_place
from tests.fakes.platform_process import bot_process
from tests.fakes.platforms import nodes, words
from tests.fakes.slack import AYA, BOB, HELPDESK, KEN, MAI, Slack
from tests.fakes.slack import serving as slack_serving
from tests.fakes.slack_acts import SUPPORT, posted, whispered, with_support
from tests.fakes.teams import Fault, Teams
from tests.fakes.teams import serving as teams_serving
from tests.fakes.teams.server import AYA as TEAMS_AYA
from tests.fakes.teams.server import SUPPORT as TEAMS_SUPPORT
from tests.fakes.teams.server import personal, place_of
from tests.fakes.words import Watch

#: Both bots are slow on a busy machine.
pytestmark = pytest.mark.timeout(300)
_SECONDS = 60.0


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with slack_serving() as slack:
        with_support(slack)
        yield slack


@pytest.fixture
async def teams() -> AsyncIterator[Teams]:
    async with teams_serving() as teams:
        yield teams


async def undone(folder: Path, platform: str) -> int:
    """How many acts are on the disk and not done."""
    waiting = select(func.count()).where(acts.c.platform == platform, acts.c.fields.is_not(None))
    async with (
        open_store(f"sqlite:///{folder}/words.db", busy_seconds=10, clock=Watch()) as store,
        store.database.reading() as connection,
    ):
        return int((await connection.execute(waiting)).scalar_one())


async def all_done(folder: Path, platform: str) -> None:
    async with asyncio.timeout(_SECONDS):
        while await undone(folder, platform):  # noqa: ASYNC110 - another process is at work
            await asyncio.sleep(0.2)


async def test_what_people_did_in_slack_before_a_kill_is_done_once_by_the_next_process(
    slack: Slack, tmp_path: Path
) -> None:
    """A click, a command, a form that was sent off, a wish in words, and a shortcut whose form can open no more."""
    settings = slack_place.settings_of(slack, Transport.SOCKET)
    settings = settings.model_copy(update={"handover_channel": SUPPORT})
    direct = slack.dm(BOB)
    async with bot_process(settings, tmp_path) as bot:
        await slack.connected(1, _SECONDS)
        asked = await slack.say(AYA, HELPDESK, "VPNが切れます", mention=True)
        [answer] = await slack.answered(HELPDESK, asked, seconds=_SECONDS)
        other = await slack.say(AYA, HELPDESK, "プリンターが動きません")
        await slack.shortcut(MAI, MAKE_TICKET, channel=HELPDESK, ts=other)
        await slack.until(lambda: len(slack.views(MAI)) == 1, _SECONDS)
        # From here on every deed is held up before it does anything.
        for method in ("users.info", "views.open"):
            slack.fail(method, slow=600, times=20)
        [form] = slack.views(MAI)
        filled = {SUBJECT: {SUBJECT: "Printer"}, NOTE: {NOTE: "my password is hunter2"}}
        done = [
            await slack.press(KEN, ASK_PERSON, channel=HELPDESK, ts=answer["ts"]),
            await slack.slash(KEN, HELPDESK, "/helpdesk", "記憶"),
            await slack.submit(MAI, form["id"], filled),
            await slack.shortcut(BOB, MAKE_TICKET, channel=HELPDESK, ts=other),
        ]
        wish = await slack.say(BOB, direct, "my tickets")
        await slack.settled(_SECONDS)
        await bot.kill()
    assert all(each.ok for each in (*done, slack.acks[-1]))
    assert slack.answers(SUPPORT) == []
    assert await undone(tmp_path, "slack") == 5
    slack.api.faults.coming.clear()
    slack.api.trigger_life = -1.0
    async with bot_process(settings, tmp_path):
        await all_done(tmp_path, "slack")
        notes = await posted(slack, SUPPORT, 2)
        [shown] = await whispered(slack, KEN)
        [late] = await whispered(slack, BOB)
        [requests] = await slack.answered(direct, wish)
    # A third process finds nothing to do.
    async with bot_process(settings, tmp_path):
        await slack.connected(3, _SECONDS)
    assert (len(slack.answers(SUPPORT)), len(slack.answers(direct, wish))) == (2, 1)
    assert (len(slack.ephemerals(KEN)), len(slack.ephemerals(BOB))) == (1, 1)
    told = " ".join(note["text"] for note in notes)
    assert "Printer" in told
    assert "hunter2" not in told
    assert len(slack.answers(HELPDESK, asked)) == len(slack.answers(HELPDESK, other)) + 1 == 2
    assert "覚えていません" in shown
    assert late == "The form did not open in time. Please try again."
    assert "Your requests" in words(requests["blocks"])


async def test_what_people_did_in_teams_before_a_kill_is_done_once_by_the_next_process(
    teams: Teams, tmp_path: Path
) -> None:
    """A button of a card, and a wish in words."""
    settings = teams_place.settings_of(teams).model_copy(update={"handover_channel": TEAMS_SUPPORT})
    here = personal(TEAMS_AYA)
    async with bot_process(settings, tmp_path) as bot:
        teams.bot = f"{bot.address}/api/messages"
        await teams.say(TEAMS_AYA, here, "VPNが切れます")
        [answer] = await teams.answered(place_of(here), seconds=_SECONDS)
        # What each deed calls first is put off for longer than the process lives.
        teams.coming += [Fault(status=429, retry_after="60")] * 2
        status, said = await teams.execute(TEAMS_AYA, answer, ASK_PERSON_IN_TEAMS, _value(answer.content), here)
        await teams.say(TEAMS_AYA, here, "チケット")
        await teams.until(lambda: not teams.coming, _SECONDS)
        await bot.kill()
    assert (status, said["statusCode"]) == (200, 200)
    assert (teams.written(TEAMS_SUPPORT), len(teams.messages)) == ([], 1)
    assert await undone(tmp_path, "teams") == 2
    async with bot_process(settings, tmp_path):
        await all_done(tmp_path, "teams")
    async with bot_process(settings, tmp_path):
        await all_done(tmp_path, "teams")
    assert len(teams.written(TEAMS_SUPPORT)) == 1
    said_after = sorted(_shown(one.content) for one in teams.written(place_of(here))[1:])
    assert ["HD-1" in text for text in said_after] == [True, True]
    assert [("担当者に伝えました" in text, "あなたの依頼" in text) for text in said_after] in (
        [(True, False), (False, True)],
        [(False, True), (True, False)],
    )


def _value(content: Any) -> str:
    [value] = [one["data"]["value"] for one in nodes(content) if one.get("verb") == ASK_PERSON_IN_TEAMS]
    return str(value)


def _shown(content: Any) -> str:
    return words(content.get("attachments") or content) or str(content.get("text"))
