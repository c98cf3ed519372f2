"""Tickets as JSONL: one message a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path

from bot.importers import tickets
from bot.importers.files import byte_lines, decoded, not_json, opened
from bot.importers.rows import Row, iso_moment
from bot.importers.tickets import Line
from memory.errors import InputRefused
from memory.evaluation.files import source_of


def read(path: Path, *, default_zone: tzinfo, now: datetime, source: str | None = None) -> Iterator[Row]:
    """Turns of a ticket file; times without an offset are read in `default_zone`."""
    return tickets.turns(partial(lines, path), path.name, source or source_of(path), iso_moment(default_zone, now))


def lines(path: Path) -> Iterator[Line]:
    """The lines that are not blank, as objects or with what is wrong with them."""
    with opened(path) as file:
        for number, raw in byte_lines(file):
            if raw is None:
                yield Line(number=number, problem="is longer than any message")
            elif raw.strip():
                yield _line(number, raw, path)


def _line(number: int, raw: bytes, path: Path) -> Line:
    if raw.lstrip().startswith(b"[") and number == 1:
        raise InputRefused(f"{path} is a JSON array; write one object a line (JSONL), without brackets and commas.")
    try:
        text = decoded(raw)
    except ValueError as error:
        return Line(number=number, problem=str(error))
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        return Line(number=number, problem=not_json(error, "line"))
    except RecursionError:
        return Line(number=number, problem="is nested too deeply")
    except ValueError:  # Python reads no whole number longer than 4,300 digits
        return Line(number=number, problem="holds a number that is too long; put quotes around it")
    if not isinstance(content, dict):
        return Line(number=number, problem="is not a JSON object")
    return Line(number=number, fields=content)
