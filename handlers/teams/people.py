"""What people are called: Teams tells a name with each message, and ids are names to nobody."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping

from handlers.characters import one_line
from handlers.teams.notebook import Notebook, short

_PEOPLE = "person"
_AT_HAND = 10_000
_LONGEST = 60
#: People of one answer that are looked up.
_MOST = 30


class People:
    """Names by the id of the organisation and of the person."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._at_hand: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def met(self, tenant: str, person: str, name: str) -> None:
        """Somebody wrote under this name. Raises StoreUnavailable."""
        said = one_line(name, _LONGEST)
        if said and self._at_hand.get((tenant, person)) != said:
            await self._notebook.write({"name": said}, _PEOPLE, short(tenant, person))
            self._hold(tenant, person, said)

    async def name(self, tenant: str, person: str) -> str:
        """The name, empty where it is not known. Raises StoreUnavailable."""
        if (tenant, person) not in self._at_hand:
            note = await self._notebook.read(_PEOPLE, short(tenant, person))
            name = note.get("name") if note else None
            self._hold(tenant, person, name if isinstance(name, str) else "")
        return self._at_hand[tenant, person]

    async def names(self, tenant: str, people: Collection[str]) -> Mapping[str, str]:
        """The names that are known, by id. Raises StoreUnavailable."""
        asked = list(people)[:_MOST]
        found = await asyncio.gather(*(self.name(tenant, person) for person in asked))
        return {person: name for person, name in zip(asked, found, strict=True) if name}

    async def forget(self, tenant: str, person: str) -> None:
        """The name goes. Raises StoreUnavailable."""
        self._at_hand.pop((tenant, person), None)
        await self._notebook.drop(_PEOPLE, short(tenant, person))

    def _hold(self, tenant: str, person: str, name: str) -> None:
        self._at_hand[tenant, person] = name
        if len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)
