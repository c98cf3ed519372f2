"""The looks of words in Slack's markup: `*bold*`, `_italic_`, `~strike~`, code, quotes; read where they are shown, and
left out where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from handlers.markup.parts import Kind, Part, Span

_FENCE = re.compile(r"```\n?(.+?)\n?```", re.DOTALL)
#: A mark beside a letter or number of ASCII is none, as in snake_case and 2*3*4; Japanese puts no space beside it.
_MARKED = re.compile(
    r"(?<![A-Za-z0-9*_~`])(?:`(?P<code>[^`\n]+)`|(?P<mark>[*_~])(?=\S)(?P<words>[^\n]+?)(?<=\S)(?P=mark))(?![A-Za-z0-9*_~`])"
)
_STYLES = {"*": "bold", "_": "italic", "~": "strike"}
_QUOTED = re.compile(r"> ?")
#: Looks that may stand in one another.
_DEEPEST = 3


def parts_in(words: str) -> list[Part]:
    """Plain words as parts, with the looks that their author gave them."""
    parts: list[Part] = []
    pieces = _FENCE.split(words)
    for place, piece in enumerate(pieces):
        if place % 2:
            parts.append(Part(kind=Kind.CODE, spans=(Span(text=piece),)))
        else:
            parts += _paragraphs(piece.strip("\n"))
    return parts


def without_looks(words: str) -> str:
    """The words alone, line by line."""
    lines = ["".join(span.text for span in part.spans) for part in parts_in(words)]
    return "\n".join(lines)


def _paragraphs(words: str) -> Iterator[Part]:
    runs = groupby(words.split("\n") if words.strip() else (), key=lambda line: line.startswith(">"))
    for quoted, lines in runs:
        said = "\n".join(_QUOTED.sub("", line, count=1) if quoted else line for line in lines)
        if said.strip():
            kind = Kind.QUOTE if quoted else Kind.PARAGRAPH
            yield Part(kind=kind, spans=tuple(_spans(said, frozenset())), quotes=int(quoted))


def _spans(words: str, styles: frozenset[str]) -> Iterator[Span]:
    end = 0
    for found in _MARKED.finditer(words) if len(styles) < _DEEPEST else ():
        if found.start() > end:
            yield Span(text=words[end : found.start()], styles=styles)
        if found["code"]:
            yield Span(text=found["code"], styles=styles | {"code"})
        else:
            yield from _spans(found["words"], styles | {_STYLES[found["mark"]]})
        end = found.end()
    if words[end:]:
        yield Span(text=words[end:], styles=styles)
