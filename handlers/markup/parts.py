"""What an answer consists of, whatever shows it: paragraphs, items, quotes, code and tables, each of styled text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeAlias

#: What a span counts besides its words: a message of thousands of tiny ones is too long as well.
ELEMENT = 10


class Kind(Enum):
    """What a part is shown as."""

    HEADING = auto()
    RULE = auto()
    PARAGRAPH = auto()
    QUOTE = auto()
    BULLET = auto()
    NUMBER = auto()
    CODE = auto()
    TABLE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Text of one look; `styles` are of bold, italic, strike, code. With a `url` it is a link."""

    text: str
    styles: frozenset[str] = frozenset()
    url: str | None = None

    @property
    def size(self) -> int:
        return size(self.text) + size(self.url or "") + ELEMENT


Row: TypeAlias = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One paragraph or its like. `indent` and `number` are an item's, `quotes` is how deep in quotes it stands.

    A table has `rows` instead of spans, the header first, with as many cells each as were written, and `right` says of
    each column whether it is set to the right. As lines of code it has a `head` that stands at the top of each piece
    (with its line end).
    """

    kind: Kind
    spans: tuple[Span, ...] = ()
    indent: int = 0
    number: int = 0
    quotes: int = 0
    head: str = ""
    rows: tuple[Row, ...] = ()
    right: tuple[bool, ...] = ()

    @property
    def text(self) -> str:
        cells = (span for row in self.rows for cell in row for span in cell)
        return "".join(span.text for span in (*self.spans, *cells))

    @property
    def size(self) -> int:
        return sum(span.size for span in self.spans)


def size(text: str) -> int:
    """The length as chat clients count it, in UTF-16 units."""
    return len(text) + (0 if text.isascii() else sum(character > "\uffff" for character in text))


def width(text: str) -> int:
    """How many columns the text takes in a font of fixed width."""
    return len(text) if text.isascii() else sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same text with neighbours of one look made one, and without white space at either end."""
    found: list[Span] = []
    texts: list[list[str]] = []
    for span in spans:
        if found and (found[-1].styles, found[-1].url) == (span.styles, span.url):
            texts[-1].append(span.text)
        elif span.text:
            found.append(span)
            texts.append([span.text])
    merged = [replace(span, text="".join(text)) for span, text in zip(found, texts, strict=True)]
    return _stripped(merged)


def _stripped(spans: list[Span]) -> tuple[Span, ...]:
    while spans and not spans[0].text.strip():
        del spans[0]
    while spans and not spans[-1].text.strip():
        del spans[-1]
    if spans:
        spans[0] = replace(spans[0], text=spans[0].text.lstrip())
        spans[-1] = replace(spans[-1], text=spans[-1].text.rstrip())
    return tuple(spans)
