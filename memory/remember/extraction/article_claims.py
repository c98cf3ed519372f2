"""What a section of an article says of things, read off it by rule to be compared with facts. It is never stored."""

from __future__ import annotations

from memory.facts import Fact
from memory.model import Episode, Turn, derived_id
from memory.remember.enricher import Enrichment
from memory.remember.extraction.facts import facts_of
from memory.remember.extraction.predicates import Predicates
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.states import RULES
from memory.scope import narrowest


def claims_of(section: Turn, predicates: Predicates) -> list[Fact]:
    """The claims in these words, dated like facts, in a stable order. No state and no introduction is among them."""
    alone = Episode(
        id=derived_id("section", section.id),
        conversation=section.conversation,
        ticket=None,
        turns=(section,),
        scope=narrowest([section]),
        tokens=0,
    )
    said = Enrichment(summary="", facts=tuple(rule_statements([section], predicates)), made_by=RULES)
    return [claim for claim in facts_of(alone, said, predicates) if claim.made_by == RULES]
