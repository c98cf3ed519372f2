"""How much one message of Slack's holds, and what it says where no blocks are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from handlers.markup.paging import Sheet
from handlers.slack.render_blocks import Block, block_size, words_of

#: Slack takes 50 blocks, and refuses all text of a message together somewhere above 11,000.
MOST_BLOCKS = 50
MOST_TEXT = 9_800
#: chat.update refuses texts from about 4,000 bytes on, whatever is written about its limit.
_FALLBACK_BYTES = 3_000
_SPOKEN = ("header", "rich_text", "section", "context")
_TORN_ENTITY = re.compile("&[a-z]{0,3}$")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ADDRESS = re.compile(r"[A-Za-z]+://\S+")


def fits(blocks: Sequence[Block]) -> bool:
    """Whether Slack takes these blocks as one message."""
    return len(blocks) <= MOST_BLOCKS and block_size(blocks) <= MOST_TEXT


SHEET = Sheet(fits=fits, leads=lambda block: block["type"] == "header")


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
