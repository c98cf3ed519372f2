"""What was noted lately in each chat: which answer is which message, and about what somebody was told."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from handlers.teams.notebook import Notebook, Notes, short
from handlers.teams.records import Site

#: Notes of each kind that a chat or channel has unless told otherwise; older ones go, when so many more have come.
_MOST, _SPARE = 200, 50
#: Chats of which it is known how many notes have come since older ones went.
_KNOWN = 5_000
#: Ids of messages are numbers that grow, of up to so many figures: so their names sort.
_FIGURES = 20


class Recent:
    """The newest notes of one kind by message, for each chat with all its threads. Raises StoreUnavailable."""

    def __init__(self, notebook: Notebook, kind: str, most: int = _MOST) -> None:
        self._notebook = notebook
        self._kind = kind
        self._most = most
        self._since: OrderedDict[str, int] = OrderedDict()

    async def note(self, site: Site, message: str, about: str, **more: str) -> None:
        """`about` is noted of this message, and whatever `more`; the oldest notes make room."""
        await self._notebook.write(self.entry(site, message, about, **more))
        await self.make_room(site)

    def entry(self, site: Site, message: str, about: str, **more: str) -> Notes:
        """The same, for who notes something else in the same step; after that room is to be made."""
        name = (self._kind, short(site.tenant, site.chat), _sortable(message))
        return {name: {**more, "message": message, "about": about}}

    async def make_room(self, site: Site) -> None:
        """Something was noted there: the oldest notes go, if that has not been seen to lately."""
        chat = short(site.tenant, site.chat)
        if self._settled(chat):
            return
        names = await self._notebook.last_parts(self._kind, chat)
        for name in names[: max(0, len(names) - self._most)]:
            await self._notebook.drop(self._kind, chat, name)

    def _settled(self, chat: str) -> bool:
        since = self._since.pop(chat, _SPARE) + 1
        self._since[chat] = since if since <= _SPARE else 0
        if len(self._since) > _KNOWN:
            self._since.popitem(last=False)
        return since <= _SPARE

    async def about(self, site: Site, message: str) -> str | None:
        """What was noted of this message."""
        note = await self.noted(site, message)
        return note["about"] if note else None

    async def only(self, site: Site) -> str | None:
        """What was noted of the only message there is a note of in this chat; None where there are more or none."""
        chat = short(site.tenant, site.chat)
        names = await self._notebook.last_parts(self._kind, chat)
        note = await self._notebook.read(self._kind, chat, names[0]) if len(names) == 1 else None
        return _texts(note).get("about")

    async def noted(self, site: Site, message: str) -> Mapping[str, str] | None:
        """All that was noted of this message: what it is about (`about`), and the rest by its names."""
        note = _texts(await self._notebook.read(self._kind, short(site.tenant, site.chat), _sortable(message)))
        return note if note.get("message") == message and "about" in note else None


def _texts(note: Mapping[str, Any] | None) -> Mapping[str, str]:
    return {name: given for name, given in (note or {}).items() if isinstance(given, str)}


def _sortable(message: str) -> str:
    return message.zfill(_FIGURES) if message.isascii() and message.isdigit() else short(message)
