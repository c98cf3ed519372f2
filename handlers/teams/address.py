"""Where a conversation is in Teams, and back: a personal chat is a private place, whatever its id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from handlers.teams.records import PLATFORM, Place
from memory.model import DIRECT, Conversation

_SHOWN = "https://teams.microsoft.com/l/message"
#: A conversation, and the first message of the thread where it is one of a channel.
_ID = re.compile("([^;]+)(?:;messageid=([^;=]+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A conversation by Teams' own id, with the thread in it: what an answer is sent to."""

    tenant: str
    conversation: str

    @property
    def chat(self) -> str:
        """The id without the thread, as the settings name a channel."""
        return self.conversation.partition(";")[0]


def parted(conversation: str) -> tuple[str, str | None] | None:
    """The id of a channel or chat, and the thread in it; None where it is no id of a conversation."""
    found = _ID.fullmatch(conversation)
    return (found[1], found[2]) if found and found[1] != DIRECT else None


def filed(tenant: str, place: Place, chat: str, thread: str | None) -> Conversation:
    """The conversation under which the memory keeps it.

    All personal chats share one channel name, which opens nothing (see `memory.scope`), so the chat's id is that of the
    thread. A group chat has no threads: its id is both, and so is a channel's where no thread is told.
    """
    if place is Place.PERSONAL:
        return Conversation(platform=PLATFORM, workspace=tenant, channel=DIRECT, thread=chat)
    return Conversation(platform=PLATFORM, workspace=tenant, channel=chat, thread=thread or chat)


def permalink(conversation: Conversation, message: str) -> str | None:
    """Where Teams shows a message; None in personal chats, which nobody else can open, and for other ids than Teams
    gives to messages."""
    chat, thread = conversation.channel, conversation.thread
    if chat == DIRECT or not (message.isascii() and message.isdigit()):
        return None
    about = {"tenantId": conversation.workspace}
    about |= {"context": '{"contextType":"chat"}'} if chat == thread else {"parentMessageId": thread}
    return f"{_SHOWN}/{quote(chat, safe='')}/{message}?{urlencode(about)}"


def address_of(conversation: Conversation) -> Address:
    """The address of a conversation as the memory keeps it."""
    channel, thread = conversation.channel, conversation.thread
    alone = channel in (DIRECT, thread)
    return Address(tenant=conversation.workspace, conversation=thread if alone else f"{channel};messageid={thread}")
