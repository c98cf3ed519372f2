"""What is said to models: what never changes first, then what is read, then what is asked.

Remembered text is data, not instructions. It goes between tags, never into the system role; a line of it cannot look
like a line of ours (it is indented), and what could end the tags or a chat role is made harmless.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from memory.answers import Evidence
from memory.llm.wording import ASSISTANT, ENRICHER, LABELS, MASTER, REASONS, REASONS_WANTED
from memory.model import Episode, Question, Turn
from memory.ports import Prompt
from memory.text.language import LanguageCode, detect_language
from memory.text.times.shown import shown_days
from memory.text.times.worded import worded_day

#: Our tags, and what chat templates of common models begin or end a role with.
_MARKS = re.compile(
    r"[<＜](?=\s*[/／]?\s*(?:episode|evidence|conversation|pairs)\b|[|｜]|/?s>|<?/?SYS>|(?:start|end)_of_turn|[be]os>)"
    r"|\[(?=/?INST\])",
    re.IGNORECASE,
)
#: The head of a transcript line, or the end of one: models copy it along, whole or in part.
_HEADING = re.compile(r"^\s*(?:\[\d+\]\s*)?(?:\d{4}-\d\d-\d\d \d\d:\d\d )?.{1,60}? \((?:requester|agent|bot)\): ?")
_LONGEST_NAME = 60


def assistant_prompt(question: Question, episode: Episode) -> Prompt:
    """Asks for quotes from one whole episode, in the language of the question."""
    language = detect_language(question.text, "ja")
    return Prompt(
        instructions=ASSISTANT[language],
        material=_fenced("episode", transcript(episode.turns)),
        question=_asked(question, language),
    )


def master_prompt(
    question: Question, language: LanguageCode, recent: Sequence[Turn], evidence: Sequence[Evidence]
) -> Prompt:
    """Asks for one answer from evidence, which is in time order and is numbered from 1."""
    listed = "\n".join(evidence_line(number, one, language) for number, one in enumerate(evidence, start=1))
    parts = [_fenced("evidence", listed)]
    if recent:
        parts.append(_fenced("conversation", transcript(recent)))
    return Prompt(instructions=MASTER[language], material="\n\n".join(parts), question=_asked(question, language))


def enricher_prompt(turns: Sequence[Turn]) -> Prompt:
    """Asks for a note about these turns, in their own language."""
    language = detect_language("\n".join(turn.text for turn in turns), "ja")
    return Prompt(
        instructions=ENRICHER[language],
        material=_fenced("episode", transcript(turns)),
        question=LABELS[language].note,
    )


def reasons_prompt(pairs: Sequence[tuple[str, str]], language: LanguageCode) -> Prompt:
    """Asks what the two summaries of each pair share; pairs are numbered from 1."""
    listed = "\n".join(
        f"[{number}] A: {_line(one)}\n    B: {_line(other)}" for number, (one, other) in enumerate(pairs, start=1)
    )
    return Prompt(instructions=REASONS[language], material=_fenced("pairs", listed), question=REASONS_WANTED[language])


def transcript(turns: Sequence[Turn]) -> str:
    """One turn a line, numbered from 1: `[n] 2026-09-10 14:05 speaker (role): text`; further lines are indented."""
    return "\n".join(
        f"[{number}] {_minute(turn.said_at)} {_name(turn.said_by)} ({turn.role}): {_indented(turn.text)}"
        for number, turn in enumerate(turns, start=1)
    )


def evidence_line(number: int, one: Evidence, language: LanguageCode) -> str:
    """One piece of evidence on one line: `[1] 10 September 2026 (Thu) INC-1007 kaneko: "..."`, with the day behind
    "since Monday" and the day until which it was true, where there are such."""
    said = " ".join(harmless(one.quote).split())
    labels = LABELS[language]
    day = f"{worded_day(one.said_from, language)} ({labels.days[one.said_from.weekday()]})"
    notes = [harmless(shown.worded(language)) for shown in shown_days(one.quote, one.said_from)]
    if one.valid_to is not None:
        notes.append(labels.ended.format(day=worded_day(one.valid_to, language)))
    ticket = f"{_name(one.number)} " if one.number else ""
    return f'[{number}] {day} {ticket}{_name(one.speaker)}: "{said}"' + _in_brackets(notes)


def _in_brackets(notes: Sequence[str]) -> str:
    return f" ({'; '.join(notes)})" if notes else ""


def without_heading(quote: str) -> str:
    """A quote without the number, date and speaker of its transcript line, which models like to copy along."""
    return _HEADING.sub("", quote, count=1)


def harmless(text: str) -> str:
    """The text with marks that could end a tag or a role replaced by look-alikes."""
    return _MARKS.sub(lambda found: "‹" if found.group() != "[" else "⟦", text)


def _fenced(tag: str, text: str) -> str:
    return f"<{tag}>\n{text}\n</{tag}>"


def _indented(text: str) -> str:
    return "\n    ".join(line for line in harmless(text).splitlines() if line.strip())


def _line(text: str) -> str:
    return " ".join(harmless(text).split())


def _name(name: str) -> str:
    return " ".join(harmless(name).split())[:_LONGEST_NAME]


def _minute(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def _asked(question: Question, language: LanguageCode) -> str:
    """Who asks, when (with the day of the week, for "last Friday"), about which day, and the words, last."""
    labels = LABELS[language]
    day = labels.days[question.now.weekday()]
    lines = [f"{labels.now}: {_minute(question.now)} ({day})", f"{labels.asker}: {_name(question.viewer.user)}"]
    if question.as_of is not None:
        lines.append(f"{labels.as_of}: {_minute(question.as_of)}")
    return "\n".join([*lines, f"{labels.question}: {_indented(question.text)}"])
