"""What one model of one endpoint is known to understand: how a structured reply can be asked for, and which names
parameters have there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from config.schema import ModelSettings
from memory.llm.parsing import Form
from memory.llm.shapes import schema_of


class Rung(StrEnum):
    """The ways to ask for a structured reply, surest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


_BELOW = {Rung.SCHEMA: Rung.OBJECT, Rung.OBJECT: Rung.TEXT, Rung.TEXT: Rung.TEXT}
_KEPT = {
    Rung.SCHEMA: {Form.EXACT, Form.EMPTY},
    Rung.OBJECT: {Form.EXACT, Form.JSON, Form.EMPTY},
    Rung.TEXT: set(Form),
}
#: Words of servers that do not know a response format, or cannot make a grammar of it.
_FORMAT_WORDS = ("response_format", "response format", "json_schema", "json_object", "schema", "grammar", "structured")


@dataclass(slots=True)
class Dialect:
    """Starts with the best and is corrected by what the server answers. `without` are parameters that it refuses."""

    rung: Rung = Rung.SCHEMA
    length: str = "max_tokens"
    without: frozenset[str] = frozenset()

    def leave(self, rung: Rung) -> None:
        """Go below `rung`, unless another call was there before."""
        if self.rung is rung:
            self.rung = _BELOW[rung]


def kept_to(rung: Rung, form: Form) -> bool:
    """Whether a reply of this form can come from a server that does what the rung asks. An empty one shows nothing."""
    return form in _KEPT[rung]


def learn(dialect: Dialect, rung: Rung, refusal: str) -> bool:
    """Correct the dialect by a server's words about a refused parameter; False when there is nothing else to try."""
    words = refusal.lower()
    if "max_completion_tokens" in words and "support" in words and dialect.length == "max_tokens":
        dialect.length = "max_completion_tokens"
        return True
    if "temperature" in words and "support" in words and "temperature" not in dialect.without:
        dialect.without |= {"temperature"}
        return True
    if rung is not Rung.TEXT and any(word in words for word in _FORMAT_WORDS):
        dialect.leave(rung)
        return True
    return False


def request_options(settings: ModelSettings, dialect: Dialect, rung: Rung, shape: type[BaseModel]) -> dict[str, Any]:
    """The parameters of a request beside its messages."""
    options: dict[str, Any] = {dialect.length: settings.max_reply_tokens, "temperature": settings.temperature}
    if rung is Rung.SCHEMA:
        form = {"name": shape.__name__, "strict": True, "schema": schema_of(shape)}
        options["response_format"] = {"type": rung.value, rung.value: form}
    elif rung is Rung.OBJECT:
        options["response_format"] = {"type": rung.value}
    return {name: value for name, value in options.items() if name not in dialect.without}
