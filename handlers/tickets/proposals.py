"""Where a new ticket belongs and what may have helped, until somebody says otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from unicodedata import normalize

from handlers.files import without_files
from memory.remember.extraction.talk import asks, is_small_talk
from memory.text.sentences import sentences

#: A sentence that begins so is said to a person, not about the trouble.
_TO_SOMEBODY = re.compile(
    r"\s*(?:(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|thanks|thank you|sorry)\b"
    r"|こんにちは|こんばんは|おはよう|お疲れ|おつかれ|お世話に|ありがとう|すみません|申し訳)",
    re.IGNORECASE,
)


def category_of(words: str, categories: Mapping[str, Sequence[str]]) -> str | None:
    """The first category of which one word stands in these; None where none does."""
    said = _folded(words)
    return next((name for name, its in categories.items() if any(_folded(word) in said for word in its)), None)


def fix_of(words: Sequence[str]) -> str:
    """The last of these messages of support that says something which may have helped, without what asks or greets in
    it; empty where none does."""
    told = (_told(without_files(one).strip()) for one in reversed(words))
    return next(filter(None, told), "")


def _told(words: str) -> str:
    said = [one.strip() for one in sentences(words) if one.strip()]
    kept = [one for one in said if not _is_chatter(one)]
    return words if len(kept) == len(said) else "\n".join(kept)


def _is_chatter(sentence: str) -> bool:
    if not any(map(str.isalnum, sentence)):
        return True  # a sign that is left of what was said around it
    # The number of a step is not small talk.
    spoken = any(map(str.isalpha, sentence))
    return spoken and bool(asks(sentence) or is_small_talk(sentence) or _TO_SOMEBODY.match(sentence))


def _folded(words: str) -> str:
    return normalize("NFKC", words).casefold()
