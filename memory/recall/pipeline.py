"""The read path, as its diagram: buffer, intent, route, read, consult, answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog

from config.recall import RecallMode, RecallSettings
from memory.answers import Answer, AnswerKind, Degraded, Evidence
from memory.errors import ModelUnavailable
from memory.index_ports import Encoder, KeyIndex
from memory.llm.meter import metered
from memory.model import Episode, Question
from memory.personal import Personal
from memory.ports import AnsweredQuestion, Clock, Ledger, Reading
from memory.recall.articles import Articles, searches_articles
from memory.recall.buffer import Buffer, read_buffer
from memory.recall.connections import Connections
from memory.recall.contradictions import Contradictions
from memory.recall.evidence import SUPPORT, no_surer, placed, tells_nothing, united
from memory.recall.extractive import ExtractiveAssistants, ExtractiveMaster
from memory.recall.facts import Facts, Weighed
from memory.recall.intent import Intent, read_intent
from memory.recall.live import live_evidence
from memory.recall.meant import set_apart, sure_of
from memory.recall.mode import ModeChooser
from memory.recall.outcome import answer_of, basis_of, gained, missing_keys, missing_voices, sources_of
from memory.recall.ranking import Ranking, at_the_time
from memory.recall.router import Router
from memory.recall.select import select
from memory.recall.steps import Stage, Step, Watch, unwatched
from memory.recall.stopwatch import Stopwatch
from memory.recall.subject import of_somebody_else
from memory.recall.ticket_names import with_dashes
from memory.recall.ticket_states import TicketStates
from memory.recall.voices import Assistants, Consultation, Master, Verdict
from memory.recall.volume import Volume
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.text.told_secrets import besides_secrets

log = structlog.get_logger()

#: How many episodes are read by rule, where there is no model.
_BY_RULE = 2
#: Routed episodes that are fetched for each that may be read: not every one fits the budget.
_FETCHED = 2


class Recall:
    """Answers questions from the memory, in the asker's scope. Without a master it answers with quotes."""

    def __init__(
        self,
        *,
        reading: Reading,
        personal: Personal,
        facts: Facts,
        connections: Connections,
        index: KeyIndex,
        encoder: Encoder,
        assistants: Assistants | None,
        master: Master | None,
        ledger: Ledger,
        settings: RecallSettings,
        contradictions: Contradictions,
        tickets: TicketStates,
        addresses: Mapping[str, str],
        clock: Clock,
        glossary: Glossary = NO_GLOSSARY,
    ) -> None:
        self._reading = reading
        self.facts = facts
        self._assistants = assistants
        self._master = master
        self._tickets = tickets
        self._ledger = ledger
        self._settings = settings
        self._glossary = glossary
        self._clock = clock
        self._router = Router(
            reading=reading,
            personal=personal,
            connections=connections,
            index=index,
            encoder=encoder,
            settings=settings,
            glossary=glossary,
            clock=clock,
        )
        self._articles = Articles(
            router=self._router,
            reading=reading,
            contradictions=contradictions,
            addresses=addresses,
            least=settings.min_confidence,
        )
        self._volume = Volume(ledger)
        self._mode = ModeChooser(self._volume, settings)
        self._rules = ExtractiveAssistants()
        self._quotes = ExtractiveMaster(glossary)

    async def rank(self, question: Question) -> Ranking:
        """The best turns and episodes for a question, without reading or answering."""
        asked = await with_dashes(_besides_secrets(question), self._reading)
        return await self._router.route(asked, read_intent(asked))

    async def answer(self, question: Question, watch: Watch = unwatched) -> Answer:
        """A cited answer, or an honest nothing. A missing model, encoder or index makes it smaller, never silent.

        Raises StoreUnavailable: without the words there is nothing to answer from.
        """
        timed = Stopwatch()
        watch(Step(stage=Stage.SEARCHING))
        question = await with_dashes(_besides_secrets(question), self._reading)
        intent = read_intent(question)
        with timed.stage("buffer"):
            buffer = await self._buffer(question)
        with timed.stage("route"):  # what is known of the memory as a whole is read meanwhile
            ranking, mode, remembered, rebuilt = await asyncio.gather(
                self._router.route(question, intent),
                self._mode.choose(intent, question.now),
                self._volume.tokens(self._clock()),
                self._ledger.rebuilt(),
            )
        with timed.stage("read"):
            episodes = await self._read(question, mode, ranking)
        with timed.stage("consult"):
            chosen = self._chosen(mode, ranking, episodes, buffer)
            if chosen:
                watch(Step(stage=Stage.READING, episodes=len(chosen)))
            consultation = await self._consult(question, chosen)
        with timed.stage("facts"):
            own = self._own(question, ranking, episodes, buffer)
            read = consultation.evidence if self._assistants else no_surer(consultation.evidence, own)
            weighed = await self._weigh(question, (*own, *set_apart(read, ranking.meant)))
            told = await self._tickets.of(question, intent)
        watch(Step(stage=Stage.WRITING))
        if told is None:
            evidence, verdict, silent_master = await self._settle(question, intent, ranking, buffer, weighed, timed)
        else:  # a ticket's own record leaves nothing to merge
            evidence, verdict = told.settled(weighed.evidence, budget=self._settings.evidence_tokens)
            silent_master = ()
        degraded = (*ranking.degraded, *missing_keys(rebuilt), *missing_voices(consultation), *silent_master)
        answer = answer_of(question, ranking, evidence, weighed.facts, consultation, verdict, mode, degraded, timed)
        stood, searched = told.stood if told else (), searches_articles(question, intent)
        answer = replace(answer, rebuilt=rebuilt, articles=searched, stood=stood)
        cost = self._cost(question, answer, len(episodes), remembered, gained(answer, own))
        await self._ledger.add(cost, basis_of(question, answer, cost.asked_at))
        return answer

    async def _buffer(self, question: Question) -> Buffer:
        return await read_buffer(
            question,
            self._reading,
            hot_turns=self._settings.hot_turns,
            live_turns=self._settings.live_turns,
        )

    async def _read(self, question: Question, mode: RecallMode, ranking: Ranking) -> list[Episode]:
        """The whole episodes of the best turns, and of the best routes as far as they may be read."""
        best = [
            turn.episode for one in at_the_time(question, ranking) for turn in one.turns[: self._settings.sure_turns]
        ]
        routed = [entry.episode for entry in ranking.episodes[: _FETCHED * self._most(mode)]]
        wanted = dict.fromkeys([*best, *routed])
        missing = [episode for episode in wanted if episode not in ranking.read]
        more = await self._reading.episodes(missing, question.viewer, question.until) if missing else []
        read = {**ranking.read, **{episode.id: episode for episode in more}}
        return [read[episode] for episode in wanted if episode in read]

    def _most(self, mode: RecallMode) -> int:
        """How many episodes may be read whole."""
        if self._assistants is None:
            return _BY_RULE
        return 0 if mode is RecallMode.DIRECT else self._settings.max_episodes

    def _chosen(self, mode: RecallMode, ranking: Ranking, episodes: Sequence[Episode], buffer: Buffer) -> list[Episode]:
        """The episodes that are read whole, the live one first; in direct mode none. Without a model the rules read
        the best ones, if there is anything on the question at all."""
        if self._assistants is None:
            worth_reading = episodes if ranking.support >= SUPPORT else []
            return self._fitting(ranking, worth_reading, self._rules, most=self._most(mode))
        if mode is RecallMode.DIRECT:
            return []
        live = [buffer.live] if buffer.live else []
        spent = sum(map(self._assistants.tokens, live))
        most = self._most(mode) - len(live)
        return [*live, *self._fitting(ranking, episodes, self._assistants, most=most, spent=spent)]

    def _fitting(
        self, ranking: Ranking, episodes: Sequence[Episode], readers: Assistants, *, most: int, spent: int = 0
    ) -> list[Episode]:
        budget = self._settings.episode_tokens - spent
        return select(ranking.episodes, episodes, tokens=readers.tokens, budget=budget, most=most)

    async def _consult(self, question: Question, chosen: Sequence[Episode]) -> Consultation:
        """One assistant per episode; in their place the rules, where there is no model."""
        if not chosen:
            return Consultation()
        return await (self._rules if self._assistants is None else self._assistants).consult(question, chosen)

    def _own(
        self, question: Question, ranking: Ranking, episodes: Sequence[Episode], buffer: Buffer
    ) -> tuple[Evidence, ...]:
        """What is found without assistants: the best turns, also of those of the time asked about, and what was just
        said."""
        worth_it = ranking.support >= self._settings.min_confidence
        read = {episode.id: episode for episode in episodes}
        rankings = at_the_time(question, ranking) if worth_it else ()
        sure = [found for one in rankings for found in sure_of(one, self._settings.sure_turns, read)]
        return (*sure, *live_evidence(question, buffer.live, self._glossary))

    async def _weigh(self, question: Question, found: Sequence[Evidence]) -> Weighed:
        """What was found, set against what holds at the moment asked about."""
        new = [one for one in found if not tells_nothing(one.quote, question)]
        weighed = await self.facts.weigh(question, new)
        return replace(weighed, evidence=placed(weighed.evidence, question))

    async def _conclude(
        self, question: Question, buffer: Buffer, evidence: Sequence[Evidence]
    ) -> tuple[Verdict, tuple[Degraded, ...]]:
        """The verdict, unless it rests on what somebody else than the person asked about tells of themselves."""
        verdict, silent = await self._merged(question, buffer, evidence)
        said = [one for one in evidence if one.passage is None]
        if of_somebody_else(question.text, [evidence[place] for place in verdict.cited], said):
            return Verdict(abstained=True, tokens=verdict.tokens), silent
        return verdict, silent

    async def _settle(
        self, question: Question, intent: Intent, said: Ranking, buffer: Buffer, weighed: Weighed, timed: Stopwatch
    ) -> tuple[tuple[Evidence, ...], Verdict, tuple[Degraded, ...]]:
        """The verdict, and the evidence that it counts in. Where what people said settles nothing, articles are looked
        up that were left alone at first."""
        with timed.stage("articles"):
            articles = await self._articles.found(question, intent, said)
        evidence = united(weighed.evidence, articles, budget=self._settings.evidence_tokens)
        with timed.stage("answer"):
            verdict, silent = await self._conclude(question, buffer, evidence)
            if verdict.abstained and (articles := await self._articles.instead(question, intent, said)):
                spent = verdict.tokens
                evidence = united(weighed.evidence, articles, budget=self._settings.evidence_tokens)
                verdict, silent = await self._conclude(question, buffer, evidence)
                verdict = replace(verdict, tokens=verdict.tokens + spent)
        return evidence, verdict, silent

    async def _merged(
        self, question: Question, buffer: Buffer, evidence: Sequence[Evidence]
    ) -> tuple[Verdict, tuple[Degraded, ...]]:
        """The master's verdict; when it cannot be reached or used, the dated quotes themselves, with what it took."""
        language = question.spoken
        degraded: tuple[Degraded, ...] = ()
        with metered() as meter:
            if self._master is not None:
                try:
                    verdict = await self._master.answer(question, language, buffer.recent, evidence)
                    return replace(verdict, tokens=meter.spent), ()
                except ModelUnavailable as error:
                    log.warning("master_unavailable", error=type(error).__name__)
                    degraded = (Degraded.MODEL,)
        verdict = await self._quotes.answer(question, language, buffer.recent, evidence)
        return replace(verdict, tokens=meter.spent), degraded

    def _cost(
        self, question: Question, answer: Answer, episodes_read: int, remembered: int, gained: int | None
    ) -> AnsweredQuestion:
        return AnsweredQuestion(
            asked_at=self._clock(),
            mode=answer.mode,
            abstained=answer.kind is AnswerKind.ABSTAINED,
            episodes_read=episodes_read,
            assistant=answer.assistant_tokens,
            master=answer.master_tokens,
            full_context_tokens=remembered,
            milliseconds=answer.stages,
            gained=gained,
            turn=question.turn,
            conversation=question.conversation.id if question.conversation else None,
            sources=sources_of(answer),
        )


def _besides_secrets(question: Question) -> Question:
    return replace(question, text=besides_secrets(question.text))
