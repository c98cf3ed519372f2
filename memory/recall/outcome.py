"""What came of a question: the answer as a record, and what is told of it beside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from config.recall import RecallMode
from memory.answers import Answer, AnswerKind, Degraded, Evidence
from memory.audit_log import AuditEntry, AuditKind
from memory.facts import Fact
from memory.model import Question
from memory.recall.ranking import Ranking
from memory.recall.stopwatch import Stopwatch
from memory.recall.voices import Consultation, Verdict

#: How many of the best turns an answer reports.
_RANKED = 20


def gained(answer: Answer, own: Sequence[Evidence]) -> int | None:
    """How many of the pieces that the answer cites were found by assistants only; None where none has read anything.
    `own` is what was found without them."""
    if not answer.assistant_tokens.prompt:
        return None
    known = {turn for one in own for turn in one.turn_ids}
    return sum(known.isdisjoint(one.turn_ids) for one in answer.cited)


def missing_keys(rebuilt: float | None) -> tuple[Degraded, ...]:
    """`rebuilt` is the share of the index that is there while it is written anew."""
    return () if rebuilt is None else (Degraded.REBUILDING,)


def missing_voices(consultation: Consultation) -> tuple[Degraded, ...]:
    return (Degraded.ASSISTANTS,) if consultation.silent else ()


def answer_of(
    question: Question,
    ranking: Ranking,
    evidence: tuple[Evidence, ...],
    facts: tuple[Fact, ...],
    consultation: Consultation,
    verdict: Verdict,
    mode: RecallMode,
    degraded: tuple[Degraded, ...],
    timed: Stopwatch,
) -> Answer:
    """The answer, put together of what the steps before it gave."""
    written = AnswerKind.WRITTEN if verdict.body else AnswerKind.QUOTES
    return Answer(
        kind=AnswerKind.ABSTAINED if verdict.abstained else written,
        language=question.spoken,
        body=verdict.body,
        cited=tuple(evidence[place] for place in verdict.cited),
        evidence=evidence,
        facts=facts,
        routed=ranking.episodes,
        ranked=ranking.turns[:_RANKED],
        mode=mode.value,
        assistant_tokens=consultation.tokens,
        master_tokens=verdict.tokens,
        degraded=tuple(dict.fromkeys(degraded)),
        stages=timed.milliseconds(),
    )


def basis_of(question: Question, answer: Answer, at: datetime) -> AuditEntry:
    """Which turns the answer stands on, for the audit log."""
    return AuditEntry(
        kind=AuditKind.ANSWERED,
        at=at,
        person=question.viewer.user or None,
        about=(question.turn,) if question.turn else (),
        sources=sources_of(answer),
    )


def sources_of(answer: Answer) -> tuple[str, ...]:
    """The ids of the turns that it cites, each once."""
    return tuple(dict.fromkeys(turn for one in answer.cited for turn in one.turn_ids))
