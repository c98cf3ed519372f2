"""How many connections the calls to Slack take."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.slack_client import calling, client_of
from config.slack import SlackSettings


@dataclass(slots=True)
class Listening:
    """A server that answers every call, and the ports from which it was called; it wants cookies back."""

    url: str = ""
    ports: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        self.ports.append(request.transport.get_extra_info("peername")[1])
        self.tokens.append(request.headers["Authorization"])
        self.cookies += request.cookies.values()
        return web.json_response({"ok": True}, headers={"Set-Cookie": "b=whose"})

    def settings(self) -> SlackSettings:
        return SlackSettings(bot_token=SecretStr("xoxb-1"), app_token=SecretStr("xapp-1"), api_url=self.url)


@pytest.fixture
async def server() -> AsyncIterator[Listening]:
    listening = Listening()
    app = web.Application()
    app.router.add_post("/{method}", listening.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    listening.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    yield listening
    await runner.cleanup()


async def test_calls_of_all_workspaces_share_connections_but_neither_tokens_nor_cookies(server: Listening) -> None:
    async with calling() as session:
        for token in ("xoxb-1", "xoxb-2", "xoxb-1"):
            await client_of(server.settings(), token, session).auth_test()
    assert len(set(server.ports)) == 1
    assert server.tokens == ["Bearer xoxb-1", "Bearer xoxb-2", "Bearer xoxb-1"]
    assert server.cookies == []


async def test_without_a_session_each_call_has_a_connection_of_its_own(server: Listening) -> None:
    client = client_of(server.settings(), "xoxb-1")
    await client.auth_test()
    await client.auth_test()
    assert len(set(server.ports)) == 2
