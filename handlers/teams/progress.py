"""How far a reply has come, noted before each call: Teams does not let a bot read back what it wrote, so that after a
crash nothing else tells whether a message is there."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.teams.notebook import Notebook, Notes

_REPLIES = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many parts of a reply Teams confirmed, and whether there was another that it may have taken or not; `told`
    says that the asker has been told of that."""

    sent: int = 0
    unsure: bool = False
    told: bool = False


class Replies:
    """The progress of replies, by the id of the turn that they reply to. Raises StoreUnavailable."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook

    async def note(self, turn: str, progress: Progress, along: Notes | None = None) -> None:
        """This far it has come; `along` is noted in the same step."""
        note = {"sent": progress.sent, "unsure": progress.unsure, "told": progress.told}
        await self._notebook.write({**(along or {}), (_REPLIES, turn): note})

    async def of(self, turn: str) -> Progress:
        """How far it came; a reply that nothing is noted of has not been begun."""
        note = await self._notebook.read(_REPLIES, turn) or {}
        return Progress(sent=int(note.get("sent", 0)), unsure=bool(note.get("unsure")), told=bool(note.get("told")))

    async def drop(self, turn: str) -> None:
        """Nothing is owed any more."""
        await self._notebook.drop(_REPLIES, turn)
