"""The formats that can be imported: their names, their readers, and how a file shows which one it is."""

from __future__ import annotations

import zipfile
import zlib
from enum import StrEnum
from pathlib import Path

from bot.importers import locomo, longmemeval, slack_export, tickets_csv, tickets_jsonl
from bot.importers.rows import Reader
from memory.errors import InputRefused


class Format(StrEnum):
    """Names as the command line knows them."""

    SLACK_EXPORT = "slack-export"
    CSV = "csv"
    JSONL = "jsonl"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"


_LOOK = 64 * 1024
#: What stands near the start of a JSON file of each format, and nowhere in the other.
_MARKS = {
    Format.LONGMEMEVAL: (b'"question_type"', b'"haystack', b'"sessions"'),
    Format.LOCOMO: (b'"qa"', b'"dia_id"', b'"sample_id"'),
}
_ENDINGS = {
    ".zip": Format.SLACK_EXPORT,
    ".csv": Format.CSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
}


def reader(format_name: str) -> Reader:
    """The reader of a format. Raises InputRefused for a name that is none."""
    readers: dict[str, Reader] = {
        Format.SLACK_EXPORT: slack_export.read,
        Format.CSV: tickets_csv.read,
        Format.JSONL: tickets_jsonl.read,
        Format.LOCOMO: locomo.read,
        Format.LONGMEMEVAL: longmemeval.read,
    }
    if format_name not in readers:
        raise InputRefused(f"{format_name} is not a format; choose one of {', '.join(Format)}.")
    return readers[format_name]


def detect(path: Path) -> str:
    """The format of a file or folder, by its ending and its first bytes. Raises InputRefused when it shows none."""
    if path.is_dir():
        return Format.SLACK_EXPORT
    start = _start(path)
    if not start.strip():
        raise InputRefused(f"{path} is empty.")
    if zipfile.is_zipfile(path):
        return Format.SLACK_EXPORT
    return _ENDINGS.get(path.suffix.lower()) or _by_content(start) or _refuse(path)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            start = file.read(_LOOK)
        if not start.startswith(b"\x1f\x8b"):
            return start
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(start, _LOOK)
    except OSError as error:
        raise InputRefused(f"{path} cannot be read ({error.strerror}); check the path.") from error
    except zlib.error as error:
        raise InputRefused(f"{path} is not a whole gzip file; was the download cut off? Fetch it again.") from error


def _by_content(start: bytes) -> Format | None:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = text.split(b"\n", 1)[0]
    if text.startswith(b"{") and b'"ticket"' in first and b'"message"' in first:
        return Format.JSONL
    if text.startswith((b"{", b"[")):
        return next((name for name, marks in _MARKS.items() if any(mark in text for mark in marks)), None)
    return Format.CSV if {b"ticket", b"message"} <= {cell.strip(b'" \r') for cell in first.split(b",")} else None


def _refuse(path: Path) -> str:
    raise InputRefused(f"{path} does not show its format; name it with --format {'|'.join(Format)}.")
