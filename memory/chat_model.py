"""The port of language models: a role's prompt in, a reply in the wanted shape out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

Shape = TypeVar("Shape", bound=BaseModel)


class ModelRole(StrEnum):
    """What a model is used for; each role has its own endpoint, limits and price."""

    ASSISTANT = "assistant"
    MASTER = "master"
    ENRICHER = "enricher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is said to a model, in the order in which a prefix cache is worth most: what never changes, what is read,
    what is asked. `material` is untrusted text and is fenced by whoever builds the prompt."""

    instructions: str
    material: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[Shape]):
    """A reply read into its shape."""

    value: Shape


class ChatModel(Protocol):
    """One role's model. Raises ModelUnavailable and its kin; ModelReplyUnusable when no reply could be read. What each
    call takes, also for a reply that is no good, is told to `memory.llm.meter` when it is known."""

    async def ask(self, prompt: Prompt, shape: type[Shape]) -> Reply[Shape]:
        """A reply as an instance of the pydantic model `shape`."""
        ...
