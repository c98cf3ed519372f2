"""What holds for facts, events and links in every store: how they are cleaned, and in which order they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from memory.errors import InputRefused
from memory.facts import Event, Fact, Link, Undo, matter
from memory.model import utc
from memory.stores.words import storable

#: Characters of a value that can be a name.
_LONGEST_NAME = 100

_Record = TypeVar("_Record", Fact, Event, Link, Undo)


def made_of(facts: Sequence[Fact], episode: str) -> dict[str, Fact]:
    """Facts as they are stored for this episode, by their ids: of characters that can be stored, and not retired.

    Raises InputRefused for a time that no calendar has in UTC.
    """
    clean = [_cleaned(fact, ("subject", "predicate", "value", "text", "made_by")) for fact in facts]
    stored = [replace(fact, episode=episode, retired_at=None) for fact in clean]
    for fact in stored:
        _check_times(fact)
    return {fact.id: fact for fact in stored}


def cleaned_event(event: Event) -> Event:
    return _cleaned(event, ("summary", "made_by"))


def cleaned_link(link: Link) -> Link:
    return _cleaned(link, ("reason", "made_by"))


def cleaned_undo(undo: Undo) -> Undo:
    return _cleaned(undo, ("who", "why"))


def value_key(value: str) -> str:
    """How the value of a fact is looked up as a name; empty where it is too long for one."""
    key = matter(storable(value))
    return key if len(key) <= _LONGEST_NAME else ""


def keyword_keys(keywords: Iterable[str]) -> list[str]:
    """How the keywords of events are looked up: as names are, each once."""
    return list(dict.fromkeys(matter(storable(keyword)) for keyword in keywords))


def by_validity(facts: Iterable[Fact]) -> list[Fact]:
    """Each fact once, by the time from which it holds."""
    return sorted({fact.id: fact for fact in facts}.values(), key=_validity)


def newest_validity(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=_validity, reverse=True)


def strongest(links: Iterable[Link]) -> list[Link]:
    """Each link once, the strongest first."""
    once = {(link.episode, link.other): link for link in links}
    return sorted(once.values(), key=lambda link: (-link.strength, link.episode, link.other))


def by_span(events: Iterable[Event]) -> list[Event]:
    """Each event once, by the time at which it began."""
    return sorted({event.id: event for event in events}.values(), key=lambda event: (event.first_at, event.id))


def _validity(fact: Fact) -> tuple[datetime, str]:
    return fact.valid_from, fact.id


def _cleaned(record: _Record, texts: Sequence[str]) -> _Record:
    lists = [name for name in ("people", "keywords") if hasattr(record, name)]
    fresh: dict[str, Any] = {name: storable(getattr(record, name)) for name in texts}
    fresh |= {name: tuple(map(storable, getattr(record, name))) for name in lists}
    return replace(record, **fresh)


def _check_times(fact: Fact) -> None:
    times = (fact.valid_from, fact.valid_to, fact.recorded_at)
    try:
        for moment in times:
            _ = moment and utc(moment)
    except OverflowError as error:
        raise InputRefused("A fact has an impossible time; correct the date that its message gives.") from error
