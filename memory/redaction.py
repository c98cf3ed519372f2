"""Redaction of what flows through the memory: records without the secrets that are in their words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NewType, TypeVar

from config.redaction import RedactionSettings
from memory.answers import Answer, Evidence
from memory.errors import RedactionUnavailable
from memory.facts import Fact
from memory.model import Turn
from memory.text.redact import Finder, Redactor
from memory.text.secrets.found import Found, Kind

#: A turn as stores take it: nothing else becomes a row.
RedactedTurn = NewType("RedactedTurn", Turn)

_Result = TypeVar("_Result")

#: So many characters are redacted at once; more take milliseconds, and go to a thread.
_AT_ONCE = 4_000
#: Slow finders are given up after this.
_LONGEST_SECONDS = 60.0


def redactor_of(settings: RedactionSettings, key: bytes, slow: Mapping[str, Finder] | None = None) -> Redactor:
    """What takes out the kinds that are switched on, the administrator's own patterns, and what `slow` finds."""
    kinds = [kind for kind in Kind if getattr(settings, kind.value.replace("-", "_"))]
    more = {name: _finder(name, one) for name, one in settings.patterns.items()}
    return Redactor(key, kinds=kinds, more=more, slow=slow)


def _finder(name: str, pattern: str) -> Finder:
    import re2

    compiled = re2.compile(pattern)

    def find(text: str) -> Iterator[Found]:
        return (Found(kind=name, start=match.start(), end=match.end()) for match in compiled.finditer(text))

    return find


async def redacted_text(text: str, redactor: Redactor) -> str:
    return await _done(redactor, lambda: redactor.redact(text).text, len(text))


async def redacted_texts(texts: Sequence[str], redactor: Redactor) -> list[str]:
    return await _done(redactor, lambda: [redactor.redact(text).text for text in texts], sum(map(len, texts)))


async def redacted_turns(turns: Sequence[Turn], redactor: Redactor) -> list[RedactedTurn]:
    """The same turns without secrets in what people wrote: the words, the title, the status."""
    characters = sum(len(turn.text) + len(turn.title or "") for turn in turns)
    return await _done(redactor, lambda: [_redacted_turn(turn, redactor) for turn in turns], characters)


async def redacted_answer(answer: Answer, redactor: Redactor) -> Answer:
    """The answer without secrets, whether a model wrote them or they were remembered before anything was redacted."""
    characters = len(answer.body or "") + _quoted(answer)
    return await _done(redactor, lambda: _redacted_answer(answer, redactor), characters)


async def _done(redactor: Redactor, work: Callable[[], _Result], characters: int) -> _Result:
    """Raises RedactionUnavailable where slow finders take too long: their thread ends in its own time."""
    if characters <= _AT_ONCE and not redactor.slow:
        return work()
    try:
        async with asyncio.timeout(_LONGEST_SECONDS if redactor.slow else None):
            return await asyncio.to_thread(work)
    except TimeoutError as error:
        raise RedactionUnavailable from error


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
