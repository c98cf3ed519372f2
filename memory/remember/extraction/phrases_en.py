"""What can be an English noun phrase that names something, of what a pattern took for one."""

from __future__ import annotations

import re

from memory.remember.extraction.subjects import bare

_I = re.IGNORECASE
NOT_WHO = re.compile(
    r"^(?:who|what|which|it|this|that|there|here|he|she|they|we|you|i|everything|everybody|everyone|"
    r"nobody|someone|somebody|something|both|half|one|all)$",
    _I,
)
#: Not the beginning of a noun phrase, or not its end, or more than one phrase.
_NO_PHRASE = re.compile(
    r"^(?:probably|perhaps|please|then|because|when|where|as|since|for|in|on|at|to|with|how|rolled|moved|set|put|"
    r"let|see|got|just|only|even|not|no|until|before|after|it's|that's|there's)\b|"
    r"\b(?:the|a|an|of|from|before|to|that|than|and|or|with|for)$|[,:]|'(?:ll|ve|d)\b|\b(?:please|because|"
    r"which|who|what)\b|"
    r"\b(?:you|me|us|him|her|i|we|they)\b",
    _I,
)
PRONOUN = re.compile(r"^(?:it|this|that|them|these|those|one)$", _I)


def is_phrase(phrase: str) -> bool:
    """Whether what a pattern took for a noun phrase can be one, and names something."""
    named = bare(phrase)
    return not NOT_WHO.match(named) and not _NO_PHRASE.search(phrase) and len(phrase.split()) < 9
