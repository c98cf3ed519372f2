"""How much one message of Slack's holds, and what it says where no blocks are shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from handlers.markup.paging import Sheet
from handlers.slack.render_blocks import Block, Mention, block_size, words_of

#: Slack takes 50 blocks, and refuses all text of a message together somewhere above 11,000.
MOST_BLOCKS = 50
MOST_TEXT = 9_800
#: chat.update refuses texts from about 4,000 bytes on, whatever is written about its limit.
_FALLBACK_BYTES = 3_000
_SPOKEN = ("header", "rich_text", "section", "context")
_MENTION = "<@{}>"
#: Of a mention or an entity.
_TORN = re.compile(r"(?:&[a-z]{0,3}|<@?\w*)$")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_BRACKETS = {")": "(", "]": "[", "}": "{", "）": "（", "」": "「", "』": "『", "】": "【"}
_ADDRESS = re.compile(r"[A-Za-z]+://\S+")


def fits(blocks: Sequence[Block]) -> bool:
    """Whether Slack takes these blocks as one message."""
    return len(blocks) <= MOST_BLOCKS and block_size(blocks) <= MOST_TEXT


SHEET = Sheet(fits=fits, leads=lambda block: block["type"] == "header")


def fallback(blocks: Sequence[Block], allowed_links: Iterable[str]) -> str:
    """The words of the blocks for a notification: escaped, at most 3,000 bytes. Clients make links of what looks like
    one there, so that a URL that may not be one is only mentioned. Buttons are left out; a mention of a person is one
    here, too."""
    allowed = frozenset(allowed_links)
    spoken = [block for block in blocks if block["type"] in _SPOKEN]
    runs = groupby(words_of(spoken), key=lambda piece: isinstance(piece, Mention))
    said = ("".join(map(_MENTION.format, pieces) if people else _escaped(pieces, allowed)) for people, pieces in runs)
    return _within_bytes(" ".join(filter(None, said))) or "…"


def _escaped(pieces: Iterable[str], allowed: Collection[str]) -> str:
    text = " ".join("".join(pieces).split())
    return _ADDRESS.sub(lambda match: _mentioned(match.group(), allowed), text[:_FALLBACK_BYTES]).translate(_ENTITIES)


def _mentioned(address: str, allowed: Collection[str]) -> str:
    """A URL that may not be a link is only mentioned; brackets that it closes and does not open are not its own."""
    end = len(address)
    while (opening := _BRACKETS.get(address[end - 1])) and address.count(address[end - 1], 0, end) > address.count(
        opening
    ):
        end -= 1
    return address if address in allowed or address[:end] in allowed else f"(URL){address[end:]}"


def _within_bytes(text: str) -> str:
    kept = text.encode()[:_FALLBACK_BYTES].decode(errors="ignore")
    return kept if kept == text else _TORN.sub("", kept)
