"""Which other sizes of episodes are worth trying on a history, and on how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.model import Episode, Turn
from memory.remember.article_notes import is_article
from memory.remember.segments import cut

#: In tokens, as `remember.episode_tokens` counts them.
SIZES = (500, 1000, 2000, 4000, 8000, 16_000)
#: Each has to be cut, indexed and asked anew.
_MOST_SIZES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation without its words: its episodes by id, how many turns, when it was last spoken in, and whether
    something is to be found in it."""

    episodes: tuple[str, ...]
    turns: int
    last_at: datetime
    gold: bool


def talks(episodes: Iterable[Episode], gold: Set[str], before: dict[str, Talk]) -> dict[str, Talk]:
    """`before` with these episodes added to their conversations. Articles are nobody's talk."""
    for one in episodes:
        if is_article(one):
            continue
        known = before.get(one.conversation.id)
        before[one.conversation.id] = Talk(
            episodes=(*(known.episodes if known else ()), one.id),
            turns=(known.turns if known else 0) + len(one.turns),
            last_at=max(known.last_at, one.last_at) if known else one.last_at,
            gold=(known is not None and known.gold) or one.name in gold,
        )
    return before


def chosen_talks(found: Iterable[Talk], most: int) -> list[Talk]:
    """Those in which something is to be found, then the newest, up to `most` turns together."""
    chosen, left = list[Talk](), most
    for talk in sorted(found, key=lambda talk: (not talk.gold, -talk.last_at.timestamp(), talk.episodes)):
        if talk.turns <= left:
            chosen.append(talk)
            left -= talk.turns
    return chosen


def worth_trying(conversations: Sequence[Sequence[Turn]], silence: timedelta, now: int) -> list[int]:
    """The sizes nearest to `now` by which these conversations (each oldest first) are cut in another way; ascending."""

    def borders(size: int) -> frozenset[str]:
        return frozenset(one.id for turns in conversations for one in cut(turns, silence=silence, max_tokens=size))

    tried = {now: borders(now)}
    for size in sorted(SIZES, key=lambda size: max(size / now, now / size)):
        if len(tried) <= _MOST_SIZES and (cuts := borders(size)) not in tried.values():
            tried[size] = cuts
    return sorted(size for size in tried if size != now)
