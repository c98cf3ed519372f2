"""Whether a sentence speaks of what was or of what will be, as far as that decides which day of a name is meant."""

from __future__ import annotations

import re
from datetime import timedelta
from enum import Enum, auto

from memory.text.times.calendar import Lean

#: So much of a sentence is looked at on each side.
_REACH = 80
_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
#: What decides in Japanese is the first verb after the time.
_JAPANESE = re.compile(
    r"(?P<past>ました|でした|だった|[^\Wa-z0-9ァ-ーまなかぶ]た(?=[。、がのとらはこ\s]|$)|んだ(?=[。、がの\s]|$)|ません|ない|ている|ています|ております)"
    r"|(?P<future>予定|つもり|ましょう|ください|下さい|お願い|ます)"
)
_ENGLISH_FUTURE = re.compile(
    r"\b(?:will|won't|going to|shall|due|scheduled|planned|must|please|can you|could you|let's|should|needs? to|"
    r"deadline|expires?|upcoming)\b|'ll\b"
)
_ENGLISH_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|has|have|been|went|got|saw|broke|began|came|sent|found|told|said|wrote|lost|took|made|gave|"
    r"left|(?!need\b|feed\b|speed\b|indeed\b|unused\b)(?<!\bis )(?<!\bare )(?<!\bbe )[a-z]{2,12}ed)\b|n't\b"
)
#: What a question has to say before it means a day to come.
_QUESTION_FUTURE = re.compile(
    r"予定|つもり|来期|\b(?:will|going to|shall|scheduled|planned|upcoming|want|need|i'd like)\b|'ll\b"
)
_QUESTION_PAST = re.compile(r"でした|だった|ました|[^まで]た[のとか時際]|" + _ENGLISH_PAST.pattern)
_SINCE = re.compile(r"\bsince\s{1,2}(?:the\s)?$")
_UNTIL = re.compile(r"\b(?:until|till|by|no later than)\s{1,2}(?:the\s)?$")
_JAPANESE_UNTIL = re.compile(r"\s?まで")


class Speech(Enum):
    """A message tells of what was and what will be; a question mostly asks about what was."""

    MESSAGE = auto()
    QUESTION = auto()


#: "On 10 December" said in late November is next month's, whatever the tense: so near, the nearer one is meant.
GRACE = {Speech.MESSAGE: timedelta(days=31), Speech.QUESTION: timedelta(0)}


def sentence(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a place within its sentence, as far as it matters."""
    before = text[max(0, start - _REACH) : start]
    ends = list(_SENTENCE_END.finditer(before))
    after = text[end : end + _REACH]
    stop = _SENTENCE_END.search(after)
    return before[ends[-1].end() :] if ends else before, after[: stop.start()] if stop else after


def lean_of(text: str, start: int, end: int, speech: Speech) -> Lean:
    """The direction in which an incomplete date is completed."""
    before, after = sentence(text, start, end)
    if _SINCE.search(before):
        return Lean.PAST
    if speech is Speech.QUESTION:
        whole = before + " " + after
        future = _QUESTION_FUTURE.search(whole) is not None and _QUESTION_PAST.search(whole) is None
        return Lean.EITHER if future else Lean.PAST
    return _lean_of_message(before, after)


def _lean_of_message(before: str, after: str) -> Lean:
    verb = _JAPANESE.search(after)
    if verb is not None:
        return Lean.PAST if verb["past"] else Lean.FUTURE
    whole = before + " " + after
    if _ENGLISH_FUTURE.search(whole):
        return Lean.FUTURE
    past, until = _ENGLISH_PAST.search(whole), _UNTIL.search(before) or _JAPANESE_UNTIL.match(after)
    if past:
        return Lean.NEAREST if until else Lean.PAST  # "I unblocked it until 30 June"
    return Lean.FUTURE if until else Lean.EITHER
