"""Copies of folders that hold an index: its files are mostly holes, which a plain copy would fill with gigabytes."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

_BLOCK = 1024 * 1024


def copied(source: Path, target: Path, *, without: tuple[str, ...] = ()) -> Path:
    """A copy of the folder, without the files of these names; holes stay holes."""
    ignored = shutil.ignore_patterns(*without)
    return Path(shutil.copytree(source, target, ignore=ignored, copy_function=_copy))


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
