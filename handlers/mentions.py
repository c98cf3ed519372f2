"""The bot's own mention taken out of a message, wherever it stands in it."""

from __future__ import annotations

import re
from functools import lru_cache

#: Few, because whoever searches for many spaces before something takes long over a text of spaces.
_SPACE = " \t\u3000"
_SPACES = f"[{_SPACE}]{{0,8}}"
_CLOSING = frozenset(",.:;!?)、。，．：；！？）」』")


def without_mentions(text: str, mention: str) -> str:
    """The text without what the pattern `mention` finds, as often as it is repeated: one space stays where it parted
    two words; at the very start what divides it from the rest goes too."""
    anywhere, leading = _patterns(mention)
    return anywhere.sub(_gap, leading.sub("", text))


@lru_cache(maxsize=64)
def _patterns(mention: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A run of mentions with the spaces around it, anywhere and at the start."""
    run = rf"(?:{_SPACES}{mention})+{_SPACES}"
    return re.compile(run), re.compile(rf"\A\s{{0,8}}{run}(?:[,:](?=\s)|[、，：])?")


def _gap(mention: re.Match[str]) -> str:
    """What is left where a mention was: one of its spaces, none at the edge of a line or before punctuation."""
    before = mention.string[max(0, mention.start() - 1) : mention.start()]
    after = mention.string[mention.end() : mention.end() + 1]
    if before in ("", "\n") or after in ("", "\n") or after in _CLOSING:
        return ""
    return next((edge for edge in (mention[0][0], mention[0][-1]) if edge in _SPACE), "")
