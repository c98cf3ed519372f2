"""Redaction of what flows through the memory: records without the secrets that are in their words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NewType, TypeVar

from config.redaction import RedactionSettings
from memory.answers import Answer, Evidence
from memory.facts import Fact
from memory.model import Turn
from memory.text.redact import Finder, Redactor
from memory.text.secrets.found import Found, Kind

#: A turn as stores take it: nothing else becomes a row.
RedactedTurn = NewType("RedactedTurn", Turn)

_Result = TypeVar("_Result")

#: So many characters are redacted at once; more take milliseconds, and go to a thread.
_AT_ONCE = 4_000


def redactor_of(settings: RedactionSettings, key: bytes) -> Redactor:
    """What takes out the kinds that are switched on and the administrator's own patterns."""
    kinds = [kind for kind in Kind if getattr(settings, kind.value.replace("-", "_"))]
    return Redactor(key, kinds=kinds, more={name: _finder(name, one) for name, one in settings.patterns.items()})


def _finder(name: str, pattern: str) -> Finder:
    import re2

    compiled = re2.compile(pattern)

    def find(text: str) -> Iterator[Found]:
        return (Found(kind=name, start=match.start(), end=match.end()) for match in compiled.finditer(text))

    return find


async def redacted_text(text: str, redactor: Redactor) -> str:
    return await _done(lambda: redactor.redact(text).text, len(text))


async def redacted_texts(texts: Sequence[str], redactor: Redactor) -> list[str]:
    return await _done(lambda: [redactor.redact(text).text for text in texts], sum(map(len, texts)))


async def redacted_turns(turns: Sequence[Turn], redactor: Redactor) -> list[RedactedTurn]:
    """The same turns without secrets in what people wrote: the words, the title, the status."""
    characters = sum(len(turn.text) + len(turn.title or "") for turn in turns)
    return await _done(lambda: [_redacted_turn(turn, redactor) for turn in turns], characters)


async def redacted_answer(answer: Answer, redactor: Redactor) -> Answer:
    """The answer without secrets, whether a model wrote them or they were remembered before anything was redacted."""
    return await _done(lambda: _redacted_answer(answer, redactor), len(answer.body or "") + _quoted(answer))


async def _done(work: Callable[[], _Result], characters: int) -> _Result:
    return work() if characters <= _AT_ONCE else await asyncio.to_thread(work)


def _redacted_turn(turn: Turn, redactor: Redactor) -> RedactedTurn:
    words = (turn.text, turn.title or "", turn.status or "")
    kept = tuple(redactor.redact(one).text for one in words)
    if kept == words:
        return RedactedTurn(turn)
    return RedactedTurn(replace(turn, text=kept[0], title=kept[1] or turn.title, status=kept[2] or turn.status))


def _quoted(answer: Answer) -> int:
    return sum(len(one.quote) for one in (*answer.evidence, *answer.cited))


def _redacted_answer(answer: Answer, redactor: Redactor) -> Answer:
    def evidence(one: Evidence) -> Evidence:
        quote = redactor.redact(one.quote).text
        return one if quote == one.quote else replace(one, quote=quote)

    def fact(one: Fact) -> Fact:
        value, text = redactor.redact(one.value).text, redactor.redact(one.text).text
        return one if (value, text) == (one.value, one.text) else replace(one, value=value, text=text)

    return replace(
        answer,
        body=answer.body and redactor.redact(answer.body).text,
        cited=tuple(map(evidence, answer.cited)),
        evidence=tuple(map(evidence, answer.evidence)),
        facts=tuple(map(fact, answer.facts)),
    )
