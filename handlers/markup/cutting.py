"""Where a text that is too long may be cut, best first: at a line's end, a sentence's end, a space, any character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from handlers.markup.parts import Kind, Part, Span, size

#: Like the memory's own sentences, but marks that close a bracket or a quotation stay with it.
_SENTENCE = re.compile(r"[。！？]+[」』）)\"”]*|[.!?]+[)\"”」』）]*(?=\s)")
_SPACE = re.compile(r"\s+")
#: Characters that belong to the one before: joiners, tags, variation selectors, skin tones.
_JOINING = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
#: No writing has longer clusters; a longer one is an attack and may be cut anywhere.
_LONGEST_CLUSTER = 40


def pieces(part: Part, room: int) -> Iterator[Part]:
    """The part in pieces of at most `room` UTF-16 units each. Code goes on as code, a table begins again with its head;
    what is left of an item goes on as a paragraph, for it must not get a second bullet."""
    head = part.head if size(part.head) * 2 <= room else ""
    ahead = list(reversed(part.spans))
    while window := _window(ahead, room):
        if not ahead and sum(span.size for span in window) <= room:
            yield replace(part, spans=tuple(window))
            return
        first, rest = _halves(replace(part, spans=tuple(window)), room)
        yield replace(part, spans=first)
        ahead.extend(reversed((Span(text=head), *rest) if head else rest))
        part = replace(part, kind=_continued(part))


def _window(ahead: list[Span], room: int) -> list[Span]:
    """Takes the spans there is room for, and the next one, off the end of `ahead`, where the first one is last."""
    window: list[Span] = []
    while ahead and room >= 0:
        window.append(ahead.pop())
        room -= window[-1].size
    return window


def _continued(part: Part) -> Kind:
    if part.kind in (Kind.BULLET, Kind.NUMBER):
        return Kind.QUOTE if part.quotes else Kind.PARAGRAPH
    return part.kind


def _halves(part: Part, room: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    text, most = part.text, _within(part.spans, room)
    if part.kind is Kind.CODE:
        cut = _line_end(text, most, len(part.head)) or _border(text, most)
        return _parted(part.spans, cut, cut + text.startswith("\n", cut))
    cut = cut_at(text, most)
    gap = _SPACE.match(text, cut)
    return _parted(part.spans, cut, gap.end() if gap else cut)


def _within(spans: tuple[Span, ...], room: int) -> int:
    """How many characters from the start take at most `room` units with the URLs of their links."""
    count = 0
    for span in spans:
        if span.size > room:
            return count + _fitting(span.text, room - (span.size - size(span.text)))
        room -= span.size
        count += len(span.text)
    return count


def _fitting(text: str, room: int) -> int:
    count = max(0, min(len(text), room))
    while count and size(text[:count]) > room:
        count -= max(1, (size(text[:count]) - room) // 2)
    return count


def cut_at(text: str, most: int) -> int:
    """The best place to cut the text at, from 1 to `most`; in the first third only if there is no other."""
    line = _line_end(text, most, most // 3)
    sentence = max((match.end() for match in _SENTENCE.finditer(text, 0, most)), default=0)
    space = max((match.start() for match in _SPACE.finditer(text, 0, most + 1)), default=0)
    good = [place for place in (line, sentence, space) if place > most // 3]
    return good[0] if good else _border(text, most)


def _line_end(text: str, most: int, least: int) -> int:
    return max(0, text.rfind("\n", least, most + 1))


def _border(text: str, most: int) -> int:
    """The last place up to `most` that is not within what is seen as one character."""
    for cut in range(most, max(0, most - _LONGEST_CLUSTER), -1):
        if not _inside(text, cut):
            return cut
    return max(1, most)


def _inside(text: str, cut: int) -> bool:
    if cut >= len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if unicodedata.combining(after) or unicodedata.category(after) in ("Mn", "Mc", "Me") or _JOINING.match(after):
        return True
    return before == "\u200d" or (_FLAG.match(after) is not None and _flags_before(text, cut) % 2 == 1)


def _flags_before(text: str, cut: int) -> int:
    """A flag is two letters of its own kind, so an odd number of them before the cut means that one is torn."""
    count = 0
    while count < cut and _FLAG.match(text[cut - 1 - count]):
        count += 1
    return count


def _parted(spans: tuple[Span, ...], end: int, start: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The text up to the character `end`, and from `start` on."""
    first, rest, place = [], [], 0
    for span in spans:
        if place < end:
            first.append(replace(span, text=span.text[: end - place]))
        if start < place + len(span.text):
            rest.append(replace(span, text=span.text[max(0, start - place) :]))
        place += len(span.text)
    return tuple(first), tuple(rest)
