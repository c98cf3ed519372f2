"""The loop around acts in Slack: what has to be quick waits for one INSERT, and what has no place waits on the disk."""

from __future__ import annotations

from datetime import datetime
from secrets import token_bytes
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from structlog.testing import capture_logs

from bot.health import Health
from bot.slack_workspaces import OneWorkspace
from config.loader import load_settings
from config.redaction import RedactionSettings
from config.slack import SlackSettings
from handlers.acts.taken import TakenActs
from handlers.lanes import Lanes, Work
from handlers.slack.acts.acting import Acts
from handlers.slack.acts.names import ASK_PERSON, MAKE_TICKET
from handlers.slack.acts.scenes import Scene, Scenes
from handlers.slack.directory import Directory
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.records import Act, HomeOpened, Me
from handlers.slack.rules import Rules
from handlers.wordings import SHIPPED
from memory.acts import TakenAct
from memory.errors import Busy
from memory.redaction import redactor_of
from memory.stores.in_memory_acts import InMemoryActBox
from tests.fakes.words import Watch

HERE = Installation(
    workspace="T1",
    client=AsyncWebClient(token="xoxb-1", base_url="http://127.0.0.1:1/"),
    me=Me(user="U0BOT"),
    home="https://x/",
)


class Box(InMemoryActBox):
    """Knows what it was asked."""

    def __init__(self) -> None:
        super().__init__(redactor_of(RedactionSettings(), token_bytes(32)))
        self.asked: list[str] = []

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        self.asked.append("take")
        return await super().take(act, holder, seconds)

    async def claim(self, platform: str, holder: str, now: datetime, seconds: int, limit: int) -> list[TakenAct]:
        self.asked.append("claim")
        return await super().claim(platform, holder, now, seconds, limit)

    async def done(self, id: str) -> None:
        self.asked.append("done")
        await super().done(id)


class Full(Lanes):
    """No place is left in them, until there is."""

    def __init__(self) -> None:
        super().__init__(4)
        self.full = True

    def put(self, lane: str, work: Work, order: float = 0.0, **more: Any) -> None:
        if self.full:
            raise Busy
        super().put(lane, work, order, **more)


class House:
    """Acts over a box, and which deeds were done after how many questions to the box."""

    def __init__(self) -> None:
        self.watch, self.box, self.lanes = Watch(), Box(), Full()
        self.done: list[tuple[str, list[str]]] = []
        settings = load_settings(None, {})
        directory, rules = Directory(self.watch), Rules(lambda: SlackSettings())
        self.acts = Acts(
            deeds={(Act.CLICKED, ASK_PERSON): self.do, (Act.OPENED, "home"): self.do},
            hasty={(Act.MESSAGE_SHORTCUT, MAKE_TICKET): self.do},
            scenes=Scenes(
                directory=directory,
                intake=Intake(directory, rules),
                rules=rules,
                settings=lambda: settings,
                wording=lambda: SHIPPED,
            ),
            installations=OneWorkspace(HERE, Health()),
            taken=TakenActs(self.box, self.lanes, platform="slack", holder="here", clock=self.watch),
            clock=self.watch,
        )

    async def do(self, scene: Scene) -> None:
        self.done.append((scene.acted.name, [*self.box.asked]))


def shortcut() -> dict[str, Any]:
    return {
        "type": "message_action",
        "callback_id": MAKE_TICKET,
        "trigger_id": "1.2.3",
        "user": {"id": "U0AYA"},
        "team": {"id": "T1"},
        "channel": {"id": "C1"},
        "message": {"ts": "1789000000.000100"},
    }


async def test_a_form_opens_after_one_question_to_the_database() -> None:
    house = House()
    house.lanes.full = False
    await house.acts.hear(shortcut(), HERE)
    await house.lanes.idle()
    assert house.done == [(MAKE_TICKET, ["take"])]
    assert house.box.asked == ["take", "done"]


async def test_what_finds_no_place_is_taken_all_the_same_and_done_when_there_is_one() -> None:
    house = House()
    await house.acts.hear(shortcut(), HERE)
    assert await house.acts.resume() == 1
    assert house.done == []
    house.lanes.full = False
    assert await house.acts.resume() == 1
    await house.lanes.idle()
    assert [name for name, _ in house.done] == [MAKE_TICKET]
    assert await house.acts.resume() == 0


async def test_an_opened_page_is_not_kept_and_can_be_opened_again() -> None:
    house, home = House(), HomeOpened(user="U0AYA", workspace="T1", tab="home")
    with pytest.raises(Busy):
        house.acts.opened(home, HERE)
    house.lanes.full = False
    house.acts.opened(home, HERE)
    await house.lanes.idle()
    assert house.done == [("home", [])]


async def test_what_no_deed_is_for_is_not_kept() -> None:
    house = House()
    await house.acts.hear({**shortcut(), "callback_id": "poll_vote"}, HERE)
    assert house.box.asked == []


async def test_an_act_of_which_nothing_can_be_made_is_moot() -> None:
    house = House()
    strange = TakenAct(
        id="A1", platform="slack", workspace="T1", person="U0AYA", at=house.watch(), fields={"kind": "waved"}
    )
    await house.box.take(strange, "here", 60)
    with capture_logs() as logged:
        assert await house.acts.resume() == 1
    assert [entry["event"] for entry in logged] == ["act_moot"]
    assert await house.acts.resume() == 0
