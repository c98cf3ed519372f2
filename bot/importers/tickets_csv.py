"""Tickets as CSV: a header with the columns, one message a row; quotes and line ends inside cells are fine."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path

from bot.importers import tickets
from bot.importers.files import byte_lines, decoded, opened
from bot.importers.rows import Row, iso_moment
from bot.importers.tickets import COLUMNS, REQUIRED, Line
from memory.errors import InputRefused
from memory.evaluation.files import source_of

#: Long enough for a cell that is refused for its length with its own line, not as a broken file.
_LONGEST_CELL = 4_000_000
#: By which spreadsheets separate cells where the comma has another use.
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs"}


def read(path: Path, *, default_zone: tzinfo, now: datetime, source: str | None = None) -> Iterator[Row]:
    """Turns of a ticket file; times without an offset are read in `default_zone`."""
    return tickets.turns(partial(lines, path), path.name, source or source_of(path), iso_moment(default_zone, now))


def lines(path: Path) -> Iterator[Line]:
    """The rows below the header. Raises InputRefused for a header that does not fit, or text that is not UTF-8."""
    csv.field_size_limit(_LONGEST_CELL)
    with opened(path) as file:
        rows = csv.reader((_text(number, raw, path) for number, raw in byte_lines(file)), strict=True)
        header = _header(rows, path)
        while True:
            number = rows.line_num + 1
            try:
                cells = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield Line(number=number, problem=f"is not a CSV row ({error}); is the file cut off?")
                continue
            if cells:
                yield _line(number, cells, header)


def _text(number: int, raw: bytes | None, path: Path) -> str:
    if raw is None:
        raise InputRefused(f"{path}, line {number} is longer than any message; is this a CSV file?")
    try:
        return decoded(raw)
    except ValueError as error:
        raise InputRefused(f"{path}, line {number} {error} and import it again.") from error


def _header(rows: Iterator[list[str]], path: Path) -> Sequence[str]:
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
    except csv.Error as error:
        raise InputRefused(
            f"{path}, line 1 is not a CSV header ({error}); are there commas between its cells?"
        ) from error
    unknown = [cell for cell in header if cell not in COLUMNS]
    missing = [column for column in REQUIRED if column not in header]
    if separator := _other_separator(header):
        raise InputRefused(f"{path}: the cells are separated by {separator}; save the table with commas between them.")
    if unknown or missing or len(set(header)) < len(header):
        raise InputRefused(
            f"{path}: the first line must name the columns. Missing: {', '.join(missing) or 'none'}; "
            f"unknown: {', '.join(unknown)[:200] or 'none'}. Columns are {', '.join(COLUMNS)}, each once; "
            f"{', '.join(REQUIRED)} are needed."
        )
    return header


def _other_separator(header: Sequence[str]) -> str | None:
    """What separates the cells in place of commas, where that shows: one cell then holds several columns."""
    for sign, called in _OTHER_SEPARATORS.items():
        for cell in header:
            parts = {part.strip() for part in cell.split(sign)}
            if sign in cell and (len(header) == 1 or not parts.isdisjoint(COLUMNS)):
                return called
    return None


def _line(number: int, cells: Sequence[str], header: Sequence[str]) -> Line:
    if len(cells) != len(header):
        return Line(number=number, problem=f"has {len(cells)} cells where the header has {len(header)}")
    return Line(number=number, fields=dict(zip(header, cells, strict=True)))
