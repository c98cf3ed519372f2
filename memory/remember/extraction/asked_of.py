"""Of several facts that an answer told, those that its question asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.facts import STATE, Fact, matter
from memory.remember.extraction.predicates import Predicates


def asked_of(facts: Sequence[Fact], question: str, predicates: Predicates) -> Sequence[Fact]:
    """Those of the subject that the question names; then what was told in words, before what is only a field of a
    ticket; then those of the attribute that it names. Where none is of such a kind all are left."""
    words = matter(question)

    def names_attribute(fact: Fact) -> bool:
        return any(matter(word) in words for word in (fact.predicate, *predicates[fact.predicate].words))

    narrower: list[Callable[[Fact], bool]] = [
        lambda fact: matter(fact.subject) in words,
        lambda fact: fact.made_by != STATE,
        names_attribute,
    ]
    for fits in narrower:
        facts = [fact for fact in facts if fits(fact)] or facts
    return facts
