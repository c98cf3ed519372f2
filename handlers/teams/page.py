"""Plain words written line by line: lists, quotes and code keep their shape, spaces are as a browser shows them."""

from __future__ import annotations

import re

_BLANKS = re.compile("[ \t\n\r\f\u00a0]+")
#: Quotes in quotes are marked so deep; deeper ones look like these, so that the marks stay fewer than the words.
_DEEPEST = 3


class Page:
    """What was written so far. Each write costs what it adds, however much is there."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._fresh = True
        self._spaced = True
        self._gap = False
        self._quotes = 0
        self._mark = ""

    def words(self, text: str) -> None:
        """Running text: any blanks between two words are one space, none at the start of a line."""
        shown = _BLANKS.sub(" ", text)
        if self._spaced:
            shown = shown.removeprefix(" ")
        if shown:
            self._begin()
            self._pieces.append(shown)
            self._spaced = shown.endswith(" ")

    def verbatim(self, text: str) -> None:
        """Code: every blank and every line as it is."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self._end()
            if line:
                self._begin()
                self._pieces.append(line)
                self._spaced = False

    def line(self) -> None:
        """What follows stands on a line of its own."""
        if not self._fresh:
            self._end()

    def blank(self) -> None:
        """The line ends here; where none was begun a blank one stays, but no second."""
        if not self._gap:
            self._gap = self._fresh
            self._end()

    def item(self, mark: str) -> None:
        """What follows on a line of its own is a list's item, with this mark."""
        self.line()
        self._mark = mark

    def unmarked(self) -> None:
        """The item is over, whether anything stood in it or not."""
        self._mark = ""

    def quote(self, change: int) -> None:
        """A quote begins (1) or ends (-1)."""
        self.line()
        self._quotes = max(0, self._quotes + change)

    def written(self) -> str:
        """All lines, without the blanks at their ends."""
        return "\n".join(line.rstrip(" ") for line in "".join(self._pieces).split("\n")).strip("\n")

    def _begin(self) -> None:
        if self._fresh:
            self._pieces.append("> " * min(self._quotes, _DEEPEST) + self._mark)
            self._fresh, self._gap, self._mark = False, False, ""

    def _end(self) -> None:
        self._pieces.append("\n")
        self._fresh = self._spaced = True
