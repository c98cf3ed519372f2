"""What an announcement says was so until then: 「来週から私ではなくナディアさんになります」, "Nadia instead of me"."""

from __future__ import annotations

import re

from memory.remember.extraction.values import cleaned, fits, person
from memory.text.first_person import is_the_speaker

_JAPANESE = (
    re.compile(r"[はがを]\s?(?P<old>[^はがを、]{1,30}?)(?:では?なく|じゃなく)"),
    re.compile(r"[はがを]\s?(?P<old>[^はがを、]{1,30}?)から.{1,40}?(?:に|へ)(?:変|替|代|交代|交替|移|引)"),
    re.compile(r"(?:^|[はがを、]\s?)(?P<old>[^はがを、]{1,20}?)(?:に代わ(?:って|り)|の代わりに)"),
)
_ENGLISH = (
    re.compile(
        r"\b(?:instead of|rather than|in place of|and not|no longer|,? not) "
        r"(?P<old>[\w'¥$€.-]+(?: [\w-]+){0,2}?)(?=[.,!]|$)",
        re.IGNORECASE,
    ),
    re.compile(r"\bfrom (?P<old>.{1,40}?) to\b", re.IGNORECASE),
    re.compile(r"\b(?:takes?|taking) over .{2,40}? from (?P<old>[\w'-]+)", re.IGNORECASE),
    re.compile(r"^(?P<old>I)(?:'ll| will)? (?:hand|pass)\b", re.IGNORECASE),
)


def replaced(clause: str, predicate: str) -> str:
    """The value that the clause says another one takes the place of; "" where it names none of the predicate's kind."""
    for pattern in (*_JAPANESE, *_ENGLISH):
        match = pattern.search(clause)
        if match is None:
            continue
        old = cleaned(match["old"].rstrip("."))
        if predicate == "owner":
            old = old if is_the_speaker(old) else person(old)
        if fits(predicate, old) or (predicate == "owner" and is_the_speaker(old)):
            return old
    return ""
