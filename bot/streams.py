"""The standard streams of a command, as whoever starts it leaves them: closed, full, or read by nobody.

A closed one is opened again first of all. Its number would otherwise go to the next file that is opened, and what is
meant for people would be written into the database.
"""

from __future__ import annotations

import codecs
import os
import sys
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import TextIO

from memory.errors import HelpdeskError


class OutputUnwritable(HelpdeskError):
    """The output cannot be written; send it somewhere else, or make space."""


class _Output(FileIO):
    """What was asked for: when it cannot be shown, the command has not worked."""

    def write(self, content: object) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputUnwritable(
                f"The output cannot be written ({error.strerror}); send it somewhere else, or make space."
            ) from error


class _Asides(FileIO):
    """Notices and errors: where they cannot be shown there is nobody to tell, and the answer is worth having."""

    def write(self, content: object) -> int:
        try:
            return super().write(content)  # type: ignore[arg-type]
        except OSError:
            return len(memoryview(content).cast("B"))  # type: ignore[arg-type]


def prepare() -> None:
    """Make the three streams usable. Writing to standard output raises OutputUnwritable, or BrokenPipeError."""
    closed = [number for number in range(3) if not _is_open(number)]
    for number in closed:
        # For reading only: what is written there fails, as it should.
        os.open(os.devnull, os.O_RDONLY if number < 2 else os.O_WRONLY)
    sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, closefd=False)), encoding=_encoding(sys.stdin), errors="replace")
    sys.stdout = _text(_Output(1, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Asides(2, "w", closefd=False), sys.stderr)


def abandon_output() -> None:
    """Nobody takes the output any longer: Python must not complain about it once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _text(raw: FileIO, before: TextIO | None) -> TextIO:
    """As Python opens it, but characters that the terminal does not know become "?"."""
    return TextIOWrapper(BufferedWriter(raw), encoding=_encoding(before), errors="replace", line_buffering=True)


def _encoding(before: TextIO | None) -> str:
    """That of the terminal. ASCII means that nobody has set one, and neither of our languages fits into it."""
    known = codecs.lookup(before.encoding).name if before else "ascii"
    return "utf-8" if known == "ascii" else known
