"""Who may read what. This is the meaning; each store repeats it as a filter, and contract suites compare the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from memory.model import DIRECT, Scope, Turn, Viewer, Visibility

Said = TypeVar("Said")

_WIDTH = {Visibility.PRIVATE: 0, Visibility.CHANNEL: 1, Visibility.COLLECTION: 2, Visibility.EVERYONE: 3}


def may_read(viewer: Viewer, scope: Scope) -> bool:
    """Whether `viewer` may see a record of this scope at the place where the answer will be shown.

    `everyone`: anybody, anywhere. `channel`: whoever asks in that channel, or took part and asks in a direct message.
    `private`: its requester in a direct message. A support agent in a direct message may see everything. A confined
    viewer sees in a channel what was said there for more than its requester, in a direct message what is private.
    `collection`: whoever looks it up in these collections, and then nothing else.
    """
    if viewer.collections or scope.visibility is Visibility.COLLECTION:
        return scope.visibility is Visibility.COLLECTION and scope.channel in viewer.collections
    direct = viewer.channel == DIRECT
    private = scope.visibility is Visibility.PRIVATE
    if viewer.confined:
        return private and viewer.user == scope.requester if direct else not private and viewer.channel == scope.channel
    if scope.visibility is Visibility.EVERYONE or (direct and viewer.agent):
        return True
    if scope.visibility is Visibility.CHANNEL:
        # Everybody's direct messages have the same channel name, so it opens nothing.
        return viewer.user in scope.participants if direct else viewer.channel == scope.channel
    return direct and viewer.user == scope.requester


def narrowest(turns: Iterable[Turn]) -> Scope:
    """The scope of something derived from these turns: the narrowest of theirs, and all who took part.

    The bot's own derived turns do not count beside others: nothing is made from them, so they narrow nothing. Raises
    ValueError when there is no turn: nothing may exist without a source.
    """
    said = tuple(turns)
    if not said:
        raise ValueError("a scope needs at least one turn")
    sources = [turn for turn in said if not turn.derived] or said
    source = min(sources, key=lambda turn: _WIDTH[turn.visibility])
    return Scope(
        visibility=source.visibility,
        channel=source.conversation.channel,
        requester=source.requester,
        participants=frozenset(turn.author for turn in said),
    )


def shown(members: Sequence[Said], *, may: Callable[[Said], bool], derived: Callable[[Said], bool]) -> list[Said]:
    """What a viewer gets of an episode: all that people said, and those of the bot's own turns that the viewer may see.

    One hidden turn of a person hides the whole: whatever was made from the episode could repeat that turn's words.
    """
    seen = [one for one in members if may(one)]
    told = sum(not derived(one) for one in members)
    return seen if sum(not derived(one) for one in seen) == told else []
