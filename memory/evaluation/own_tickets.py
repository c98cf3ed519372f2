"""Questions of one's own on the tickets that the memory holds: a CSV file that the desk writes.

Columns: `question`; `ticket` (what has to be found; several are separated by commas, semicolons or spaces) or `answer`
(the right words) or both; `user` and `channel` (who asks where; by default nobody in particular in a direct message).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from memory.errors import InputRefused
from memory.evaluation.dataset import Asked, Case, Dataset, Unit
from memory.evaluation.metrics import spaced, token_f1
from memory.model import DIRECT, Question, Viewer
from memory.ports import Reading

COLUMNS = ("question", "ticket", "answer", "user", "channel")
_SEPARATORS = re.compile(r"[,;、，；\s]+")
#: Whether a ticket is there does not depend on who asks.
_KEEPER = Viewer(user="", agent=True)
#: Lines that one message names.
_MOST_LINES = 10


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


async def by_known_names(dataset: Dataset, reading: Reading, path: Path) -> Dataset:
    """The questions of this file, with each ticket by the name that the memory has for it. Raises InputRefused with the
    lines that name what is not there: it would count as not found. Raises StoreUnavailable."""
    called: dict[str, Sequence[str]] = {}
    asked = [one for case in dataset.cases for one in case.asked]
    for one in asked:
        for name in (name for name in one.gold if name not in called):
            turns = await reading.named(name, _KEEPER, one.question.until)
            called[name] = tuple(dict.fromkeys(turn.ticket or turn.conversation.thread for turn in turns))
    unknown = [f"{one.id}: there is no ticket {name}" for one in asked for name in one.gold if not called[name]]
    if unknown:
        more = f"; and {len(unknown) - _MOST_LINES} more" if len(unknown) > _MOST_LINES else ""
        raise InputRefused(f"{path}, {'; '.join(unknown[:_MOST_LINES])}{more}.")
    return replace(dataset, cases=(Case(turns=None, asked=tuple(_renamed(one, called) for one in asked)),))


def _renamed(asked: Asked, called: Mapping[str, Sequence[str]]) -> Asked:
    return replace(asked, gold=tuple(dict.fromkeys(known for name in asked.gold for known in called[name])))


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
