"""Multi-signal ranking: every channel's calibrated value times a weight, added up, with the parts kept to be shown.

How far a channel is trusted for a question follows from its own value: words of another language match no IDF mass and
so carry no weight; nothing is switched on or off, and no channel can keep out what another admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from config.weights import WeightSettings
from memory.index_ports import Pointer
from memory.recall.pathways import Channel, Findings

#: What may have a weight, each by the name of its setting.
WEIGHED: Sequence[Channel] = tuple(Channel(name) for name in WeightSettings.model_fields)
#: Turns that speak for an episode.
BEST_TURNS = 3

Weights: TypeAlias = Mapping[Channel, float]


def weights_of(settings: WeightSettings) -> Weights:
    """The weight of every channel that may have one."""
    return {channel: getattr(settings, channel.value) for channel in WEIGHED}


#: Those that are shipped: by them scores are absolute, and `support` is told by them whatever is set.
WEIGHTS: Weights = weights_of(WeightSettings())


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
    """A turn with its score and where the score comes from; `parts` are weighted and add up to it. `shipped` are those
    that it would have by the shipped weights, of the same channels: one whose weight is set to 0 has found it all the
    same."""

    pointer: Pointer
    score: float
    parts: Mapping[Channel, float]
    shipped: Mapping[Channel, float]


def rank(
    findings: Findings,
    signals: Mapping[Channel, Signal],
    weights: Weights,
    others: Iterable[Pointer] = (),
    without: Set[Channel] = frozenset(),
) -> list[Scored]:
    """Every turn that any channel admitted, and `others` beside them, best first; ties in order of time. Channels in
    `without` have no weight."""
    tables = _Tables.of(findings, others)
    found: dict[Place, dict[Channel, float]] = {place: {} for place in tables.pointers}
    for channel in (channel for channel in weights if channel not in without):
        values = _signalled(signals[channel], tables) if channel in signals else tables.values(channel)
        for place, value in values.items():
            if value:
                found[place][channel] = value
    parts = _weighted(found, weights)
    shipped = parts if weights == WEIGHTS else _weighted(found, WEIGHTS)
    return _ordered(
        Scored(pointer=tables.pointers[place], score=sum(part.values()), parts=part, shipped=shipped[place])
        for place, part in parts.items()
    )


def _weighted(
    found: Mapping[Place, Mapping[Channel, float]], weights: Weights
) -> Mapping[Place, Mapping[Channel, float]]:
    return {
        place: {channel: weights[channel] * value for channel, value in values.items()}
        for place, values in found.items()
    }


def valued(scored: Iterable[Scored], channel: Channel, values: Mapping[str, float], weights: Weights) -> list[Scored]:
    """The same turns in their new order, with one more channel: its values by turn id; a turn without one keeps its
    score, and none loses more than half of it."""
    return _ordered(_with(one, channel, values.get(one.pointer.turn or "", 0.0), weights) for one in scored)


def _with(scored: Scored, channel: Channel, value: float, weights: Weights) -> Scored:
    if not value:
        return scored
    part = max(weights[channel] * value, -scored.score / 2)
    shipped = max(WEIGHTS[channel] * value, -sum(scored.shipped.values()) / 2)
    return Scored(
        pointer=scored.pointer,
        score=scored.score + part,
        parts={**scored.parts, channel: part},
        shipped={**scored.shipped, channel: shipped},
    )


def _ordered(scored: Iterable[Scored]) -> list[Scored]:
    return sorted(scored, key=lambda one: (-one.score, one.pointer.said_at, one.pointer.turn or ""))


def _signalled(signal: Signal, tables: _Tables) -> dict[Place, float]:
    return {place: signal(pointer) for place, pointer in tables.pointers.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tables:
    """The findings by turn and by episode, and the turns that are ranked, also by episode. Only what was found has an
    entry: of ten channels a usual turn was found by two."""

    turns: Mapping[Channel, Mapping[Place, float]]
    episodes: Mapping[Channel, Mapping[str, float]]
    pointers: Mapping[Place, Pointer]
    places: Mapping[str, Sequence[Place]]
    lengths: Mapping[str, int]

    @classmethod
    def of(cls, findings: Findings, others: Iterable[Pointer]) -> _Tables:
        turns: dict[Channel, dict[Place, float]] = {}
        episodes: dict[Channel, dict[str, float]] = {}
        pointers = {place_of(pointer): pointer for pointer in others}
        lengths = {pointer.episode: pointer.length for pointer in pointers.values()}
        for channel, found in findings.channels.items():
            of_turns, of_episodes = turns.setdefault(channel, {}), episodes.setdefault(channel, {})
            for one in found:
                if one.pointer.turn is None:
                    _keep_higher(of_episodes, one.pointer.episode, one.value)
                else:
                    place = place_of(one.pointer)
                    _keep_higher(of_turns, place, one.value)
                    pointers[place], lengths[one.pointer.episode] = one.pointer, one.pointer.length
        episodes[Channel.MEANING_EPISODE] = _best_turns(turns.get(Channel.MEANING_TURN, {}), lengths)
        return cls(turns=turns, episodes=episodes, pointers=pointers, places=_by_episode(pointers), lengths=lengths)

    def values(self, channel: Channel) -> Mapping[Place, float]:
        """The channel's values, by turn: its own, or its episode's where that is higher. A turn means what it does as a
        whole, or what the best of its statements does; its window and its episode go by the whole."""
        if channel is Channel.MEANING_WINDOW:
            return self._windows(self.turns.get(Channel.MEANING_TURN, {}))
        values = dict(self.turns.get(channel, {}))
        if channel is Channel.MEANING_TURN:
            for part in (Channel.MEANING_STATEMENT, Channel.MEANING_FACT):
                for place, value in self.turns.get(part, {}).items():
                    _keep_higher(values, place, value)
        for episode, value in self.episodes.get(channel, {}).items():
            for place in self.places.get(episode, ()):
                _keep_higher(values, place, value)
        return values

    def _windows(self, meaning: Mapping[Place, float]) -> dict[Place, float]:
        """A turn counts twice and each neighbour it has once, so that no further text has to be embedded."""
        windows: dict[Place, float] = {}
        for episode, places in self.places.items():
            found = {place.position: value for place in places if (value := meaning.get(place))}
            length = self.lengths[episode]
            for place in places if found else ():
                if value := _window(place.position, found, length):
                    windows[place] = value
        return windows


Name = TypeVar("Name", Place, str)


def _keep_higher(values: dict[Name, float], name: Name, value: float) -> None:
    if value > values.get(name, 0.0):
        values[name] = value


def place_of(pointer: Pointer) -> Place:
    return Place(pointer.episode, pointer.position)


def _by_episode(places: Iterable[Place]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(place.episode, []).append(place)
    return found


def _window(position: int, meaning: Mapping[int, float], length: int) -> float:
    """`meaning` is that of the episode's turns, by position."""
    beside = (position > 0) + (position + 1 < length)
    around = meaning.get(position - 1, 0.0) + (meaning.get(position + 1, 0.0) if position + 1 < length else 0.0)
    return (2 * meaning.get(position, 0.0) + around) / (2 + beside)


def _best_turns(meaning: Mapping[Place, float], lengths: Mapping[str, int]) -> dict[str, float]:
    """By episode, the mean of its three best turns, or of all when it has fewer."""
    return {
        name: sum(sorted(meaning[place] for place in places)[-BEST_TURNS:]) / min(BEST_TURNS, lengths[name])
        for name, places in _by_episode(meaning).items()
    }
