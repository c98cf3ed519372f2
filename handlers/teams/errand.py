"""A message that is to be brought into a conversation in Teams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from handlers.teams.address import address_of
from handlers.teams.records import Site
from handlers.wordings import SHIPPED, Wording
from memory.errors import PlatformRefused
from memory.model import Conversation


class Writes(Protocol):
    """Writes into conversations (`handlers.teams.kit.Kit`). Every call raises DeliveryUnknown where it may have
    arrived, PlatformRefused where it will never be taken (MessageRefused where another message may be), and
    PlatformUnavailable where it did not arrive and may later."""

    async def post(self, service: str, conversation: str, content: Mapping[str, object]) -> str | None:
        """A new message; its id where Teams tells one."""
        ...

    async def replace(self, service: str, conversation: str, message: str, content: Mapping[str, object]) -> None:
        """Other content for one of our messages."""
        ...

    async def remove(self, service: str, conversation: str, message: str) -> None:
        """One of our messages goes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """Where a message goes: a conversation at its site, in whose language the bot speaks there."""

    writes: Writes
    site: Site
    conversation: Conversation
    language: str
    wording: Wording = SHIPPED

    async def post(self, content: Mapping[str, object]) -> str | None:
        """Raises as `Writes` does."""
        return await self.writes.post(self.site.service or "", address_of(self.conversation).conversation, content)

    async def replace(self, message: str, content: Mapping[str, object]) -> None:
        """Raises as `Writes` does."""
        where = address_of(self.conversation).conversation
        await self.writes.replace(self.site.service or "", where, message, content)

    async def remove(self, message: str, instead: Mapping[str, object]) -> None:
        """One of our messages goes; where that is refused it says this `instead`. Raises as `Writes` does,
        PlatformRefused where neither is taken."""
        try:
            await self.writes.remove(self.site.service or "", address_of(self.conversation).conversation, message)
        except PlatformRefused:
            await self.replace(message, instead)
