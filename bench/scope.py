"""What the checks of who may read what add to a question that no model answers: `python -m bench.scope [--json]`.

The shipped history is remembered with everything in it for everyone, so that an employee, whose every read is checked,
and a support agent, from whom nothing is kept, find the same. Each question is asked once to embed it and then of both
in turn, three times over; `share` is the median of what the employee waits longer, of what a question takes that is
asked for the first time.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bench.question import questions
from bot.application import Application
from bot.demo import shipped_history
from bot.importers import demo_history
from bot.importers.rows import Row
from bot.use_cases_import import take_in
from bot.wiring import build, system_clock
from config.loader import load_settings
from memory.model import DIRECT, Question, Turn, Viewer, Visibility

#: Redaction and these checks together are to add less than this to a question.
SHARE = 0.05
_WARM_UP = 4
_QUESTIONS = 44
_TIMES = 3
#: Neither has asked anything before.
_EMPLOYEE = Viewer(user="newcomer", channel=DIRECT)
_AGENT = Viewer(user="newcomer", channel=DIRECT, agent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question in seconds: for the first time, and what checks add to it."""

    first: float
    added: float


async def measured(folder: Path) -> list[Asked]:
    async with build(load_settings(None, {}), folder, system_clock) as app:
        history = demo_history.read(Path(str(shipped_history())), now=app.clock())
        await take_in(app, map(_open, history), lambda _: None)
        asked = [await _asked(app, question) for question in questions(app.clock(), _QUESTIONS)]
        return asked[_WARM_UP:]


def _open(row: Row) -> Row:
    return replace(row, visibility=Visibility.EVERYONE) if isinstance(row, Turn) else row


async def _asked(app: Application, question: Question) -> Asked:
    first = await _seconds(app, replace(question, viewer=_EMPLOYEE))
    differences = []
    for number in range(_TIMES):
        pair = (_EMPLOYEE, _AGENT) if number % 2 else (_AGENT, _EMPLOYEE)
        took = {viewer: await _seconds(app, replace(question, viewer=viewer)) for viewer in pair}
        differences.append(took[_EMPLOYEE] - took[_AGENT])
    return Asked(first=first, added=median(differences))


async def _seconds(app: Application, question: Question) -> float:
    start = time.perf_counter()
    await app.recall.answer(question)
    return time.perf_counter() - start


def figures(asked: list[Asked]) -> Mapping[str, float]:
    first, added = median(one.first for one in asked), median(one.added for one in asked)
    return {
        "share": round(added / first, 4),
        "checks_ms": round(added * 1000, 3),
        "question_ms": round(first * 1000, 2),
    }


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="helpdesk-bench-") as folder:
        found = figures(asyncio.run(measured(Path(folder))))
    if "--json" in sys.argv:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    for name, value in found.items():
        sys.stdout.write(f"{name:14}{value:10.4f}\n")
    sys.stdout.write(f"{'kept' if found['share'] <= SHARE else 'MISSED'}: at most {SHARE:g}\n")


if __name__ == "__main__":
    main()
