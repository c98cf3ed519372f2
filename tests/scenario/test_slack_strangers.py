"""Programs that answer one another, and addresses that are not Slack's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import web

from handlers.decision import QUIET
from tests.fakes.slack import AYA, HELPDESK
from tests.fakes.slack.cast import ALERTS
from tests.fakes.slack.world import Json
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


# --- programs ---------------------------------------------------------------------------------------------------------


async def test_two_programs_that_answer_one_another_come_to_an_end(place: Place) -> None:
    """The other one is let in by the administrator, and answers every answer."""
    place.settings = place.settings.model_copy(update={"allowed_bots": ["B0ALERTS"]})
    async with place.running():
        root = await place.slack.bot_says(ALERTS, HELPDESK, f"<@{place.slack.me}> disk is full")
        for count in range(1, QUIET.most + 1):
            await place.slack.answered(HELPDESK, root, count=count)
            await place.slack.bot_says(ALERTS, HELPDESK, f"still full ({count})", thread=root)
        await place.slack.settled()
        await idle()
        assert len(place.slack.answers(HELPDESK, root)) == QUIET.most
        # People are answered there all the same.
        await place.slack.say(AYA, HELPDESK, "空けました", thread=root)
        await place.slack.answered(HELPDESK, root, count=QUIET.most + 1)


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Elsewhere:
    """A server that is not Slack's, and with what it was asked."""

    address: str = ""
    tokens: list[str] = field(default_factory=list)

    async def serve(self, request: web.Request) -> web.Response:
        self.tokens.append(request.headers.get("Authorization", ""))
        return web.Response(text="盗まれた言葉")


@asynccontextmanager
async def elsewhere() -> AsyncIterator[Elsewhere]:
    """On this machine, under a name that is not that of the API."""
    server, app = Elsewhere(), web.Application()
    app.router.add_get("/{path:.*}", server.serve)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "localhost", 0).start()
        server.address = f"http://localhost:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()


async def told_of(place: Place, file: Json) -> str:
    """What is said about a message with this file."""
    direct = place.slack.dm(AYA)
    async with place.running():
        asked = await place.slack.say(AYA, direct, "ログを見てください", files=[file])
        [answer] = await place.slack.answered(direct, asked)
        await idle()
        assert "盗まれた" not in str(await place.kept(direct, asked))
    return str(answer["blocks"])


UNREAD = "添付ファイル log.txt は取得できませんでした"


async def test_a_file_that_is_somewhere_else_is_not_fetched(place: Place) -> None:
    async with elsewhere() as other:
        file = place.slack.file("log.txt", b"disk is full") | {"url_private": f"{other.address}/log.txt"}
        assert UNREAD in await told_of(place, file)
    assert other.tokens == []


@pytest.mark.parametrize("beside", ["http://127.0.0.1@{}", "http://127.0.0.1%2f@{}", "http://{}/127.0.0.1"])
async def test_an_address_that_only_looks_like_slacks_is_somewhere_else(place: Place, beside: str) -> None:
    async with elsewhere() as other:
        url = beside.format(other.address.removeprefix("http://"))
        assert UNREAD in await told_of(place, place.slack.file("log.txt", b"disk is full") | {"url_private": url})
    assert other.tokens == []


async def test_nobody_is_led_from_slack_to_somewhere_else(place: Place) -> None:
    async with elsewhere() as other:
        file = place.slack.file("log.txt", b"disk is full")
        place.slack.moved[file["id"]] = f"{other.address}/log.txt"
        assert UNREAD in await told_of(place, file)
    assert other.tokens == []


async def test_a_file_of_slacks_is_read(place: Place) -> None:
    direct = place.slack.dm(AYA)
    async with place.running():
        file = place.slack.file("log.txt", "ディスクがいっぱい".encode())
        asked = await place.slack.say(AYA, direct, "ログを見てください", files=[file])
        await place.slack.answered(direct, asked)
        await idle()
        assert "ディスクがいっぱい" in str(await place.kept(direct, asked))
