"""Cutting a conversation into episodes: a left-to-right scan, so that the same turns always give the same episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from memory.llm.budget import estimate_tokens
from memory.model import Episode, Turn, derived_id
from memory.scope import narrowest


def cut(turns: Sequence[Turn], *, silence: timedelta, max_tokens: int) -> list[Episode]:
    """Episodes of one conversation's turns (oldest first), cut where the ticket changes, where nobody spoke for longer
    than `silence` and no ticket holds the turns together, and before an episode would pass `max_tokens`.

    An episode is named after its first turn, so it keeps its id while it grows. Cutting again from the first turn of
    any episode gives the same episodes as cutting from the beginning: each border resets all state. One turn longer
    than `max_tokens` is an episode of its own: words are never split.
    """
    return [_episode(run) for run in _runs(turns, silence, max_tokens)]


def _runs(turns: Sequence[Turn], silence: timedelta, max_tokens: int) -> Iterator[list[Turn]]:
    run: list[Turn] = []
    tokens = 0
    for turn in turns:
        size = estimate_tokens(turn.text)
        if run and (_is_border(run[-1], turn, silence) or tokens + size > max_tokens):
            yield run
            run, tokens = [], 0
        run.append(turn)
        tokens += size
    if run:
        yield run


def _is_border(before: Turn, after: Turn, silence: timedelta) -> bool:
    if before.ticket != after.ticket:
        return True
    return after.ticket is None and after.said_at - before.said_at > silence


def _episode(run: Sequence[Turn]) -> Episode:
    first = run[0]
    return Episode(
        id=derived_id("episode", first.id),
        conversation=first.conversation,
        ticket=first.ticket,
        turns=tuple(run),
        scope=narrowest(run),
        tokens=sum(estimate_tokens(turn.text) for turn in run),
    )
