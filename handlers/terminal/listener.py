"""The chat in a terminal: each line is a message, each reply is printed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import tzinfo
from typing import Protocol

from config.schema import Language
from handlers.messages import IncomingMessage, OutgoingReply
from memory.ports import Clock


class Replies(Protocol):
    """Replies to messages: the desk itself, or the running process that has it."""

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None: ...


class Screen(Protocol):
    """Where lines come from and words go to (`handlers.terminal.screen.open_screen`)."""

    async def read(self) -> str | None:
        """The next line without its line end; None when there are no more."""
        ...

    def say(self, text: str) -> None:
        """Show what the bot says."""
        ...

    def aside(self, text: str) -> None:
        """Show something that only matters to a person at a keyboard."""
        ...

    def thinking(self, text: str) -> AbstractContextManager[object]:
        """Show that work is going on, until the context is left."""
        ...


async def chat(desk: Replies, *, user: str, language: Language, screen: Screen, clock: Clock, zone: tzinfo) -> None:
    """Talk until the lines end, `/quit` or Ctrl-C. `language` is that of the chat's own words; answers follow the
    question's. `zone` is the user's time zone."""
    raise NotImplementedError
