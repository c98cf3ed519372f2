"""The router: which turns and which episodes are worth reading for a question. An episode enters if any pathway admits
it; the ranking then says in which order, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import zip_longest

import structlog

from config.recall import RecallSettings
from memory.answers import Degraded, RankedTurn, RoutedEpisode
from memory.errors import EncoderUnavailable, IndexUnavailable
from memory.index_ports import Encoder, KeyIndex
from memory.model import Episode, Question, Turn
from memory.personal import Personal
from memory.ports import Clock, Reading
from memory.recall.calibration import Aim, aim
from memory.recall.centres import MemoryCentres
from memory.recall.connections import Connected, Connections
from memory.recall.evidence import is_beside
from memory.recall.intent import Intent
from memory.recall.meant import meant_first
from memory.recall.parts import channels_of, not_searched
from memory.recall.pathways import Channel, Findings, Pathway, by_meaning, by_words
from memory.recall.pointers import pointers
from memory.recall.ranking import Candidates, Ranking
from memory.recall.rerank import Scored, rank, valued, weights_of
from memory.recall.second_look import LOOKED_AT, second_look
from memory.recall.signals import signals_of
from memory.recall.support import admitted, doors_of, support
from memory.text.glossary import Glossary
from memory.text.language import detect_language
from memory.tickets import is_resolution

log = structlog.get_logger()

#: How many of the best turns are handed on, with their names.
_TURNS = 50
#: How many of the best episodes: as many as any setting lets be read.
_EPISODES = 40
#: The best episodes by their own keys bring all their turns as candidates: an episode's channel admits on its own too.
_WHOLE_EPISODES = 10
#: Episodes of the asker's own in the time that is named.
_OWN_EPISODES = 10
#: Of the episodes that are let in, so many are read before their order is final: as many as rules read of them.
_LIKELY = 4


class Router:
    """Finds and ranks, in the asker's scope."""

    def __init__(
        self,
        *,
        reading: Reading,
        personal: Personal,
        connections: Connections,
        index: KeyIndex,
        encoder: Encoder,
        settings: RecallSettings,
        glossary: Glossary,
        clock: Clock,
    ) -> None:
        self._reading = reading
        self._personal = personal
        self._connections = connections
        self._index = index
        self._encoder = encoder
        self._settings = settings
        self._glossary = glossary
        self._clock = clock
        self._without = channels_of(settings.without)
        self._weights = weights_of(settings.weights)
        self._centres = MemoryCentres(encoder, index)

    async def route(self, question: Question, intent: Intent) -> Ranking:
        """The best turns and episodes. An encoder or an index that is missing is named in `degraded`."""
        sought = replace(question, text=intent.topic or question.text)
        try:
            meant, worded = await asyncio.gather(
                self._by_meaning(sought),
                by_words(sought, self._index, self._settings.candidates, self._glossary),
            )
        except IndexUnavailable as error:
            log.warning("index_unavailable", error=type(error).__name__)
            return Ranking(degraded=(Degraded.INDEX,))
        found = worded.beside(meant or Findings()).without(not_searched(self._without))
        # No words tell which requests are open.
        findings = Findings() if intent.open else found
        own = await self._own(question, intent)
        episodes = await self._whole_episodes(question, own, findings)
        # Of open requests what was asked for is wanted, not all that was said.
        most = 1 if intent.open else None
        others = [pointer for episode in episodes for pointer in pointers(episode)[:most]]
        scored = rank(findings, signals_of(question, intent), self._weights, others, self._without)
        doors = doors_of(findings) | {episode: {Pathway.SYMBOLIC} for episode in own}
        likely = [entry.scored for entry in admitted(doors, scored)[:_EPISODES]]
        turns, more, connected = await asyncio.gather(
            self._turns(question, [*scored[:LOOKED_AT], *likely], _turns_in(episodes)),
            self._likely_read(question, scored, likely, episodes),
            self._connected(question, scored),
        )
        beside = {turn.id for turn in turns.values() if is_beside(turn, question)}
        scored = [one for one in scored if one.pointer.turn not in beside]
        texts = {one.id: one.text for best in scored[:LOOKED_AT] if (one := turns.get(best.pointer.turn or ""))}
        scored, associated = second_look(
            scored, texts, intent, self._without, connected, self._settings.graph, self._weights
        )
        if Channel.RESOLVED not in self._without:
            resolved = {turn.id: 1.0 for turn in turns.values() if is_resolution(turn)}
            scored = valued(scored, Channel.RESOLVED, resolved, self._weights)
        for episode, more_doors in doors_of(associated).items():
            doors.setdefault(episode, set()).update(more_doors)
        ranking = meant_first(await self._named(question, intent, doors, scored, turns), intent)
        ranking = replace(ranking, read={episode.id: episode for episode in (*episodes, *more)})
        return ranking if meant else replace(ranking, degraded=(*ranking.degraded, Degraded.MEANING))

    async def _by_meaning(self, question: Question) -> Findings | None:
        """None while the encoder is unavailable."""
        aimed = await self._aim(question)
        return await by_meaning(question, aimed, self._index, self._settings.candidates) if aimed else None

    async def _aim(self, question: Question) -> Aim | None:
        try:
            vector, centres = await asyncio.gather(
                self._encoder.question(question.text), self._centres.at(self._clock())
            )
        except EncoderUnavailable as error:
            log.warning("searched_by_words_only", error=type(error).__name__)
            return None
        return aim(vector, detect_language(question.text, "en"), centres)

    async def _connected(self, question: Question, scored: Sequence[Scored]) -> Connected:
        """What events and links bring beside the best turns, where the walk is not left out."""
        if Channel.GRAPH in self._without:
            return Connected()
        most = max(self._settings.graph.turns - LOOKED_AT, 0)
        return await self._connections.around(question, scored[:LOOKED_AT], most)

    async def _whole_episodes(self, question: Question, own: Sequence[str], findings: Findings) -> list[Episode]:
        """The asker's own, and the best of the channels that find whole episodes."""
        wanted = list(dict.fromkeys([*own, *_whole_episodes(findings)]))
        return await self._reading.episodes(wanted, question.viewer, question.until)

    async def _own(self, question: Question, intent: Intent) -> list[str]:
        """What the asker said in the time that is named, or has open: no search finds it where the question does not
        say what it was about."""
        if intent.open:
            return await self._personal.asked_open(question.viewer, _OWN_EPISODES)
        if not intent.own or intent.period is None:
            return []
        until = min(intent.period.end, question.until)
        return await self._personal.wrote_in(question.viewer, intent.period.start, until, _OWN_EPISODES)

    async def _likely_read(
        self, question: Question, scored: Sequence[Scored], likely: Sequence[Scored], known: Sequence[Episode]
    ) -> list[Episode]:
        """What will be read whole, should the second look leave the order as it is: read now, beside the turns."""
        best = [*scored[: self._settings.sure_turns], *likely[:_LIKELY]]
        read = {episode.id for episode in known}
        missing = list(dict.fromkeys(one.pointer.episode for one in best if one.pointer.episode not in read))
        return await self._reading.episodes(missing, question.viewer, question.until) if missing else []

    async def _turns(
        self, question: Question, wanted: Iterable[Scored], known: Mapping[str, Turn]
    ) -> Mapping[str, Turn]:
        """These turns by id, beside those that are known already."""
        missing = list(dict.fromkeys(turn for one in wanted if (turn := one.pointer.turn) and turn not in known))
        turns = await self._reading.turns(missing, question.viewer, question.until) if missing else []
        return {**known, **{turn.id: turn for turn in turns}}

    async def _named(
        self,
        question: Question,
        intent: Intent,
        doors: Mapping[str, Set[Pathway]],
        scored: Sequence[Scored],
        known: Mapping[str, Turn],
    ) -> Ranking:
        """The ranking with the names that people use. A key whose turn is gone from the words is dropped."""
        best = scored[:_TURNS]
        entries = admitted(doors, scored)[:_EPISODES]
        by_id = await self._turns(question, [*best, *(entry.scored for entry in entries)], known)
        return Ranking(
            turns=tuple(_ranked(one, turn) for one in best if (turn := by_id.get(one.pointer.turn or ""))),
            episodes=tuple(
                RoutedEpisode(
                    episode=entry.scored.pointer.episode,
                    ticket=_name(turn),
                    score=round(entry.score, 4),
                    pathways=entry.pathways,
                    channels=_shown(entry.scored),
                )
                for entry in entries
                if (turn := by_id.get(entry.scored.pointer.turn or ""))
            ),
            support=support(scored, intent),
            candidates=Candidates(scored=tuple(scored), doors=doors),
        )


def _turns_in(episodes: Iterable[Episode]) -> Mapping[str, Turn]:
    return {turn.id: turn for episode in episodes for turn in episode.turns}


def _whole_episodes(findings: Findings) -> list[str]:
    """The best of each channel, then the second best of each, and so on."""
    columns = []
    for values in findings.channels.values():
        whole = sorted((one for one in values if one.pointer.turn is None), key=lambda one: -one.value)
        columns.append([one.pointer.episode for one in whole[:_WHOLE_EPISODES]])
    rows = zip_longest(*columns)
    return list(dict.fromkeys(episode for row in rows for episode in row if episode))[:_WHOLE_EPISODES]


def _ranked(scored: Scored, turn: Turn) -> RankedTurn:
    return RankedTurn(
        turn_id=turn.id,
        ref=turn.ref,
        episode=scored.pointer.episode,
        ticket=_name(turn),
        score=round(scored.score, 4),
        channels=_shown(scored),
    )


def _name(turn: Turn) -> str:
    return turn.ticket or turn.conversation.thread


def _shown(scored: Scored) -> Mapping[str, float]:
    return {channel.value: round(part, 4) for channel, part in scored.parts.items()}
