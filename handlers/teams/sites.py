"""Where conversations are, noted so that an answer finds its way also after a restart."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping

from handlers.teams.address import address_of, filed
from handlers.teams.hosts import is_service
from handlers.teams.notebook import Notebook, short
from handlers.teams.records import Place, Site
from memory.model import Conversation

_SITES, _GREETED, _CHANNELS = "site", "greeted", "channels"
#: A team may have 1,000 channels.
_MOST_CHANNELS = 1_000
#: Places that are looked at for an address; each has one, unless the list of hosts was changed.
_LOOKED_AT = 20
#: Sites that are known without looking.
_AT_HAND = 5_000


class Sites:
    """The site of each chat and channel that the bot was spoken to in. What is noted holds no secret but the address to
    answer to, and that is used only while its host is on the list."""

    def __init__(self, notebook: Notebook, hosts: Collection[str]) -> None:
        self._notebook = notebook
        self._hosts = frozenset(hosts)
        self._at_hand: OrderedDict[tuple[str, str], Site] = OrderedDict()

    async def remember(self, site: Site) -> None:
        """Note it where it is not what was noted. Raises StoreUnavailable."""
        key = (site.tenant, site.chat)
        if self._at_hand.get(key) == site:
            self._at_hand.move_to_end(key)
            return
        note = {"place": site.place.value, "team": site.team, "service": site.service}
        notes: dict[tuple[str, ...], Mapping[str, object]] = {(_SITES, short(*key)): note}
        if site.team is not None:
            notes[_CHANNELS, short(site.tenant, site.team), short(site.chat)] = {"chat": site.chat}
        await self._notebook.write(notes)
        self._hold(key, site)

    async def of(self, conversation: Conversation) -> Site | None:
        """The site of a conversation; None where the bot is not, or may not write to its address any more. Raises
        StoreUnavailable."""
        address = address_of(conversation)
        key = (address.tenant, address.chat)
        site = self._at_hand.get(key) or await self._noted(*key)
        if site is None or not is_service(site.service, self._hosts):
            return None
        self._hold(key, site)
        return site

    async def channel(self, chat: str, near: Site) -> Site:
        """This channel of the same organisation; where nobody has spoken to the bot yet it is noted to be at the
        address of the site `near`. Raises StoreUnavailable."""
        known = await self.of(filed(near.tenant, Place.CHANNEL, chat, None))
        if known is not None:
            return known
        site = Site(tenant=near.tenant, chat=chat, place=Place.CHANNEL, service=near.service)
        await self.remember(site)
        return site

    async def channel_of(self, tenant: str, chat: str) -> Site | None:
        """This channel of an organisation, where nobody need have spoken to the bot: it is at the address of some other
        place there. None while no place is known. Raises StoreUnavailable."""
        known = await self.of(filed(tenant, Place.CHANNEL, chat, None))
        if known is not None:
            return known
        for name in (await self._notebook.last_parts(_SITES))[:_LOOKED_AT]:
            note = await self._notebook.read(_SITES, name) or {}
            if isinstance(service := note.get("service"), str) and is_service(service, self._hosts):
                return Site(tenant=tenant, chat=chat, place=Place.CHANNEL, service=service)
        return None

    async def beside(self, site: Site) -> list[str]:
        """The chats whose members are those of this site: the channels of its team that the bot was spoken to in, or
        the chat alone. Raises StoreUnavailable."""
        if site.team is None:
            return [site.chat]
        above = (_CHANNELS, short(site.tenant, site.team))
        names = (await self._notebook.last_parts(*above))[:_MOST_CHANNELS]
        notes = [await self._notebook.read(*above, name) for name in names]
        chats = (note.get("chat") for note in notes if note)
        return sorted({site.chat, *(chat for chat in chats if isinstance(chat, str))})

    async def greeted(self, site: Site) -> bool:
        """Whether somebody was greeted there before; from now on somebody was. Raises StoreUnavailable."""
        name = (_GREETED, short(site.tenant, site.chat))
        before = await self._notebook.read(*name) is not None
        await self._notebook.write({name: {}})
        return before

    async def drop(self, site: Site) -> None:
        """The bot is there no more. Raises StoreUnavailable."""
        self._at_hand.pop((site.tenant, site.chat), None)
        for note in (_SITES, _GREETED):
            await self._notebook.drop(note, short(site.tenant, site.chat))

    async def _noted(self, tenant: str, chat: str) -> Site | None:
        note = await self._notebook.read(_SITES, short(tenant, chat))
        if note is None or note.get("place") not in [*Place]:
            return None
        team, service = note.get("team"), note.get("service")
        return Site(tenant=tenant, chat=chat, place=Place(note["place"]), team=team, service=service)

    def _hold(self, key: tuple[str, str], site: Site) -> None:
        self._at_hand[key] = site
        self._at_hand.move_to_end(key)
        if len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)
