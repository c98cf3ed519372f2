"""A sentence without the date from which it holds, so that the rest has the same form with and without one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from memory.text.dates import Bound, Mention, mentions

_BEFORE = re.compile(
    r"(?:\b(?:from|since|starting(?: on| from)?|effective(?: from)?|as of|beginning|with effect from|"
    r"on|until|by|in)\s+(?:the )?)$",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\s?(?:付けで|付で|付けより|をもって|から|より|以降は?|に|で)?[、,]?\s?(?:は(?=[、,]))?[、,]?\s?")
_AROUND_ON = re.compile(r"^(?:on|in|at)$", re.IGNORECASE)
_FROM_NOW = re.compile(
    r",? ?\b(?:from now on|as of now|effective immediately|with immediate effect)\b,?|^(?:今後は?|"
    r"これから(?:は)?|以後は?)[、,]?\s?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """The rest of a sentence, and the words for its time as they stand in it; empty where nothing was taken out."""

    text: str
    when: str


def undated(sentence: str, anchor: datetime) -> Undated:
    """Takes out the dates from which on, and one at the beginning; a date that is the sentence's point stays."""
    text = sentence
    taken: list[str] = []
    for found in reversed(mentions(sentence, anchor)):
        start, end = _with_particles(sentence, found)
        if re.match(r"\s?の(?!夜|朝|昼|夕|午)|['’]s\b", sentence[found.span[1] :]):
            continue
        opens = not sentence[:start].strip() or sentence[:start].rstrip().endswith(("、", ",", ":", "：", "】"))
        if _is_a_length(sentence, found) or (
            found.bound is not Bound.FROM and not (opens and end < len(sentence)) and not _begins(sentence, found)
        ):
            continue
        if found.bound is not Bound.UNTIL:
            taken.append(sentence[start:end].strip(" ,、"))
            text = f"{text[:start]} {text[end:]}" if start else text[end:]
    rest = " ".join(_FROM_NOW.sub(" ", text).split())
    return Undated(text=re.sub(r"^[,、]\s*", "", rest).strip(), when=" ".join(reversed(taken)))


def _is_a_length(sentence: str, found: Mention) -> bool:
    """「30日から60日に」: from one length of time to another."""
    return re.match(r"\d{1,3}日から\s?\d", sentence[found.span[0] :]) is not None


def _begins(sentence: str, found: Mention) -> bool:
    """A date in the middle from which on something is so: 「…は4/1付で…」, and "… on 1 October." at the end."""
    before, after = sentence[: found.span[0]], sentence[found.span[1] :]
    at_the_end = re.search(r"\bon (?:the )?$", before) and not after.strip(" .!")
    return found.bound is Bound.AT and bool(re.match(r"\s?(?:付|より|をもって|から)", after) or at_the_end)


def _with_particles(sentence: str, found: Mention) -> tuple[int, int]:
    start, end = found.span
    before = _BEFORE.search(sentence[:start])
    after = _AFTER.match(sentence, end)
    return (before.start() if before else start), (after.end() if after else end)
