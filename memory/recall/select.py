"""Which whole episodes are read for a question: the best ones that fit the token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memory.answers import RoutedEpisode
from memory.model import Episode


def select(
    routed: Sequence[RoutedEpisode],
    episodes: Iterable[Episode],
    *,
    tokens: Callable[[Episode], int],
    budget: int,
    most: int,
) -> list[Episode]:
    """Episodes in routed order, each whole, together at most `budget` `tokens` and at most `most` in number.

    One that does not fit is passed over and a later, smaller one may still be read. The best episode is always read,
    however long it is: half an episode would not be the words that were said.
    """
    by_id = {episode.id: episode for episode in episodes}
    chosen: list[Episode] = []
    spent = 0
    for entry in routed:
        episode = by_id.get(entry.episode)
        if episode is None or len(chosen) >= most:
            continue
        if chosen and spent + tokens(episode) > budget:
            continue
        chosen.append(episode)
        spent += tokens(episode)
    return chosen
