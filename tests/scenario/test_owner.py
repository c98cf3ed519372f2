"""A data folder has one owner, and whoever else wants something from it asks the owner."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from structlog.testing import capture_logs

from bot.lifecycle import owning, reaching
from bot.local_client import RequestFailed, owner_at
from bot.local_socket import Perform, serving
from bot.owner import lasting, lasting_socket_place, owned, socket_of, socket_place
from bot.places import Place
from bot.telling import Notice, Step, Tell, Told, unheard
from memory.errors import IndexInUse, NothingFound, StoreUnavailable

#: Holds the lock and a socket that it never answers on, until it is killed.
HOLD = """
import pathlib, socket, sys, time
from bot.owner import owned, socket_place
folder = pathlib.Path(sys.argv[1])
with owned(folder) as mine, socket_place(folder) as path:
    assert mine
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    print("held", flush=True)
    time.sleep(600)
"""


@asynccontextmanager
async def owner(folder: Path, perform: Perform) -> AsyncIterator[Path]:
    """A live owner that does what `perform` does."""
    with owned(folder) as mine, socket_place(folder) as path:
        assert mine
        async with serving(path, perform):
            yield path


async def echo(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
    tell(Step(what="reading", done=1, total=2))
    tell(Notice(text="half of it"))
    return {"command": command, **arguments}


def unannounced(text: str) -> None:
    """Nobody hears that somebody else is waited for."""


def test_only_one_can_own_a_folder(tmp_path: Path) -> None:
    with owned(tmp_path) as first, owned(tmp_path) as second:
        assert (first, second) == (True, False)
    with owned(tmp_path) as third:
        assert third


def test_a_folder_that_is_not_there_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="HELPDESK_DATA"), owned(tmp_path / "gone"):
        pytest.fail("nothing can be owned there")


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """A process that owns the folder and never answers; killed in the end."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()


def killed_owner(folder: Path) -> Path | None:
    """Let a process own the folder and kill it; where its socket was."""
    with holding(folder), owned(folder) as mine:
        assert not mine
        return socket_of(folder)


async def test_an_owner_that_was_killed_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    left = await asyncio.to_thread(killed_owner, tmp_path)
    assert left is not None
    assert left.exists()
    async with owner_at(tmp_path) as nobody:
        assert nobody is None
    async with owner(tmp_path, echo), owner_at(tmp_path) as live:
        assert live is not None
        assert await live.ask("ask", {"question": "?"}, unheard) == {"command": "ask", "question": "?"}


async def test_what_the_owner_tells_arrives_in_order_before_the_result(tmp_path: Path) -> None:
    heard: list[Told] = []
    async with owner(tmp_path, echo), owner_at(tmp_path) as live:
        assert live is not None
        await live.ask("import", {"path": "チケット"}, heard.append)
    assert heard == [Step(what="reading", done=1, total=2), Notice(text="half of it")]


