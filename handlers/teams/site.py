"""Where an activity happened: its tenant, its conversation, and who reads along."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.teams.address import filed, parted
from handlers.teams.fields import Fields, ident, inside, string
from handlers.teams.records import Place, Site
from memory.model import Conversation

#: Ids of chats between one person and a bot begin with it.
_PERSONAL = "a:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A site, and the thread in it where one is told."""

    site: Site
    thread: str | None

    def conversation(self, message: str | None = None) -> Conversation:
        """The conversation that something happened in; a `message` outside of any thread of a channel begins one."""
        begun = message if self.site.place is Place.CHANNEL else None
        return filed(self.site.tenant, self.site.place, self.site.chat, self.thread or begun)


def scene_of(activity: Fields) -> Scene | None:
    """Where this happened; None where that is not told, or told in two ways."""
    conversation, data = inside(activity, "conversation"), inside(activity, "channelData")
    tenant, parts = _tenant(conversation, data), parted(ident(conversation, "id") or "")
    if tenant is None or parts is None:
        return None
    chat, thread = parts
    team = ident(inside(data, "team"), "id")
    place = _place(conversation, chat, within=team is not None or "channel" in data or thread is not None)
    service = string(activity, "serviceUrl")
    return Scene(site=Site(tenant=tenant, chat=chat, place=place, team=team, service=service), thread=thread)


def _tenant(conversation: Fields, data: Fields) -> str | None:
    """The organisation, which Teams tells in two places: they must agree, or one of them is forged."""
    told = {tenant for tenant in (ident(conversation, "tenantId"), ident(inside(data, "tenant"), "id")) if tenant}
    return told.pop() if len(told) == 1 else None


def _place(conversation: Fields, chat: str, *, within: bool) -> Place:
    """Personal only where everything says so: elsewhere others read along. `within`: something tells of a channel."""
    kind = string(conversation, "conversationType")
    if kind == "channel" or (within and kind != "groupChat"):
        return Place.CHANNEL
    alone = kind == "personal" or (kind is None and chat.startswith(_PERSONAL))
    return Place.PERSONAL if alone and conversation.get("isGroup") is not True else Place.GROUP
