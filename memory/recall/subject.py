"""Whether an answer about one person rests on what another tells of themselves.

A small model answers "what did Sato buy" from Tanaka's "I bought a lamp": it goes by what was bought.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.answers import Evidence
from memory.model import Role
from memory.text.entities import normalise, stands_in
from memory.text.language import LanguageCode, detect_language

_FIRST_PERSON = re.compile(
    r"(?<![a-z'])(?:i|i'm|i've|i'd|i'll|my|me|mine|myself|we|we're|we've|our|us)(?![a-z'])|私|僕|俺|自分|当方"
)
#: Before and after a name by which somebody is spoken to, and not of.
_CALLED_BEFORE = r"(?:^|[,.!?。！？、]\s*|\b(?:hey|hi|hello|thanks|thank you|wow|yeah|oh|congrats),?\s*)"
_CALLED_AFTER = r"(?:さん|様)?\s*(?=[,.!?。！？、]|$)"


def of_somebody_else(question: str, cited: Sequence[Evidence], evidence: Sequence[Evidence]) -> bool:
    """Whether the question names people who speak in the evidence, and each piece that is cited is another person's, in
    the first person, in the question's language and without their names. Support speaks of others: it never counts."""
    asked = normalise(question)
    named = {one.speaker for one in evidence if stands_in(one.speaker, asked)}
    language = detect_language(question, "en")
    return bool(named and cited) and all(
        one.role is Role.REQUESTER and one.speaker not in named and _own_story(one.quote, named, language)
        for one in cited
    )


def _own_story(quote: str, named: set[str], language: LanguageCode) -> bool:
    said = normalise(quote)
    return (
        detect_language(quote, language) == language
        and _FIRST_PERSON.search(said) is not None
        and not any(_speaks_of(name, said) for name in named)
    )


def _speaks_of(name: str, said: str) -> bool:
    called = re.compile(f"{_CALLED_BEFORE}{re.escape(normalise(name))}{_CALLED_AFTER}")
    return stands_in(name, called.sub(" ", said))
