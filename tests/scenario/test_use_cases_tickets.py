"""What the commands for tickets ask of the bot, in process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.telling import Notice, Told, unheard
from bot.use_cases import perform
from handlers.tickets.records import Actor
from memory.errors import TicketElsewhere, TicketTaken, TicketUnknown, WrongUse
from memory.model import Viewer, Visibility
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

SATO = Actor(viewer=Viewer(user="sato"), name="佐藤", language="ja")
AGENT = Viewer(user="kato", agent=True)


@pytest.fixture
async def app(tmp_path: Path) -> Application:
    """Two imported tickets, and one that was opened here."""
    app = small_application(tmp_path, lambda: NOON + timedelta(days=1))
    asked = turn(1, "VPNにつながりません。", ticket=None, thread="T1", minutes=5, visibility=Visibility.PRIVATE)
    await app.store.writing.record(
        [
            turn(1, "The mouse is broken.", ticket="INC-1", thread="INC-1", title="Mouse", status="open"),
            turn(2, "A new one is on its way.", ticket="INC-1", thread="INC-1", status="resolved", minutes=1),
            turn(1, "The screen flickers.", ticket="INC-2", thread="INC-2", author="mori", requester="mori", minutes=2),
            asked,
        ]
    )
    await app.tickets.open(asked.id, SATO)
    return app


async def asked_of(app: Application, command: str, **given: object) -> Any:
    return await perform(app, command, given, unheard)


def names(found: Mapping[str, Any]) -> list[str]:
    return [ticket["ticket"] for ticket in found["tickets"]]


async def test_tickets_are_listed_with_the_one_that_changed_last_first(app: Application) -> None:
    assert names(await asked_of(app, "tickets list")) == ["HD-1", "INC-2", "INC-1"]
    assert names(await asked_of(app, "tickets list", open=False)) == ["INC-1"]
    assert names(await asked_of(app, "tickets list", user="mori")) == ["INC-2"]


async def test_a_list_says_that_there_are_more(app: Application) -> None:
    assert (await asked_of(app, "tickets list", limit=2))["more"] is True
    assert (await asked_of(app, "tickets list", limit=3))["more"] is False


async def test_a_ticket_is_shown_with_its_life_and_its_words(app: Application) -> None:
    await asked_of(app, "tickets step", id="HD-1", step="resolve", user="okabe", cause="証明書の期限切れ", fix="再登録")
    found = await asked_of(app, "tickets show", id="hd-1")
    assert (found["ticket"]["state"], found["ticket"]["title"]) == ("resolved", "VPNにつながりません。")
    assert [change["status"] for change in found["history"]] == [None, "open", "resolved"]
    assert found["turns"][-1]["text"].splitlines()[1:] == ["原因: 証明書の期限切れ", "対応: 再登録"]
    # Whatever the clocks of those who wrote.
    moments = [*(change["at"] for change in found["history"]), *(turn["at"] for turn in found["turns"])]
    moments += [found["ticket"]["opened_at"], found["ticket"]["changed_at"]]
    assert {moment[-6:] for moment in moments} == {"+09:00"}
    assert found["zone"] == "Asia/Tokyo"


async def test_an_export_has_every_word_and_says_that_there_are_more_tickets(app: Application) -> None:
    told: list[Told] = []
    whole = await perform(app, "tickets export", {"limit": 3}, told.append)
    assert whole is not None
    assert [(row["ticket"], row["text"]) for row in whole["rows"]] == [
        ("HD-1", "VPNにつながりません。"),
        ("HD-1", "チケットを作成しました。"),
        ("INC-2", "The screen flickers."),
        ("INC-1", "The mouse is broken."),
        ("INC-1", "A new one is on its way."),
    ]
    assert told == []
    part = await perform(app, "tickets export", {"limit": 1}, told.append)
    assert part is not None
    assert {row["ticket"] for row in part["rows"]} == {"HD-1"}
    assert told == [Notice(text="There are more tickets; --limit prints more than 1.")]


async def test_what_was_imported_is_changed_where_it_comes_from(app: Application) -> None:
    with pytest.raises(TicketElsewhere):
        await asked_of(app, "tickets step", id="INC-2", step="take", user="okabe")


async def test_a_ticket_that_is_not_there_is_unknown(app: Application) -> None:
    for command in ("tickets show", "tickets step"):
        given = {"id": "HD-9"} if command == "tickets show" else {"id": "HD-9", "step": "close", "user": "okabe"}
        with pytest.raises(TicketUnknown):
            await asked_of(app, command, **given)


@pytest.mark.parametrize("step", ["ask user", "user answered", "burn"])
async def test_steps_that_no_command_takes_are_refused(app: Application, step: str) -> None:
    with pytest.raises(WrongUse):
        await asked_of(app, "tickets step", id="HD-1", step=step, user="okabe")


async def test_nobody_takes_a_ticket_from_a_colleague_or_hands_it_back_for_them(app: Application) -> None:
    await asked_of(app, "tickets step", id="HD-1", step="take", user="okabe")
    for step in ("take", "hand back"):
        with pytest.raises(TicketTaken, match="okabe has HD-1"):
            await asked_of(app, "tickets step", id="HD-1", step=step, user="mori")
    again = await asked_of(app, "tickets step", id="HD-1", step="take", user="okabe")
    assert again["ticket"]["assignee"] == "okabe"
    assert [one.assignee for one in await app.store.tickets.history("HD-1", AGENT)] == [None, None, "okabe"]
    await asked_of(app, "tickets step", id="HD-1", step="hand back", user="okabe")
    taken = await asked_of(app, "tickets step", id="HD-1", step="take", user="mori")
    assert taken["ticket"]["assignee"] == "mori"


async def test_who_acts_is_called_as_colleagues_know_them(app: Application) -> None:
    said = replace(turn(3, "Hello.", ticket=None, thread="T7", author="U0MAI"), speaker="鈴木 舞")
    await app.store.writing.record([said])
    taken = await asked_of(app, "tickets step", id="HD-1", step="take", user="U0MAI")
    assert taken["ticket"]["assignee"] == "鈴木 舞"
    handed_back = await asked_of(app, "tickets step", id="HD-1", step="hand back", user="U0MAI")
    assert handed_back["ticket"]["assignee"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [("プリンターが動きません。", "HD-2 は okabe が担当します。"), ("The printer is stuck.", "okabe takes HD-2.")],
)
async def test_a_step_is_told_in_the_language_of_the_ticket(app: Application, words: str, said: str) -> None:
    asked = turn(1, words, ticket=None, thread="T8")
    await app.store.writing.record([asked])
    await app.tickets.open(asked.id, SATO)
    await asked_of(app, "tickets step", id="HD-2", step="take", user="okabe")
    assert (await app.store.tickets.history("HD-2", AGENT))[-1].text == said


async def test_a_fix_of_blanks_is_none(app: Application) -> None:
    await asked_of(app, "tickets step", id="HD-1", step="resolve", user="okabe", cause="  ", fix=" \u3000")
    assert (await app.store.tickets.history("HD-1", AGENT))[-1].text == "HD-1 は解決しました。"
