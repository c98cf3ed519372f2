"""Facts on the read path: what the evidence tells is set against everything known on the same matters."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.answers import Evidence
from memory.fact_ports import FactReading
from memory.facts import ACCOUNT, OF_PEOPLE, Fact, Group, matter
from memory.model import Episode, Question, Viewer
from memory.ports import Reading
from memory.recall.evidence import quote_turn
from memory.recall.intent import means_own
from memory.recall.moment import moment_of
from memory.recall.notices import without_replaced
from memory.recall.validity import Standing, deciding, led, of_the_time, standing, trusted, with_ends, without_stale
from memory.remember.timeline import Policy, Timeline, timeline
from memory.text.glossary import NO_GLOSSARY, Glossary

#: Matters that one question looks into: those of the best evidence.
_MATTERS = 60
#: What is known of the people of those matters by their names, the newest: enough to tell who is who.
_INTRODUCTIONS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """Evidence as it stands at the moment asked about, and the facts that decided."""

    evidence: tuple[Evidence, ...]
    facts: tuple[Fact, ...] = ()


class Facts:
    """Weighs evidence by what holds when. `single` names the predicates that have one value at a time."""

    def __init__(
        self,
        *,
        reading: Reading,
        facts: FactReading,
        single: Collection[str],
        policy: Policy,
        glossary: Glossary = NO_GLOSSARY,
    ) -> None:
        self._reading = reading
        self._facts = facts
        self._single = single
        self._policy = policy
        self._glossary = glossary

    async def weigh(self, question: Question, evidence: Sequence[Evidence]) -> Weighed:
        """The evidence set against the facts on its matters. Raises StoreUnavailable.

        What no longer holds at the moment asked about, or not yet, goes, and what holds instead comes in, also where no
        search found it. Where the history itself is asked for everything stays, and says until when it was true.
        """
        moment = moment_of(question)
        turns = {turn for one in evidence if not one.derived for turn in one.turn_ids}
        told = await self._facts.of_turns(sorted(turns), question.viewer, question.until)
        stands = await self._standing(question, told, turns, moment.at)
        if moment.history:
            return Weighed(evidence=tuple(with_ends(evidence, stands)), facts=stands.holding)
        # Who means an earlier request of their own asks for no value of anything.
        trust = led(told, evidence) if means_own(question) else trusted(told, evidence)
        missing = [fact for fact in stands.holding if turns.isdisjoint(fact.turn_ids)]
        brought = await self._quoted(question, missing, trust)
        kept = without_stale(deciding(evidence, stands, trust), stands, question.text, self._glossary)
        weighed: Sequence[Evidence] = without_replaced((*kept, *brought), moment.at, self._glossary)
        if moment.at < question.now:
            weighed = of_the_time(weighed, stands, moment.at)
        return Weighed(evidence=tuple(weighed), facts=stands.holding)

    async def line(self, matters: Sequence[Group], viewer: Viewer, known_at: datetime) -> Timeline:
        """Everything that was known on these matters at `known_at`, with its ends."""
        if not matters:
            return Timeline()
        facts = await self._facts.on(list(dict.fromkeys(matters)), viewer, known_at)
        undos, people = await asyncio.gather(
            self._facts.undos([fact.id for fact in facts], known_at), self._people(facts, viewer, known_at)
        )
        return timeline(facts, single=self._single, undos=undos, people=people, policy=self._policy)

    async def _people(self, facts: Iterable[Fact], viewer: Viewer, known_at: datetime) -> Mapping[str, str]:
        """Under which account people sign who are called otherwise in these facts, folded. Who shares a name with
        another is neither."""
        called = list(dict.fromkeys(matter(fact.value) for fact in facts if fact.predicate in OF_PEOPLE))
        told = await self._facts.about(called, viewer, known_at, _INTRODUCTIONS) if called else []
        accounts: dict[str, set[str]] = {}
        for fact in told:
            if fact.predicate == ACCOUNT:
                accounts.setdefault(fact.group.subject, set()).add(matter(fact.value))
        return {name: account for name, found in accounts.items() for account in found if len(found) == 1}

    async def _standing(
        self, question: Question, told: Sequence[Fact], turns: Collection[str], moment: datetime
    ) -> Standing:
        matters = dict.fromkeys(fact.group for fact in told if fact.predicate in self._single)
        line = await self.line(list(matters)[:_MATTERS], question.viewer, question.until)
        return standing(line, moment, turns, [fact for fact in told if fact.group not in matters])

    async def _quoted(self, question: Question, facts: Sequence[Fact], trust: Mapping[Group, float]) -> list[Evidence]:
        """The turns that tell these facts, trusted as their matters are."""
        if not facts:
            return []
        found = await self._reading.episodes(
            list(dict.fromkeys(fact.episode for fact in facts)), question.viewer, question.until
        )
        episodes: Mapping[str, Episode] = {episode.id: episode for episode in found}
        return [
            quote_turn(turn, episodes[fact.episode], trust[fact.group])
            for fact in facts
            if fact.episode in episodes
            for turn in episodes[fact.episode].turns
            if turn.id == fact.turn_ids[0]
        ]
