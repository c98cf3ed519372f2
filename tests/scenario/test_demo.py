"""The demo: a history that is always of last week, answered from, with nothing set up."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.demo import QUESTION, SUGGESTIONS, demo_settings, remembering, shipped_history
from bot.importers import demo_history
from bot.places import Place
from bot.telling import unheard
from bot.wiring import system_clock
from config.loader import load_settings
from memory.model import Turn, Viewer, Visibility
from tests.fakes.command_line import helpdesk

SMALL = (
    '{"ticket": "INC-1", "message": "1", "at": "-7d 10:05 +09:00", "author": "sato", "role": "requester", '
    '"text": "VPNに接続できません", "visibility": "everyone"}\n'
)


def test_the_shipped_history_is_what_the_demo_promises() -> None:
    now = datetime.now(UTC)
    rows = list(demo_history.read(Path(str(shipped_history())), now=now))
    turns = [row for row in rows if isinstance(row, Turn)]
    assert [str(row) for row in rows if not isinstance(row, Turn)] == []
    assert len({turn.ticket for turn in turns}) >= 60
    assert timedelta(days=110) < now - min(turn.said_at for turn in turns) < timedelta(days=125)
    assert {turn.visibility for turn in turns} >= {Visibility.PRIVATE, Visibility.EVERYONE}
    assert any(turn.text.isascii() for turn in turns)


async def said_on(data: Path, history: Path, now: datetime) -> list[datetime]:
    """When the only message of the small history was said, for the demo of that day."""
    place = Place(data=data, config=None)
    async with remembering(place, unheard, history=history, clock=lambda: now) as app:
        assert (await app.store.writing.counts())["turns"] == 1
        found = await app.store.reading.named("INC-1", Viewer(user="sato"), now)
        return [turn.said_at for turn in found]


async def test_on_another_day_every_date_has_moved_with_it(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    history.write_text(SMALL, encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.txt").write_text("not the demo's", encoding="utf-8")
    friday = datetime(2026, 11, 27, 3, 0, tzinfo=UTC)
    assert await said_on(tmp_path / "data", history, friday) == [datetime(2026, 11, 20, 1, 5, tzinfo=UTC)]
    saturday = friday + timedelta(days=1)
    assert await said_on(tmp_path / "data", history, saturday) == [datetime(2026, 11, 21, 1, 5, tzinfo=UTC)]
    assert (tmp_path / "data" / "mine.txt").exists()


async def test_on_the_same_day_what_was_said_since_is_kept(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    history.write_text(SMALL, encoding="utf-8")
    place = Place(data=tmp_path / "data", config=None)
    async with remembering(place, unheard, history=history) as app:
        found = await app.store.reading.named("INC-1", Viewer(user="sato"), system_clock())
        await app.store.writing.pin([], True)
        assert len(found) == 1
        before = (tmp_path / "data" / "helpdesk.db").stat().st_ino
    async with remembering(place, unheard, history=history):
        assert (tmp_path / "data" / "helpdesk.db").stat().st_ino == before


def test_the_demo_never_meets_the_tickets_of_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "helpdesk.yaml"
    path.write_text("store:\n  url: postgresql://desk@db.example/tickets\nindex:\n  kind: server\n", encoding="utf-8")
    settings = demo_settings(load_settings(path, {}))
    assert (settings.store.url, settings.index.kind.value) == ("sqlite:///{data}/helpdesk.db", "edge")


@pytest.mark.timeout(600)
def test_the_demo_names_the_ticket_its_date_and_what_fixed_it(tmp_path: Path) -> None:
    done = helpdesk(tmp_path, "demo", seconds=500)
    assert done.returncode == 0, done.stderr
    assert QUESTION in done.stdout
    assert all(suggestion in done.stdout for suggestion in SUGGESTIONS)
    week_ago = next(line for line in done.stdout.splitlines() if "INC-1067" in line and "再登録" in line)
    said = datetime.fromisoformat(week_ago[:10]).date()
    assert timedelta(days=5) <= datetime.now(UTC).date() - said <= timedelta(days=8)
    for question in (QUESTION, "I asked about the VPN last week, it is happening again"):
        found = helpdesk(tmp_path / "demo", "ask", question, "--user", "sato", "--json")
        assert "INC-1067" in {one["ticket"] for one in json.loads(found.stdout)["citations"]}
