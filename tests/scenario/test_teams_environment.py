"""What stands in the environment of the bot's machine, and in files beside it, when it calls Teams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from handlers.teams.credentials import Tokens, nothing
from handlers.teams.delivery import Delivery
from memory.errors import DeliveryUnknown, PlatformUnavailable
from tests.fakes.teams.server import AYA, personal, place_of
from tests.fakes.teams_place import opened

HOST = "smba.trafficmanager.net"


@asynccontextmanager
async def proxy(asked: list[str]) -> AsyncIterator[str]:
    """A proxy that lets nobody through; what it was asked for."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readline()).decode().split(" HTTP")[0])
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def call(url: str, *hosts: str) -> None:
    """One message to this address, whatever becomes of it."""
    async with aiohttp.ClientSession() as session:
        delivery = Delivery(session, Tokens(nothing, lambda _: None), hosts)
        with pytest.raises((DeliveryUnknown, PlatformUnavailable)):
            await delivery.send("POST", url, {"type": "message"})


async def test_teams_is_called_through_the_proxy_that_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    async with proxy(asked) as address:
        monkeypatch.setenv("HTTPS_PROXY", address)
        await call(f"https://{HOST}/jp/v3/conversations/a/activities", HOST)
    assert asked == [f"CONNECT {HOST}:443"]


async def test_this_machine_is_called_past_the_proxy_where_the_environment_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    async with proxy(asked) as address:
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        # Nobody listens there.
        await call("http://127.0.0.1:9/jp/", "127.0.0.1")
        monkeypatch.delenv("NO_PROXY")
        await call("http://127.0.0.1:9/jp/", "127.0.0.1")
    assert asked == ["POST http://127.0.0.1:9/jp/"]


async def test_a_file_of_passwords_for_every_host_does_not_come_between_the_bot_and_teams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = tmp_path / "netrc"
    passwords.write_text("default login somebody password something\n")
    passwords.chmod(0o600)
    async with opened(tmp_path) as place, place.running():
        monkeypatch.setenv("NETRC", str(passwords))
        await place.teams.say(AYA, personal(AYA), "VPNが切れます")
        assert len(await place.teams.answered(place_of(personal(AYA)))) == 1
        await place.replied()
