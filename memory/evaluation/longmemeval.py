"""LongMemEval: questions that each come with a history of dated sessions between a user and an assistant.

Two forms are read: the published list (`haystack_sessions` in each question), and one object whose `sessions` are kept
once and named by hash in each question's `haystack`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from memory.errors import InputRefused
from memory.evaluation.dataset import Asked, Case, Dataset, Unit
from memory.evaluation.files import read_json, source_of
from memory.evaluation.metrics import token_f1
from memory.model import IMPORTED, Conversation, Question, Role, Turn, Viewer, Visibility

_WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")
_ASKER = Viewer(user="user")
#: Answers to these are descriptions of a good reply, which token F1 cannot judge.
_PREFERENCE = "single-session-preference"


class Said(BaseModel):
    """One turn as the file has it."""

    role: Literal["user", "assistant"]
    content: str


class Entry(BaseModel):
    """One question with its history, in either form of the file."""

    question_id: str
    question_type: str
    question: str
    question_date: str
    answer: str | int | float | None = None
    answer_session_ids: list[str] = []
    haystack_dates: list[str]
    haystack_session_ids: list[str]
    haystack_sessions: list[list[object]] | None = None
    haystack: list[tuple[str, list[int]]] = []

    @property
    def unanswerable(self) -> bool:
        return self.question_id.endswith("_abs")


class Shared(BaseModel):
    """The form in which sessions are kept once."""

    sessions: dict[str, list[object]]
    questions: list[Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session: its id, its date as written, and its turns as the file has them."""

    ticket: str
    source: str
    stamp: str
    zone: tzinfo
    rows: Sequence[object]

    @property
    def conversation(self) -> Conversation:
        return Conversation(platform=IMPORTED, workspace=self.source, channel="general", thread=self.ticket)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One question and the sessions that may answer it, oldest first, each once."""

    entry: Entry
    sessions: tuple[Session, ...]


def histories(path: Path, source: str, zone: tzinfo) -> list[History]:
    """Every question of a file. Raises InputRefused when it is not LongMemEval."""
    content = read_json(path)
    try:
        shared = _shared(content)
        return [History(entry=entry, sessions=_sessions(entry, shared, source, zone)) for entry in shared.questions]
    except (ValidationError, KeyError) as error:
        raise InputRefused(
            f"{path} is not a LongMemEval file: questions with `haystack_dates`, `haystack_session_ids` and "
            "`haystack_sessions` (or `haystack` and shared `sessions`) are expected."
        ) from error


def _shared(content: object) -> Shared:
    if isinstance(content, Mapping):
        return Shared.model_validate(content)
    return Shared(sessions={}, questions=TypeAdapter(list[Entry]).validate_python(content))


def _sessions(entry: Entry, shared: Shared, source: str, zone: tzinfo) -> tuple[Session, ...]:
    """A session that the history holds twice counts where it stands first in time: a repeat is the same words."""
    rows = entry.haystack_sessions
    if rows is None:
        rows = [shared.sessions[name] for name, _ in entry.haystack]
    dated = sorted(zip(entry.haystack_dates, entry.haystack_session_ids, rows, strict=False), key=lambda one: one[0])
    once: dict[str, Session] = {}
    for stamp, name, said in dated:
        once.setdefault(name, Session(ticket=name, source=source, stamp=stamp, zone=zone, rows=said))
    return tuple(once.values())


def turn_of(session: Session, place: int) -> Turn:
    """The turn at `place` of a session, one second after the turn before it. Raises ValueError for a bad row.

    The assistant has the part of the agent: what it advised is part of the memory.
    """
    said = Said.model_validate(session.rows[place])
    if not said.content.strip():
        raise ValueError("text is empty")
    return Turn(
        conversation=session.conversation,
        ticket=session.ticket,
        message=str(place + 1),
        author=said.role,
        role=Role.REQUESTER if said.role == "user" else Role.AGENT,
        text=said.content.strip(),
        said_at=moment(session.stamp, session.zone) + timedelta(seconds=place),
        visibility=Visibility.EVERYONE,
        requester="user",
    )


def moment(stamp: str, zone: tzinfo) -> datetime:
    """`2023/01/24 (Tue) 00:27` as a time. Raises ValueError."""
    try:
        return datetime.strptime(_WEEKDAY.sub(" ", stamp), "%Y/%m/%d %H:%M").replace(tzinfo=zone)
    except ValueError:
        raise ValueError(f"the date {stamp!r} is not like '2023/01/24 (Tue) 00:27'") from None


def score(asked: Asked, answer: str) -> float:
    """Token F1 of the answer."""
    return token_f1(answer, asked.expected or "")


def read(path: Path) -> Dataset:
    """Every question has a memory of its own."""
    cases = tuple(_case(history, path) for history in histories(path, source_of(path), UTC))
    return Dataset(name="longmemeval", unit=Unit.SESSION, cases=cases, score=score)


def _case(history: History, path: Path) -> Case:
    try:
        turns = tuple(turn_of(session, place) for session in history.sessions for place in range(len(session.rows)))
        asked_at = moment(history.entry.question_date, UTC)
    except ValueError as error:
        raise InputRefused(f"{path}, question {history.entry.question_id}: {error}") from error
    # Some sessions of the question's own day are dated later than the question, among them answers.
    now = max([asked_at, *(turn.said_at for turn in turns)])
    return Case(turns=turns, asked=(_asked(history.entry, now),))


def _asked(entry: Entry, now: datetime) -> Asked:
    scored = entry.answer is not None and not entry.unanswerable and entry.question_type != _PREFERENCE
    return Asked(
        id=entry.question_id,
        group=entry.question_type,
        question=Question(text=entry.question, viewer=_ASKER, now=now),
        gold=() if entry.unanswerable else tuple(entry.answer_session_ids),
        expected=str(entry.answer) if scored else None,
        unanswerable=entry.unanswerable,
    )
