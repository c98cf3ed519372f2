"""What people are shown for the name under which something is on record."""

from __future__ import annotations

from config.predicates import SHIPPED
from memory.text.language import own_language


def predicate_called(predicate: str, language: str) -> str:
    """In Japanese the first of the words that people use for it, where any is known; else the name itself."""
    words = SHIPPED[predicate]["words"] if language == "ja" and predicate in SHIPPED else ()
    return next((word for word in words if own_language(word) == "ja"), predicate)
