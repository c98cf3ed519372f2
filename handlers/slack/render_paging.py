"""Blocks into messages, and what a message says where no blocks are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from handlers.slack.render_blocks import Block, block_size, words_of

#: Slack takes 50 blocks, and refuses all text of a message together somewhere above 11,000.
MOST_BLOCKS = 50
MOST_TEXT = 9_800
MOST_MESSAGES = 5
#: chat.update refuses texts from about 4,000 bytes on, whatever is written about its limit.
_FALLBACK_BYTES = 3_000
_SPOKEN = ("header", "rich_text", "section", "context")
_TORN_ENTITY = re.compile("&[a-z]{0,3}$")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ADDRESS = re.compile(r"[A-Za-z]+://\S+")


def paged(body: Iterable[Block], *, end: Sequence[Block], cut: Block) -> list[list[Block]]:
    """At most 5 messages, the last one with all of `end`, which must fit into one by itself together with `cut`. What
    of the body has no place gives way to `cut`."""
    pages: list[list[Block]] = [[]]
    for block in body:
        if not fits([*pages[-1], block]):
            pages.append(_orphans(pages[-1]))
        pages[-1].append(block)
        if len(pages) > MOST_MESSAGES:
            return _shortened(pages[:MOST_MESSAGES], end=end, cut=cut)
    if fits([*pages[-1], *end]):
        pages[-1].extend(end)
    elif len(pages) < MOST_MESSAGES:
        pages.append([*_orphans(pages[-1]), *end])
    else:
        return _shortened(pages, end=end, cut=cut)
    return pages


def _orphans(page: list[Block]) -> list[Block]:
    """Takes headings off the end of a page: they belong to what comes after."""
    start = len(page)
    while start > 1 and page[start - 1]["type"] == "header":
        start -= 1
    orphans = page[start:]
    del page[start:]
    return orphans


def _shortened(pages: list[list[Block]], *, end: Sequence[Block], cut: Block) -> list[list[Block]]:
    last = pages[-1]
    while last and not fits([*last, cut, *end]):
        last.pop()
    last.extend((cut, *end))
    return pages


def fits(blocks: Sequence[Block]) -> bool:
    """Whether Slack takes these blocks as one message."""
    return len(blocks) <= MOST_BLOCKS and block_size(blocks) <= MOST_TEXT


def fallback(blocks: Sequence[Block], allowed_links: Iterable[str]) -> str:
    """The words of the blocks for a notification: escaped, at most 3,000 bytes. Clients make links of what looks like
    one there, so that a URL that may not be one is only mentioned. Buttons are left out."""
    allowed = frozenset(allowed_links)
    spoken = [block for block in blocks if block["type"] in _SPOKEN]
    text = " ".join("".join(words_of(spoken)).split())
    known = _ADDRESS.sub(lambda match: match.group() if match.group() in allowed else "(URL)", text[:_FALLBACK_BYTES])
    return _within_bytes(known.translate(_ENTITIES)) or "…"


def _within_bytes(text: str) -> str:
    kept = text.encode()[:_FALLBACK_BYTES].decode(errors="ignore")
    return kept if kept == text else _TORN_ENTITY.sub("", kept)
