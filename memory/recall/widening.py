"""A question's terms with the other names of what it asks about, so that 複合機 finds what was said of the プリンタ.

It happens when it is asked, and nothing that is stored knows of it: another glossary counts from the next question on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.index_ports import Terms
from memory.text.glossary import Named
from memory.text.sparse import question_terms

#: What another name is worth beside the one that was said.
ALIAS = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Widened:
    """Terms to search by, and the IDF mass of a text that has all of the question in its own words."""

    terms: Terms
    mass: float


def all_terms(asked: Terms, names: Sequence[Named]) -> tuple[int, ...]:
    """The question's terms, and those of every other name."""
    others = (term for named in names for name in named.others for term in question_terms(name).ids)
    return tuple(sorted({*asked.ids, *others}))


def widened(asked: Terms, names: Sequence[Named], idf: Mapping[int, float]) -> Widened:
    """The question's terms at their weights, and those of other names so that one of these, found whole, is worth ALIAS
    of the name that was said.

    How rare a thing is says the commonest of its names: one that nobody here uses would otherwise look like the rarest
    word of the question. `idf` has all of `all_terms`.
    """
    own = dict(zip(asked.ids, asked.weights, strict=True))
    added: dict[int, float] = {}
    for named in names:
        said = [term for term in question_terms(named.said).ids if term in own]
        others = [terms for name in named.others if (terms := question_terms(name).ids)]
        if not said or not others:
            continue
        rarity = min(_mean(terms, idf) for terms in (said, *others))
        for term in said:
            own[term] = min(own[term], rarity / _mean(said, idf))
        for terms in others:
            weight = ALIAS * rarity * len(said) / sum(idf[term] for term in terms)
            added |= {term: max(weight, added.get(term, 0.0)) for term in terms if term not in own}
    ordered = sorted((own | added).items())
    return Widened(
        terms=Terms(ids=tuple(term for term, _ in ordered), weights=tuple(weight for _, weight in ordered)),
        mass=sum(weight * idf[term] for term, weight in own.items()),
    )


def _mean(terms: Sequence[int], idf: Mapping[int, float]) -> float:
    return sum(idf[term] for term in terms) / len(terms)
