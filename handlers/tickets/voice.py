"""The port by which words are said at both ends of a line."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Protocol

from memory.lines import Copy, Line, Side
from memory.model import Turn
from memory.tickets import Ticket


class Explained(Enum):
    """Whether who asked knows that words are passed on: since earlier, only now, or not at all."""

    BEFORE = auto()
    NOW = auto()
    IMPOSSIBLE = auto()


class Unpassed(Enum):
    """Why an agent's words do not reach who asked: nobody has the ticket, or they cannot be said there."""

    NOBODYS = auto()
    IMPOSSIBLE = auto()


class Refusal(Enum):
    """How a platform will not take words: until somebody sees to the place, or whatever anybody does."""

    FOR_NOW = auto()
    FOR_GOOD = auto()


class Voice(Protocol):
    """How a platform speaks at both ends of a line. Every method raises PlatformUnavailable where it may do later."""

    async def post(self, ticket: Ticket, line: Line, turn: Turn, side: Side, *, sure: bool) -> str | Refusal:
        """Say there what the turn says, and who says it: the id of the message, or how the platform will not take it.
        Unless it is `sure` that it was never tried before, what stands there already is looked for."""
        ...

    async def change(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> None:
        """Have the copy say what the turn says now."""
        ...

    async def remove(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        """Take the copy away."""
        ...

    async def not_passed(self, ticket: Ticket, line: Line, agent: str, why: Unpassed) -> None:
        """Tell the agent of this id that what they said was not passed on."""
        ...

    async def unreached(self, ticket: Ticket, turn: Turn, why: Refusal) -> None:
        """Tell who asked, once, that this did not reach the support team."""
        ...

    async def warn(self, ticket: Ticket, line: Line, turn: Turn, side: Side, kinds: Sequence[str]) -> None:
        """Tell who wrote this, which goes to that side, that secrets of these kinds were taken out of it, and what to
        do about it."""
        ...

    async def explain(self, ticket: Ticket, line: Line) -> Explained:
        """Tell who asked that words are passed on, where that was not said there before."""
        ...

    async def remind(self, ticket: Ticket, line: Line, side: Side) -> None:
        """Say there, once, that the ticket waits for them."""
        ...

    async def show(self, ticket: Ticket, line: Line) -> None:
        """Bring the note on the ticket up to date."""
        ...
