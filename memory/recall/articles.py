"""What the knowledge base says: the best sections for a question, beside what people said and never in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory.answers import Dissent, Evidence, Passage
from memory.knowledge.articles import address_of, heading_of
from memory.model import Episode, Question, Turn
from memory.ports import Reading
from memory.recall.contradictions import Contradictions
from memory.recall.evidence import quote_turn, share_of_best
from memory.recall.intent import Intent
from memory.recall.moment import moment_of
from memory.recall.ranking import Ranking
from memory.recall.router import Router

_HEADINGS = re.compile(r"^(?:#{1,6}(?:[ \t][^\n]*)?(?:\n\s*|$))+")
#: Sections that one answer may stand on.
_SECTIONS = 3
#: Sections of one article among which a heading of the same name is looked for.
_WHOLE = 1_000
#: A section that fits less than this, compared with the best, is left out.
_NEARLY = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """A section that was found: its words of the moment asked about, and as it is `now`."""

    turn: Turn
    now: Turn
    episode: Episode
    trust: float

    @property
    def changed(self) -> bool:
        return (self.turn.text, self.turn.title) != (self.now.text, self.now.title)


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
        """The best sections, each with what is newer and contradicts it; `said` is what people said on it.

        Where it is asked how something is done, articles stand beside tickets; where it is asked what happened, they
        are left alone; for all else they are asked where people said nothing that fits. Raises StoreUnavailable.
        """
        if not _wanted(question, intent, said, self._least):
            return ()
        return await self._looked_up(question, intent)

    async def instead(self, question: Question, intent: Intent, said: Ranking) -> tuple[Evidence, ...]:
        """The same for a question that what people said seemed to fit, and does not answer. Raises StoreUnavailable."""
        if _wanted(question, intent, said, self._least) or _happened(question, intent):
            return ()
        return await self._looked_up(question, intent)

    async def _looked_up(self, question: Question, intent: Intent) -> tuple[Evidence, ...]:
        if not question.collections:
            return ()
        viewer = replace(question.viewer, collections=question.collections)
        # An earlier edition is found by the section that it has become.
        looked_up = replace(question, viewer=viewer, conversation=None)
        ranking = await self._router.route(looked_up, Intent(codes=intent.codes, asks=intent.asks))
        if ranking.support < self._least:
            return ()
        best = [one for one in ranking.turns[:_SECTIONS] if one.score >= _NEARLY * ranking.turns[0].score]
        found = await self._reading.episodes([one.episode for one in best], viewer, looked_up.until)
        now = {turn.id: (turn, episode) for episode in found for turn in episode.turns}
        moment = min(moment_of(question).at, looked_up.until)
        then = {turn.id: turn for turn in await self._reading.as_of(list(now), viewer, moment)}
        trust = {one.turn_id: ranking.support * share_of_best(one.score, ranking.turns[0].score) for one in best}
        sections = [
            _Section(turn=then[id_], now=now[id_][0], episode=now[id_][1], trust=much)
            for id_, much in trust.items()
            if id_ in then
        ]
        links = await self._links(sections, looked_up)
        return await self._evidence(sections, links, replace(question, as_of=moment))

    async def _links(self, sections: Sequence[_Section], question: Question) -> Mapping[str, str]:
        """By the id of its turn, where people read each section whose collection has an address."""
        links: dict[str, str] = {}
        for turn in (one.now for one in sections):
            if base := self._addresses.get(turn.conversation.workspace):
                article = await self._reading.recent(turn.conversation.id, question.viewer, question.until, _WHOLE)
                links[turn.id] = address_of(turn, article, base)
        return links

    async def _evidence(
        self, sections: Sequence[_Section], links: Mapping[str, str], question: Question
    ) -> tuple[Evidence, ...]:
        against = await self._contradictions.of([one.turn for one in sections], question)
        return tuple(
            replace(
                quote_turn(one.turn, one.episode, one.trust),
                quote=_below(one.turn.text),
                passage=_passage(one, links.get(one.turn.id), against.get(one.turn.id, ())),
            )
            for one in sections
        )


def _passage(section: _Section, link: str | None, against: tuple[Dissent, ...]) -> Passage:
    return Passage(
        heading=heading_of(section.turn),
        link=link,
        contradicted_by=against,
        changed_since=section.changed,
    )


def searches_articles(question: Question, intent: Intent) -> bool:
    """Whether articles are searched before it is said that nothing was found."""
    return bool(question.collections) and (intent.how_to or not _happened(question, intent))


def _below(text: str) -> str:
    """The words of a section below its headings, which are named beside it."""
    return _HEADINGS.sub("", text) or text


def _wanted(question: Question, intent: Intent, said: Ranking, least: float) -> bool:
    return intent.how_to or (not _happened(question, intent) and said.support < least)


def _happened(question: Question, intent: Intent) -> bool:
    """Whether it is asked what happened, or about a request of one's own; how things stood at some time is neither."""
    if moment_of(question).at < question.now:
        return intent.own
    return intent.own or intent.about_time or intent.period is not None
