"""Whether words are those with which people speak of themselves."""

from __future__ import annotations

import re
import unicodedata

_ALONE = re.compile(r"(?:私|わたし|わたくし|自分|僕|ぼく|俺|当方|こちら|i|me|myself)(?:自身)?")
_WITHIN = re.compile(r"私|わたし|わたくし|自分|僕|俺|当方|\b(?:i|i'm|i'll|me|my|mine|myself)\b")


def is_the_speaker(words: str) -> bool:
    """Whether they name nobody but whoever says them: 私, "me"."""
    return _ALONE.fullmatch(_plain(words).strip()) is not None


def speaks_of_oneself(sentence: str) -> bool:
    """Whether whoever says it is somewhere in it."""
    return _WITHIN.search(_plain(sentence)) is not None


def _plain(words: str) -> str:
    return unicodedata.normalize("NFKC", words).lower().replace("’", "'")
