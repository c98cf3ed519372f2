"""A real process with the bot on a chat platform, over a database on the disk: it can be killed, and the next one takes
its place."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from bot.slack_app import slack_running
from bot.teams_app import teams_running
from bot.web import web_serving
from bot.wiring import assembled, system_clock
from config.loader import load_settings
from config.slack import SlackSettings
from config.teams import TeamsSettings
from config.web import WebSettings
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.sql import open_store

#: A busy machine takes its time.
_SECONDS = 60.0


class BotProcess:
    """The bot, running; `address` is that of its web server."""

    def __init__(self, process: BaseProcess, address: str) -> None:
        self._process = process
        self.address = address

    async def kill(self) -> None:
        """SIGKILL: nothing is told, nothing is finished."""
        self._process.kill()
        await asyncio.to_thread(self._process.join, _SECONDS)


@asynccontextmanager
async def bot_process(settings: SlackSettings | TeamsSettings, folder: Path) -> AsyncIterator[BotProcess]:
    """A process that is ready; it is killed in the end, if it was not before."""
    # Forked from one that has every module already: loading them again for each takes longer than all the rest.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe()
    process = context.Process(target=_live, args=(settings, folder, there), daemon=True)
    await asyncio.to_thread(process.start)
    there.close()
    try:
        if not await asyncio.to_thread(here.poll, _SECONDS):
            raise TimeoutError
        bot = BotProcess(process, str(here.recv()))
        yield bot
    finally:
        process.kill()
        await asyncio.to_thread(process.join, _SECONDS)
        here.close()


def _live(settings: SlackSettings | TeamsSettings, folder: Path, parent: Connection) -> None:
    asyncio.run(_running(settings, folder, parent))


async def _running(settings: SlackSettings | TeamsSettings, folder: Path, parent: Connection) -> None:
    async with AsyncExitStack() as stack:
        url = f"sqlite:///{folder}/words.db"
        store = await stack.enter_async_context(open_store(url, busy_seconds=10, clock=system_clock))
        app = assembled(
            load_settings(None, {}),
            folder,
            system_clock,
            store=store,
            index=InMemoryIndex(),
            encoder=HashingEncoder(),
            models={},
        )
        platform = slack_running(settings, app) if isinstance(settings, SlackSettings) else teams_running(settings, app)
        routes = await stack.enter_async_context(platform)
        parent.send(await stack.enter_async_context(web_serving(WebSettings(port=0), app, routes)))
        await asyncio.Event().wait()
