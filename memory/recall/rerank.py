"""Multi-signal ranking: every channel's calibrated value times a weight, added up, with the parts kept to be shown.

How far a channel is trusted for a question follows from its own value: words of another language match no IDF mass and
so carry no weight; nothing is switched on or off, and no channel can keep out what another admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from memory.ports import Pointer
from memory.recall.pathways import Channel, Findings

WEIGHTS: Mapping[Channel, float] = {
    Channel.WORDS_TURN: 0.5,
    Channel.WORDS_WINDOW: 1.0,
    Channel.WORDS_WIDE: 0.7,
    Channel.WORDS_EPISODE: 0.5,
    Channel.MEANING_TURN: 1.0,
    Channel.MEANING_WINDOW: 1.0,
    Channel.MEANING_EPISODE: 1.5,
    Channel.EXACT: 2.0,
    Channel.SPEAKER: 0.4,
    Channel.PERIOD: 0.6,
    Channel.OWN: 0.3,
}
#: Turns that speak for an episode.
BEST_TURNS = 3


class Place(NamedTuple):
    """Where a turn stands. A tuple, because it is looked up thousands of times a question."""

    episode: str
    position: int

    def beside(self, step: int) -> Place:
        return Place(self.episode, self.position + step)


#: Something known of a turn that no search returns: a signal of 0 to 1.
Signal = Callable[[Pointer], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A turn with its score and where the score comes from; `parts` are weighted and add up to it."""

    pointer: Pointer
    score: float
    parts: Mapping[Channel, float]


def rank(findings: Findings, signals: Mapping[Channel, Signal], others: Iterable[Pointer] = ()) -> list[Scored]:
    """Every turn that any channel admitted, and `others` beside them, best first; ties in order of time."""
    tables = _Tables.of(findings, others)
    pointers = {_place(pointer): pointer for pointer in tables.pointers}
    ranked = [_score(place, pointer, tables, signals) for place, pointer in pointers.items()]
    return sorted(ranked, key=lambda one: (-one.score, one.pointer.said_at, one.pointer.turn or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tables:
    """The findings, looked up by turn and by episode."""

    turns: Mapping[Channel, Mapping[Place, float]]
    episodes: Mapping[Channel, Mapping[str, float]]
    pointers: tuple[Pointer, ...]
    lengths: Mapping[str, int]

    @classmethod
    def of(cls, findings: Findings, others: Iterable[Pointer]) -> _Tables:
        turns: dict[Channel, dict[Place, float]] = {}
        episodes: dict[Channel, dict[str, float]] = {}
        pointers: list[Pointer] = [*others]
        for channel, found in findings.channels.items():
            for one in found:
                if one.pointer.turn is None:
                    _keep_higher(episodes.setdefault(channel, {}), one.pointer.episode, one.value)
                else:
                    _keep_higher(turns.setdefault(channel, {}), _place(one.pointer), one.value)
                    pointers.append(one.pointer)
        lengths = {pointer.episode: pointer.length for pointer in pointers}
        episodes[Channel.MEANING_EPISODE] = _best_turns(turns.get(Channel.MEANING_TURN, {}), lengths)
        return cls(turns=turns, episodes=episodes, pointers=tuple(pointers), lengths=lengths)

    def value(self, channel: Channel, place: Place) -> float:
        """The channel's value for this turn: its own, or its episode's."""
        if channel is Channel.MEANING_WINDOW:
            return _window(place, self.turns.get(Channel.MEANING_TURN, {}), self.lengths[place.episode])
        own = self.turns.get(channel, {}).get(place, 0.0)
        return max(own, self.episodes.get(channel, {}).get(place.episode, 0.0))


Name = TypeVar("Name", Place, str)


def _keep_higher(values: dict[Name, float], name: Name, value: float) -> None:
    values[name] = max(value, values.get(name, 0.0))


def _place(pointer: Pointer) -> Place:
    return Place(pointer.episode, pointer.position)


def _score(place: Place, pointer: Pointer, tables: _Tables, signals: Mapping[Channel, Signal]) -> Scored:
    values = {channel: tables.value(channel, place) for channel in WEIGHTS if channel not in signals}
    values.update({channel: signal(pointer) for channel, signal in signals.items()})
    parts = {channel: WEIGHTS[channel] * value for channel, value in values.items() if value}
    return Scored(pointer=pointer, score=sum(parts.values()), parts=parts)


def _window(place: Place, meaning: Mapping[Place, float], length: int) -> float:
    """The turn counts twice and each neighbour it has once, so that no further text has to be embedded."""
    beside = [place.beside(step) for step in (-1, 1) if 0 <= place.position + step < length]
    around = sum(meaning.get(near, 0.0) for near in beside)
    return (2 * meaning.get(place, 0.0) + around) / (2 + len(beside))


def _best_turns(meaning: Mapping[Place, float], lengths: Mapping[str, int]) -> dict[str, float]:
    """By episode, the mean of its three best turns, or of all when it has fewer."""
    by_episode: dict[str, list[float]] = {}
    for place, value in meaning.items():
        by_episode.setdefault(place.episode, []).append(value)
    return {
        name: sum(sorted(values)[-BEST_TURNS:]) / min(BEST_TURNS, lengths[name]) for name, values in by_episode.items()
    }
