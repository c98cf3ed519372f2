"""Words without what makes no difference to what somebody means by a short message."""

from __future__ import annotations

import re
import unicodedata

#: Slack writes an emoji as its name between colons; a time of the day is none.
_NAMED = re.compile(r":(\+1|-1|100|(?=[a-z0-9_+'-]*[a-z])[a-z0-9_+'-]{2,40}):(?::skin-tone-[2-6]:)?")
_AGREEING = frozenset(
    (
        "+1 thumbsup ok_hand pray raised_hands clap tada white_check_mark heavy_check_mark heart smile smiley grin"
        " grinning blush joy rofl laughing sweat_smile slightly_smiling_face bow man-bowing woman-bowing 100 ok"
        " handshake saluting_face partying_face ok_woman ok_man muscle relaxed"
    ).split()
)
_DISAGREEING = frozenset(("-1", "thumbsdown"))


def pictured(words: str) -> str:
    """With signs for emoji that are written by name: 👍 or 👎 for those that agree or do not, □ for all others."""
    return _NAMED.sub(_sign, words)


def _sign(name: re.Match[str]) -> str:
    return "👍" if name[1] in _AGREEING else "👎" if name[1] in _DISAGREEING else "□"


def folded(words: str) -> str:
    """In small letters of one width, without signs; what stood between signs is parted by one space."""
    small = unicodedata.normalize("NFKC", words).casefold()
    return " ".join("".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in small).split())


def asks_by_sign(words: str) -> bool:
    """Whether it ends in a question mark, whatever emoji and brackets come after that."""
    return words.rstrip("".join((" \t\n", "!！)）」…"))).endswith(("?", "？"))
