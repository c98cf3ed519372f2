"""Boards: places of chat platforms in which the bot puts up what concerns everybody, as the report of a week."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import require_aware
from memory.text.language import LanguageCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What is put up, in one language. By `name` it is known again, `since` is a moment before which it cannot have
    been put up. `lines` stand below `heading`; `picture` is a PNG, and `about` says in words what it shows."""

    name: str
    since: datetime
    language: LanguageCode
    heading: str
    lines: tuple[str, ...]
    picture: bytes
    about: str

    def __post_init__(self) -> None:
        require_aware(self.since, "since")


class Board(Protocol):
    """The board of one platform. What writes or looks raises PlatformRefused where an administrator has to do something
    first, PlatformUnavailable where it did not arrive and may later, and DeliveryUnknown where it may have arrived."""

    @property
    def platform(self) -> str: ...

    @property
    def place(self) -> str | None:
        """The id of the channel; None where none is configured."""
        ...

    @property
    def language(self) -> LanguageCode | None:
        """The language of that channel, where it has one of its own."""
        ...

    async def may_stand(self, post: Post) -> bool:
        """Whether a post of this name stands there, or may and nobody can tell."""
        ...

    async def put_up(self, post: Post) -> None:
        """Write it there, with its picture where the platform takes one."""
        ...


class Boards:
    """The boards of the platforms that are connected just now."""

    def __init__(self) -> None:
        self._standing: list[Board] = []

    @property
    def all(self) -> tuple[Board, ...]:
        return tuple(self._standing)

    @contextmanager
    def standing(self, board: Board) -> Iterator[None]:
        """It is there while the context is open."""
        self._standing.append(board)
        try:
            yield
        finally:
            self._standing.remove(board)
