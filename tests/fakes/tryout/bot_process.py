"""`helpdesk` as a process of its own, with a data folder and a configuration that nothing else uses."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

#: How long anything may take to begin or to be done: a busy machine takes minutes.
SECONDS = 300
_END_SECONDS = 30
#: `prctl` of Linux: the signal that a process gets when its parent is gone.
_PARENT_GONE = 1
#: Where something is kept, and what listens where: that is settled here.
_OURS = ("store", "index", "web")
#: What of a platform says what the bot does there, and not how it is connected: kept where that platform is tried.
_RULES = {
    "slack": ("default", "channels", "allowed_bots", "answers_at_once", "wait_minutes", "silence_minutes", "stream"),
    "teams": ("default", "teams", "channels", "streaming", "answers_at_once"),
}


class DidNotStart(RuntimeError):
    """The bot ended before it was ready; its last words stand behind the colon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A data folder with its configuration and the bot's log. `secrets` are what the configuration names as ${NAME};
    a command may take `seconds`."""

    path: Path
    seconds: float = SECONDS
    secrets: Mapping[str, str] = field(default_factory=dict)

    @property
    def config(self) -> Path:
        return self.path / "desk.yaml"

    @property
    def log(self) -> Path:
        return self.path / "bot.log"

    def configure(self, settings: Mapping[str, Any], given: Path | None = None) -> None:
        """Write the configuration: what `given` says of models, of channels and the like, and over that `settings`."""
        said = YAML(typ="safe", pure=True).load(given) if given else {}
        kept = dict(_kept(said or {}, settings))
        both = {**kept, **{name: {**(kept.get(name) or {}), **branch} for name, branch in settings.items()}}
        self.config.write_text(json.dumps(both, ensure_ascii=False), encoding="utf-8")

    def last_words(self) -> str:
        words = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        return "\n".join(words.splitlines()[-12:])

    def too_slow(self, what: str) -> str:
        """That something was waited for too long, and what the bot said last."""
        return (
            f"{what} after {self.seconds:g} seconds: the machine may be busy, try again. {self.last_words()}".rstrip()
        )

    async def start(self, *arguments: str) -> Process:
        """Begin a command. It has a session of its own: Ctrl-C reaches this process alone, which ends it in order. On
        Linux it ends too where this process is killed."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HELPDESK_")}
        names = {"HELPDESK_DATA": str(self.path / "data"), "HELPDESK_CONFIG": str(self.config)}
        with self.log.open("a", encoding="utf-8") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", *arguments,
                env={**kept, **self.secrets, **names}, stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True,
                preexec_fn=end_with_parent,
            )  # fmt: skip

    async def done(self, *arguments: str) -> None:
        """Carry out a command to its end; raises DidNotStart where it fails."""
        process = await self.start(*arguments)
        try:
            async with asyncio.timeout(self.seconds):
                code = await process.wait()
        except TimeoutError:
            raise DidNotStart(self.too_slow(f"`helpdesk {arguments[0]}` was not done")) from None
        finally:
            await ended(process)
        if code:
            raise DidNotStart(f"`helpdesk {arguments[0]}` did not work: {self.last_words()}")


def _kept(said: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Of a configuration what may be tried here; of platforms the rules of those that are tried."""
    for name, value in said.items():
        if name not in (*_OURS, *_RULES):
            yield name, value
        elif name in settings:
            yield name, {rule: value[rule] for rule in _RULES.get(name, ()) if rule in (value or {})}


def end_with_parent() -> None:
    """Called in a new process: have it asked to end when its parent is gone, however that came."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_GONE, signal.SIGTERM)


async def ended(process: Process) -> None:
    """Ask it to end, and see that it does."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
    await process.wait()
