"""Where a conversation is in Slack, and back: a direct message is a private place, whatever its channel's id."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.model import DIRECT, Conversation

#: Ids of direct messages, and of nothing else, begin with it.
_DIRECT = "D"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A thread, by Slack's own ids."""

    workspace: str
    channel: str
    thread: str

    @property
    def direct(self) -> bool:
        return self.channel.startswith(_DIRECT)


def filed(conversation: Conversation) -> Conversation:
    """The conversation under which the memory keeps it: all direct messages share one channel name, which opens nothing
    (see `memory.scope`), so the channel's id goes into the thread's."""
    if not conversation.channel.startswith(_DIRECT):
        return conversation
    return replace(conversation, channel=DIRECT, thread=f"{conversation.channel}:{conversation.thread}")


def address_of(conversation: Conversation) -> Address:
    """The address of a conversation as the memory keeps it."""
    channel, thread = conversation.channel, conversation.thread
    if channel == DIRECT:
        channel, _, thread = thread.partition(":")
    return Address(workspace=conversation.workspace, channel=channel, thread=thread)


def permalink(home: str, address: Address, message: str) -> str:
    """The address of a message on the web; `home` is the workspace's own, as in https://mikumari.slack.com/."""
    link = f"{home.rstrip('/')}/archives/{address.channel}/p{message.replace('.', '')}"
    return link if message == address.thread else f"{link}?thread_ts={address.thread}&cid={address.channel}"
