"""Checks on the words that people send: what cannot be read is refused, with a sentence that says what to do."""

from __future__ import annotations

from handlers.characters import cleaned, readable
from handlers.wordings import SHIPPED, Wording
from memory.errors import InputRefused


def checked(text: str, *, limit: int, language: str, wording: Wording = SHIPPED) -> str:
    """The cleaned text of a message of at most `limit` characters.

    Raises InputRefused, with a sentence for the sender in `language`, when it is too long, empty, or holds nothing that
    can be read.
    """
    said = wording.phrases(language)
    if len(text) > limit:
        raise InputRefused(said.too_long.format(length=len(text), limit=limit))
    if not text.strip():
        raise InputRefused(said.empty)
    words = cleaned(text).strip()
    if not readable(words):
        raise InputRefused(said.unreadable)
    return words
