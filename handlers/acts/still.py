"""Messages that say of something that it is so still, or again."""

from __future__ import annotations

import re
from unicodedata import normalize

from handlers.acts.unhelped import is_unhelped

_STILL = re.compile(
    r"まだ|また(?![、,はも]|がる)|再び|ふたたび|再発|のまま|ぶり返|(?:直|治|なお)って(?:い)?(?:ない|ません)|解決して(?:い)?(?:ない|ません)"
    r"|\b(?:still|again)\b|(?:\bnot|n['’]t) (?:been )?(?:fixed|solved|resolved)\b",
    re.IGNORECASE,
)


def says_still(words: str) -> bool:
    """Whether they say that something did not help, or is so still or again, with whatever news."""
    return is_unhelped(words) or bool(_STILL.search(normalize("NFKC", words)))