async def test_a_mistake_keeps_its_sentence_and_its_exit_code(tmp_path: Path) -> None:
    async def refuse(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        raise NothingFound("Nothing is called INC-9.")

    async with owner(tmp_path, refuse), owner_at(tmp_path) as live:
        assert live is not None
        with pytest.raises(RequestFailed, match=r"^Nothing is called INC-9\.$") as refusal:
            await live.ask("memory show", {}, unheard)
    assert refusal.value.exit_code == 1


async def test_an_error_that_nobody_foresaw_is_a_reference_and_the_owner_lives_on(tmp_path: Path) -> None:
    async def fail(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        raise ZeroDivisionError("what somebody wrote")

    with capture_logs() as logged:
        async with owner(tmp_path, fail):
            for _ in range(2):
                async with owner_at(tmp_path) as live:
                    assert live is not None
                    with pytest.raises(RequestFailed) as failure:
                        await live.ask("ask", {}, unheard)
    failed = [entry for entry in logged if entry["event"] == "request_failed"]
    assert failed[-1]["reference"] in str(failure.value)
    assert "what somebody wrote" not in f"{failure.value}{logged}"


@pytest.mark.parametrize("question", ["?", "?" * 1_000_000])
async def test_an_owner_that_hangs_is_told_with_what_to_do(tmp_path: Path, question: str) -> None:
    with holding(tmp_path):
        async with owner_at(tmp_path, patience=0.1) as hanging:
            assert hanging is not None
            with pytest.raises(IndexInUse, match="does not answer; end it"):
                await hanging.ask("ask", {"question": question}, unheard)


async def test_who_waits_for_long_work_hears_that_the_owner_lives(tmp_path: Path) -> None:
    heard_twice = asyncio.Event()

    async def long(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        await heard_twice.wait()
        return "done"

    with owned(tmp_path), socket_place(tmp_path) as path:
        async with serving(path, long, beat=0.01), asyncio.timeout(30):
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(b'{"command": "import", "arguments": {}}\n')
            assert [json.loads(await reader.readline()) for _ in range(2)] == [{"alive": True}] * 2
            heard_twice.set()
            said = [json.loads(line) async for line in reader]
            writer.close()
    assert said[-1] == {"result": "done"}


async def test_signs_of_life_are_not_shown(tmp_path: Path) -> None:
    async def long(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        await asyncio.sleep(0.1)
        return "done"

    heard: list[Told] = []
    with owned(tmp_path), socket_place(tmp_path) as path:
        async with serving(path, long, beat=0.01), owner_at(tmp_path) as live:
            assert live is not None
            assert await live.ask("import", {}, heard.append) == "done"
    assert heard == []


async def test_work_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def long(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        started.set()
        try:
            return await asyncio.Event().wait()
        finally:
            ended.set()

    async with owner(tmp_path, long):
        async with owner_at(tmp_path) as live:
            assert live is not None
            waiting = asyncio.create_task(live.ask("import", {}, unheard))
            await started.wait()
            waiting.cancel()
            await asyncio.wait({waiting})
        async with asyncio.timeout(30):
            await ended.wait()


async def test_an_owner_that_ends_in_the_middle_is_told_plainly(tmp_path: Path) -> None:
    started = asyncio.Event()

    async def end(command: str, arguments: Mapping[str, Any], tell: Tell) -> object:
        started.set()
        raise asyncio.CancelledError

    async with owner(tmp_path, end), owner_at(tmp_path) as live:
        assert live is not None
        with pytest.raises(RequestFailed, match="ending"):
            await live.ask("ask", {}, unheard)


@pytest.mark.parametrize("line", [b"\n", b"hello\n", b"[]\n", b'{"command": "ask"}\n', b"\xff\xfe\n", b"x" * 5_000_000])
async def test_what_is_no_request_is_refused(tmp_path: Path, line: bytes) -> None:
    async with owner(tmp_path, echo) as path:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(line)
        writer.write_eof()
        reply = json.loads(await reader.readline())
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    assert reply["exit_code"] == 2


async def test_the_socket_is_its_users_alone(tmp_path: Path) -> None:
    async with owner(tmp_path, echo) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_path_that_is_too_long_for_a_socket_gets_a_short_one(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 30)
    folder.mkdir()
    async with owner(folder, echo) as path, owner_at(folder) as live:
        assert len(os.fsencode(path)) < 100
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert live is not None
        assert await live.ask("status", {}, unheard) == {"command": "status"}
    assert not path.parent.exists()
    assert socket_of(folder) is None


def test_a_recorded_socket_in_a_place_open_to_others_is_not_trusted(tmp_path: Path) -> None:
    elsewhere = tmp_path / "public"
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "owner.sock").touch()
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "socket-path").write_text(str(elsewhere / "owner.sock"), encoding="utf-8")
    assert socket_of(tmp_path) is None


async def test_a_command_waits_for_the_one_before_it(tmp_path: Path) -> None:
    order: list[str] = []

    async def second() -> None:
        async with owning(Place(data=tmp_path, config=None), unannounced):
            order.append("second")

    with owned(tmp_path) as mine:
        assert mine
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.2)
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_who_wants_to_own_what_a_running_bot_has_is_told_at_once(tmp_path: Path) -> None:
    with owned(tmp_path) as mine, lasting_socket_place(tmp_path) as path:
        assert mine
        async with serving(path, echo):
            with pytest.raises(IndexInUse, match="running already"):
                async with owning(Place(data=tmp_path, config=None), unannounced):
                    pytest.fail("there is an owner")
    assert list((tmp_path / "private").iterdir()) == []


async def test_who_wants_to_own_what_a_chat_has_waits_for_its_end_and_says_so(tmp_path: Path) -> None:
    order: list[str] = []
    waits = asyncio.Event()

    def announce(text: str) -> None:
        order.append(text)
        waits.set()

    async def bot() -> None:
        async with owning(Place(data=tmp_path, config=None), announce):
            order.append("bot")

    async with owner(tmp_path, echo):
        starting = asyncio.create_task(bot())
        await asyncio.wait_for(waits.wait(), timeout=30)
        order.append("chat ended")
    await starting
    assert order == [ANY, "chat ended", "bot"]
    assert "waiting" in order[0]


async def test_what_a_bot_left_that_was_killed_makes_no_chat_a_running_bot(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "lasting").touch()
    async with owner(tmp_path, echo):
        assert not lasting(tmp_path)


async def test_who_comes_while_a_bot_is_starting_asks_it_when_it_listens(tmp_path: Path) -> None:
    async def guest() -> object:
        async with reaching(Place(data=tmp_path, config=None)) as live:
            assert live is not None
            return await live.ask("status", {}, unheard)

    with owned(tmp_path) as mine:
        assert mine
        waiting = asyncio.create_task(guest())
        await asyncio.sleep(0.2)
        assert not waiting.done()
        with lasting_socket_place(tmp_path) as path:
            async with serving(path, echo):
                assert await waiting == {"command": "status"}
