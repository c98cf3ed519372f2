"""Opening what people hand in: plain errors, bounded lines, and a word on the encoding."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memory.errors import InputRefused

#: A longer line is no row of a table.
_LONGEST_LINE = 4_000_000


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file as bytes, after its byte order mark. Raises InputRefused when it cannot be opened or is UTF-16."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputRefused(f"{path} cannot be read ({error.strerror}); check the path.") from error
    with file:
        start = file.read(3)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputRefused(f"{path} is UTF-16; save it as UTF-8 and import it again.")
        file.seek(3 if start == codecs.BOM_UTF8 else 0)
        yield file


def byte_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers from 1, line ends included; None for a line that is too long to be a row."""
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        whole = len(line) < _LONGEST_LINE
        while line and not line.endswith(b"\n") and len(line) == _LONGEST_LINE:
            line = file.readline(_LONGEST_LINE)
        yield number, (line if whole else None)


def decoded(raw: bytes) -> str:
    """UTF-8 text. Raises ValueError where it is another encoding; which one can only be guessed."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8; save the file as UTF-8") from error


def not_json(error: json.JSONDecodeError, what: str) -> str:
    """What is wrong with a `what` (line, file) that should be JSON, as a reason after its name."""
    found = re.sub(r"(?: starting)? at$", "", error.msg)
    return f"is not JSON (column {error.colno}: {found[:1].lower()}{found[1:]}); is the {what} cut off?"
