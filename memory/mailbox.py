"""The port of messages that are addressed to the bot: which still wait for a reply, and which are taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from memory.model import Conversation, Turn
from memory.ports import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A message without a reply: its turn's id, where it was said and by whom. The words are read as their author."""

    turn: str
    conversation: Conversation
    author: str


class Mailbox(Protocol):
    """Keeps with each turn whether the bot owes it a reply, so that a process that dies owes it still.

    Raises StoreUnavailable and its kin.
    """

    async def receive(self, turn: Turn) -> Recorded:
        """Record a turn that waits for a reply, in one step. A repeat or an edit changes nothing about the reply."""
        ...

    async def waits(self, turn: str) -> bool:
        """Whether a reply to this turn is still owed."""
        ...

    async def replied(self, turn: str) -> None:
        """The reply was sent; an unknown turn is no error."""
        ...

    async def waiting(self, platform: str, limit: int) -> list[Waiting]:
        """Up to `limit` messages of this platform that a reply is owed to, in the order in which they were recorded."""
        ...

    async def owed_before(self, turn: Turn, limit: int) -> list[str]:
        """Up to `limit` turns of the same conversation that were said before this one and that a reply is owed to, the
        oldest first."""
        ...

    async def engaged(self, conversation: str, *, besides: str = "") -> bool:
        """Whether anything in this conversation was ever addressed to the bot, the turn `besides` left aside."""
        ...

    async def will_go(self, *turns: str) -> None:
        """These messages are about to be taken back, one after the other, durable when this returns: from now on none
        of them gives a ticket its title. Unknown ones are no error."""
        ...

    async def all_will_go(self, author: str) -> None:
        """As `will_go`, every message of this author, whose requests are nobody's from now on."""
        ...

    async def withdraw(self, *turns: str) -> list[str]:
        """These messages are taken back, all or none: their words go with every version, and with the facts, notes and
        links of their episodes, which may repeat them; a late delivery brings nothing back. The rest of an episode is
        cut and enriched anew by the next flush.

        The ids of the episodes whose keys have to go, each once.
        """
        ...
