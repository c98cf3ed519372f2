"""A ticket's states as facts, by code: who had it and how it stood, from which message on."""

from __future__ import annotations

from collections.abc import Iterator

from memory.facts import STATE, Fact
from memory.model import Episode, Role, Turn
from memory.scope import narrowest
from memory.text.language import detect_language

#: Who made a fact that no model made.
RULES = "rules"

_WORDINGS = {
    ("ja", "status"): "{ticket}{title}の状態は{value}です。",
    ("ja", "assignee"): "{ticket}{title}の担当は{value}です。",
    ("en", "status"): "The status of {ticket}{title} is {value}.",
    ("en", "assignee"): "{ticket}{title} is assigned to {value}.",
}


def state_facts(episode: Episode) -> list[Fact]:
    """One for each change of status or assignee that a turn by a person carries. Exact, so of confidence 1."""
    return [fact for predicate in ("status", "assignee") for fact in _changes(episode, predicate)]


def _changes(episode: Episode, predicate: str) -> Iterator[Fact]:
    before = None
    title = ""
    for turn in episode.turns:
        title = turn.title or title
        value = turn.status if predicate == "status" else turn.assignee
        if turn.derived or turn.role is Role.BOT or not turn.ticket or not value or value == before:
            continue
        before = value
        yield _state(episode, turn, predicate, value, title)


def _state(episode: Episode, turn: Turn, predicate: str, value: str, title: str) -> Fact:
    language = detect_language(title or turn.text, "ja")
    shown = f"（{title}）" if title and language == "ja" else f" ({title})" if title else ""
    return Fact(
        subject=str(turn.ticket),
        predicate=predicate,
        value=value,
        text=_WORDINGS[language, predicate].format(ticket=turn.ticket, title=shown, value=value),
        people=(value,) if predicate == "assignee" else (),
        keywords=(str(turn.ticket),),
        episode=episode.id,
        turn_ids=(turn.id,),
        scope=narrowest([turn]),
        valid_from=turn.said_at,
        precision="minute",
        dated=True,
        recorded_at=turn.said_at,
        confidence=1.0,
        made_by=STATE,
    )
