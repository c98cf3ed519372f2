"""What is said to models: what never changes first, then what is read, then what is asked.

Remembered text is data, not instructions. It goes between tags, never into the system role; a line of it cannot look
like a line of ours (it is indented), and what could end the tags or a chat role is made harmless.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from memory.answers import Evidence
from memory.chat_model import Prompt
from memory.llm.wording import ASSISTANT, ENRICHER, LABELS, MASTER, REASONS, REASONS_WANTED
from memory.model import Episode, Question, Role, Turn
from memory.text.language import LanguageCode, detect_language
from memory.text.times.shown import shown_days
from memory.text.times.worded import worded_day

#: Our tags, and what chat templates of common models begin or end a role with.
_MARKS = re.compile(
    r"[<＜](?=\s*[/／]?\s*(?:episode|evidence|conversation|pairs)\b|[|｜]|/?s>|<?/?SYS>|(?:start|end)_of_turn|[be]os>)"
    r"|\[(?=/?INST\])",
    re.IGNORECASE,
)
#: The head of a transcript line, or a part of one: models copy it along.
_NUMBER = re.compile(r"\s*\[\d+\]\s*")
_SPEAKER = re.compile(
    r"\s*(?:\d{4}-\d\d-\d\d \d\d:\d\d )?(?P<name>[^:\n]{1,60}?)(?P<role> \((?:requester|agent|bot)\))?: ?"
)
_LONGEST_NAME = 60
#: After this long a silence, and on a new day, a transcript says again when it is.
_SILENCE = timedelta(hours=1)
#: Tokens of the head of a line, and of what goes around an episode that is read: instructions, question and reply.
#: Measured on LoCoMo: 7 of a line.
_HEAD, _AROUND = 8, 420


def assistant_prompt(question: Question, episode: Episode) -> Prompt:
    """Asks for quotes from one whole episode, in the language of the question."""
    language = question.spoken
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
    """One turn a line, numbered from 1, under the minute: `2026-09-10 14:05`, then `[1] speaker: text`, with `(agent)`
    or `(bot)` behind the speaker; further lines are indented.

    The minute stands there once for what was said in one go, and the usual role nowhere: on each line they were a third
    of what an assistant read (LoCoMo dev: 1,463 tokens an episode, so 1,023).
    """
    lines, last = list[str](), None
    for number, turn in enumerate(turns, start=1):
        if last is None or turn.said_at.date() != last.date() or turn.said_at - last > _SILENCE:
            lines.append(_minute(turn.said_at))
        role = "" if turn.role is Role.REQUESTER else f" ({turn.role})"
        lines.append(f"[{number}] {_name(turn.said_by)}{role}: {_indented(turn.text)}")
        last = turn.said_at
    return "\n".join(lines)


def reading_tokens(episode: Episode) -> int:
    """About how many tokens it takes to have an assistant read this episode, its instructions and reply included."""
    return episode.tokens + _HEAD * len(episode.turns) + _AROUND


def evidence_line(number: int, one: Evidence, language: LanguageCode) -> str:
    """One piece of evidence on one line: `[1] 10 September 2026 (Thu) INC-1007 kaneko: "..."`, with the day behind
    "since Monday" and the day until which it was true, where there are such. In the place of the ticket is the channel,
    or that it was said right here."""
    said = " ".join(harmless(one.quote).split())
    labels = LABELS[language]
    day = f"{worded_day(one.said_from, language)} ({labels.days[one.said_from.weekday()]})"
    notes = [harmless(shown.worded(language)) for shown in shown_days(one.quote, one.said_from)]
    if one.valid_to is not None:
        notes.append(labels.ended.format(day=worded_day(one.valid_to, language)))
    place = one.number or (labels.here if one.here else one.room and f"#{one.room}")
    return f'[{number}] {day} {f"{_name(place)} " if place else ""}{_name(one.speaker)}: "{said}"' + _in_brackets(notes)


def _in_brackets(notes: Sequence[str]) -> str:
    return f" ({'; '.join(notes)})" if notes else ""


def without_heading(quote: str, speakers: Collection[str] = ()) -> str:
    """A quote without the number, date and speaker of its transcript line, which models like to copy along. A name is
    one of `speakers`, or has a number before it or a role behind it: "Error: disk full" is a quote."""
    number = _NUMBER.match(quote)
    rest = quote[number.end() :] if number else quote
    head = _SPEAKER.match(rest)
    ours = head is not None and (head["role"] is not None or head["name"] in speakers)
    return rest[head.end() :] if head and ours else rest


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
