"""What is being said right now: the hot buffer, and the conversation's turns that no flush has taken up yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.llm.budget import estimate_tokens
from memory.model import Episode, Question, Turn, derived_id
from memory.ports import Reading
from memory.scope import narrowest


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """`recent` is always shown to the master verbatim; `live` is an episode that is always read."""

    recent: tuple[Turn, ...] = ()
    live: Episode | None = None


async def read_buffer(question: Question, reading: Reading, *, hot_turns: int, live_turns: int) -> Buffer:
    """The buffer of the question's conversation, without the turn that asks; empty outside a conversation."""
    if question.conversation is None:
        return Buffer()
    conversation, viewer = question.conversation.id, question.viewer
    # One more than wanted: the turn that asks is among them.
    recent = await reading.recent(conversation, viewer, question.until, hot_turns + 1)
    live = await reading.live(conversation, viewer, question.until, live_turns + 1)
    return Buffer(
        recent=_without_asking(recent, question, hot_turns),
        live=live_episode(still) if (still := _without_asking(live, question, live_turns)) else None,
    )


def _without_asking(turns: Sequence[Turn], question: Question, limit: int) -> tuple[Turn, ...]:
    others = [turn for turn in turns if turn.id != question.turn]
    return tuple(others[-limit:]) if limit else ()


def live_episode(turns: Sequence[Turn]) -> Episode:
    """Turns as they are now, at least one, as an episode; its id is not one of the stored ones, since its end is still
    open."""
    return Episode(
        id=derived_id("live", turns[0].id),
        conversation=turns[0].conversation,
        ticket=turns[-1].ticket,
        turns=tuple(turns),
        scope=narrowest(turns),
        tokens=sum(estimate_tokens(turn.text) for turn in turns),
    )
