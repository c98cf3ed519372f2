"""The shapes of model replies. They take what small models send (numbers as words, one item instead of a list) and
leave out what cannot be used, so that one bad item does not cost the whole reply. Whatever keeps to a shape's JSON
schema can be read into it: a reply that cannot shows that the schema was not enforced."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

#: What a fact must say, and how long a part of it may be, in characters.
_SAID = ("subject", "predicate", "value", "text")
_LONGEST_FACT = 300

#: What a quote's confidence is when the model gave none: it stands or it does not, which is checked elsewhere.
UNSTATED = 0.5

#: Stands for a value of a type in an outline; a reply that has one is only the outline again.
PLACEHOLDER = "<{}>"

MOST_QUOTES = 8
MOST_KEYWORDS = 8
MOST_TAGS = 5
MOST_ENTITIES = 15
MOST_FACTS = 12
MOST_REASONS = 8

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[\ud800-\udfff]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DIGITS = re.compile(r"\d{1,6}")


def _number(value: object) -> float | None:
    """The finite number in a value: 3, 3.0, "3", "[3]"; None where there is none."""
    if isinstance(value, str):
        found = _NUMBER.search(value)
        value = float(found.group()) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _turn_number(value: object) -> int:
    number = _number(value)
    return int(number) if number is not None and abs(number) < 1_000_000 else 0


def _confidence(value: object) -> float:
    number = _number(value)
    return UNSTATED if number is None else min(1.0, max(0.0, number))


def says_something(text: str) -> bool:
    """Whether there is a letter or a digit; "..." is a form that was not filled in."""
    return any(character.isalnum() for character in text)


def _clean(value: object) -> object:
    """Text that a database and a log can hold: no control characters, no halves of characters."""
    return _CONTROL.sub("", value).strip() if isinstance(value, str) else value


def _listed(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _words(most: int, longest: int = 80) -> Callable[[object], object]:
    """Reads a list of words: only text, each once, none longer than `longest` characters, at most `most`."""

    def read(value: object) -> object:
        parts = _listed(value.split(",") if isinstance(value, str) else value)
        texts = [str(_clean(part)) for part in parts if isinstance(part, str)]
        unusable = parts and not texts
        said = [text for text in dict.fromkeys(texts) if len(text) <= longest and says_something(text)]
        return value if unusable else said[:most]

    return read


def _quotes(value: object) -> object:
    """Reads a list of quotes: also one quote alone, or plain strings; items without words are left out."""
    items = [{"quote": item} if isinstance(item, str) else item for item in _listed(value)]
    usable = [item for item in items if isinstance(item, dict) and isinstance(item.get("quote"), str)]
    return value if items and not usable else usable[:MOST_QUOTES]


def _facts(value: object) -> list[dict[str, Any]]:
    """Reads a list of facts: those that say something in every part. The rest is left out, and if that is all of them
    there are none: a note is worth having without its facts."""
    items = [_fact(item) for item in _listed(value) if isinstance(item, dict)]
    return [item for item in items if all(says_something(item[name]) for name in _SAID)][:MOST_FACTS]


def _fact(item: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: _short(item.get(name)) for name in (*_SAID, "when")}
    return {**said, "turns": item.get("turns", item.get("turn"))}


def _short(value: object) -> str:
    """Text, or a number as text; what is longer than a fact is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(_clean(str(value)))
    return text if len(text) <= _LONGEST_FACT else ""


def _cited(value: object) -> object:
    """Reads evidence numbers: also "[2]", "1, 3" and one number alone."""
    numbers = (int(digits) for part in _listed(value) for digits in _DIGITS.findall(str(part)))
    return [number for number in dict.fromkeys(numbers) if number > 0]


def _reasons(value: object) -> object:
    """Reads a list of reasons: also plain strings, which count in their order; items without words are left out."""
    items = [
        {"pair": place, "reason": item} if isinstance(item, str) else item
        for place, item in enumerate(_listed(value), start=1)
    ]
    usable = [item for item in items if isinstance(item, dict) and isinstance(item.get("reason"), str)]
    return value if items and not usable else usable[:MOST_REASONS]


