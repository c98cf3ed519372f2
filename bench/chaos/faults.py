"""What goes wrong: the process, its files, the network, the platform and the model, one after the other."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from bench.slack import Bot
from tests.fakes.llm_server import Behaviour, LlmServer, garbage, resets, slow, status

#: How long something that passes by itself stays wrong.
_WHILE = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What faults act on. `well` is how the model's server behaves when nothing is wrong."""

    bot: Bot
    data: Path
    models: LlmServer
    well: Behaviour


Fault: TypeAlias = Callable[[Scene], Awaitable[None]]


async def killed(scene: Scene) -> None:
    """The process dies in the middle of whatever it does, and is started again."""
    await scene.bot.kill()
    await scene.bot.start()


async def killed_twice(scene: Scene) -> None:
    """The second time before it has done much of what the first one left."""
    await killed(scene)
    await killed(scene)


async def engine_killed(scene: Scene) -> None:
    """The index's own process dies; the next search starts another."""
    for child in _children(scene.bot.processes[-1].pid):
        os.kill(child, signal.SIGKILL)
    await asyncio.sleep(_WHILE)


async def index_gone(scene: Scene) -> None:
    """The index's folder is deleted while nobody holds it."""
    await scene.bot.kill()
    shutil.rmtree(scene.data / "index", ignore_errors=True)
    await scene.bot.start()


async def index_cut(scene: Scene) -> None:
    """Half of each of the index's files is lost; somebody reads what the bot says of that, and has it written anew."""
    await scene.bot.kill()
    for file in (scene.data / "index").rglob("*"):
        if file.is_file():
            os.truncate(file, file.stat().st_size // 2)
    await scene.bot.start()
    await scene.bot.folder.done("jobs", "run", "reindex")


async def database_locked(scene: Scene) -> None:
    """Another process writes to the database, and takes its time."""
    await asyncio.to_thread(_locked, scene.data / "helpdesk.db", _WHILE / 2)


async def broken_off(scene: Scene) -> None:
    """The network breaks every connection to Slack."""
    scene.bot.slack.break_sockets()
    await asyncio.sleep(_WHILE)


async def moved(scene: Scene) -> None:
    """Slack asks for another connection, as it does every few hours."""
    await scene.bot.slack.disconnect()
    await asyncio.sleep(_WHILE)


async def deaf(scene: Scene) -> None:
    """The connection is open and says nothing any more."""
    scene.bot.slack.deafen()
    await asyncio.sleep(_WHILE)


async def told_again(scene: Scene) -> None:
    """Slack tells the last message again, five times at once."""
    await scene.bot.slack.again(times=5)


async def throttled(scene: Scene) -> None:
    """Slack takes no more answers for a while."""
    scene.bot.slack.fail("chat.postMessage", times=8, status=429, retry_after=1)
    await asyncio.sleep(_WHILE)


async def platform_fails(scene: Scene) -> None:
    """Slack answers that something is wrong with it, and has not posted the message."""
    scene.bot.slack.fail("chat.postMessage", times=3, error="internal_error")
    await asyncio.sleep(_WHILE)


def model(behaviour: Callable[[Behaviour], Behaviour], name: str) -> Fault:
    """The model's server behaves so for a while."""

    async def fault(scene: Scene) -> None:
        scene.models.chat.always = behaviour(scene.well)
        try:
            await asyncio.sleep(_WHILE)
        finally:
            scene.models.chat.always = scene.well

    fault.__name__ = name
    return fault


#: After which the process is another one; they come first, so that one process is seen for the rest of the time.
HARD: tuple[Fault, ...] = (killed, index_gone, killed_twice, index_cut)
SOFT: tuple[Fault, ...] = (
    broken_off,
    database_locked,
    model(lambda _: resets(), "model_dead"),
    told_again,
    throttled,
    engine_killed,
    model(lambda _: garbage(), "model_lies"),
    moved,
    platform_fails,
    model(lambda well: slow(30, well), "model_slow"),
    deaf,
    model(lambda _: status(500), "model_fails"),
)


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


def _locked(database: Path, seconds: float) -> None:
    with closing(sqlite3.connect(database, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        other.execute("ROLLBACK")
