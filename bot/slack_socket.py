"""The connection that the bot opens to Slack (Socket Mode), and that it never goes deaf.

The kit's own client keeps trying a used-up address after a failed handshake, asks for a new one every few seconds with
a token that was revoked, and does not notice when the task that watches it ends. So the kit only reads requests here;
whether a connection still lives, and what is done about it, is decided in this file.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeAlias

import structlog
from aiohttp import ClientError, ClientSession, ClientWSTimeout
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.errors import SlackApiError, SlackClientError

from bot.slack_client import app_token_of, unreachable
from bot.slack_line import Envelope, Line, read
from config.slack import SlackSettings
from handlers.slack.faults import code_of, passing
from memory.errors import PlatformRefused, PlatformUnavailable

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long things take, in seconds. A connection that held for `steady` is replaced at once when it is lost."""

    ping: float = 10.0
    opening: float = 15.0
    draining: float = 5.0
    closing: float = 2.0
    steady: float = 30.0
    shortest_pause: float = 1.0
    longest_pause: float = 60.0
    pause_when_refused: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How it stands: whether it is `connected`, known `since` when; when Slack was last `heard`; how often the
    connection was replaced; and in plain words `why` there is none, or what it lacks."""

    connected: bool
    since: datetime
    heard: datetime
    reconnects: int
    why: str = ""


Report: TypeAlias = Callable[[Connection], None]
Open: TypeAlias = Callable[[], Awaitable[Line]]


def logged(connection: Connection) -> None:
    """A report that goes into the log alone."""
    if connection.connected:
        log.info("slack_connected", reconnects=connection.reconnects, lacking=connection.why)
    else:
        log.warning("slack_not_connected", why=connection.why, heard=connection.heard.isoformat(timespec="seconds"))


@asynccontextmanager
async def connected(
    settings: SlackSettings, bolt: AsyncApp, *, report: Report = logged, pace: Pace | None = None
) -> AsyncIterator[None]:
    """Slack's events reach the app while the context is open, over one connection after the other; `report` is told of
    each change. Raises PlatformRefused and PlatformUnavailable where there is none to begin with."""
    pace = pace or Pace()
    token = app_token_of(settings)
    async with ClientSession() as session:
        keeper = Keeper(
            partial(opened, session, bolt, token, pace),
            silence=settings.silence_minutes * 60,
            report=report,
            pace=pace,
        )
        await keeper.begin()
        try:
            yield
        finally:
            await keeper.end()


class Keeper:
    """Keeps one connection open: the next one is there before the last one goes, if that still lives."""

    def __init__(self, open_line: Open, *, silence: float, report: Report, pace: Pace) -> None:
        self._open = open_line
        self._silence = silence
        self._report = report
        self._pace = pace
        self._quick_losses = 0
        self._reconnects = 0
        self._leaving: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Open the first connection. Raises PlatformRefused and PlatformUnavailable."""
        self._line = await self._open()
        self._tell_connected()
        self._keeping = asyncio.create_task(self._keep(), name="slack connection")
        self._keeping.add_done_callback(self._ended)

    async def end(self) -> None:
        self._keeping.cancel()
        await asyncio.wait({self._keeping})
        self._retire(self._line)
        await asyncio.wait(self._leaving)

    async def _keep(self) -> None:
        while True:
            end = await self._line.lost(self._silence)
            log.info("slack_connection_lost", why=end.value)
            steady = asyncio.get_running_loop().time() - self._line.opened >= self._pace.steady
            self._quick_losses = 0 if steady else self._quick_losses + 1
            fresh = await self._another(end.value)
            self._retire(self._line)
            self._line = fresh
            self._reconnects += 1
            self._tell_connected()

    async def _another(self, why: str) -> Line:
        """The next connection, however long that takes. The first failure is reported, not the change itself."""
        pause, failures = pause_after(self._quick_losses - 1, self._pace), self._quick_losses
        while True:
            await asyncio.sleep(pause)
            try:
                return await self._open()
            except PlatformRefused as error:
                self._tell_lost(str(error))
                pause = self._pace.pause_when_refused * random.uniform(0.75, 1.25)
            except PlatformUnavailable:
                self._tell_lost(f"There is no connection to Slack ({why}); it is tried again.")
                failures += 1
                pause = pause_after(failures, self._pace)

    def _retire(self, line: Line) -> None:
        task = asyncio.create_task(line.close(draining=self._pace.draining, closing=self._pace.closing))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Nobody would notice otherwise: without this task the next loss would be for good."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("slack_keeper_failed", error=type(error).__name__)
            self._tell_lost("The connection to Slack is no longer watched; start the bot again.")

    def _tell_connected(self) -> None:
        now = datetime.now(UTC)
        self._report(Connection(connected=True, since=now, heard=now, reconnects=self._reconnects))

    def _tell_lost(self, why: str) -> None:
        silent = timedelta(seconds=asyncio.get_running_loop().time() - self._line.heard)
        now = datetime.now(UTC)
        self._report(Connection(connected=False, since=now, heard=now - silent, reconnects=self._reconnects, why=why))


def pause_after(failures: int, pace: Pace) -> float:
    """Seconds; twice as long each time, and not the same for all bots that lost Slack at the same moment."""
    if failures <= 0:
        return 0.0
    longest = min(pace.longest_pause, pace.shortest_pause * 2.0 ** min(failures - 1, 30))
    return longest * random.uniform(0.5, 1.0)


async def opened(session: ClientSession, bolt: AsyncApp, token: str, pace: Pace) -> Line:
    """A new connection on which Slack has said hello. Raises PlatformRefused and PlatformUnavailable."""
    try:
        async with asyncio.timeout(pace.opening), AsyncExitStack() as undo:
            said = await bolt.client.apps_connections_open(app_token=token)
            socket = await session.ws_connect(
                str(said["url"]),
                heartbeat=pace.ping,
                timeout=ClientWSTimeout(ws_close=pace.closing),
                proxy=bolt.client.proxy,
                ssl=bolt.client.ssl or True,
            )
            undo.push_async_callback(socket.close)
            if read(str((await socket.receive()).data)).get("type") != "hello":
                raise unreachable(bolt.client)
            undo.pop_all()
            return Line(socket, partial(_taken, bolt))
    except SlackApiError as error:
        if passing(error):
            raise unreachable(bolt.client) from error
        raise PlatformRefused(
            f"Slack refused `slack.app_token` ({code_of(error)}); make an app-level token (xapp-…) "
            "with the scope connections:write, put it in its place, and start again."
        ) from error
    except (SlackClientError, ClientError, OSError, TimeoutError) as error:
        raise unreachable(bolt.client) from error


async def _taken(bolt: AsyncApp, envelope: Envelope) -> Mapping[str, Any] | None:
    """One request through the kit's listeners; what they answer, or None where it failed and is to come again."""
    response = await bolt.async_dispatch(AsyncBoltRequest(mode="socket_mode", body=envelope.get("payload") or {}))
    if response.status != 200:
        return None
    if not response.body:
        return {}
    kind = str(response.headers.get("content-type", [""])[0])
    return read(response.body) if kind.startswith("application/json") else {"text": response.body}
