"""How widely records may be seen, compared: what is taken over from one into another must not reach more people."""

from __future__ import annotations

from dataclasses import replace

from memory.model import DIRECT, Episode, Scope, Viewer, Visibility
from memory.remember.timeline import covers

#: Upkeep looks at everything, as an agent does in a direct message; what it finds is shown to nobody.
KEEPER = Viewer(user="", channel=DIRECT, agent=True)


def scope_class(scope: Scope) -> tuple[str, str]:
    """Records of one class are seen in the same place: the requester's direct messages, a channel, a collection, or
    anywhere."""
    if scope.visibility is Visibility.PRIVATE:
        return scope.visibility.value, scope.requester
    return scope.visibility.value, "" if scope.visibility is Visibility.EVERYONE else scope.channel


def reader_of(scope: Scope) -> Viewer:
    """Somebody who may read records of this class, and as little else as possible."""
    visibility, place = scope_class(scope)
    if visibility == Visibility.COLLECTION.value:
        return Viewer(user="", collections=frozenset((place,)))
    return Viewer(user=place) if visibility == Visibility.PRIVATE.value else Viewer(user="", channel=place)


def may_lend(source: Episode, of: Episode) -> bool:
    """Whether whoever may read `of` may read `source` too, so that words of `source` may stand in a note on `of`.

    Two threads of a channel have readers of their own, those who took part and ask in a direct message: they lend each
    other nothing.
    """
    if source.scope.visibility is Visibility.CHANNEL and source.conversation != of.conversation:
        return False
    each = (replace(source.scope, visibility=turn.visibility, requester=turn.requester) for turn in source.turns)
    return all(covers(scope, of.scope) for scope in each)


def as_wide(source: Episode, of: Episode) -> bool:
    """Whether `source` is seen where `of` is, or more widely: it may show which of its own words matter."""
    return may_lend(source, of) or scope_class(source.scope) == scope_class(of.scope)
