"""An answer as Slack messages: Markdown, as a model writes it, to blocks that hold whatever was written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from handlers.characters import one_line
from handlers.markup.body import body_of
from handlers.markup.paging import ending, paged
from handlers.markup.parts import Kind, Part, Span
from handlers.markup.sources import Source, source_parts
from handlers.slack.render_blocks import Block, blocks_of
from handlers.slack.render_paging import SHEET, fallback

_LONGEST_NOTE = 1_000
_NOTES_A_BLOCK = 10
_LONGEST_CUT_NOTE = 200


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
    read = body_of(body, frozenset(allowed_links))
    cited = source_parts(sources)
    if not (read.parts or cited):
        raise ValueError("an answer needs a body or sources")
    cut = _paragraph(Span(text=one_line(cut_note, _LONGEST_CUT_NOTE) or "…", styles=frozenset(("italic",))))
    below = [*blocks_of(cited), *_notes(notes)]
    end = ending(below, last=last, cut=cut, sheet=SHEET)
    pages = paged(chain(blocks_of(read.parts), [cut] if read.unread else []), end=end, cut=cut, sheet=SHEET)
    return tuple(SlackMessage(text=fallback(page, allowed_links), blocks=tuple(page)) for page in pages)


def _paragraph(*spans: Span) -> Block:
    [block] = blocks_of([Part(kind=Kind.PARAGRAPH, spans=spans)])
    return block


def _notes(notes: Sequence[str]) -> Iterator[Block]:
    """Small print is plain text too, in which nothing is parsed."""
    lines = [line for note in notes if (line := one_line(note, _LONGEST_NOTE))]
    for start in range(0, len(lines), _NOTES_A_BLOCK):
        elements = [
            {"type": "plain_text", "text": line, "emoji": False} for line in lines[start : start + _NOTES_A_BLOCK]
        ]
        yield {"type": "context", "elements": elements}
