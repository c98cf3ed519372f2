"""Questions of one's own on the tickets that the memory holds: a CSV file that the desk writes.

Columns: `question`; `ticket` (what has to be found; several are separated by spaces or semicolons) or `answer` (the
right words) or both; `user` and `channel` (who asks where; by default nobody in particular in a direct message).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memory.errors import InputRefused
from memory.evaluation.dataset import Asked, Case, Dataset, Unit
from memory.evaluation.metrics import spaced, token_f1
from memory.model import DIRECT, Question, Viewer

COLUMNS = ("question", "ticket", "answer", "user", "channel")
_SEPARATORS = re.compile(r"[;\s]+")


def score(asked: Asked, answer: str) -> float:
    """Token F1, Japanese counted by character."""
    return token_f1(spaced(answer), spaced(asked.expected or ""))


def read(path: Path, now: datetime) -> Dataset:
    """One case on the memory as it is; every question is asked at `now`. Raises InputRefused with the line."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            asked = tuple(_asked(line, row, path, now) for line, row in _rows(csv.DictReader(file, strict=True), path))
    except OSError as error:
        raise InputRefused(f"{path} cannot be read ({error}); check the path.") from error
    except UnicodeDecodeError as error:
        raise InputRefused(f"{path} is not UTF-8; save it as UTF-8.") from error
    except csv.Error as error:
        raise InputRefused(f"{path} is not a whole CSV file ({error}).") from error
    if not asked:
        raise InputRefused(f"{path} holds no question.")
    return Dataset(name="own", unit=Unit.SESSION, cases=(Case(turns=None, asked=asked),), score=score)


def _rows(reader: csv.DictReader[str], path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    unknown = [name for name in reader.fieldnames or () if name not in COLUMNS]
    if unknown or "question" not in (reader.fieldnames or ()):
        found = ", ".join(reader.fieldnames or ()) or "none"
        raise InputRefused(
            f"{path}: its first line has {found}. It may have {', '.join(COLUMNS)}, and must have `question`."
        )
    for row in reader:
        yield reader.line_num, {name: (value or "").strip() for name, value in row.items() if name in COLUMNS}


def _asked(line: int, row: dict[str, str], path: Path, now: datetime) -> Asked:
    if not row["question"] or not (row.get("ticket") or row.get("answer")):
        raise InputRefused(f"{path}, line {line}: a `question` and a `ticket` or an `answer` are needed.")
    viewer = Viewer(user=row.get("user") or "reader", channel=row.get("channel") or DIRECT)
    return Asked(
        id=f"line {line}",
        group="own",
        question=Question(text=row["question"], viewer=viewer, now=now),
        gold=tuple(part for part in _SEPARATORS.split(row.get("ticket", "")) if part),
        expected=row.get("answer") or None,
    )
