"""The parts of a ranking by the names under which they can be left out, and measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from config.recall import RecallPart
from memory.recall.pathways import Channel

_WORDS = frozenset(
    {Channel.WORDS_TURN, Channel.WORDS_WINDOW, Channel.WORDS_WIDE, Channel.WORDS_EPISODE, Channel.WORDS_FACT}
)
_MEANING = frozenset(
    {
        Channel.MEANING_TURN,
        Channel.MEANING_STATEMENT,
        Channel.MEANING_FACT,
        Channel.MEANING_WINDOW,
        Channel.MEANING_EPISODE,
        Channel.MEANING_SUMMARY,
    }
)
#: What windows and episodes mean is worked out from the meaning of their turns.
_FROM_TURNS = frozenset({Channel.MEANING_WINDOW, Channel.MEANING_EPISODE})
#: Every part has a line here, whoever makes its channels.
CHANNELS_OF: Mapping[RecallPart, frozenset[Channel]] = {
    RecallPart.WORDS: _WORDS,
    RecallPart.MEANING: _MEANING,
    RecallPart.TURN: frozenset({Channel.WORDS_TURN, Channel.MEANING_TURN}),
    RecallPart.WINDOW: frozenset({Channel.WORDS_WINDOW, Channel.MEANING_WINDOW}),
    RecallPart.WIDE: frozenset({Channel.WORDS_WIDE}),
    RecallPart.EPISODE: frozenset({Channel.WORDS_EPISODE, Channel.MEANING_EPISODE}),
    RecallPart.STATEMENT: frozenset({Channel.MEANING_STATEMENT}),
    RecallPart.FACTS: frozenset({Channel.WORDS_FACT, Channel.MEANING_FACT}),
    RecallPart.SUMMARY: frozenset({Channel.MEANING_SUMMARY}),
    RecallPart.EXACT: frozenset({Channel.EXACT}),
    RecallPart.SPEAKER: frozenset({Channel.SPEAKER}),
    RecallPart.PERIOD: frozenset({Channel.PERIOD}),
    RecallPart.OWN: frozenset({Channel.OWN}),
    RecallPart.ASKS: frozenset({Channel.ASKS}),
    RecallPart.SPREAD: frozenset({Channel.SPREAD}),
    RecallPart.GRAPH: frozenset({Channel.GRAPH}),
    RecallPart.RESOLVED: frozenset({Channel.RESOLVED}),
}


def channels_of(parts: Iterable[RecallPart]) -> frozenset[Channel]:
    """All channels of these parts."""
    return frozenset().union(*(CHANNELS_OF[part] for part in parts))


def not_searched(without: Set[Channel]) -> frozenset[Channel]:
    """The channels whose findings are needed for nothing when these are left out."""
    needed = {Channel.MEANING_TURN} if _FROM_TURNS - without else set()
    return frozenset(without - needed)
