"""From parts to the elements of an Adaptive Card (version 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from handlers.markup.cutting import pieces
from handlers.markup.parts import Kind, Part, Span
from handlers.markup.tables import aligned
from handlers.teams.render_runs import Element, as_sent, linkable, rich_text, runs, spaced
from handlers.teams.render_tables import tables

#: A part that is longer, in UTF-16 units, is cut; and cut smaller where that is still more bytes than an element has.
_ROOM, _LEAST_ROOM = 1_800, 100
MOST_ELEMENT = 5_600
_LONGEST_HEADING = 150
#: What a text block might take for Markdown, a mention or a link.
_PARSED = re.compile(r"[\\`*_~\[\]<>&#|{}@\n]|^\s*(?:[-+]|\d+[.)])|://|www\.", re.IGNORECASE)
_ITEMS = (Kind.BULLET, Kind.NUMBER)
_HEADING: Mapping[str, object] = {"size": "Medium", "weight": "Bolder"}


def elements_of(parts: Iterable[Part]) -> Iterator[Element]:
    """The elements in order, none of more than 5,600 bytes. A part is split only if it is longer itself; a rule is the
    line above what comes after it."""
    above, ruled = None, False
    for part in parts:
        if part.kind is Kind.RULE:
            ruled = True
            continue
        for element in _shown(part):
            yield {**element, **_distance(above, part, ruled=ruled)}
            above, ruled = part, False


def _distance(above: Part | None, part: Part, *, ruled: bool) -> dict[str, object]:
    """How far the part stands from the one above it: items, and quotes of one author, stand close."""
    if ruled:
        return {"separator": True, "spacing": "Medium"}
    if above is None:
        return {}
    if above.quotes and part.quotes:
        return {"spacing": "None"}
    return {"spacing": "Small"} if above.kind in _ITEMS and part.kind in _ITEMS else {}


def _shown(whole: Part) -> Iterator[Element]:
    part = replace(whole, spans=tuple(map(_linkable, whole.spans)))
    if part.kind is Kind.TABLE:
        rows = tables(part, MOST_ELEMENT)
        yield from rows or _fitting(aligned(part), _ROOM)
    elif part.kind is Kind.HEADING and _plain(part):
        yield {"type": "TextBlock", "text": part.text, **_HEADING, "style": "heading", "wrap": True}
    else:
        yield from _fitting(part, _ROOM)


def _linkable(span: Span) -> Span:
    return replace(span, url=None) if span.url is not None and not linkable(span.url) else span


def _plain(part: Part) -> bool:
    unstyled = all(span.url is None and span.styles <= {"bold"} for span in part.spans)
    return unstyled and len(part.text) <= _LONGEST_HEADING and not _PARSED.search(part.text)


def _fitting(part: Part, room: int) -> Iterator[Element]:
    for piece in pieces(part, room):
        element = _element(piece)
        if as_sent(element) <= MOST_ELEMENT or room <= _LEAST_ROOM:
            yield element
        else:
            yield from _fitting(piece, room // 2)


def _element(part: Part) -> Element:
    match part.kind:
        case Kind.CODE:
            code = Span(text=spaced(part.text), styles=frozenset(("code",)))
            return _boxed(rich_text(runs([code])))
        case Kind.HEADING:
            return rich_text(runs(part.spans, **_HEADING))
        case Kind.BULLET | Kind.NUMBER:
            shown = rich_text(runs([Span(text=_marker(part)), *part.spans]))
            return _boxed(shown) if part.quotes else shown
        case Kind.QUOTE:
            return _boxed(rich_text(runs(part.spans, isSubtle=True)))
    return rich_text(runs(part.spans))


def _marker(part: Part) -> str:
    """What stands before an item. Cards have lists only in Markdown, so the indent is made of spaces that stay."""
    return "\u00a0" * (4 * part.indent) + (f"{part.number}. " if part.kind is Kind.NUMBER else "• ")


def _boxed(element: Element) -> Element:
    return {"type": "Container", "style": "emphasis", "items": [element]}


def leads(element: Element) -> bool:
    """Whether this is a heading, which belongs to what comes after it."""
    match element:
        case {"type": "TextBlock"}:
            return True
        case {"inlines": [{"size": "Medium"}, *_]}:
            return True
    return False
