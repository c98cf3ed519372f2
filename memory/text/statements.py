"""What a text states, beside what it asks: the sentences that may hold an answer."""

from __future__ import annotations

import re

from memory.text.quotes import folded
from memory.text.sentences import sentences
from memory.text.sparse import overlap

_ASKS = re.compile(r"(?:[?？][\"'”’)）」]*|か[。．]?)\s*$")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_NUMBER = re.compile(r"\d+")
#: So many letters say something by themselves; a Japanese one counts twice. "Thanks, Mel!" does not.
_SAYS_SOMETHING = 40
#: Of the words of a question, so many in another make it the same question in nearly the same words.
_NEARLY_ALL = 0.8
#: The same words may be so many times as long by white space around them.
_PADDED = 2


def statements(text: str) -> tuple[str, ...]:
    """The sentences that state something by themselves: no questions, no short words of thanks. Empty where the text
    has only one sentence, which then says it all."""
    parts = _trimmed(text)
    if len(parts) < 2:
        return ()
    return tuple(part for part in parts if not _asks(part) and _size(part) >= _SAYS_SOMETHING)


def stated_share(text: str) -> float:
    """How much of a text is not a question, 0 to 1; 1 for an empty one, which asks nothing."""
    parts = _trimmed(text)
    whole = sum(map(_size, parts))
    return 1.0 - sum(_size(part) for part in parts if _asks(part)) / whole if whole else 1.0


def asks_the_same(text: str, question: str) -> bool:
    """Whether a text has only the words of the question, or asks it in nearly the same words: with no other number, and
    no statement that is not in the question word for word."""
    parts = _trimmed(text)
    stated = [part for part in parts if not _asks(part)]
    if len(stated) == len(parts) and len(text) > _PADDED * len(question):
        return False  # as most of what is remembered; to fold it takes longer than all else
    said, asked = folded(text).casefold(), folded(question).casefold()
    if said == asked:
        return True
    if len(stated) == len(parts) or not all(folded(part).casefold() in asked for part in stated):
        return False
    return set(_NUMBER.findall(said)) <= set(_NUMBER.findall(asked)) and overlap(text, question) >= _NEARLY_ALL


def only_repeats(text: str, question: str) -> bool:
    """Whether each line of a text is a line of the question: some questions are made of what was said before them."""
    if "\n" not in question:
        return False  # then it is the question, word for word, or says something else
    return folded_lines(text) <= folded_lines(question)


def folded_lines(text: str) -> set[str]:
    """The lines that have words, each in one spelling."""
    return {line for part in text.splitlines() if (line := folded(part).casefold())}


def _trimmed(text: str) -> list[str]:
    return [sentence.strip() for sentence in sentences(text) if sentence.strip()]


def _asks(sentence: str) -> bool:
    return _ASKS.search(sentence) is not None


def _size(sentence: str) -> int:
    return len(sentence) + len(_JAPANESE.findall(sentence))
