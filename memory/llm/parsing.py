"""Reading a model's reply into a shape: strictly where it is strict JSON, else as tolerantly as its meaning allows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic

from pydantic import BaseModel, ValidationError

from memory.chat_model import Shape
from memory.llm.loose_json import read_loosely
from memory.llm.shapes import PLACEHOLDER

#: Longer replies are no answers; reading them would only cost time.
LONGEST_REPLY = 50_000

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[A-Za-z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_MOST_CANDIDATES = 6
_MOST_WRAPPINGS = 3


class Form(StrEnum):
    """What a reply looked like, whatever it meant: tells whether the server kept to what it was asked for."""

    EXACT = "exact"
    JSON = "json"
    LOOSE = "loose"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[Shape]):
    """A reply as read: `value` is None when it could not be, and `problem` then says why, in words for the model."""

    form: Form
    value: Shape | None = None
    problem: str = ""


def read_reply(text: str, shape: type[Shape]) -> Reading[Shape]:
    """`text` as an instance of `shape`.

    Tolerates fences, text around the JSON, thoughts, wrappers such as {"result": {...}}, a bare list for a shape of one
    list, single quotes, trailing commas, and an end that was cut off: what is complete counts.
    """
    said = _THOUGHTS.sub("", text[:LONGEST_REPLY]).strip().lstrip("\ufeff")
    if not said:
        return Reading(form=Form.EMPTY, problem="the reply was empty")
    strict = _load(said)
    form = Form.JSON if isinstance(strict, dict) else Form.LOOSE
    problem = "the reply was not JSON"
    candidates = [strict] if strict is not None else _candidates(said)
    for candidate in candidates:
        value, problem = _fitted(candidate, shape)
        if value is not None:
            return Reading(form=Form.EXACT if _is_whole(strict, shape) else form, value=value)
    return Reading(form=form, problem=problem)


def _is_whole(loaded: Any, shape: type[BaseModel]) -> bool:
    return isinstance(loaded, dict) and _validated(loaded, shape)[0] is not None


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _candidates(text: str) -> Iterator[Any]:
    """Values that might be the reply, likeliest first: what is fenced, then what begins with a bracket."""
    pieces = [*_FENCED.findall(text), *(text[place:] for place in _openings(text))]
    for piece in pieces[:_MOST_CANDIDATES]:
        loaded = _load(piece)
        value = read_loosely(piece) if loaded is None else loaded
        if value is not None:
            yield value


def _openings(text: str) -> list[int]:
    """Where JSON may begin: the first bracket of any kind, then the next braces."""
    first = re.search(r"[\[{]", text)
    braces = [match.start() for match in re.finditer(r"\{", text)]
    places = [first.start(), *braces] if first else []
    return sorted(dict.fromkeys(places[: _MOST_CANDIDATES + 1]))


def _fitted(candidate: Any, shape: type[Shape]) -> tuple[Shape | None, str]:
    """The candidate, or what it wraps, as the shape; else the problem of the outermost."""
    first_problem = ""
    for value in _unwrapped(candidate, shape):
        fitted, problem = _validated(value, shape)
        if fitted is not None:
            return fitted, ""
        first_problem = first_problem or problem
    return None, first_problem or "the reply was not a JSON object"


def _unwrapped(candidate: Any, shape: type[BaseModel]) -> Iterator[dict[str, Any]]:
    """The candidate and what is inside of it, outermost first."""
    layer = [candidate]
    for _ in range(_MOST_WRAPPINGS):
        yield from (value for value in layer if isinstance(value, dict))
        layer = [inner for value in layer for inner in _inside(value)]
    only = list(shape.model_fields)
    if len(only) == 1 and candidate is not None:
        yield {only[0]: candidate}


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, list) and len(value) == 1:
        inner = value
    else:
        return []
    return [_load(part) if isinstance(part, str) and part.lstrip().startswith("{") else part for part in inner]


def _validated(value: dict[str, Any], shape: type[Shape]) -> tuple[Shape | None, str]:
    if _is_echo(value):
        return None, "the reply repeated the form instead of filling it in"
    try:
        return shape.model_validate(value), ""
    except ValidationError as error:
        fields = sorted({".".join(str(step) for step in problem["loc"]) for problem in error.errors()})
        return None, f"these fields were missing or wrong: {', '.join(fields)}"


def _is_echo(value: Any) -> bool:
    """Whether this is a JSON schema, or an outline whose values are still placeholders."""
    if isinstance(value, dict):
        schema = isinstance(value.get("properties"), dict) and value.get("type") == "object"
        return schema or "$schema" in value or any(_is_echo(part) for part in value.values())
    if isinstance(value, list):
        return any(_is_echo(part) for part in value)
    return value in {PLACEHOLDER.format(kind) for kind in ("string", "integer", "number", "boolean")}
