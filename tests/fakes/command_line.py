"""The real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.fakes.forked import run_forked

#: One call on a busy machine, the encoder's loading included.
SECONDS = 100


def environment(data: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """A clean one, with a data folder of the test's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELPDESK_", "XDG_"))}
    return {**kept, "HELPDESK_DATA": str(data), "HOME": str(data), **(more or {})}


def helpdesk(
    data: Path, *arguments: str, stdin: str = "", more: Mapping[str, str] | None = None, seconds: float = SECONDS
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; its output as text. A traceback is never an answer."""
    done = run_forked(arguments, environment(data, more), stdin.encode(), seconds)
    said = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in said.stderr, said.stderr
    return said


def started(data: Path, *arguments: str, more: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a command that goes on; its errors are read by the test."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        env=environment(data, more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
