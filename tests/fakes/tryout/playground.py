"""Microsoft's Agents Playground, a client like Teams, as a process of its own beside the bot that remembers tickets."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.fakes.source import ROOT
from tests.fakes.tryout.bot_process import SECONDS, DidNotStart, Folder, end_with_parent, ended
from tests.fakes.tryout.command import nobody_listens
from tests.fakes.tryout.desk import ready
from tests.fakes.tryout.museum_teams import AGENTS, SUPPORT, organisation

#: Installed by npm from tests/playground/package-lock.json.
PROGRAM = ROOT / "tests/playground/node_modules/.bin/agentsplayground"
#: Where it looks for what it shall show.
_CONFIGURATION = ".m365agentsplayground.yml"


@asynccontextmanager
async def playground(folder: Path, tickets: str, *, port: int = 0, config: Path | None = None) -> AsyncIterator[str]:
    """The running two, with these tickets (JSONL) remembered; the address to open in a browser. Both end with the
    context. Raises OSError where the port is taken, and DidNotStart."""
    nobody_listens(port)
    place, bots, shown = Folder(path=folder), free_port(), port or free_port()
    place.configure(settings_for(bots), config)
    told = folder / "tickets.jsonl"
    told.write_text(tickets, encoding="utf-8")
    (folder / _CONFIGURATION).write_text(json.dumps(organisation(), ensure_ascii=False), encoding="utf-8")
    await place.done("import", str(told), "--source", "museum")
    process = await place.start("run")
    try:
        await ready(place, process, _answers(f"http://127.0.0.1:{bots}/healthz"))
        async with _client(folder, f"http://127.0.0.1:{bots}/api/messages", shown) as address:
            yield address
    finally:
        await ended(process)


@asynccontextmanager
async def _client(folder: Path, bot: str, port: int) -> AsyncIterator[str]:
    log = folder / "playground.log"
    # Whoever came there meanwhile would answer in its place.
    nobody_listens(port)
    with log.open("a", encoding="utf-8") as written:
        process = await asyncio.create_subprocess_exec(
            PROGRAM, "start", "--app-endpoint", bot, "--channel-id", "msteams", "--port", str(port),
            "--disable-telemetry",
            cwd=folder, env={**os.environ}, stdin=DEVNULL, stdout=written, stderr=written, start_new_session=True,
            preexec_fn=end_with_parent,
        )  # fmt: skip
    address = f"http://localhost:{port}"
    try:
        if not await before(process, _answers(f"{address}/_internal/v1/config")):
            raise DidNotStart(f"the Agents Playground ended: {log.read_text(encoding='utf-8')[-500:]}")
        yield address
    finally:
        await ended(process)


async def before(process: Process, wanted: Awaitable[None]) -> bool:
    """Wait for it, or for the process to end: whether it came."""
    waiting, dying = asyncio.ensure_future(wanted), asyncio.create_task(process.wait())
    await asyncio.wait({waiting, dying}, return_when=asyncio.FIRST_COMPLETED)
    if dying.done():
        # Whatever answers there is another.
        waiting.cancel()
        return False
    dying.cancel()
    try:
        await waiting
    except TimeoutError:
        raise DidNotStart(f"the Agents Playground was not ready after {SECONDS} seconds; try again") from None
    return True


async def _answers(url: str) -> None:
    """Wait until something answers there. Raises TimeoutError."""
    async with asyncio.timeout(SECONDS), aiohttp.ClientSession() as session:
        while True:
            if await _is_there(session, url):
                return
            await asyncio.sleep(0.1)


async def _is_there(session: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with session.get(url) as answer:
            return answer.status == 200
    except aiohttp.ClientError:
        return False


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def settings_for(port: int) -> dict[str, Any]:
    """All that differs from the shipped defaults. The history is older than they would keep."""
    return {
        "bot": {"contact": "it-help@shiomi.example"},
        "access": {"agents": list(AGENTS)},
        "retention": {"days": 3650},
        "web": {"port": port},
        "teams": {"development": True, "handover_channel": SUPPORT, "default": {"memory": "everyone"}},
    }


class Headless:
    """The Playground without a browser: what somebody does there, by its own HTTP."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self._session = session
        self._address = address

    async def activity(self, activity: Mapping[str, Any]) -> None:
        """Have the bot told of any activity; the address to answer to is filled in."""
        await self._post("/_internal/v1/customActivities", {**activity, "serviceUrl": f"{self._address}/_connector"})

    async def _post(self, path: str, body: Mapping[str, Any]) -> None:
        async with self._session.post(f"{self._address}{path}", json=body) as answer:
            assert answer.status < 300, answer.status
