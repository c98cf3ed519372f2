"""How many connections the calls to Slack take, and what becomes of answers that are not Slack's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.slack_client import calling, client_of
from config.slack import SlackSettings
from handlers.slack.faults import code_of, passing, token_refused


@dataclass(slots=True)
class Listening:
    """A server that answers every call, and the ports from which it was called; it wants cookies back."""

    url: str = ""
    ports: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    broken: web.Response | None = None

    async def answer(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        self.ports.append(request.transport.get_extra_info("peername")[1])
        self.tokens.append(request.headers["Authorization"])
        self.cookies += request.cookies.values()
        if self.broken is not None:
            return self.broken
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


@pytest.mark.parametrize(
    "answer",
    [
        lambda: web.Response(status=502, text="Bad Gateway"),
        lambda: web.Response(status=200, text="Sign in first"),
        lambda: web.Response(status=503, text="<h1>Unavailable</h1>", content_type="text/html"),
        lambda: web.Response(status=500),
        lambda: web.Response(status=504, body=b"\x1f\x8b", content_type="application/gzip"),
        lambda: web.json_response(["no object"], status=500),
    ],
)
async def test_an_answer_that_is_not_slacks_is_a_failed_request(
    server: Listening, answer: Callable[[], web.Response]
) -> None:
    server.broken = answer()
    with pytest.raises(SlackRequestError):
        await client_of(server.settings(), "xoxb-1").chat_postMessage(channel="C1", text="words")


@pytest.mark.parametrize("data", ["Bad Gateway", None, [], {}, {"error": None}])
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_error_without_slacks_word_for_it_passes(data: Any, wrapped: bool) -> None:
    client = AsyncWebClient(token="xoxb-1")
    response = AsyncSlackResponse(
        client=client, http_verb="POST", api_url="/", req_args={}, data=data, headers={}, status_code=200
    )
    error = SlackApiError("failed", response if wrapped else data)  # type: ignore[no-untyped-call]
    assert code_of(error) == ""
    assert passing(error)
    assert not token_refused(error)
