"""LoCoMo: long conversations of two people over many sessions, with questions in five categories.

Each session is one thread. The field `query` of a turn is never read: it leaks answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from pydantic import BaseModel, ValidationError

from memory.errors import InputRefused
from memory.evaluation.dataset import Asked, Case, Dataset, Unit
from memory.evaluation.files import read_json, source_of
from memory.evaluation.metrics import parts_f1, token_f1
from memory.model import IMPORTED, Conversation, Question, Role, Turn, Viewer, Visibility

MULTI_HOP, OPEN_DOMAIN, ADVERSARIAL = "1", "3", "5"

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_SEPARATORS = re.compile(r"[;,\s]+")
#: Whoever asks: everything in this dataset may be seen by everybody.
_ASKER = Viewer(user="reader")


class Utterance(BaseModel):
    """One turn as the file has it, without `query`."""

    speaker: str
    dia_id: str
    text: str = ""
    blip_caption: str | None = None

    @property
    def words(self) -> str:
        return f"{self.text} [image: {self.blip_caption}]".strip() if self.blip_caption else self.text.strip()


class Asking(BaseModel):
    """One question as the file has it."""

    question: str
    category: int
    answer: str | int | float | None = None
    evidence: list[str] = []


class Sample(BaseModel):
    """One conversation as the file has it: sessions, their dates and the speakers are keys of `conversation`."""

    sample_id: str | None = None
    conversation: dict[str, object]
    qa: list[object] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session of a conversation: its date as written, and its turns as the file has them."""

    ticket: str
    source: str
    stamp: str
    zone: tzinfo
    rows: Sequence[object]

    @property
    def conversation(self) -> Conversation:
        return Conversation(platform=IMPORTED, workspace=self.source, channel="general", thread=self.ticket)

    @property
    def opener(self) -> str:
        first = self.rows[0] if self.rows else None
        return str(first.get("speaker", "")) if isinstance(first, Mapping) else ""


def samples(path: Path) -> list[Sample]:
    """The conversations of a file. Raises InputRefused when it is not LoCoMo."""
    content = read_json(path)
    try:
        return [Sample.model_validate(one) for one in (content if isinstance(content, list) else [content])]
    except ValidationError as error:
        raise InputRefused(
            f"{path} is not a LoCoMo file: a list of objects with `conversation` and `qa` is expected."
        ) from error


def sessions(sample: Sample, index: int, source: str, zone: tzinfo) -> Iterator[Session]:
    """The sessions that have turns, in numerical order. `index` names a conversation without an id."""
    name = sample.sample_id or f"conversation-{index + 1}"
    for number in sorted(int(match[1]) for key in sample.conversation if (match := _SESSION.fullmatch(key))):
        rows = sample.conversation[f"session_{number}"]
        stamp = str(sample.conversation.get(f"session_{number}_date_time", ""))
        if isinstance(rows, list):
            yield Session(ticket=f"{name}-s{number}", source=source, stamp=stamp, zone=zone, rows=rows)


def turn_of(session: Session, place: int) -> Turn:
    """The turn at `place` of a session, one second after the turn before it. Raises ValueError for a bad row."""
    said = Utterance.model_validate(session.rows[place])
    if not said.words:
        raise ValueError("text is empty")
    return Turn(
        conversation=session.conversation,
        ticket=session.ticket,
        message=said.dia_id,
        author=said.speaker,
        role=Role.REQUESTER,
        text=said.words,
        said_at=_session_time(session) + timedelta(seconds=place),
        visibility=Visibility.EVERYONE,
        requester=session.opener or said.speaker,
    )


def _session_time(session: Session) -> datetime:
    try:
        return datetime.strptime(session.stamp, "%I:%M %p on %d %B, %Y").replace(tzinfo=session.zone)
    except ValueError:
        raise ValueError(f"the session's date {session.stamp!r} is not like '1:56 pm on 8 May, 2023'") from None


def evidence_ids(cited: Sequence[str], known: Mapping[str, str]) -> tuple[str, ...]:
    """Refs of the cited turns: ids are split and repaired (`D:11:26`, leading zeros); those of no turn are skipped."""
    ids = [turn_id(part) for entry in cited for part in _SEPARATORS.split(entry)]
    return tuple(dict.fromkeys(known[one] for one in ids if one in known))


def turn_id(text: str) -> str:
    """`D:11:26` and `D11:026` as `D11:26`; anything else as it is."""
    match = _EVIDENCE.fullmatch(text)
    return f"D{int(match[1])}:{int(match[2])}" if match else text


def score(asked: Asked, answer: str) -> float:
    """Token F1 by the rules of the question's category."""
    expected = asked.expected or ""
    if asked.group == MULTI_HOP:
        return parts_f1(answer, expected)
    return token_f1(answer, expected.split(";")[0] if asked.group == OPEN_DOMAIN else expected)


def read(path: Path, audit: Path | None = None) -> Dataset:
    """Every conversation is a memory of its own. `audit` lists questions whose gold is known to be wrong."""
    flawed = _flawed(audit) if audit else frozenset()
    cases = tuple(_case(sample, index, path, flawed) for index, sample in enumerate(samples(path)))
    return Dataset(name="locomo", unit=Unit.TURN, cases=cases, score=score)


def _flawed(path: Path) -> frozenset[str]:
    content = read_json(path)
    if not isinstance(content, list) or not all(isinstance(one, Mapping) and "question_id" in one for one in content):
        raise InputRefused(f"{path} is not an audit: a list of objects with `question_id` is expected.")
    return frozenset(str(one["question_id"]) for one in content)


def _case(sample: Sample, index: int, path: Path, flawed: frozenset[str]) -> Case:
    try:
        turns = tuple(
            turn_of(session, place)
            for session in sessions(sample, index, source_of(path), UTC)
            for place in range(len(session.rows))
        )
        asked = [Asking.model_validate(one) for one in sample.qa]
    except ValueError as error:
        raise InputRefused(f"{path}, conversation {index + 1}: {error}") from error
    if not turns:
        raise InputRefused(f"{path}, conversation {index + 1} has no session with turns.")
    now = max(turn.said_at for turn in turns) + timedelta(days=1)
    known = {turn_id(turn.message): turn.ref for turn in turns}
    names = (f"locomo_{index}_qa{place}" for place in range(len(asked)))
    return Case(
        turns=turns,
        asked=tuple(_asked(one, name, now, known, name in flawed) for one, name in zip(asked, names, strict=True)),
    )


def _asked(one: Asking, name: str, now: datetime, known: Mapping[str, str], flawed: bool) -> Asked:
    return Asked(
        id=name,
        group=str(one.category),
        question=Question(text=one.question, viewer=_ASKER, now=now),
        gold=evidence_ids(one.evidence, known),
        expected=None if one.answer is None else str(one.answer),
        unanswerable=str(one.category) == ADVERSARIAL,
        flawed=flawed,
    )
