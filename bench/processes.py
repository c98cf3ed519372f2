"""The program as it is started: single commands, and the running bot."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SECONDS = 600


def timed(data: Path, *arguments: str) -> float:
    """Seconds that a command takes, from the start of its process to its end."""
    started = time.perf_counter()
    subprocess.run(
        _command(*arguments), env=_environment(data), check=True, stdout=subprocess.DEVNULL, timeout=_SECONDS
    )
    return time.perf_counter() - started


@contextmanager
def running(data: Path) -> Iterator[int]:
    """The process id of a bot that runs on this data folder while the context is open."""
    process = subprocess.Popen(_command("run"), env=_environment(data), stderr=subprocess.PIPE, text=True)
    try:
        if process.stderr is not None:
            process.stderr.readline()  # its greeting, when it is ready
        yield process.pid
    finally:
        process.terminate()
        process.communicate(timeout=_SECONDS)


def resident_megabytes(pid: int) -> tuple[float, float]:
    """Of a process, and of its children together."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    own = sum(size for one, _, size in rows if one == pid)
    children = sum(size for _, parent, size in rows if parent == pid)
    return own / 1024, children / 1024


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bot", *arguments]


def _environment(data: Path) -> dict[str, str]:
    return {**os.environ, "HELPDESK_DATA": str(data)}
