"""A text as secrets are looked for in it: one form for each letter, and nothing that cannot be seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category, is_normalized, normalize

#: Zero-width spaces and joiners, marks of direction, the soft hyphen, variation selectors.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """`text` is what is looked at; `origin` says for each of its characters where it stands in the original, None where
    both are the same."""

    text: str
    origin: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where that part of the view stands in the original."""
        if self.origin is None:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def view_of(text: str) -> View:
    """Full-width letters and digits become the plain ones (NFKC), what cannot be seen is left out."""
    if text.isascii() or (is_normalized("NFKC", text) and not _UNSEEN.search(text)):
        return View(text=text)
    seen: list[str] = []
    origin: list[int] = []
    for place, character in enumerate(text):
        for one in _plain(character):
            seen.append(one)
            origin.append(place)
    return View(text="".join(seen), origin=origin)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """What is to be seen of one character; by itself, so that places are kept."""
    if _UNSEEN.match(character) or category(character) == "Cf":
        return ""
    return normalize("NFKC", character)
