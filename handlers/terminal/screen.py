"""The two faces of the chat: for a person at a terminal, and plain text for pipes."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from rich.console import Console
from rich.text import Text

from handlers.characters import cleaned
from handlers.terminal.lines import Lines
from handlers.terminal.listener import Screen


class PlainScreen:
    """Answers only, one after the other with an empty line between: for pipes and files."""

    def __init__(self, lines: Lines, output: TextIO) -> None:
        self._lines = lines
        self._output = output

    async def read(self) -> str | None:
        return await self._lines.next()

    def say(self, text: str) -> None:
        self._output.write(f"{cleaned(text)}\n\n")
        self._output.flush()

    def aside(self, text: str) -> None:
        """Nobody is there to read it."""

    def thinking(self, text: str) -> AbstractContextManager[object]:
        return nullcontext()


class RichScreen:
    """A prompt, the bot's words set off by its name, and a sign of life while it thinks."""

    def __init__(self, lines: Lines, console: Console, *, name: str) -> None:
        self._lines = lines
        self._console = console
        self._name = name

    async def read(self) -> str | None:
        self._console.print(Text("> ", style="bold"), end="")
        return await self._lines.next()

    def say(self, text: str) -> None:
        """Text objects: nothing that was remembered is read as markup."""
        self._console.print(Text(self._name, style="bold cyan"))
        self._console.print(Text(cleaned(text)), end="\n\n")

    def aside(self, text: str) -> None:
        self._console.print(Text(cleaned(text), style="dim"))

    def thinking(self, text: str) -> AbstractContextManager[object]:
        return self._console.status(Text(text, style="dim"))


def open_screen(stdin: TextIO, stdout: TextIO, *, name: str) -> Screen:
    """The screen that fits: rich when both streams are a terminal, else plain. `name` is what the bot calls itself."""
    lines = Lines(stdin.fileno(), stdin.encoding)
    if stdin.isatty() and stdout.isatty():
        return RichScreen(lines, Console(file=stdout), name=name)
    return PlainScreen(lines, stdout)
