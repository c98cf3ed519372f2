"""The master that is a model call: merges dated evidence into one cited answer, or says that nothing supports one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import structlog

from config.recall import RecallSettings
from memory.answers import Evidence
from memory.chat_model import ChatModel
from memory.errors import ModelReplyUnusable
from memory.llm.budget import estimate_tokens, shortened, strongest_within
from memory.llm.prompts import evidence_line, master_prompt
from memory.llm.shapes import MasterReply, says_something
from memory.model import Question, Turn
from memory.recall.grounding import standing_nowhere
from memory.recall.voices import Verdict
from memory.text.language import LanguageCode
from memory.text.quotes import folded

log = structlog.get_logger()

#: One long paste must not push everything else out of the budget.
_LARGEST_SHARE = 2

_CITATION = re.compile(r"\s?[\[［](\d{1,3})[\]］]")
#: What carries content: words of three letters or with a digit, and runs of katakana or kanji.
_CONTENT = re.compile(r"[a-z0-9][a-z0-9._-]*[a-z0-9]|[\u30a1-\u30fc]{2,}|[\u3400-\u9fff]{2,}")
_SHORTEST_WORD = 3
#: So many content words of an answer in one piece of evidence make that piece its source.
_SHARED = 2


class ModelMaster:
    """Implements `Master` with one call."""

    def __init__(self, model: ChatModel, settings: RecallSettings) -> None:
        self._model = model
        self._settings = settings

    async def answer(
        self, question: Question, language: str, recent: Sequence[Turn], evidence: Sequence[Evidence]
    ) -> Verdict:
        """A verdict whose `cited` are places in `evidence`, by time. Without evidence nothing is asked of the model.

        Raises ModelUnavailable and its kin, ModelReplyUnusable also for an answer that names a ticket, a code or a sum
        which is in nothing that the model was shown.
        """
        spoken: LanguageCode = "ja" if language == "ja" else "en"
        places = self._shown(evidence, spoken)
        if not places:
            return Verdict(abstained=True)
        shown = [self._cut(evidence[place]) for place in places]
        prompt = master_prompt(question, spoken, self._hot(recent), shown)
        reply = await self._model.ask(prompt, MasterReply)
        body, named = _without_citations(reply.value.answer, len(shown))
        cited = _in_range([*reply.value.cited, *named], len(shown))
        supported = reply.value.supported and says_something(body)
        if supported and not cited:
            cited = _source(body, question.text, shown)
        if not (supported and cited):
            return Verdict(abstained=True)
        if invented := standing_nowhere(body, prompt.material, prompt.question):
            log.warning("answer_names_what_stands_nowhere", names=len(invented))
            raise ModelReplyUnusable("The language model's answer names what stands nowhere; quotes are shown instead.")
        return Verdict(abstained=False, body=body, cited=tuple(places[number - 1] for number in cited))

    def _shown(self, evidence: Sequence[Evidence], language: LanguageCode) -> list[int]:
        """Places of what the model sees, oldest first: nothing derived, the least confident left out over budget."""
        supporting = [place for place, one in enumerate(evidence) if not one.derived]
        ordered = sorted(supporting, key=lambda place: (evidence[place].said_from, place))
        kept = strongest_within(
            ordered,
            self._settings.evidence_tokens,
            cost=lambda place: estimate_tokens(evidence_line(0, self._cut(evidence[place]), language)),
            strength=lambda place: evidence[place].confidence,
        )
        return [ordered[index] for index in kept]

    def _cut(self, one: Evidence) -> Evidence:
        return replace(one, quote=shortened(one.quote, self._settings.evidence_tokens // _LARGEST_SHARE))

    def _hot(self, recent: Sequence[Turn]) -> list[Turn]:
        """The running conversation, verbatim but for pastes that are larger than the evidence may be."""
        return [replace(turn, text=shortened(turn.text, self._settings.evidence_tokens)) for turn in recent]


def _without_citations(answer: str, count: int) -> tuple[str, list[int]]:
    """The answer without its [n], and those n: they number the prompt's evidence, which the reader never sees."""
    named = [int(digits) for digits in _CITATION.findall(answer)]
    in_range = {number for number in named if 0 < number <= count}
    body = _CITATION.sub(lambda found: "" if int(found.group(1)) in in_range else found.group(), answer)
    return body.strip(), named


def _in_range(numbers: Sequence[int], count: int) -> list[int]:
    return sorted({number for number in numbers if 0 < number <= count})


def _source(answer: str, question: str, shown: Sequence[Evidence]) -> list[int]:
    """The number of the piece that shares most content with the answer beyond the question's own words; of equal ones
    the newest. Empty when no piece shares enough: an answer from nowhere is none."""
    said = _content(answer) - _content(question)
    shared = [(len(said & _content(one.quote)), number) for number, one in enumerate(shown, start=1)]
    most, number = max(shared)
    return [number] if most >= _SHARED or (most and most == len(said)) else []


def _content(text: str) -> frozenset[str]:
    words = _CONTENT.findall(folded(text).lower())
    return frozenset(
        word for word in words if not word.isascii() or len(word) >= _SHORTEST_WORD or any(map(str.isdigit, word))
    )
