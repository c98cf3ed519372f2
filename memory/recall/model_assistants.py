"""Assistants that are model calls: each reads one whole episode and copies out what helps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import structlog

from config.recall import RecallSettings
from memory.answers import Evidence
from memory.chat_model import ChatModel, Reply
from memory.errors import ModelUnavailable
from memory.llm.meter import metered
from memory.llm.prompts import assistant_prompt, reading_tokens, without_heading
from memory.llm.shapes import AssistantReply, QuoteReply
from memory.model import Episode, Question
from memory.recall.evidence import quote_turn
from memory.recall.voices import Consultation
from memory.text.quotes import Standing, nearest, standing
from memory.tickets import is_bookkeeping

log = structlog.get_logger()

_SENTENCE = re.compile(r".+?(?:[。！？!?]+\s*|\.\s+|\n\s*|\Z)", re.DOTALL)
_MOST_SENTENCES = 12
_SHORTEST_PART = 8


class ModelAssistants:
    """Implements `Assistants`: one call an episode, `assistants_at_once` of them, `assistant_seconds` for each."""

    def __init__(self, model: ChatModel, settings: RecallSettings) -> None:
        self._model = model
        self._settings = settings

    def tokens(self, episode: Episode) -> int:
        return reading_tokens(episode)

    async def consult(self, question: Question, episodes: Sequence[Episode]) -> Consultation:
        """The quotes that stand in their episodes, in time order. A voice that fails or is late is silent."""
        places = asyncio.Semaphore(self._settings.assistants_at_once)
        async with asyncio.TaskGroup() as group:
            voices = [
                group.create_task(self._voice(question, episode, places)) for episode in episodes if episode.turns
            ]
        return self._together(voice.result() for voice in voices)

    async def _voice(self, question: Question, episode: Episode, places: asyncio.Semaphore) -> Consultation:
        with metered() as meter:
            try:
                async with places, asyncio.timeout(self._settings.assistant_seconds):
                    reply = await self._model.ask(assistant_prompt(question, episode), AssistantReply)
            except (ModelUnavailable, TimeoutError) as error:
                log.warning("assistant_silent", episode=episode.id, error=type(error).__name__)
                return Consultation(silent=1, tokens=meter.spent)
        found = await asyncio.to_thread(self._heard, reply, episode)
        return Consultation(evidence=found, tokens=meter.spent)

    def _heard(self, reply: Reply[AssistantReply], episode: Episode) -> tuple[Evidence, ...]:
        trusted = [one for one in reply.value.evidence if one.confidence >= self._settings.min_confidence]
        found = [evidence for one in trusted for evidence in checked(one, episode)]
        if len(found) < len(trusted):
            log.info("quotes_dropped", episode=episode.id, kept=len(found), said=len(trusted))
        return tuple(found)

    def _together(self, voices: Iterable[Consultation]) -> Consultation:
        whole = Consultation()
        for voice in voices:
            whole = Consultation(
                evidence=whole.evidence + voice.evidence,
                tokens=whole.tokens + voice.tokens,
                silent=whole.silent + voice.silent,
            )
        ordered = sorted(_surest(whole.evidence), key=lambda one: (one.said_from, one.episode, one.refs))
        return Consultation(evidence=tuple(ordered), tokens=whole.tokens, silent=whole.silent)


def checked(said: QuoteReply, episode: Episode) -> list[Evidence]:
    """The quote as evidence, from the turn nearest to the named one that holds it; empty when none does.

    Models join turns, or begin with words of the question: of a quote that stands nowhere as a whole, the longest runs
    of its sentences that do stand are kept.
    """
    texts = [turn.text for turn in episode.turns]
    speakers, near = {turn.said_by for turn in episode.turns}, said.turn - 1
    whole = nearest(standing(without_heading(said.quote, speakers), texts), near)
    found = _parts(said.quote, texts, speakers, near) if whole is None else [whole]
    telling = (one for one in found if not is_bookkeeping(episode.turns[one.place]))
    return [replace(quote_turn(episode.turns[one.place], episode, said.confidence), quote=one.words) for one in telling]


def _parts(quote: str, texts: Sequence[str], speakers: Collection[str], near: int) -> list[Standing]:
    sentences = _SENTENCE.findall(quote)[:_MOST_SENTENCES]
    found = []
    while sentences:
        one, size = _longest_run(sentences, texts, speakers, near)
        if one is not None:
            found.append(one)
        sentences = sentences[size:]
    return found


def _longest_run(
    sentences: Sequence[str], texts: Sequence[str], speakers: Collection[str], near: int
) -> tuple[Standing | None, int]:
    """Where the most of the first sentences stand together, and how many they are; (None, 1) when the first stands
    nowhere. What is too short to mean what the whole quote did does not count."""
    for size in range(len(sentences), 0, -1):
        words = without_heading("".join(sentences[:size]), speakers).strip()
        one = nearest(standing(words, texts), near) if len(words) >= _SHORTEST_PART else None
        if one is not None:
            return one, size
    return None, 1


def _surest(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Each quote of a turn once, with the highest confidence that it was given."""
    best: dict[tuple[tuple[str, ...], str], Evidence] = {}
    for one in evidence:
        known = best.get((one.turn_ids, one.quote))
        if known is None or known.confidence < one.confidence:
            best[one.turn_ids, one.quote] = one
    return list(best.values())
