"""Folders of tests: where they lie, and how those with an index are copied and read, whose files are mostly holes: a
plain copy would fill gigabytes, and a plain reading takes as long."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

_BLOCK = 1024 * 1024
#: Linux keeps this folder in memory. Inside a container it is small unless it was asked for.
_MEMORY = Path("/dev/shm")
_ROOM = 2 * 1024**3


def memory_disk() -> Path | None:
    """A folder in memory with room for all that tests write; None where there is none."""
    try:
        return _MEMORY if shutil.disk_usage(_MEMORY).free >= _ROOM and os.access(_MEMORY, os.W_OK | os.X_OK) else None
    except OSError:
        return None


def copied(source: Path, target: Path, *, without: tuple[str, ...] = ()) -> Path:
    """A copy of the folder, without the files of these names; holes stay holes."""
    ignored = shutil.ignore_patterns(*without)
    return Path(shutil.copytree(source, target, ignore=ignored, copy_function=_copy))


def contents(path: Path) -> bytes:
    """What stands in the file, without its holes."""
    with path.open("rb") as file:
        return b"\0".join(os.pread(file.fileno(), end - start, start) for start, end in _pieces(file.fileno()))


def _copy(source: str, target: str) -> str:
    with open(source, "rb") as read, open(target, "wb") as written:
        for start, end in _pieces(read.fileno()):
            for at in range(start, end, _BLOCK):
                os.pwrite(written.fileno(), os.pread(read.fileno(), min(_BLOCK, end - at), at), at)
        written.truncate(os.fstat(read.fileno()).st_size)
    shutil.copystat(source, target)
    return target


def _pieces(file: int) -> Iterator[tuple[int, int]]:
    """From where to where something was written; holes are passed over unread, which for an index saves a second."""
    end = 0
    while True:
        try:
            start = os.lseek(file, end, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            raise
        end = os.lseek(file, start, os.SEEK_HOLE)
        yield start, end
