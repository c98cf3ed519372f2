"""What was noted lately in each chat: which answer is which message, and about what somebody was told."""

from __future__ import annotations

from handlers.teams.notebook import Notebook, short
from handlers.teams.records import Site

#: Notes of each kind that a chat or channel has; older ones go.
_MOST = 200
#: Ids of messages are numbers that grow, of up to so many figures: so their names sort.
_FIGURES = 20


class Recent:
    """The newest notes of one kind by message, for each chat with all its threads. Raises StoreUnavailable."""

    def __init__(self, notebook: Notebook, kind: str) -> None:
        self._notebook = notebook
        self._kind = kind

    async def note(self, site: Site, message: str, about: str) -> None:
        """`about` is noted of this message; the oldest notes make room."""
        chat = short(site.tenant, site.chat)
        await self._notebook.write({"message": message, "about": about}, self._kind, chat, _sortable(message))
        names = await self._notebook.last_parts(self._kind, chat)
        for name in names[: len(names) - _MOST]:
            await self._notebook.drop(self._kind, chat, name)

    async def about(self, site: Site, message: str) -> str | None:
        """What was noted of this message."""
        note = await self._notebook.read(self._kind, short(site.tenant, site.chat), _sortable(message))
        about = note.get("about") if note and note.get("message") == message else None
        return about if isinstance(about, str) else None


def _sortable(message: str) -> str:
    return message.zfill(_FIGURES) if message.isascii() and message.isdigit() else short(message)
