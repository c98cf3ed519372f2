"""What every importer shares: bad rows, cleaning of words and names, and times that can be believed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from handlers.characters import without_escapes
from memory.model import Turn

#: Longer texts are logs and dumps, not messages.
MOST_CHARACTERS = 100_000
_MOST_NAME_CHARACTERS = 300
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that was left out, and why. `line` counts from 1; where a file is one JSON value, `message` counts its
    messages instead. A whole file or folder has neither."""

    file: str
    reason: str
    line: int | None = None
    message: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        counted = {"line": self.line, "message": self.message}
        place = "".join(f", {what} {number}" for what, number in counted.items() if number is not None)
        return f"{self.file}{place}: {f'`{self.field}` ' if self.field else ''}{self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedRow:
    """A row that was left out because a later one of the same file, in line `by`, is the same message with other
    content. Lines count from 1."""

    file: str
    line: int
    message: str
    by: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.message} stands in line {self.by} otherwise, which was taken"


#: What is said of a value that pydantic refuses, by its name for that.
_REASONS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "model_type": 'is no message with fields, as in {"text": …}',
    "dict_type": 'must have fields, as in {"text": …}',
    "list_type": "must be a list",
}

#: What a reader makes of a row.
Row = Turn | BadRow | ReplacedRow


class Reader(Protocol):
    """Reads one format. `default_zone` is for what carries no time zone of its own; `source` is what the history is
    called, by default as its file. Raises InputRefused when nothing of the source can be read."""

    def __call__(
        self, path: Path, *, default_zone: tzinfo, now: datetime, source: str | None = None
    ) -> Iterator[Row]: ...


#: Reads the `at` of a row. Raises ValueError with the reason.
Moment = Callable[[str], datetime]


def cleaned(text: str) -> str:
    """The words without escape sequences, control characters (tab and line feed stay) and lone surrogates; line ends
    become line feeds."""
    plain = without_escapes(text).replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", plain)).strip()


def words(value: object) -> str:
    """The text of a message. Raises ValueError when there is none, or more than anybody writes."""
    if not isinstance(value, str):
        raise ValueError("must be a text")  # noqa: TRY004 - pydantic reads ValueError as a bad value
    text = cleaned(value)
    if not text:
        raise ValueError("is empty")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"has {len(text):,} characters; at most {MOST_CHARACTERS:,} are taken")
    return text


def name(value: object) -> str:
    """An id, a person or a label; whole numbers are taken as written. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("must be a text or a whole number")  # noqa: TRY004 - as above
    text = " ".join(cleaned(str(value)).split())
    if not text:
        raise ValueError("is empty")
    if len(text) > _MOST_NAME_CHARACTERS:
        raise ValueError(f"has {len(text)} characters; at most {_MOST_NAME_CHARACTERS} are taken")
    return text


def iso_moment(zone: tzinfo, now: datetime) -> Moment:
    """Reads ISO 8601, in `zone` where it names no offset, as in spreadsheets; not later than a day after `now`."""

    def read(text: str) -> datetime:
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            raise ValueError("is not a date and time such as 2026-03-02T08:47:00+09:00") from None
        return believable(moment if moment.tzinfo else moment.replace(tzinfo=zone), now)

    return read


def believable(moment: datetime, now: datetime) -> datetime:
    """The same time. Raises ValueError when it has no offset or lies where no message can have been written."""
    if moment.tzinfo is None:
        raise ValueError("has no UTC offset; write it as in 2026-03-02T08:47:00+09:00")
    if moment < _EARLIEST:
        raise ValueError("lies before 1970")
    if moment > now + timedelta(days=1):
        raise ValueError("lies in the future")
    return moment


def problem(error: ValueError) -> tuple[str | None, str]:
    """The field and the reason of what a row's check raised."""
    if not isinstance(error, ValidationError):
        return None, str(error)
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or None
    if first["type"] in ("enum", "literal_error"):
        return field, f"is none of {first['ctx']['expected']}"
    if first["type"] == "value_error":
        return field, str(first["ctx"]["error"])
    return field, _REASONS.get(first["type"], "is not of the kind that it has to be")


def checked(make: Callable[[], Turn], file: str, message: int, now: datetime) -> Turn | BadRow:
    """The turn that `make` builds from a row, or the bad row when it, its words or its time cannot be taken.
    `message` is its number in the file."""
    try:
        turn = make()
        believable(turn.said_at, now)
        return replace(turn, text=words(turn.text), message=name(turn.message), author=name(turn.author))
    except ValueError as error:
        field, reason = problem(error)
        return BadRow(file=file, message=message, field=field, reason=reason)
