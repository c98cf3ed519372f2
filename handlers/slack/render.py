"""An answer as Slack messages: Markdown, as a model writes it, to blocks that hold whatever was written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from handlers.characters import cleaned, one_line, readable
from handlers.markup.inline import label, may_link
from handlers.markup.parts import Kind, Part, Span
from handlers.markup.reading import parts_of
from handlers.slack.render_blocks import Block, blocks_of
from handlers.slack.render_paging import fallback, fits, paged

#: More than five messages hold; the rest is not even read, so that the time is bounded whatever comes.
_LONGEST_BODY = 50_000
_MOST_LINES = 4_000
_LONGEST_SOURCE = 500
_LONGEST_NOTE = 1_000
_NOTES_A_BLOCK = 10
_LONGEST_CUT_NOTE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One line of citation under an answer, in plain words, and the permalink of the message it cites."""

    label: str
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackMessage:
    """One message to post: `text` is for notifications, escaped, at most 3,000 bytes; `blocks` are at most 50, with
    fewer than 10,000 UTF-16 units of text. To be posted without unfurling and without `link_names`."""

    text: str
    blocks: tuple[Mapping[str, object], ...]


def rendered(
    body: str,
    *,
    sources: Sequence[Source] = (),
    notes: Sequence[str] = (),
    allowed_links: Collection[str] = (),
    last: Sequence[Mapping[str, object]] = (),
    cut_note: str = "…",
) -> tuple[SlackMessage, ...]:
    """One to five messages: the body, then sources, small print and the blocks of `last`. What does not fit is cut off
    the body's end, and `cut_note` says so. URLs that are not in `allowed_links` to the letter are no links.

    ValueError: neither body nor sources say anything, or `last` alone is more than a message holds.
    """
    text, unread = _beginning(body)
    if not readable("".join((text, *(source.label for source in sources)))):
        raise ValueError("an answer needs a body or sources")
    cut = _paragraph(Span(text=one_line(cut_note, _LONGEST_CUT_NOTE) or "…", styles=frozenset(("italic",))))
    blocks = chain(_body(text, frozenset(allowed_links)), [cut] if unread else [])
    pages = paged(blocks, end=_end(sources, notes, last, cut), cut=cut)
    return tuple(SlackMessage(text=fallback(page, allowed_links), blocks=tuple(page)) for page in pages)


def _beginning(body: str) -> tuple[str, bool]:
    """As much of the body as is read, and whether there is more of it."""
    lines = cleaned(body[:_LONGEST_BODY]).split("\n", _MOST_LINES)
    return "\n".join(lines[:_MOST_LINES]), len(body) > _LONGEST_BODY or len(lines) > _MOST_LINES


def _body(text: str, allowed_links: frozenset[str]) -> Iterator[Block]:
    """The blocks; an answer that is nothing but markup is shown as it was written."""
    parts = parts_of(text, allowed_links)
    if readable(text) and not any(readable(part.text) for part in parts):
        parts = [Part(kind=Kind.PARAGRAPH, spans=(Span(text=text.strip()),))]
    return blocks_of(parts)


def _paragraph(*spans: Span) -> Block:
    [block] = blocks_of([Part(kind=Kind.PARAGRAPH, spans=spans)])
    return block


def _end(sources: Sequence[Source], notes: Sequence[str], last: Sequence[Block], cut: Block) -> list[Block]:
    """What stands below the answer, with as many sources and notes as one message holds beside `last`."""
    if not fits([cut, cut, *last]):
        raise ValueError("the blocks at the end are more than one message holds; give fewer")
    kept: list[Block] = []
    for block in (*_sources(sources), *_notes(notes)):
        if not fits([*kept, block, cut, cut, *last]):
            return [*kept, cut, *last]
        kept.append(block)
    return [*kept, *last]


def _sources(sources: Sequence[Source]) -> Iterator[Block]:
    lines = [span for source in sources for span in (Span(text="\n"), _line(source)) if readable(source.label)][1:]
    yield from blocks_of([Part(kind=Kind.PARAGRAPH, spans=tuple(lines))] if lines else [])


def _line(source: Source) -> Span:
    linked = source.link is not None and may_link(source.link)
    return Span(text=label(one_line(source.label, _LONGEST_SOURCE)), url=source.link if linked else None)


def _notes(notes: Sequence[str]) -> Iterator[Block]:
    """Small print is plain text too, in which nothing is parsed."""
    lines = [line for note in notes if (line := one_line(note, _LONGEST_NOTE))]
    for start in range(0, len(lines), _NOTES_A_BLOCK):
        elements = [
            {"type": "plain_text", "text": line, "emoji": False} for line in lines[start : start + _NOTES_A_BLOCK]
        ]
        yield {"type": "context", "elements": elements}
