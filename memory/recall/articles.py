"""What the knowledge base says: the best sections for a question, beside what people said and never in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.answers import Evidence, Passage
from memory.knowledge.articles import address_of, heading_of
from memory.model import Episode, Question, Turn
from memory.ports import Reading
from memory.recall.contradictions import Contradictions
from memory.recall.evidence import quote_turn
from memory.recall.intent import Intent
from memory.recall.ranking import Ranking
from memory.recall.router import Router

_HEADINGS = re.compile(r"^(?:#{1,6}(?:[ \t][^\n]*)?(?:\n\s*|$))+")
#: Sections that one answer may stand on.
_SECTIONS = 3
#: A section that fits less than this, compared with the best, is left out.
_NEARLY = 0.7


class Articles:
    """Looks questions up in the collections that may be used for them. `addresses` by collection, where people can read
    it; `least` is the support below which nothing is on the question at all."""

    def __init__(
        self,
        *,
        router: Router,
        reading: Reading,
        contradictions: Contradictions,
        addresses: Mapping[str, str],
        least: float,
    ) -> None:
        self._router = router
        self._reading = reading
        self._contradictions = contradictions
        self._addresses = addresses
        self._least = least

    async def found(self, question: Question, intent: Intent, said: Ranking) -> tuple[Evidence, ...]:
        """The best sections, each with the newer tickets that contradict it; `said` is what people said on it.

        Where it is asked how something is done, articles stand beside tickets; where it is asked what happened, they
        are left alone; for all else they are asked where people said nothing that fits. Raises StoreUnavailable.
        """
        if not _wanted(intent, said, self._least):
            return ()
        return await self._looked_up(question, intent)

    async def instead(self, question: Question, intent: Intent, said: Ranking) -> tuple[Evidence, ...]:
        """The same for a question that what people said seemed to fit, and does not answer. Raises StoreUnavailable."""
        if _wanted(intent, said, self._least) or _happened(intent):
            return ()
        return await self._looked_up(question, intent)

    async def _looked_up(self, question: Question, intent: Intent) -> tuple[Evidence, ...]:
        if not question.collections:
            return ()
        viewer = replace(question.viewer, collections=question.collections)
        looked_up = replace(question, viewer=viewer, conversation=None)
        ranking = await self._router.route(looked_up, Intent(codes=intent.codes, asks=intent.asks))
        if ranking.support < self._least:
            return ()
        best = [one for one in ranking.turns[:_SECTIONS] if one.score >= _NEARLY * ranking.turns[0].score]
        found = await self._reading.episodes([one.episode for one in best], viewer, question.until)
        places = {turn.id: (turn, episode) for episode in found for turn in episode.turns}
        trust = {one.turn_id: ranking.support * one.score / ranking.turns[0].score for one in best}
        return await self._evidence([(*places[id_], much) for id_, much in trust.items() if id_ in places], question)

    async def _evidence(
        self, sections: Sequence[tuple[Turn, Episode, float]], question: Question
    ) -> tuple[Evidence, ...]:
        against = await self._contradictions.of([turn for turn, _, _ in sections], question)
        return tuple(
            replace(
                quote_turn(turn, episode, trust),
                quote=_below(turn.text),
                passage=self._passage(turn, against.get(turn.id, ())),
            )
            for turn, episode, trust in sections
        )

    def _passage(self, turn: Turn, against: tuple[str, ...]) -> Passage:
        base = self._addresses.get(turn.conversation.workspace)
        return Passage(heading=heading_of(turn), link=address_of(turn, base) if base else None, contradicted_by=against)


def _below(text: str) -> str:
    """The words of a section below its headings, which are named beside it."""
    return _HEADINGS.sub("", text) or text


def _wanted(intent: Intent, said: Ranking, least: float) -> bool:
    return intent.how_to or (not _happened(intent) and said.support < least)


def _happened(intent: Intent) -> bool:
    """Whether it is asked what happened, or about a request of one's own."""
    return intent.own or intent.about_time or intent.period is not None
