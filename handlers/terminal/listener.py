"""The chat in a terminal: each line is a message, each reply is printed."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import tzinfo
from typing import Protocol

from config.schema import Language
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.terminal.parse import Command, Typist, command_in
from handlers.wording import Phrases
from handlers.wordings import SHIPPED, Wording
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


async def chat(
    desk: Replies,
    *,
    user: str,
    language: Language,
    screen: Screen,
    clock: Clock,
    zone: tzinfo,
    wording: Wording = SHIPPED,
) -> int:
    """Talk until the lines end, `/quit` or Ctrl-C; then how many messages got an error for an answer.

    `language` is that of the chat's own words; answers follow the question's. `zone` is the user's time zone.
    """
    said = wording.phrases(language)
    screen.aside(said.welcome)
    talk = asyncio.create_task(_talk(desk, user, said, screen, Typist(user=user, clock=clock, zone=zone)))
    with _on_interrupt(talk.cancel):
        try:
            await asyncio.wait({talk})
        finally:
            talk.cancel()
    failed = 0 if talk.cancelled() else talk.result()
    screen.aside(said.goodbye)
    return failed


async def _talk(desk: Replies, user: str, said: Phrases, screen: Screen, typist: Typist) -> int:
    failed = 0
    while (line := await screen.read()) is not None:
        command = command_in(line)
        if command == Command.QUIT:
            break
        if command is not None:
            screen.say(_about(command, user, said))
            continue
        with screen.thinking(said.thinking):
            reply = await desk.reply(typist.message(line))
        if reply is not None:
            screen.say(reply.text)
            failed += reply.reference is not None
    return failed


def _about(command: str, user: str, said: Phrases) -> str:
    if command == Command.HELP:
        return said.help
    if command == Command.WHO:
        return said.who.format(user=user)
    return said.unknown_command.format(command=command)


@contextmanager
def _on_interrupt(stop: Callable[[], object]) -> Iterator[None]:
    """Ctrl-C calls `stop` while the context is open. Signals belong to the main thread; elsewhere nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
