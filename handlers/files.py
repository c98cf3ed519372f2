"""Text files that come with a message are read into it; of others the name is all that is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from handlers.changes import Changes
from memory.model import Turn

#: Characters of a file that are read into its message, and files of a message that are read.
LONGEST = 8_000
MOST = 5
#: Bytes that are read at most: a character of UTF-8 has up to four.
MOST_BYTES = LONGEST * 4
#: How long fetching one may take.
SECONDS = 10.0
_TEXTS = ("text/", "application/json", "application/xml", "application/x-yaml", "application/yaml")


class Stream(Protocol):
    """The body of an HTTP answer."""

    async def read(self, n: int) -> bytes: ...


def is_text(mimetype: str) -> bool:
    """Whether a file of this type is worth reading."""
    return mimetype.startswith(_TEXTS)


async def read_bytes(stream: Stream) -> bytes:
    """What comes, as far as it is read: one byte more than a file may have tells that it is too long."""
    content = b""
    while len(content) <= MOST_BYTES and (some := await stream.read(MOST_BYTES + 1 - len(content))):
        content += some
    return content


def text_of(content: bytes) -> str | None:
    """The text of a file; None where it is too long, empty where it says nothing."""
    if len(content) > MOST_BYTES:
        return None
    text = content.decode("utf-8", errors="replace").strip()
    return text if len(text) <= LONGEST else None


async def add_texts(turn: Turn, texts: Iterable[tuple[str, str]], changes: Changes) -> None:
    """Read these texts, each after the name of its file, into the message that they came with. Raises
    StoreUnavailable."""
    read = [f"[file: {name}]\n{text}" for name, text in texts]
    if read:
        await changes.edited(turn.conversation, turn.message, turn.author, "\n".join([turn.text, *read]))
