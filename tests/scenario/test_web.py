"""The bot's own web server, over real HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import signal
import socket
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import aiohttp
import pytest
from aiohttp import web
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.application import Application
from bot.health import Checkup, Health
from bot.web import web_serving
from bot.wiring import system_clock
from config.web import WebSettings
from memory.errors import IndexUnavailable, StoreUnavailable, WebUnavailable
from memory.index_ports import EncoderStamp
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.command_line import helpdesk, started
from tests.fakes.desks import desk_over
from tests.fakes.raw_http import on_one_connection, posted
from tests.fakes.slack_place import Answering
from tests.fakes.small_application import deciding, small_application

ANYWHERE = WebSettings(port=0)


class Gone(InMemoryIndex):
    """An index whose server went away, at an address that is nobody's business."""

    async def stamp(self) -> EncoderStamp | None:
        raise IndexUnavailable("The Qdrant server at http://user:secret@10.0.0.7 did not serve the search index.")


@dataclass(slots=True)
class Asked:
    """A part that counts how often it is asked, and waits before it answers."""

    times: int = 0
    wait: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self) -> None:
        self.times += 1
        await self.wait.wait()


@dataclass(slots=True, kw_only=True)
class Said:
    """What is logged: our own lines, and those of libraries."""

    own: list[EventDict]
    others: pytest.LogCaptureFixture

    @property
    def warnings(self) -> list[str]:
        """Whatever is a warning or worse, by name; none has a trace, and none the words of a body."""
        own = [line for line in self.own if line["log_level"] != "info"]
        assert "secret" not in str(own)
        return [str(line["event"]) for line in own] + [record.getMessage() for record in self.others.records]


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[Said]:
    with caplog.at_level(logging.WARNING), capture_logs() as own:
        yield Said(own=own, others=caplog)


@pytest.fixture
def app(tmp_path: Path) -> Application:
    return small_application(tmp_path, system_clock)


@asynccontextmanager
async def open_at(app: Application, *routes: web.RouteDef) -> AsyncIterator[aiohttp.ClientSession]:
    async with web_serving(ANYWHERE, app, routes) as address, aiohttp.ClientSession(address) as client:
        yield client


async def test_a_process_that_lives_says_so(app: Application) -> None:
    async with open_at(app) as client, client.get("/healthz") as response:
        assert (response.status, await response.text()) == (200, "ok\n")


async def test_all_parts_are_ready_by_name(app: Application) -> None:
    app.health.report("slack", ok=True)
    async with open_at(app) as client, client.get("/readyz") as response:
        assert response.status == 200
        well = {"ok": True, "why": ""}
        parts = {"store": well, "index": well, "slack": well}
        assert await response.json() == {"ready": True, "degraded": False, "parts": parts}


async def test_what_keeps_nobody_from_being_served_is_told_and_the_bot_stays_ready(app: Application) -> None:
    app.health.report("slack handover", ok=True, why="Nobody is told who wants a person.")
    async with open_at(app) as client, client.get("/readyz") as response:
        assert response.status == 200
        found = await response.json()
    assert (found["ready"], found["degraded"]) == (True, True)
    assert found["parts"]["slack handover"]["why"] == "Nobody is told who wants a person."


async def test_a_platform_that_is_not_well_says_why_until_it_is(app: Application) -> None:
    async with open_at(app) as client:
        app.health.report("slack", ok=False, why="The connection to Slack is being opened again.")
        async with client.get("/readyz") as response:
            assert response.status == 503
            found = await response.json()
        assert found["ready"] is False
        assert found["parts"]["slack"] == {"ok": False, "why": "The connection to Slack is being opened again."}
        app.health.report("slack", ok=True)
        async with client.get("/readyz") as response:
            assert response.status == 200


async def test_what_an_error_says_of_addresses_is_not_shown(tmp_path: Path) -> None:
    app = small_application(tmp_path, system_clock, index=Gone())
    async with open_at(app) as client, client.get("/readyz") as response:
        assert response.status == 503
        found = await response.json()
    assert found["parts"]["store"]["ok"] is True
    assert found["parts"]["index"]["ok"] is False
    assert found["parts"]["index"]["why"].startswith("The search index cannot be used")
    assert "10.0.0.7" not in str(found)


async def test_many_who_ask_at_once_cost_one_question() -> None:
    part = Asked()
    checkup = Checkup({"store": part.ask}, Health())
    askers = [asyncio.create_task(checkup.conditions()) for _ in range(20)]
    await asyncio.sleep(0)
    part.wait.set()
    found = await asyncio.gather(*askers)
    assert all(conditions["store"].ok for conditions in found)
    assert part.times == 1


