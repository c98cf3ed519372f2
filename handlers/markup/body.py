"""As much of an answer's Markdown as is read, as parts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from handlers.characters import cleaned, readable
from handlers.markup.parts import Kind, Part, Span
from handlers.markup.reading import parts_of

#: More than an answer's messages hold; the rest is not even read, so that the time is bounded whatever comes.
_LONGEST = 50_000
_MOST_LINES = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The parts of an answer, none where it says nothing, and whether there is more of it than was read."""

    parts: tuple[Part, ...]
    unread: bool


def body_of(text: str, allowed_links: Collection[str]) -> Body:
    """The answer in parts; one that is nothing but markup is shown as it was written. URLs that are not in
    `allowed_links` to the letter are no links."""
    lines = cleaned(text[:_LONGEST]).split("\n", _MOST_LINES)
    beginning = "\n".join(lines[:_MOST_LINES])
    unread = len(text) > _LONGEST or len(lines) > _MOST_LINES
    return Body(parts=tuple(_parts(beginning, allowed_links)), unread=unread)


def _parts(text: str, allowed_links: Collection[str]) -> list[Part]:
    if not readable(text):
        return []
    parts = parts_of(text, allowed_links)
    if not any(readable(part.text) for part in parts):
        return [Part(kind=Kind.PARAGRAPH, spans=(Span(text=text.strip()),))]
    return parts
