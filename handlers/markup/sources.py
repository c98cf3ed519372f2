"""What an answer stands on, as lines under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handlers.characters import one_line, readable
from handlers.markup.inline import label, may_link
from handlers.markup.parts import Kind, Part, Span

_LONGEST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One line of citation under an answer, in plain words, and the permalink of the message it cites."""

    label: str
    link: str | None


def source_parts(sources: Sequence[Source]) -> list[Part]:
    """One paragraph with a line for each source that says anything, a link where it has one; nothing without any."""
    lines = list(_lines(sources))[1:]
    return [Part(kind=Kind.PARAGRAPH, spans=tuple(lines))] if lines else []


def _lines(sources: Sequence[Source]) -> Iterator[Span]:
    for source in sources:
        if readable(source.label):
            linked = source.link is not None and may_link(source.link)
            yield Span(text="\n")
            yield Span(text=label(one_line(source.label, _LONGEST)), url=source.link if linked else None)
