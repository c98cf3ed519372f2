"""The chat in a terminal: each line is a message, each reply is printed."""

from __future__ import annotations

import asyncio
import signal
import threading
import unicodedata
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import tzinfo
from typing import Protocol, TypeAlias

from config.schema import Language
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.terminal.parse import Command, Typist, command_in
from handlers.wording import Phrases
from handlers.wording_acts import ActWords
from handlers.wording_secrets import SecretWords
from handlers.wordings import SHIPPED, Wording
from memory.ports import Clock


class Replies(Protocol):
    """Replies to messages: the desk itself, or the running process that has it."""

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None: ...


#: Forgets one message of the chat; what came of it, in words. Raises HelpdeskError.
TakeBack: TypeAlias = Callable[[IncomingMessage], Awaitable[str]]

#: What confirms, in either language.
_YES = frozenset(("yes", "y", "はい"))


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
    take_back: TakeBack,
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
    typist = Typist(user=user, clock=clock, zone=zone)
    forgetting = _Forgetting(take_back, screen, wording.acts(language), wording.secrets(language))
    talk = asyncio.create_task(_talk(desk, user, said, screen, typist, forgetting))
    with _on_interrupt(talk.cancel):
        try:
            await asyncio.wait({talk})
        finally:
            talk.cancel()
    failed = 0 if talk.cancelled() else talk.result()
    screen.aside(said.goodbye)
    return failed


class _Forgetting:
    """The last message of this chat in which there was a secret, and how it is forgotten."""

    def __init__(self, take_back: TakeBack, screen: Screen, acts: ActWords, words: SecretWords) -> None:
        self._take_back = take_back
        self._screen = screen
        self._acts = acts
        self._words = words
        self._pasted: IncomingMessage | None = None

    def heard(self, incoming: IncomingMessage, reply: OutgoingReply) -> None:
        """What was replied to a message."""
        self._pasted = incoming if reply.pasted else self._pasted

    async def ask(self) -> None:
        """Ask whether to forget it, and do what the next line says."""
        if self._pasted is None:
            self._screen.say(self._words.nothing)
            return
        self._screen.say("\n".join((self._words.question, self._words.goes, self._words.asked)))
        line = await self._screen.read() or ""
        if unicodedata.normalize("NFKC", line).strip().lower() in _YES:
            self._screen.say(await self._take_back(self._pasted))
            self._pasted = None
        else:
            self._screen.say(self._acts.not_forgotten)


async def _talk(
    desk: Replies, user: str, said: Phrases, screen: Screen, typist: Typist, forgetting: _Forgetting
) -> int:
    failed = 0
    while (line := await screen.read()) is not None:
        command = command_in(line)
        if command == Command.QUIT:
            break
        if command == Command.FORGET:
            await forgetting.ask()
            continue
        if command is not None:
            screen.say(_about(command, user, said))
            continue
        incoming = typist.message(line)
        with screen.thinking(said.thinking):
            reply = await desk.reply(incoming)
        if reply is not None:
            forgetting.heard(incoming, reply)
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
