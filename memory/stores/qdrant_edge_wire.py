"""What the bot and the process of its engine say to each other: pickled records, each behind its length.

Both ends are this program, on a pipe that nobody else has; this module imports nothing heavy, so that the engine starts
quickly.
"""

from __future__ import annotations

import pickle
import struct
from array import array
from dataclasses import dataclass
from typing import Any, BinaryIO

LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key on its way into the engine. `reach` is a `qdrant_filters.Reach`; `dense` holds 32 bit floats."""

    id: str
    kind: str
    reach: str
    language: str
    dense: array[float] | None
    term_ids: tuple[int, ...]
    term_weights: tuple[float, ...]
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """One search: by `dense`, or else by terms; in one language, or in all."""

    kind: str
    language: str | None
    dense: array[float] | None
    term_ids: tuple[int, ...]
    term_weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The hits of one search, best first, in parallel lists: many small records would take longer than the search.

    `pointers` are packed as they were stored.
    """

    ids: list[str]
    pointers: list[str]
    scores: list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The encoder of the dense vectors, field by field."""

    name: str
    size: int
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A method of the engine and its arguments."""

    number: int
    method: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the call of this number came to: a value, or the name of an error in `memory.errors` and its words.
    `engine` is what the engine itself said, which is for the log."""

    number: int
    value: Any = None
    error: tuple[str, str] | None = None
    engine: str = ""


def packed(message: Call | Reply) -> bytes:
    """The message behind its length."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def unpacked(body: bytes) -> Any:
    """The message of a body of `LENGTH` bytes."""
    return pickle.loads(body)


def read(stream: BinaryIO) -> Any:
    """The next message; None when the other end is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size = LENGTH.unpack(head)[0]
    body = stream.read(size)
    return unpacked(body) if len(body) == size else None
