"""A ticket's states as facts, by code: who had it and how it stood, from which message on."""

from __future__ import annotations

from collections.abc import Iterator

from memory.facts import STATE, Fact
from memory.model import Episode, Role, Turn
from memory.scope import narrowest
from memory.text.language import detect_language
from memory.tickets import is_change

#: Who made a fact that no model made.
RULES = "rules"

#: The value of `assignee` while nobody has it: it ends what was so before, as any other value does.
_NOBODY = {"ja": "なし", "en": "nobody"}
_WORDINGS = {
    ("ja", "status"): "{ticket}{title}の状態は{value}です。",
    ("ja", "assignee"): "{ticket}{title}の担当は{value}です。",
    ("ja", "nobody"): "{ticket}{title}の担当者はいません。",
    ("en", "status"): "The status of {ticket}{title} is {value}.",
    ("en", "assignee"): "{ticket}{title} is assigned to {value}.",
    ("en", "nobody"): "Nobody has {ticket}{title}.",
}


def state_facts(episode: Episode) -> list[Fact]:
    """One for each change of status or assignee that a turn carries: one by a person, or the record of an act on a
    ticket of ours. That it was handed back is one, too. Exact, so of confidence 1."""
    return [fact for predicate in ("status", "assignee") for fact in _changes(episode, predicate)]


def _changes(episode: Episode, predicate: str) -> Iterator[Fact]:
    before = None
    title = ""
    for turn in episode.turns:
        title = turn.title or title
        value = turn.status or None if predicate == "status" else turn.assignee
        if value is None or value == before or not _counts(turn):
            continue
        before = value
        yield _state(episode, turn, predicate, value, title)


def _counts(turn: Turn) -> bool:
    """What a bot says is not, even of a ticket; what this program did to one of ours is a record like any other."""
    return turn.ticket is not None and not turn.derived and (turn.role is not Role.BOT or is_change(turn))


def _state(episode: Episode, turn: Turn, predicate: str, value: str, title: str) -> Fact:
    language = detect_language(title or turn.text, "ja")
    shown = f"（{title}）" if title and language == "ja" else f" ({title})" if title else ""
    told = value or _NOBODY[language]
    wording = _WORDINGS[language, predicate if value else "nobody"]
    return Fact(
        subject=str(turn.ticket),
        predicate=predicate,
        value=told,
        text=wording.format(ticket=turn.ticket, title=shown, value=told),
        people=(value,) if predicate == "assignee" and value else (),
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
