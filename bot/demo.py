"""The demo: a shipped ticket history whose dates count from today, in a data folder of its own."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Ask
from bot.configured import configured
from bot.importers import demo_history
from bot.lifecycle import owning
from bot.logs import log_to_file
from bot.places import Place
from bot.talking import at_work, converse, in_process
from bot.telling import JsonObject, Notice, Tell
from bot.use_cases import ask
from bot.use_cases_import import take_in
from bot.wiring import build, system_clock
from config.schema import IndexSettings, Settings, StoreSettings
from memory.errors import StoreUnavailable
from memory.ports import Clock

USER = "sato"
QUESTION = "先週VPN接続できなくて問い合わせた者ですが、また同じ症状です"
SUGGESTIONS = (
    "VPNのゲートウェイ ng-tky-2 が応答しないときは、どこに切り替えればいいですか？",
    "サイネージの担当って今どなたですか？",
    "Till 2's card terminal beeps and shows QX-7713, what was that again?",
)
#: Which history, counted from which day, the folder holds.
_MARK = "demo.mark"


def shipped_history() -> Traversable:
    """The demo's tickets, as a file inside the package."""
    return resources.files("bot") / "demo_history" / "history.jsonl"


@asynccontextmanager
async def remembering(
    place: Place, tell: Tell, *, history: Traversable, clock: Clock = system_clock
) -> AsyncIterator[Application]:
    """The demo's memory, holding `history` as of today. `place.data` is the demo's own folder.

    On another day it is made anew, because every date has moved. Raises IndexInUse while another demo goes on running.
    """
    settings = demo_settings(configured(place.config, os.environ))
    async with owning(place, lambda text: tell(Notice(text=text))):
        log_to_file(settings.log, place.data)
        mark = _mark(history, clock().astimezone(ZoneInfo(settings.bot.time_zone)).date())
        if await asyncio.to_thread(_mark_in, place.data) != mark:
            await asyncio.to_thread(_emptied, place.data)
        async with build(settings, place.data, clock) as app:
            if await asyncio.to_thread(_mark_in, place.data) != mark:
                await _imported(app, history, tell)
                await asyncio.to_thread((place.data / _MARK).write_text, mark, encoding="utf-8")
            yield app


def demo_settings(settings: Settings) -> Settings:
    """As configured, but with a database and an index in the demo's own folder: it must never meet real tickets."""
    return settings.model_copy(update={"store": StoreSettings(), "index": IndexSettings()})


async def first_answer(app: Application, tell: Tell) -> str:
    """What the bot answers to the demo's question."""
    found: JsonObject = await ask(app, Ask(question=QUESTION, user=USER), tell)
    return str(found["answer"]["answer"])


async def open_chat(app: Application) -> None:
    """The chat as the demo's user, until it ends."""
    async with at_work(app):
        await converse(app.desk, app.settings, in_process(app), user=USER, language=None)


async def _imported(app: Application, history: Traversable, tell: Tell) -> None:
    with resources.as_file(history) as path:
        rows = demo_history.read(path, now=app.clock())
        done = await take_in(app, rows, tell)
    if done["problem"]:
        raise StoreUnavailable(f"The demo could not be set up: {done['problem']}")


def _mark(history: Traversable, today: date) -> str:
    return f"{today.isoformat()} {sha256(history.read_bytes()).hexdigest()}"


def _mark_in(folder: Path) -> str | None:
    path = folder / _MARK
    return path.read_text(encoding="utf-8") if path.exists() else None


def _emptied(folder: Path) -> None:
    """Only what a demo has made: the folder might hold something else by mistake."""
    remove: dict[bool, Callable[[Path], object]] = {True: shutil.rmtree, False: Path.unlink}
    for path in folder.iterdir():
        if path.name.startswith(("helpdesk.db", "index", "centres-", _MARK)):
            remove[path.is_dir()](path)
