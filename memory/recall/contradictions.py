"""What is newer than an article and contradicts it: it says another value of the same matter, which still holds."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from memory.answers import Dissent
from memory.facts import Fact
from memory.model import Question, Turn
from memory.ports import Reading
from memory.recall.facts import Facts
from memory.recall.moment import moment_of
from memory.remember.extraction.article_claims import claims_of
from memory.remember.extraction.predicates import Predicates

#: Matters of one section, and tickets that are named against it: the newest.
_MATTERS, _NAMED = 20, 3


class Contradictions:
    """Compares what sections say, as it is read off them by rule, with what is known from tickets. Nothing of a section
    is ever a fact itself. Only what the asker may see is named."""

    def __init__(self, *, facts: Facts, reading: Reading, predicates: Predicates) -> None:
        self._facts = facts
        self._reading = reading
        self._predicates = predicates
        self._single = {name for name, row in predicates.items() if row.single}

    async def of(self, sections: Sequence[Turn], question: Question) -> Mapping[str, tuple[Dissent, ...]]:
        """By the id of its turn, what is against each section that there is anything against; the newest first, each
        ticket once, and so is each message outside of tickets. Raises StoreUnavailable."""
        claims = await asyncio.to_thread(self._claims, sections)
        groups = [claim.group for claim in claims]
        line = await self._facts.line(groups, question.viewer, question.until)
        against: dict[str, list[Fact]] = {}
        for claim in claims:
            newer = (
                fact
                for fact in line.holding(moment_of(question).at)
                if fact.group == claim.group and fact.recorded_at > claim.recorded_at and not line.same(fact, claim)
            )
            against.setdefault(claim.turn_ids[0], []).extend(newer)
        names = await self._names({fact.turn_ids[0] for found in against.values() for fact in found}, question)
        return {turn: said for turn, found in against.items() if (said := _newest(found, names))}

    def _claims(self, sections: Sequence[Turn]) -> list[Fact]:
        return [
            claim
            for section in sections
            for claim in claims_of(section, self._predicates)[:_MATTERS]
            if claim.predicate in self._single
        ]

    async def _names(self, turns: Collection[str], question: Question) -> Mapping[str, Dissent]:
        """How people know these turns: never by the id of a thread."""
        found = await self._reading.turns(sorted(turns), question.viewer, question.until)
        return {turn.id: Dissent(ticket=turn.ticket, speaker=turn.said_by, said_at=turn.said_at) for turn in found}


def _newest(facts: Sequence[Fact], names: Mapping[str, Dissent]) -> tuple[Dissent, ...]:
    in_time = sorted(facts, key=lambda fact: fact.recorded_at, reverse=True)
    named = (names[fact.turn_ids[0]] for fact in in_time if fact.turn_ids[0] in names)
    once: dict[str | Dissent, Dissent] = {}
    for one in named:
        once.setdefault(one.ticket or one, one)
    return tuple(once.values())[:_NAMED]