async def test_a_part_that_does_not_answer_is_not_waited_for_for_ever() -> None:
    conditions = await Checkup({"index": Asked().ask}, Health()).conditions()
    assert conditions["index"].ok is False
    assert "did not answer" in conditions["index"].why


async def test_a_store_that_fails_is_told_in_the_words_of_its_error() -> None:
    async def ask() -> None:
        raise StoreUnavailable("at postgresql://user:secret@db")

    conditions = await Checkup({"store": ask}, Health()).conditions()
    assert conditions["store"].why.startswith("The ticket database cannot be reached")


async def test_every_answer_is_counted_once_whoever_asked(tmp_path: Path) -> None:
    store = InMemoryStore(clock=system_clock)
    app = small_application(tmp_path, system_clock, store=store)
    desk = desk_over(store, Answering(), app.clock, answered=app.metrics.answered)
    app = deciding(app, desk=desk)
    await desk.ask("VPNが切れます", user="aya", channel="it", now=system_clock())
    async with open_at(app) as client, client.get("/metrics") as response:
        assert response.status == 200
        assert response.content_type == "text/plain"
        counted = [line for line in (await response.text()).splitlines() if line.startswith("helpdesk_questions_total")]
    assert counted == ['helpdesk_questions_total{kind="written",mode="direct"} 1.0']


async def test_a_body_that_is_too_large_is_refused(app: Application) -> None:
    async def take(request: web.Request) -> web.Response:
        return web.Response(text=str(len(await request.read())))

    async with open_at(app, web.post("/take", take)) as client:
        async with client.post("/take", data=b"x" * 1024) as response:
            assert (response.status, await response.text()) == (200, "1024")
        async with client.post("/take", data=b"x" * 1_000_001) as response:
            assert response.status == 413
        async with client.get("/take") as response:
            assert response.status == 405
        async with client.get("/elsewhere") as response:
            assert response.status == 404


@pytest.mark.parametrize(
    ("path", "body", "headers", "status"),
    [
        ("/take", b"zz", {"Content-Encoding": "gzip"}, 400),
        ("/take", b"zz", {"Content-Encoding": "deflate"}, 400),
        ("/take", b"x" * 1_000_001, {}, 413),
        ("/leave", b"zz", {}, 415),
        ("/leave", b"zz", {"Content-Encoding": "gzip"}, 400),
        ("/nowhere", b"zz", {}, 404),
        ("/nowhere", b"zz", {"Content-Encoding": "gzip"}, 400),
        ("/healthz", b"zz", {}, 405),
    ],
)
async def test_who_comes_after_a_refused_request_on_its_connection_is_answered_or_let_go(
    app: Application, path: str, body: bytes, headers: dict[str, str], status: int
) -> None:
    async def take(request: web.Request) -> web.Response:
        return web.Response(text=str(len(await request.read())))

    async def leave(_: web.Request) -> web.Response:
        return web.Response(status=415)

    routes = [web.post("/take", take), web.post("/leave", leave)]
    async with web_serving(ANYWHERE, app, routes) as address:
        refused, then = await on_one_connection(address, posted(path, body, headers))
    assert (refused, then in (200, None)) == (status, True)


@pytest.mark.parametrize("path", ["/take", "/nowhere", "/healthz"])
@pytest.mark.parametrize(
    ("packing", "body"),
    [
        ("gzip", b"a secret"),
        ("deflate", b"a secret"),
        ("deflate", zlib.compress(b"a secret" * 100)[:20]),
        ("gzip", gzip.compress(b"a secret")[:-6]),
        ("gzip", gzip.compress(b"\0" * 5_000_000)),
        ("deflate", b""),
    ],
    ids=["no gzip", "no deflate", "cut deflate", "cut gzip", "bomb", "nothing"],
)
async def test_a_packed_body_is_refused_everywhere_with_one_line_in_the_log(
    app: Application, said: Said, path: str, packing: str, body: bytes
) -> None:
    """No platform packs, and nothing is unpacked; a web server that tried would log what went wrong in it."""

    async def take(request: web.Request) -> web.Response:
        return web.Response(text=str(len(await request.read())))

    async with web_serving(ANYWHERE, app, [web.post("/take", take)]) as address:
        refused, then = await on_one_connection(address, posted(path, body, {"Content-Encoding": packing}))
        plain, _ = await on_one_connection(address, posted("/take", b"zz", {"Content-Encoding": "identity"}))
    assert (refused, then in (200, None), plain) == (400, True, 200)
    assert said.warnings == ["web_request_packed"]


