"""Words without what makes no difference to what somebody means by a short message."""

from __future__ import annotations

import unicodedata


def folded(words: str) -> str:
    """In small letters of one width, without signs; what stood between signs is parted by one space."""
    small = unicodedata.normalize("NFKC", words).casefold()
    return " ".join("".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in small).split())


def asks_by_sign(words: str) -> bool:
    """Whether it ends in a question mark, whatever emoji and brackets come after that."""
    return words.rstrip("".join((" \t\n", "!！)）」…"))).endswith(("?", "？"))
