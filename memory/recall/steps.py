"""How far the work on an answer has got, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Stage(StrEnum):
    SEARCHING = "searching"
    READING = "reading"
    WRITING = "writing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stage that begins; `episodes` is how many are read whole in it, where that is what it does."""

    stage: Stage
    episodes: int = 0


#: Told of each step as it begins. It returns at once and never raises: the answer does not wait for who looks on.
Watch: TypeAlias = Callable[[Step], None]


def unwatched(step: Step) -> None:
    """Nobody looks on."""
