"""The configuration, followed while the bot runs: a good file counts from the next message on, a bad one not at all.

Whoever speaks or answers asks the application for what holds at that moment and keeps no copy, so that there is one
reference to exchange. What is under way goes on with what it began with.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import structlog

from bot.application import Application, FileState, Models
from bot.configured import configured
from bot.opening import open_models
from bot.wiring import decide
from config.at_start import taken_over
from config.problems import ConfigProblems
from config.schema import Settings
from config.tree import changed
from memory.audit_log import AuditEntry, AuditKind
from memory.errors import StoreUnavailable

log = structlog.get_logger()

#: How often the file is looked at.
LOOK_SECONDS = 3.0
#: Problems that one log event and the status tell.
_MOST = 20
#: By which the file is known to whoever asks how the bot is.
_NAME = "config"


class Reloading:
    """Looks at the file and has the application follow it. `changed` is called after each exchange."""

    def __init__(
        self,
        app: Application,
        path: Path,
        environment: Mapping[str, str],
        stack: AsyncExitStack,
        changed: Callable[[], None],
    ) -> None:
        self._app = app
        self._path = path
        self._environment = environment
        self._stack = stack
        self._changed = changed
        self._seen: tuple[int, int] | None = None
        self._known: bytes | None = None

    async def begin(self) -> None:
        """What the file says now is what the application was built with."""
        with suppress(OSError):  # the next look tells it
            self._seen, self._known = await asyncio.to_thread(self._read, True)

    async def look(self, *, told: bool = False) -> None:
        """Take over what the file says now, if that is another thing than before; `told`: in any case."""
        try:
            seen, content = await asyncio.to_thread(self._read, told)
        except OSError as error:
            self._seen = self._known = None
            self._refuse((f"{self._path}: the file cannot be read: {error.strerror or type(error).__name__}",))
            return
        self._seen = seen
        if content is None or (content == self._known and not told):
            return
        self._known = content
        try:
            given = await asyncio.to_thread(configured, self._path, self._environment)
        except ConfigProblems as error:
            self._refuse(tuple(str(problem) for problem in error.problems))
            return
        await self._take(given)

    def _read(self, told: bool) -> tuple[tuple[int, int], bytes | None]:
        """When the file was changed, and a hash of what it says; None where it was not touched since the last look."""
        found = self._path.stat()
        seen = found.st_mtime_ns, found.st_size
        return seen, None if seen == self._seen and not told else sha256(self._path.read_bytes()).digest()

    async def _take(self, given: Settings) -> None:
        before = self._app.settings
        settings, left = taken_over(before, given)
        models = self._app.models
        if settings.models != before.models:
            models = await self._opened(settings)
        decide(self._app, settings, models, FileState(needs_restart=left))
        self._app.metrics.config_is(valid=True)
        self._app.health.report(_NAME, True, f"needs a restart: {', '.join(left)}" if left else "")
        self._changed()
        log.info("config_taken_over", needs_restart=left)
        await self._note(changed(before, settings))

    async def _note(self, names: tuple[str, ...]) -> None:
        """The settings hold by now, whether or not that can be noted."""
        if not names:
            return
        entry = AuditEntry(kind=AuditKind.CONFIG_CHANGED, at=self._app.clock(), about=names)
        try:
            await self._app.store.audit.append(entry)
        except StoreUnavailable as error:
            log.warning("audit_entry_lost", kind=entry.kind.value, error=type(error).__name__)

    def _refuse(self, problems: tuple[str, ...]) -> None:
        state = replace(self._app.current.decided.file, problems=problems[:_MOST])
        if state == self._app.current.decided.file:
            return
        self._app.current.decided = replace(self._app.current.decided, file=state)
        self._app.metrics.config_is(valid=False)
        self._app.health.report(_NAME, True, "the file has mistakes; the settings from before hold")
        log.warning("config_refused", problems=problems[:_MOST])

    async def _opened(self, settings: Settings) -> Models:
        """New models. Those before stay open to the end for the answers that began with them: models rarely change."""
        return await self._stack.enter_async_context(open_models(settings))


@asynccontextmanager
async def reloading(
    app: Application, path: Path | None, environment: Mapping[str, str], changed: Callable[[], None]
) -> AsyncIterator[None]:
    """Follow the file while the context is open, at every look and on SIGHUP. Without a file there is nothing to do."""
    if path is None:
        yield
        return
    async with AsyncExitStack() as stack:
        following = Reloading(app, path, environment, stack, changed)
        await following.begin()
        with _told_by_signal() as told:
            task = asyncio.create_task(_follow(following, told), name="config")
            try:
                yield
            finally:
                task.cancel()
                await asyncio.wait({task})


async def _follow(following: Reloading, told: asyncio.Event) -> None:
    while True:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await told.wait()
        except TimeoutError:
            await following.look()
        else:
            told.clear()
            await following.look(told=True)


@contextmanager
def _told_by_signal() -> Iterator[asyncio.Event]:
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, told.set)
    try:
        yield told
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