@pytest.mark.parametrize(
    ("request_as_sent", "status"),
    [
        (b"POST /take HTTP/1.1\r\nHost: bot\r\nTransfer-Encoding: chunked\r\n\r\na secret\r\n", 400),
        (b"POST /take HTTP/1.1\r\nHost: bot\r\nContent-Length: a secret\r\n\r\n", 400),
        (b"GET /take HTTP/1.1\r\na secret\r\n\r\n", 400),
    ],
    ids=["chunks", "length", "header"],
)
async def test_what_is_no_http_leaves_one_line_in_the_log(
    app: Application, said: Said, request_as_sent: bytes, status: int
) -> None:
    async with web_serving(ANYWHERE, app) as address:
        refused, then = await on_one_connection(address, request_as_sent)
    assert (refused, then) == (status, None)
    assert said.warnings == ["web_request_unreadable"]


async def test_a_request_that_is_cut_off_leaves_one_line_in_the_log(app: Application, said: Said) -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    async def take(request: web.Request) -> web.Response:
        begun.set()
        try:
            return web.Response(text=str(len(await request.read())))
        finally:
            over.set()

    async with web_serving(ANYWHERE, app, [web.post("/take", take)]) as address:
        host, _, port = address.removeprefix("http://").partition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(posted("/take", b"a secret and more", {})[:-5])
        await begun.wait()
        writer.close()
        async with asyncio.timeout(10):
            await over.wait()
    assert said.warnings == ["web_request_unreadable"]


async def test_a_connection_that_breaks_behind_a_page_is_no_fault_of_who_asked(app: Application) -> None:
    async def fail(_: web.Request) -> web.Response:
        raise ConnectionResetError("at postgresql://user:secret@db")

    async with open_at(app, web.post("/fail", fail)) as client, client.post("/fail", data=b"zz") as response:
        assert response.status == 500
        assert "secret" not in await response.text()


async def test_a_connection_on_which_all_was_read_goes_on(app: Application) -> None:
    async def refuse(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(status=401)

    async with web_serving(ANYWHERE, app, [web.post("/refuse", refuse)]) as address:
        assert await on_one_connection(address, posted("/refuse", b"zz", {})) == (401, 200)


async def test_what_goes_wrong_in_a_page_is_not_shown(app: Application) -> None:
    async def fail(_: web.Request) -> web.Response:
        raise ZeroDivisionError("a secret")

    async with open_at(app, web.get("/fail", fail)) as client, client.get("/fail") as response:
        assert response.status == 500
        assert "secret" not in await response.text()


async def test_a_request_under_way_is_finished_when_the_server_ends(app: Application) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow(_: web.Request) -> web.Response:
        begun.set()
        await go_on.wait()
        return web.Response(text="finished")

    async def ask(client: aiohttp.ClientSession) -> str:
        async with client.get("/slow") as response:
            return await response.text()

    opened = web_serving(ANYWHERE, app, [web.get("/slow", slow)])
    async with aiohttp.ClientSession(await opened.__aenter__()) as client:
        asked = asyncio.create_task(ask(client))
        await begun.wait()
        ending = asyncio.create_task(opened.__aexit__(None, None, None))
        await asyncio.sleep(0.05)
        assert not ending.done()
        go_on.set()
        assert await asked == "finished"
        await ending


async def test_a_port_in_use_is_said_in_plain_words(app: Application) -> None:
    async with web_serving(ANYWHERE, app) as address:
        port = int(address.rpartition(":")[2])
        with pytest.raises(WebUnavailable, match=rf"127\.0\.0\.1:{port} .*`web\.port`"):
            async with web_serving(WebSettings(port=port), app):
                pass


async def test_the_address_of_ipv6_has_its_brackets(app: Application) -> None:
    async with web_serving(WebSettings(host="::1", port=0), app) as address:
        assert address.startswith("http://[::1]:")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_a_running_bot_answers_on_its_port_and_ends_in_order(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "desk.yaml").write_text(f"web:\n  port: {port}\n", encoding="utf-8")
    more = {"HELPDESK_CONFIG": str(tmp_path / "desk.yaml")}
    process = started(tmp_path / "data", "run", more=more)
    try:
        assert process.stderr is not None
        while "The scheduler is running" not in (line := process.stderr.readline()):
            assert line
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
            assert json.load(answer)["ready"] is True
        second = helpdesk(tmp_path / "other", "run", more=more)
        assert (second.returncode, f"127.0.0.1:{port}" in second.stderr) == (1, True)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()
