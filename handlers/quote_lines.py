"""How evidence is shown: a line for each quote, with its ticket, its day and who said it.

Names and quotes come from memory, where anybody may have written anything: each is folded to one line and cannot close
its own quotation marks, so nothing remembered can look like a line of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone, tzinfo

from handlers.characters import one_line
from handlers.files import named_once
from handlers.wording import Phrases
from memory.answers import Answer, Dissent, Evidence
from memory.text.times.shown import shown_days
from memory.text.times.worded import worded_day

#: Characters of a quote under an answer, of one that is the answer, and of a person's or a ticket's name.
_SOURCE, QUOTE, _NAME = 80, 300, 60
#: Characters of an article's path with a heading.
_PASSAGE = 160
#: What stands for people whose name a platform did not tell: ids of Entra and of Teams.
_ID = re.compile(r"(?:[0-9]{1,2}:\S+|(?:[0-9]{1,2}:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
#: What a moment is away from UTC where it does not say.
_NONE = timedelta()
#: Most quotes that one reply shows.
_MOST = 12


def moment_text(moment: datetime, *, zone: tzinfo, said: Phrases) -> str:
    """A point in time as people write it, in `zone`: 2026年11月22日(日) 10:05, or Sun 22 Nov 2026, 10:05."""
    local = moment.astimezone(zone)
    return said.moment.format(
        year=local.year,
        month=said.months[local.month - 1],
        day=local.day,
        weekday=said.weekdays[local.weekday()],
        time=f"{local:%H:%M}",
    )


def cited_lines(answer: Answer, said: Phrases, zone: tzinfo) -> Iterator[tuple[str, Evidence]]:
    """The numbered sources of a written answer; `zone` is the asker's."""
    for number, one in enumerate(answer.cited, start=1):
        where = ", ".join([*_place(one), _said_when(one.said_from, zone, said), *_speaker(one, said)])
        yield f"[{number}] {where}: {_quote(one, said, _SOURCE)}{_noted(_of_article(one, said), said)}", one


def quoted_lines(answer: Answer, said: Phrases) -> tuple[tuple[tuple[str, Evidence], ...], tuple[str, ...]]:
    """The surest quotes, and how many more there are."""
    found = answer.cited or answer.evidence
    best = sorted(found, key=lambda one: -one.confidence)[:_MOST]
    lines = tuple((_dated(one, said), one) for one in _by_ticket(best))
    return lines, (said.more.format(count=len(found) - len(best)),) if len(found) > len(best) else ()


def speaker_of(one: Evidence, said: Phrases) -> str:
    """By which name the speaker is shown: never by an id, which tells nobody anything."""
    return _called(one.speaker, said)


def _called(speaker: str, said: Phrases) -> str:
    return said.nameless if _ID.fullmatch(speaker) else _name(speaker)


def in_marks(text: str, said: Phrases, length: int) -> str:
    """The text on one line of at most `length` characters, in quotation marks that it cannot close."""
    opening, closing = said.quotation
    return f"{opening}{one_line(text, length).translate(said.nested)}{closing}"


def _said_when(moment: datetime, zone: tzinfo, said: Phrases) -> str:
    """2026年11月24日(火) 08:52, followed by (UTC+09:00) for whoever has another clock."""
    here, there = moment.utcoffset() or _NONE, moment.astimezone(zone).utcoffset()
    clock = "" if here == there else f" ({timezone(here)})"
    return f"{moment_text(moment, zone=timezone(here), said=said)}{clock}"


def _dated(one: Evidence, said: Phrases) -> str:
    where = " ".join([f"{one.said_from:%Y-%m-%d}", *_place(one), *_speaker(one, said)])
    return f"{where}: {_quote(one, said, QUOTE)}{_explained(one, said)}"


def _explained(one: Evidence, said: Phrases) -> str:
    """The days behind "yesterday" in a quote, since when it is no longer true, and what says otherwise."""
    notes = [one_line(shown.worded(said.language), _NAME) for shown in shown_days(one.quote, one.said_from)]
    if one.valid_to is not None:
        notes.append(said.ended.format(day=worded_day(one.valid_to, said.language)))
    return _noted([*notes, *_of_article(one, said)], said)


def _noted(notes: Sequence[str], said: Phrases) -> str:
    return said.bracketed.format(notes="; ".join(notes)) if notes else ""


def _of_article(one: Evidence, said: Phrases) -> list[str]:
    """What is to be known of a quote from an article: that it is an earlier edition, and what says otherwise."""
    if one.passage is None:
        return []
    notes = [said.edition.format(day=worded_day(one.said_from, said.language))] if one.passage.changed_since else []
    if tickets := [_name(newer.ticket) for newer in one.passage.contradicted_by if newer.ticket]:
        notes.append(said.contradicted.format(tickets=", ".join(tickets)))
    if messages := [_said_on(newer, said) for newer in one.passage.contradicted_by if not newer.ticket]:
        notes.append(said.contradicted_in.format(messages=", ".join(messages)))
    return notes


def _said_on(newer: Dissent, said: Phrases) -> str:
    return said.said_on.format(speaker=_called(newer.speaker, said), day=worded_day(newer.said_at, said.language))


def _by_ticket(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """In time order, but what belongs to one ticket together, where its first quote stands."""
    groups: dict[str, list[Evidence]] = {}
    for one in sorted(evidence, key=lambda one: one.said_from):
        groups.setdefault(one.ticket, []).append(one)
    for group in groups.values():
        yield from group


def _place(one: Evidence) -> list[str]:
    """The ticket's number, where there is one, or file and heading; else the channel, unless it was said right here."""
    if one.number:
        return [one_line(one.number, _PASSAGE if one.passage else _NAME)]
    return [f"#{_name(one.room)}"] if one.room and not one.here else []


def _name(name: str) -> str:
    return one_line(name, _NAME)


def _speaker(one: Evidence, said: Phrases) -> list[str]:
    """Who said it; an article is known by its file."""
    if one.passage:
        return []
    mark = said.own_words if one.derived else said.here if one.here else ""
    return [f"{speaker_of(one, said)}{mark}"]


def _quote(one: Evidence, said: Phrases, length: int) -> str:
    return in_marks(named_once(one.quote), said, length)
