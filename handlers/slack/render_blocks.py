"""From parts to Slack's blocks. Text goes into `rich_text`, which Slack does not parse: no mention, channel or emoji
can come of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from handlers.markup.cutting import pieces
from handlers.markup.parts import ELEMENT, Kind, Part, Span, joined, size
from handlers.markup.tables import aligned

Block: TypeAlias = Mapping[str, object]

#: Slack refuses a text of more than 3,000; a little is left for what joins the parts of a block.
ROOM = 2_900
_LONGEST_HEADER = 150
#: What a header, which is not rich text, might take for a mention, an entity or an emoji.
_PARSED = re.compile(r"[&<>@\n]|:\S+:")
_ITEMS = {Kind.BULLET: "bullet", Kind.NUMBER: "ordered"}
_PARAGRAPH_GAP = Span(text="\n\n")
_WORDLESS_KEYS = ("type", "block_id", "action_id", "style")


def blocks_of(parts: Iterable[Part]) -> Iterator[Block]:
    """Headers, dividers and rich text, each under 3,000 UTF-16 units; a part is split only if it is longer itself."""
    held: list[Part] = []
    room = ROOM
    for part in parts:
        alone = _standing_alone(part)
        for piece in [] if alone else pieces(_as_text(part), ROOM):
            if held and piece.size + size(_PARAGRAPH_GAP.text) > room:
                yield rich_text(held)
                held, room = [], ROOM
            held.append(piece)
            room -= piece.size + size(_PARAGRAPH_GAP.text)
        if alone:
            if held:
                yield rich_text(held)
            held, room = [], ROOM
            yield alone
    if held:
        yield rich_text(held)


def _standing_alone(part: Part) -> Block | None:
    """The block of what no rich text can hold."""
    if part.kind is Kind.RULE:
        return {"type": "divider"}
    if part.kind is Kind.HEADING and _plain(part):
        return {"type": "header", "text": {"type": "plain_text", "text": part.text, "emoji": True}}
    return None


def _plain(part: Part) -> bool:
    unstyled = all(span.url is None and span.styles <= {"bold"} for span in part.spans)
    return unstyled and size(part.text) <= _LONGEST_HEADER and not _PARSED.search(part.text)


def _as_text(part: Part) -> Part:
    if part.kind is Kind.TABLE:
        return aligned(part)
    if part.kind is not Kind.HEADING:
        return part
    bold = tuple(Span(text=span.text, styles=span.styles | {"bold"}, url=span.url) for span in part.spans)
    return Part(kind=Kind.PARAGRAPH, spans=bold)


def rich_text(parts: Sequence[Part]) -> Block:
    """One block with all the parts: neighbours that belong together in one element."""
    runs = groupby(enumerate(parts), key=lambda numbered: _run(*numbered))
    return {"type": "rich_text", "elements": [_element([part for _, part in run]) for _, run in runs]}


def _run(position: int, part: Part) -> tuple[object, ...]:
    """What parts have in common that make one element; numbers do if each is one more than the last."""
    if part.kind is Kind.CODE:
        return (part.kind, position)
    return (part.kind, part.indent, part.quotes > 0, position - part.number if part.kind is Kind.NUMBER else 0)


def _element(run: Sequence[Part]) -> dict[str, Any]:
    first = run[0]
    border = {"border": 1} if first.quotes else {}
    if first.kind in _ITEMS:
        offset = {"offset": first.number - 1} if first.number > 1 else {}
        sections = [{"type": "rich_text_section", "elements": _elements(part.spans)} for part in run]
        look = {"style": _ITEMS[first.kind], "indent": first.indent, **offset, **border}
        return {"type": "rich_text_list", **look, "elements": sections}
    if first.kind is Kind.CODE:
        return {"type": "rich_text_preformatted", **border, "elements": [_text(Span(text=first.text))]}
    spans = [span for part in run for span in (_PARAGRAPH_GAP, *part.spans)][1:]
    name = "rich_text_quote" if first.kind is Kind.QUOTE else "rich_text_section"
    return {"type": name, "elements": _elements(joined(spans))}


def _elements(spans: Iterable[Span]) -> list[dict[str, Any]]:
    return [_text(span) for span in spans if span.text]


def _text(span: Span) -> dict[str, Any]:
    style = {"style": dict.fromkeys(sorted(span.styles), True)} if span.styles else {}
    if span.url is None:
        return {"type": "text", "text": span.text, **style}
    return {"type": "link", "url": span.url, "text": span.text, **style}


def block_size(block: object) -> int:
    """The UTF-16 units of all words and URLs in a block or in any part of one, and something for each element."""
    match block:
        case str():
            return size(block)
        case Mapping():
            words = sum(block_size(value) for key, value in block.items() if key not in _WORDLESS_KEYS)
            return words + (ELEMENT if "text" in block else 0)
        case list() | tuple():
            return sum(map(block_size, block))
    return 0


class Mention(str):
    """The id of a person whom a block mentions, among its words."""


def words_of(block: object) -> Iterator[str]:
    """The texts of a block in order, with a line end after each paragraph or its like."""
    match block:
        case {"text": str(text)}:
            yield text
        case {"type": "user", "user_id": str(user)}:
            yield Mention(user)
        case Mapping():
            for value in block.values():
                yield from words_of(value)
            yield "\n"
        case list() | tuple():
            for each in block:
                yield from words_of(each)
