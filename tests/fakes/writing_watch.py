"""Notes where a Python process, and those that it starts, write: put into a folder as `sitecustomize.py`."""

from __future__ import annotations

import os
import sys
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_BY_PATH = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.chmod")


def _note(event: str, given: tuple[Any, ...]) -> None:
    written = event in _BY_PATH or (event == "open" and bool((given[2] or 0) & _WRITES))
    if written and isinstance(given[0], str | bytes | os.PathLike):
        os.write(_SEEN, os.fsencode(os.path.abspath(os.fsdecode(given[0]))) + b"\n")


_SEEN = os.open(os.environ["WRITING_WATCH"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
sys.addaudithook(_note)
