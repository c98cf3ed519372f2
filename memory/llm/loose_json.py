"""A reader of nearly-JSON, as small models write it: other quotes, bare names, stray commas, a missing end."""

from __future__ import annotations

import re
from typing import Any

_DEEPEST = 30
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_BARE = re.compile(r"[^\s,:\[\]{}\"']+")
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}


class _CutOff(Exception):
    """The text ended inside a value."""


def read_loosely(text: str) -> Any:
    """The first object or list of `text`, which begins with it; None when there is none.

    Where the text ends early, everything complete is kept and the value that was being written is left out.
    """
    reader = _Reader(text)
    reader.skip()
    if not reader.rest or reader.rest not in "{[":
        return None
    try:
        return reader.value(_DEEPEST)
    except _CutOff:
        return None


class _Reader:
    """Reads forward through one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    @property
    def rest(self) -> str:
        """The next character; empty at the end."""
        return self._text[self._place : self._place + 1]

    def skip(self) -> None:
        """Go past white space and comments."""
        match = _BLANK.match(self._text, self._place)
        self._place = match.end() if match else self._place

    def value(self, depth: int) -> Any:
        """The next value. Raises _CutOff at the end of the text, or when it nests too deeply to mean anything."""
        self.skip()
        if not self.rest or depth == 0:
            raise _CutOff
        if self.rest == "{":
            return self._object(depth - 1)
        if self.rest == "[":
            return self._list(depth - 1)
        return self._string() if self.rest in _CLOSING else self._word()

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._place += 1
        while self._continues("}"):
            try:
                name = self.value(depth)
                self.skip()
                if self.rest != ":":
                    continue
                self._place += 1
                found[str(name)] = self.value(depth)
            except _CutOff:
                self._place = len(self._text)
        return found

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self._place += 1
        while self._continues("]"):
            try:
                found.append(self.value(depth))
            except _CutOff:
                self._place = len(self._text)
        return found

    def _continues(self, closing: str) -> bool:
        """Whether another entry follows; a closing bracket of either kind ends the container."""
        self.skip()
        while self.rest in (",", ":", ";") and self.rest:
            self._place += 1
            self.skip()
        if self.rest in ("}", "]"):
            self._place += self.rest == closing
            return False
        return bool(self.rest)

    def _string(self) -> str:
        closing = _CLOSING[self.rest]
        self._place += 1
        written: list[str] = []
        while self.rest:
            character = self.rest
            self._place += 1
            if character == closing and self._ends_here():
                return "".join(written)
            written.append(self._escaped() if character == "\\" else character)
        raise _CutOff

    def _ends_here(self) -> bool:
        """Whether a quote closes its string: what follows is punctuation, or nothing more; so "it's" stays whole."""
        after = _BLANK.match(self._text, self._place)
        following = self._text[after.end() : after.end() + 1] if after else ""
        return following in ("", ",", ":", "]", "}")

    def _escaped(self) -> str:
        code = self.rest
        self._place += 1
        if code == "u":
            digits = self._text[self._place : self._place + 4]
            if re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
                self._place += 4
                return chr(int(digits, 16))
        return _ESCAPED.get(code, code)

    def _word(self) -> Any:
        match = _BARE.match(self._text, self._place)
        if match is None:
            self._place += 1
            return None
        self._place = match.end()
        if not self.rest:
            raise _CutOff
        return _meant(match.group())


def _meant(word: str) -> Any:
    lowered = word.lower()
    if lowered in _CONSTANTS:
        return _CONSTANTS[lowered]
    try:
        return float(word) if "." in word else int(word)
    except ValueError:
        return word
