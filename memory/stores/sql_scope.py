"""The one place where SQL decides who may see what; its meaning is `memory.scope.may_read`."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from sqlalchemy import BindParameter, ColumnElement, FromClause, and_, exists, false, not_, or_, true

from memory.model import DIRECT, Viewer, Visibility
from memory.stores.tables import moves, turns
from memory.stores.tables_facts import event_facts, fact_sources

#: Made once: a new alias in each statement would take longer to make than the statement takes to run.
_OTHER = turns.alias("other")
_WRITTEN = turns.alias("written")
_SAYS = turns.alias("turns_1")
_SOURCE = fact_sources.alias("fact_sources_1")
_PART = event_facts.alias("event_facts_1")


def may_see(viewer: Viewer, turn: FromClause) -> ColumnElement[bool]:
    """The condition on `turn` (the table of turns or an alias of it) under which `viewer` may see a row.

    Who took part is everybody who wrote in the same conversation, but for those who left its channel since.
    """
    return _seen(viewer, turn)


# One question reads several times for one viewer, and to make a condition takes longer than to run it.
@lru_cache(maxsize=256)
def _seen(viewer: Viewer, turn: FromClause) -> ColumnElement[bool]:
    looked_up = turn.c.visibility == Visibility.COLLECTION.value
    if viewer.collections:
        return and_(looked_up, turn.c.channel.in_(sorted(viewer.collections)))
    if _sees_all(viewer):
        return not_(looked_up)
    direct = viewer.channel == DIRECT
    private = turn.c.visibility == Visibility.PRIVATE.value
    own = and_(private, turn.c.requester == viewer.user)
    if viewer.confined:
        return own if direct else and_(turn.c.channel == viewer.channel, not_(private), not_(looked_up))
    in_channel = _took_part(viewer, turn) if direct else turn.c.channel == viewer.channel
    return or_(
        turn.c.visibility == Visibility.EVERYONE.value,
        and_(turn.c.visibility == Visibility.CHANNEL.value, in_channel),
        own if direct else false(),
    )


def may_see_episode(
    viewer: Viewer, episode: ColumnElement[str], until: datetime | BindParameter[datetime] | None = None
) -> ColumnElement[bool]:
    """The condition under which `viewer` may see an episode (see `memory.scope.shown`): each of its turns (up to
    `until`) may be seen, the bot's own left aside, and there is one to see."""
    return _seen_whole(viewer, episode, until)


@lru_cache(maxsize=256)
def _seen_whole(
    viewer: Viewer, episode: ColumnElement[str], until: datetime | BindParameter[datetime] | None
) -> ColumnElement[bool]:
    part = and_(_OTHER.c.episode_id == episode, true() if until is None else _OTHER.c.said_at <= until)
    seen = may_see(viewer, _OTHER)
    hidden = exists().where(part, not_(seen), _OTHER.c.derived == false())
    return and_(exists().where(part, seen), not_(hidden))


def may_see_fact(viewer: Viewer, fact: ColumnElement[str]) -> ColumnElement[bool]:
    """The condition under which `viewer` may see a fact: each turn that says so may be seen."""
    return _may_see_each(viewer, _SOURCE.c.fact == fact)


def may_see_event(viewer: Viewer, event: ColumnElement[str]) -> ColumnElement[bool]:
    """The condition under which `viewer` may see an event: each turn behind a fact that it was made of may be seen."""
    return _may_see_each(viewer, and_(_PART.c.event == event, _PART.c.fact == _SOURCE.c.fact))


def _may_see_each(viewer: Viewer, ours: ColumnElement[bool]) -> ColumnElement[bool]:
    hidden = exists().where(ours, _SAYS.c.id == _SOURCE.c.turn_id, not_(may_see(viewer, _SAYS)))
    return and_(exists().where(ours), not_(hidden))


def _sees_all(viewer: Viewer) -> bool:
    """All that people said."""
    return viewer.agent and viewer.channel == DIRECT and not viewer.confined


def _took_part(viewer: Viewer, turn: FromClause) -> ColumnElement[bool]:
    left = exists().where(
        moves.c.platform == _WRITTEN.c.platform,
        moves.c.channel == _WRITTEN.c.channel,
        moves.c.member == _WRITTEN.c.author,
        moves.c.gone,
    )
    wrote = and_(_WRITTEN.c.conversation_id == turn.c.conversation_id, _WRITTEN.c.author == viewer.user)
    return exists().where(wrote, not_(left.correlate(_WRITTEN))).correlate(turn)
