"""The port of acts: what people did on a chat platform other than write, from being taken in until it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from memory.model import require_aware

#: An act that nobody came to in this time is moot: whoever did it has gone on long ago.
MOOT_AFTER = timedelta(days=1)
#: How long it is known that an act was done: longer than any platform tells it again.
KNOWN_FOR = timedelta(hours=1)
#: Acts that are kept at most, done ones among them.
MOST = 20_000
#: Characters of one field, and fields of one act; the forms that the bot shows let nobody write more.
LONGEST, MOST_FIELDS = 4_000, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenAct:
    """An act with what its platform needs to do it later. `id` is the same each time it is delivered, `at` is when it
    was taken in. `fields` are the platform's own ids and addresses; `words` are what the person wrote, and the only
    part in which a secret may be."""

    id: str
    platform: str
    workspace: str
    person: str
    at: datetime
    fields: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


class ActBox(Protocol):
    """Keeps acts until they are done, each in the hands of one holder for a time, who does it. For whoever does them
    and for nobody's eyes: acts are shown to no one. Raises StoreUnavailable."""

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        """Keep an act without the secrets in its words, in the hands of `holder` for so long: one step. What is longer
        than `LONGEST` is cut, and no more than `MOST_FIELDS` are kept. False where this act is known, done or not: then
        nothing changes."""
        ...

    async def claim(self, platform: str, holder: str, now: datetime, seconds: int, limit: int) -> list[TakenAct]:
        """Up to `limit` acts of this platform that are not done and in nobody else's hands, oldest first: those are in
        the hands of `holder` for so long from `now` on, whether they were before or not."""
        ...

    async def done(self, id: str) -> None:
        """It was done, or nothing is to be done about it: only that there was one is kept. An unknown id is no
        error."""
        ...

    async def drop_old(self, now: datetime) -> int:
        """Acts that are moot, and those done that need not be known any more, are gone; so are the oldest beyond
        `MOST`, done ones first. How many went that were not done."""
        ...

    async def forget(self, person: str) -> None:
        """Nothing that this person did is kept any longer, nor done."""
        ...
