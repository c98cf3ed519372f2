"""The engine's process as the bot sees it: calls go in, replies come out, and every wait has an end."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import sys
from contextlib import AsyncExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

import structlog

import memory
from memory import errors
from memory.errors import IndexDamaged, IndexFull, IndexInUse, IndexUnavailable
from memory.stores.qdrant_edge_wire import LENGTH, Call, Reply, packed, unpacked

log = structlog.get_logger()

#: The engine takes some 35 MB for its first keys, in pieces; with less than this beside it, what fails fails for want
#: of space, and what it says of its files means nothing.
_SPACE = 64 * 1024 * 1024
#: Opening may have to replay the log of a bot that was killed.
_OPEN_SECONDS = 120.0
_CLOSE_SECONDS = 15.0
_AT_ONCE = 64
#: Characters of what the engine says of a failure.
_MOST_SAID = 500
_PROGRAM = "from memory.stores.qdrant_edge_engine import main; main()"


class EdgeProcess:
    """Owns the process. One that has died is started again by the next call. `space` is how many free bytes its work
    may take."""

    def __init__(self, folder: Path, *, space: int = _SPACE) -> None:
        self._folder = folder
        self._space = space
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> Any:
        """Start and open the folder; what the engine's `open` says. Raises IndexInUse, IndexDamaged and their kin."""
        async with self._starting:
            return await self._open()

    async def call(self, method: str, *arguments: Any, seconds: float) -> Any:
        """What the engine's method returns. Raises what it raises, and IndexUnavailable when it takes too long."""
        async with self._places:
            async with self._starting:
                if not self._alive:
                    await self._open()
            return await self._ask(method, arguments, seconds)

    async def aclose(self) -> None:
        """Let the engine write everything down and end."""
        self._closed = True
        await self._end(_CLOSE_SECONDS)

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._process.pid if self._process else None

    @property
    def _alive(self) -> bool:
        return self._reader is not None and not self._reader.done()

    async def _open(self) -> Any:
        if self._closed:
            raise IndexUnavailable("The search index was closed.")
        await self._end(0)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the working folder is no part of this program
            "-c",
            _PROGRAM,
            str(self._folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": _import_path()},
        )
        self._reader = asyncio.create_task(self._read(self._process))
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._end, 0)
            try:
                stamp = await self._ask("open", (), _OPEN_SECONDS)
            except IndexFull:
                raise
            except IndexUnavailable as error:
                if not self._alive:  # some damage stops the engine before it can say so
                    raise IndexDamaged from error
                raise
            undo.pop_all()
        return stamp

    async def _ask(self, method: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        try:
            return await self._answer(method, arguments, seconds)
        except IndexInUse:
            raise
        except IndexUnavailable as error:
            if await asyncio.to_thread(_free, self._folder) < self._space:
                raise IndexFull(
                    f"The disk of the search index in {self._folder} is full; make space there, at least 50 MB, then "
                    "run `helpdesk jobs run flush`."
                ) from error
            raise

    async def _answer(self, method: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        process = self._process
        if process is None or process.stdin is None:
            raise IndexUnavailable
        number = next(self._numbers)
        self._waiting[number] = future = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                process.stdin.write(packed(Call(number=number, method=method, arguments=arguments)))
                await process.stdin.drain()
                reply = await future
        except TimeoutError as error:
            raise IndexUnavailable(
                f"The search index did not answer within {seconds:g} s; it may be busy, please try again in a minute."
            ) from error
        except ConnectionError as error:
            raise IndexUnavailable from error
        finally:
            del self._waiting[number]
        if reply.engine:
            log.warning("index_call_failed", call=method, engine=reply.engine[:_MOST_SAID])
        return _value(reply)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand out replies until the process ends; then nobody waits any longer."""
        try:
            while process.stdout is not None:
                size = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))[0]
                reply: Reply = unpacked(await process.stdout.readexactly(size))
                future = self._waiting.get(reply.number)
                if future is not None and not future.done():
                    future.set_result(reply)
        except asyncio.IncompleteReadError:
            return
        finally:
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(IndexUnavailable("The search index ended in the middle of a call."))

    async def _end(self, seconds: float) -> None:
        """Close the pipe, which ends the process, or kill it when that takes longer."""
        process, self._process = self._process, None
        if process is None or self._reader is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(seconds):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):  # it has just ended by itself
                process.kill()
            await process.wait()
        await self._reader
        self._reader = None


def _free(folder: Path) -> float:
    """Free bytes on the folder's disk; without end where nobody knows."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return math.inf


def _value(reply: Reply) -> Any:
    if reply.error is None:
        return reply.value
    name, words = reply.error
    raise getattr(errors, name)(words)


def _import_path() -> str:
    """Where the process finds this program, however the bot was started."""
    here = str(Path(memory.__file__).parents[1])
    given = os.environ.get("PYTHONPATH")
    return os.pathsep.join([here, given] if given else [here])
