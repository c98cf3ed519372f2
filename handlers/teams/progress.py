"""How far a reply has come, noted before each call: Teams does not let a bot read back what it wrote, so that after a
crash nothing else tells whether a message is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from handlers.teams.notebook import Notebook, Notes

_REPLIES = "reply"
#: So long it is waited before the asker is told once more that a reply may not be there; it grows with each try.
_WAIT, _GROWS = timedelta(minutes=1), 5
#: Two and a half hours later nobody waits for it any more.
_MOST_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many parts of a reply Teams confirmed, and whether there was another that it may have taken or not. So often
    it was tried to tell the asker of that, the last time at `tried_at`."""

    sent: int = 0
    unsure: bool = False
    tries: int = 0
    tried_at: datetime | None = None

    def tried(self, at: datetime) -> Progress:
        """The asker is being told once more."""
        return replace(self, tries=self.tries + 1, tried_at=at)

    def due(self, now: datetime) -> bool:
        """Whether the asker is to be told now."""
        return self.tried_at is None or now >= self.tried_at + _WAIT * _GROWS ** (self.tries - 1)

    @property
    def tired(self) -> bool:
        """Whether it was tried often enough."""
        return self.tries >= _MOST_TRIES


class Replies:
    """The progress of replies, by the id of the turn that they reply to. Raises StoreUnavailable."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook

    async def note(self, turn: str, progress: Progress, along: Notes | None = None) -> None:
        """This far it has come; `along` is noted in the same step."""
        await self._notebook.write({**(along or {}), (_REPLIES, turn): _noted(progress)})

    async def of(self, turn: str) -> Progress:
        """How far it came; a reply that nothing is noted of has not been begun."""
        note = await self._notebook.read(_REPLIES, turn) or {}
        tried_at = note.get("tried_at")
        return Progress(
            sent=int(note.get("sent", 0)),
            unsure=bool(note.get("unsure")),
            tries=int(note.get("tries", 0)),
            tried_at=datetime.fromisoformat(tried_at) if isinstance(tried_at, str) else None,
        )

    async def drop(self, turn: str) -> None:
        """Nothing is owed any more."""
        await self._notebook.drop(_REPLIES, turn)


def _noted(progress: Progress) -> Mapping[str, Any]:
    note = {"sent": progress.sent, "unsure": progress.unsure}
    if progress.tried_at is None:
        return note
    return {**note, "tries": progress.tries, "tried_at": progress.tried_at.isoformat()}
