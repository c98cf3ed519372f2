"""`helpdesk run` in processes of its own, several beside each other on one configuration, each with its own folder."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from bot.lifecycle import asked, run_bot
from bot.places import Place

#: What a running bot loads when it is needed: here it is loaded once, for all processes.
_NEEDED = (
    "bot.configured", "bot.embeddings_endpoint", "bot.local_socket", "bot.openai_models", "bot.reloading",
    "bot.scheduler", "bot.slack_app", "bot.use_cases_jobs", "bot.wiring", "memory.stores.qdrant_server",
    "memory.stores.sql",
)  # fmt: skip
#: A busy machine takes its time.
_SECONDS = 60.0


@dataclass(slots=True)
class RunningBot:
    """One of them, which is started, told to end, and started again. `secrets` are what the configuration names."""

    data: Path
    config: Path
    secrets: Mapping[str, str] = field(default_factory=dict)
    _process: BaseProcess | None = None

    @property
    def place(self) -> Place:
        return Place(data=self.data, config=self.config)

    async def start(self) -> None:
        """It comes up; nothing waits until it is ready."""
        # Forked from one that has every module already: loading them again for each takes longer than all the rest.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__, *_NEEDED])
        log = self.data.with_suffix(".log")
        self._process = context.Process(target=_live, args=(self.place, self.secrets, log), daemon=True)
        await asyncio.to_thread(self._process.start)

    async def end(self) -> int | None:
        """SIGTERM, as a service manager sends it; the exit code."""
        if self._process is None:
            return None
        self._process.terminate()
        await asyncio.to_thread(self._process.join, _SECONDS)
        return self._process.exitcode

    def kill(self) -> None:
        """Whatever became of it, it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.join(_SECONDS)

    async def do(self, command: str, **arguments: Any) -> Any:
        """What a command asks this process to do. Raises RequestFailed."""
        return await asked(self.place, command, arguments, lambda _: None)


def _live(place: Place, secrets: Mapping[str, str], log: Path) -> None:
    os.environ.update(secrets)
    with log.open("a") as words:
        os.dup2(words.fileno(), 1)
        os.dup2(words.fileno(), 2)
    asyncio.run(run_bot(place, lambda _: None))
