"""What a report is made of: the numbers of a period, and those of its words that everybody may read.

A report may be posted anywhere, so it is read with the eyes of somebody who took part in nothing. Words are read when
the report is made: what was forgotten, deleted or is private by then is not in it, and is only counted.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.report.figures import Figures, Kept, Period, figures
from config.schema import ModelsSettings
from handlers.characters import one_line
from memory.feedback import FeedbackBox
from memory.model import Note, Turn, Viewer
from memory.ports import AnsweredQuestion, Ledger, Reading
from memory.remember.extraction.states import RULES
from memory.text.statuses import state_of
from memory.tickets import UNSETTLED, is_bookkeeping, is_resolution

#: Somebody who is nobody: sees what is for everyone.
EVERYBODY = Viewer(user="")
#: The newest episodes whose notes are counted, and the newest open questions whose words are read.
_EPISODES, _QUESTIONS = 2000, 2000
#: The newest tickets of open questions that are looked through for how they were resolved.
_TICKETS = 500
#: Topics and gaps that a report shows, and the characters of one.
_TOPICS, _GAPS = 10, 20
#: What only one episode speaks of is no topic yet.
_EPISODES_OF_A_TOPIC = 2
_TOPIC, _GAP = 40, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What people spoke of, and in how many episodes."""

    name: str
    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A question that nothing has answered, how often it was asked in these words, and when last."""

    words: str
    times: int
    last: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A period in numbers and words. `gaps` are the last ones of those that everybody may read and that nothing has
    answered since, as it has `settled` ones; `further` questions are in the words of more gaps than are shown, the
    words of `unread` ones are not for everybody, or are not kept."""

    figures: Figures
    topics: tuple[Topic, ...]
    gaps: tuple[Gap, ...]
    further: int
    unread: int
    settled: int


async def report_of(
    period: Period,
    now: datetime,
    *,
    ledger: Ledger,
    feedback: FeedbackBox,
    reading: Reading,
    models: ModelsSettings,
) -> Report:
    """The report of a period that lasts until `now`. Raises StoreUnavailable."""
    since = period.since
    entries = [entry for entry in await ledger.since(since) if entry.asked_at <= now]
    kept = Kept(
        entries=entries,
        handed_over=await ledger.handed_over_since(since),
        votes=await feedback.tally(since),
        unhelpful=await feedback.unhelpful(since),
    )
    numbers = await asyncio.to_thread(figures, period, kept, models)
    asked = [entry.turn or "" for entry in entries if entry.abstained]
    read = await _read(asked, reading, now)
    settled = _answered_since(entries) | await _resolved(read, reading, now)
    unanswered = [turn for turn in read if turn.id not in settled]
    gaps = _gaps(unanswered, period)
    shown = gaps[:_GAPS]
    return Report(
        figures=numbers,
        topics=await _topics(since, now, reading),
        gaps=shown,
        further=len(unanswered) - sum(gap.times for gap in shown),
        unread=len(set(asked) - {""}) + asked.count("") - len(read),
        settled=len(read) - len(unanswered),
    )


async def _read(asked: Sequence[str], reading: Reading, now: datetime) -> list[Turn]:
    """The newest of these messages, as far as everybody may read them."""
    return await reading.turns([turn for turn in asked if turn][-_QUESTIONS:], EVERYBODY, now)


def _answered_since(entries: Sequence[AnsweredQuestion]) -> set[str]:
    """The messages after which their conversation was told something that stands on what is remembered."""
    last: dict[str, datetime] = {}
    for entry in entries:
        if entry.conversation and entry.sources and not entry.abstained:
            last[entry.conversation] = max(entry.asked_at, last.get(entry.conversation, entry.asked_at))
    return {
        entry.turn
        for entry in entries
        if entry.turn and entry.abstained and last.get(entry.conversation or "", entry.asked_at) > entry.asked_at
    }


async def _resolved(asked: Sequence[Turn], reading: Reading, now: datetime) -> set[str]:
    """Those of these messages whose ticket was resolved in words that everybody may read: cause or fix."""
    tickets = list(dict.fromkeys(turn.ticket for turn in reversed(asked) if turn.ticket))[:_TICKETS]
    states = await reading.tickets(tickets, EVERYBODY, now)
    told = set[str]()
    for ticket in (one.ticket for one in states if state_of(one.status) not in UNSETTLED):
        turns = await reading.named(ticket, EVERYBODY, now)
        if any(is_resolution(turn) and not is_bookkeeping(turn) for turn in turns):
            told.add(ticket)
    return {turn.id for turn in asked if turn.ticket in told}


def _gaps(asked: Sequence[Turn], period: Period) -> tuple[Gap, ...]:
    """The same words are one gap, in the form in which they were written last; the newest first."""
    alike: dict[str, list[Turn]] = defaultdict(list)
    for turn in sorted(asked, key=lambda turn: turn.said_at):
        alike[_folded(turn.text)].append(turn)
    newest_first = sorted(alike.values(), key=lambda turns: turns[-1].said_at, reverse=True)
    return tuple(
        Gap(
            words=one_line(turns[-1].text, _GAP),
            times=len(turns),
            last=turns[-1].said_at.astimezone(period.zone).date(),
        )
        for turns in newest_first
    )


async def _topics(since: datetime, until: datetime, reading: Reading) -> tuple[Topic, ...]:
    """The keywords that the notes of most episodes have, each in the form that most of them give it."""
    notes = await reading.notes(await reading.ended(since, until, EVERYBODY, _EPISODES), EVERYBODY)
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    for note in notes.values():
        for keyword in {_folded(keyword): keyword for keyword in reversed(_naming(note))}.values():
            spelt[_folded(keyword)][one_line(keyword, _TOPIC)] += 1
    shared = (forms for forms in spelt.values() if forms.total() >= _EPISODES_OF_A_TOPIC)
    topics = [Topic(name=_commonest(forms), episodes=forms.total()) for forms in shared]
    return tuple(sorted(topics, key=lambda topic: (-topic.episodes, topic.name))[:_TOPICS])


def _naming(note: Note) -> Sequence[str]:
    """The keywords that name a matter. Rules take the words that are said most; of those, the ones that are in the
    ticket's title too, or where nothing is known of a ticket, in the summary."""
    if note.made_by != RULES:
        return note.keywords
    told = _folded(note.context or note.summary)
    return [keyword for keyword in note.keywords if _folded(keyword) in told]


def _commonest(forms: Counter[str]) -> str:
    return max(forms, key=lambda form: (forms[form], form))


def _folded(words: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", words).casefold().split())
