"""LoCoMo conversations: each session is a thread that everyone may read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path

from bot.importers.rows import BadRow, checked
from memory.evaluation.files import source_of
from memory.evaluation.locomo import samples, sessions, turn_of
from memory.model import Turn


def read(path: Path, *, default_zone: tzinfo, now: datetime, source: str | None = None) -> Iterator[Turn | BadRow]:
    """Turns of all conversations; their sessions are dated in `default_zone`. A bad row counts turns of its session."""
    for index, sample in enumerate(samples(path)):
        for session in sessions(sample, index, source or source_of(path), default_zone):
            for place in range(len(session.rows)):
                yield checked(partial(turn_of, session, place), f"{path.name}, {session.ticket}", place + 1, now)
