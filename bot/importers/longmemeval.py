"""LongMemEval histories: each session is a thread that everyone may read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path

from bot.importers.rows import BadRow, checked
from memory.errors import InputRefused
from memory.evaluation.files import source_of
from memory.evaluation.longmemeval import Session, histories, turn_of
from memory.model import Turn


def read(
    path: Path, *, default_zone: tzinfo, now: datetime, source: str | None = None, question: str | None = None
) -> Iterator[Turn | BadRow]:
    """Turns of the history of one question, or of all; a session that several questions share is taken once.

    Sessions are dated in `default_zone`. A bad row counts turns of its session.
    """
    for session in _sessions(path, source or source_of(path), default_zone, question):
        for place in range(len(session.rows)):
            yield checked(partial(turn_of, session, place), f"{path.name}, {session.ticket}", place + 1, now)


def _sessions(path: Path, source: str, zone: tzinfo, question: str | None) -> Iterator[Session]:
    found = [one for one in histories(path, source, zone) if question in (None, one.entry.question_id)]
    if question is not None and not found:
        raise InputRefused(f"{path} has no question {question}.")
    once: dict[str, Session] = {}
    for history in found:
        for session in history.sessions:
            once.setdefault(session.ticket, session)
    yield from once.values()