Text = Annotated[str, BeforeValidator(_clean)]
Confidence = Annotated[float, BeforeValidator(_confidence), WithJsonSchema({"type": "number"})]


def _listing(items: Mapping[str, Any], most: int) -> WithJsonSchema:
    return WithJsonSchema({"type": "array", "items": dict(items), "maxItems": most})


class Shape(BaseModel):
    """A reply; unknown fields are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class QuoteReply(Shape):
    """One quote: the words, the number of the turn they stand in (0: not given), how sure the model is."""

    quote: Text
    turn: Annotated[int, BeforeValidator(_turn_number)] = 0
    confidence: Confidence = UNSTATED


class AssistantReply(Shape):
    """What one assistant found in its episode; empty when nothing there helps."""

    evidence: Annotated[list[QuoteReply], BeforeValidator(_quotes), Field(json_schema_extra={"maxItems": MOST_QUOTES})]


class MasterReply(Shape):
    """The master's answer, the numbers of the evidence it stands on, and whether any supports it."""

    answer: Text
    cited: Annotated[list[int], BeforeValidator(_cited)] = Field(default_factory=list)
    supported: bool = True


class FactReply(Shape):
    """One fact: of `subject`, `predicate` is `value`; `text` says it whole. `turns` are numbers of turns, from 1, and
    `when` the words there for the time."""

    subject: Text
    predicate: Text
    value: Text
    text: Text
    turns: Annotated[list[int], BeforeValidator(_cited), _listing({"type": "integer"}, 4)] = Field(default_factory=list)
    when: Text = ""


class EnrichmentReply(Shape):
    """What an episode is about, in its own language."""

    summary: Text
    keywords: Annotated[list[str], BeforeValidator(_words(MOST_KEYWORDS)), _listing({"type": "string"}, MOST_KEYWORDS)]
    tags: Annotated[list[str], BeforeValidator(_words(MOST_TAGS)), _listing({"type": "string"}, MOST_TAGS)] = Field(
        default_factory=list
    )
    context: Text = ""
    entities: Annotated[
        list[str], BeforeValidator(_words(MOST_ENTITIES)), _listing({"type": "string"}, MOST_ENTITIES)
    ] = Field(default_factory=list)
    # Last, so that a reply that is cut off has its note.
    facts: Annotated[list[FactReply], BeforeValidator(_facts), Field(json_schema_extra={"maxItems": MOST_FACTS})] = (
        Field(default_factory=list)
    )


class ReasonReply(Shape):
    """Why the notes of one numbered pair belong together (0: no number given)."""

    pair: Annotated[int, BeforeValidator(_turn_number)] = 0
    reason: Text


class ReasonsReply(Shape):
    """What a model says of a batch of pairs."""

    links: Annotated[list[ReasonReply], BeforeValidator(_reasons), Field(json_schema_extra={"maxItems": MOST_REASONS})]


def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema that servers enforce: every field named, no others, without titles and defaults."""
    schema = shape.model_json_schema()
    definitions = schema.pop("$defs", {})
    return dict(_strict(schema, definitions))


def _strict(part: Any, definitions: Mapping[str, Any]) -> Any:
    """`part` with its references written out, which every server understands."""
    if isinstance(part, list):
        return [_strict(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _strict(definitions[part["$ref"].rsplit("/", 1)[-1]], definitions)
    dropped = ("title", "default", "description")
    strict = {name: _strict(value, definitions) for name, value in part.items() if name not in dropped}
    if "properties" in part:
        strict["properties"] = {name: _strict(value, definitions) for name, value in part["properties"].items()}
        strict |= {"required": list(part["properties"]), "additionalProperties": False}
    return strict


def outline_of(shape: type[BaseModel]) -> str:
    """The shape as an example with types for values: small models take a schema for the answer, but not this."""
    return json.dumps(_outline(schema_of(shape)), ensure_ascii=False)


def _outline(schema: Mapping[str, Any]) -> Any:
    if "properties" in schema:
        return {name: _outline(value) for name, value in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_outline(schema["items"])]
    return PLACEHOLDER.format(schema["type"])
