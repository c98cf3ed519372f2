"""A chat completion as it comes over the wire, read without trust: servers leave fields out or send other things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from memory.llm.budget import estimate_tokens
from memory.model import TokenUse

#: Chat templates put a few tokens around each message.
_AROUND_MESSAGE = 4


class _Message(BaseModel):
    content: Any = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: Any = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a model said; `cut` when it reached the limit of its reply."""

    text: str
    cut: bool
    tokens: TokenUse


def read_completion(content: bytes, messages: Sequence[str]) -> Said | None:
    """The first choice; None when this is no chat completion. `messages` are what was sent: a server that counts no
    tokens has them estimated."""
    try:
        completion = _Completion.model_validate_json(content)
    except ValidationError:
        return None
    choice = completion.choices[0]
    text = _text(choice.message.content)
    return Said(text=text, cut=choice.finish_reason == "length", tokens=_tokens(completion.usage, messages, text))


def _text(content: Any) -> str:
    """The words of a message's content: a string, or a list of parts some of which have text."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _tokens(usage: Any, messages: Sequence[str], text: str) -> TokenUse:
    counted = usage if isinstance(usage, dict) else {}
    prompt = _count(counted.get("prompt_tokens"))
    if prompt is None:
        prompt = sum(estimate_tokens(message) + _AROUND_MESSAGE for message in messages)
    written = _count(counted.get("completion_tokens"))
    details = counted.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return TokenUse(
        prompt=prompt,
        cached=min(prompt, cached or 0),
        completion=estimate_tokens(text) if written is None else written,
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
