"""Who may read what. This is the meaning; each store repeats it as a filter, and contract suites compare the two."""

from __future__ import annotations

from collections.abc import Iterable

from memory.model import DIRECT, Scope, Turn, Viewer, Visibility

_WIDTH = {Visibility.PRIVATE: 0, Visibility.CHANNEL: 1, Visibility.EVERYONE: 2}


def may_read(viewer: Viewer, scope: Scope) -> bool:
    """Whether `viewer` may see a record of this scope at the place where the answer will be shown.

    `everyone`: anybody, anywhere. `channel`: whoever asks in that channel, or took part and asks in a direct message.
    `private`: its requester in a direct message. A support agent in a direct message may see everything.
    """
    direct = viewer.channel == DIRECT
    if scope.visibility is Visibility.EVERYONE or (direct and viewer.agent):
        return True
    if scope.visibility is Visibility.CHANNEL:
        # Everybody's direct messages have the same channel name, so it opens nothing.
        return viewer.user in scope.participants if direct else viewer.channel == scope.channel
    return direct and viewer.user == scope.requester


def narrowest(turns: Iterable[Turn]) -> Scope:
    """The scope of something derived from these turns: the narrowest of theirs, and all who took part.

    Raises ValueError when there is no turn: nothing may exist without a source.
    """
    sources = tuple(turns)
    if not sources:
        raise ValueError("a scope needs at least one turn")
    source = min(sources, key=lambda turn: _WIDTH[turn.visibility])
    return Scope(
        visibility=source.visibility,
        channel=source.conversation.channel,
        requester=source.requester,
        participants=frozenset(turn.author for turn in sources),
    )
