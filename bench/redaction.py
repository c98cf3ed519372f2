"""What redaction adds to a question that no model answers: `python -m bench.redaction [--json]`.

The shipped history is remembered, and the questions that come with it are asked as `helpdesk ask` asks them. What
redaction did is timed apart, so that other work on the machine weighs on both alike; `share` is the median of its share
of each question, `redaction_ms` and `question_ms` are medians of milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.question import questions
from bot.application import Application
from bot.demo import shipped_history
from bot.importers import demo_history
from bot.use_cases_import import take_in
from bot.wiring import build, system_clock
from config.loader import load_settings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.spoken import Spoken
from memory.text.redact import Redacted, Redactor

#: Redaction is to add less than this to a question.
SHARE = 0.05
_WARM_UP = 4
_QUESTIONS = 44


class Timed(Redactor):
    """A redactor that adds up what its work takes."""

    seconds = 0.0

    def redact(self, text: str) -> Redacted:
        start = time.perf_counter()
        redacted = super().redact(text)
        self.seconds += time.perf_counter() - start
        return redacted


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, in seconds: as a whole, and what redaction took of it."""

    whole: float
    redaction: float

    @property
    def added(self) -> float:
        """As a share of what the question takes without."""
        return self.redaction / (self.whole - self.redaction)


async def measured(folder: Path) -> list[Asked]:
    async with build(load_settings(None, {}), folder, system_clock) as app:
        history = demo_history.read(Path(str(shipped_history())), now=app.clock())
        await take_in(app, history, lambda _: None)
        redactor = Timed(b"a key of measurements")
        desk = _desk(app, redactor)
        asked = []
        for question in questions(app.clock(), _QUESTIONS):
            redactor.seconds, start = 0.0, time.perf_counter()
            await desk.ask(question.text, user=question.viewer.user, channel=question.viewer.channel, now=question.now)
            asked.append(Asked(whole=time.perf_counter() - start, redaction=redactor.seconds))
        return asked[_WARM_UP:]


def _desk(app: Application, redactor: Redactor) -> Desk:
    return Desk(
        recall=app.recall,
        recorder=app.store.writing,
        mailbox=app.store.mailbox,
        reading=app.store.reading,
        claims=Claims(app.store.leases, app.clock),
        access=app.settings.access,
        bot=app.settings.bot,
        knowledge=app.settings.knowledge,
        clock=app.clock,
        answered=lambda _: None,
        redactor=redactor,
        spoken=Spoken(reading=app.store.reading, personal=app.store.personal, default=app.settings.bot.language.value),
    )


def figures(asked: Sequence[Asked]) -> Mapping[str, float]:
    return {
        "share": round(median(one.added for one in asked), 4),
        "redaction_ms": round(median(one.redaction for one in asked) * 1000, 3),
        "question_ms": round(median(one.whole for one in asked) * 1000, 2),
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
