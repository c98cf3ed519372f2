"""An organisation of the strict Teams with the bot in it, and answers that are known beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import SecretStr

from bot.application import Application
from bot.teams_app import teams_running
from bot.web import web_serving
from bot.wiring import system_clock
from config.teams import TeamsSettings
from config.web import WebSettings
from handlers.teams.records import PLATFORM
from handlers.teams.site import scene_of
from memory.model import Viewer
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.desks import desk_over
from tests.fakes.slack_place import Answering
from tests.fakes.small_application import deciding, small_application
from tests.fakes.teams import Teams, serving
from tests.fakes.teams.server import APP, PASSWORD, TENANT, Json

LONG_AGO, LATER = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Place:
    """An organisation with the bot in it."""

    teams: Teams
    answers: Answering
    app: Application
    settings: TeamsSettings

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A process of the bot."""
        async with AsyncExitStack() as stack:
            routes = await stack.enter_async_context(teams_running(self.settings, self.app))
            address = await stack.enter_async_context(web_serving(WebSettings(port=0), self.app, routes))
            self.teams.bot = f"{address}/api/messages"
            yield

    async def kept(self, where: Json, message: str | None = None) -> list[str]:
        """What people said in this conversation, as it is remembered; `message` is the one that began it in a
        channel."""
        scene = scene_of({**where, "serviceUrl": self.teams.service})
        assert scene is not None
        keeper = Viewer(user="keeper", agent=True)
        found = await self.app.store.reading.recent(scene.conversation(message).id, keeper, LATER, 100)
        return [turn.text for turn in found if not turn.derived]

    async def replied(self) -> None:
        """Wait until no reply is owed, for up to ten seconds."""
        for _ in range(500):
            if not await self.owed():
                return
            await asyncio.sleep(0.02)
        raise TimeoutError

    async def owed(self) -> int:
        return len(await self.app.store.mailbox.waiting(PLATFORM, 100))


def settings_of(teams: Teams) -> TeamsSettings:
    """What an administrator would write for this Teams."""
    return TeamsSettings(
        app_id=APP,
        tenant=TENANT,
        app_password=SecretStr(PASSWORD),
        service_hosts=("127.0.0.1",),
        file_hosts=("127.0.0.1",),
        login_url=teams.address,
        openid_url=f"{teams.address}/.well-known/openidconfiguration",
    )


@asynccontextmanager
async def opened(data: Path) -> AsyncIterator[Place]:
    """A Teams of one organisation, and a bot that is not running yet."""
    async with serving() as teams:
        store = InMemoryStore(clock=system_clock)
        app = small_application(data, system_clock, store=store)
        answers = Answering()
        desk = desk_over(
            store,
            answers,
            app.clock,
            answered=app.metrics.answered,
            held=app.tickets.held,
            under_way=app.tickets.under_way,
            returning=app.comebacks.would,
            unsolved=app.comebacks.said,
        )
        yield Place(teams=teams, answers=answers, app=deciding(app, desk=desk), settings=settings_of(teams))
