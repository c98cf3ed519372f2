"""The port of what upkeep looks through: every word that is stored, and what has lost its source.

Like `Writing` it sees everything and answers nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn by its id, its episode if it was cut, and the words, titles and states of all its versions."""

    turn: str
    episode: str | None
    derived: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was made of an episode, as texts: of every version of its note, of its facts with the events that they
    belong to, and of its links. `flushed` where none of its turns waits to be taken up again."""

    episode: str
    flushed: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """How many turns and earlier versions of turns have other words now, and the episodes that were unmade for it:
    their keys have to go."""

    turns: int
    versions: int
    episodes: tuple[str, ...]


class Flaw(StrEnum):
    """What is wrong with a record beside its words. A *duplicate* fact says the same of the same turns as another; an
    *echo* stands on the bot's own words alone; an *orphan* (fact, event, note, link, episode) has lost its source, or
    is a turn that belongs to no episode and waits for none."""

    DUPLICATE = "duplicates"
    ECHO = "echoes"
    ORPHAN = "orphans"


class Inspection(Protocol):
    """Raises StoreUnavailable."""

    async def said_after(self, last: str | None, limit: int) -> list[Said]:
        """Turns in the order of their ids, after the id `last`: a walk over everything that can be resumed."""
        ...

    async def made_of(self, episodes: Sequence[str]) -> list[Made]:
        """What was made of these episodes, in their order; unknown ones are left out."""
        ...

    async def there(self, episodes: Sequence[str]) -> set[str]:
        """Those of these episodes that are there."""
        ...

    async def places(self, turns: Sequence[str]) -> Mapping[str, str | None]:
        """Those of these turns that are there, each with its episode."""
        ...

    async def redact(self, turns: Sequence[str]) -> Redacted:
        """Take the secrets out of the words of these turns and out of their earlier versions. What was made of them may
        repeat those words: their episodes are unmade, facts, notes and links included, and their turns wait for the
        next flush. One transaction; a second time changes nothing."""
        ...

    async def unmake(self, episodes: Sequence[str]) -> None:
        """Drop what was made of these episodes, and the episodes, whose keys have to go; their turns wait for the next
        flush."""
        ...

    async def reopen(self, episodes: Sequence[str]) -> None:
        """The turns of these episodes are pending, so that the next flush writes their keys anew."""
        ...

    async def flaws(self) -> Mapping[Flaw, int]:
        """How many records have each flaw; a flaw that none has may be left out."""
        ...

    async def drop_flawed(self) -> int:
        """Delete echoes and orphans, how many there were; turns among them wait for the next flush. Duplicates harm
        nobody and stay."""
        ...

    async def scrub(self) -> None:
        """What was deleted or overwritten shall not linger in the database's files, as far as these are ours: SQLite's
        write-ahead log is emptied, unless somebody reads it just now."""
        ...
