"""From records to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Select, func, select

from memory.model import Conversation, Episode, Note, Role, Turn, Visibility
from memory.ports import Retry
from memory.redaction import RedactedTurn
from memory.scope import narrowest
from memory.stores.tables import episodes, notes, turns
from memory.stores.words import lasting, name_key

Record = TypeVar("Record")

#: A row to be written, by column name.
TurnRow = dict[str, Any]

#: Rows in the order in which they were said; the order of recording decides between equal times.
IN_TIME = (turns.c.said_at, turns.c.seq)
BACK_IN_TIME = tuple(column.desc() for column in IN_TIME)


def row_of(turn: RedactedTurn, recorded_at: datetime) -> TurnRow:
    """The row of a turn that was never seen before; `turn` is clean."""
    place = turn.conversation
    return {
        "id": turn.id,
        "conversation_id": place.id,
        "platform": place.platform,
        "workspace": place.workspace,
        "channel": place.channel,
        "thread": place.thread,
        "message": turn.message,
        "name_key": name_key(turn.ticket or place.thread),
        "message_key": name_key(turn.message),
        "revision": 1,
        "ticket": turn.ticket,
        "author": turn.author,
        "role": turn.role.value,
        "text": turn.text,
        "said_at": turn.said_at,
        "said_offset": _offset_minutes(turn.said_at),
        "visibility": turn.visibility.value,
        "requester": turn.requester,
        "title": turn.title,
        "status": turn.status,
        "assignee": turn.assignee,
        "derived": turn.derived,
        "speaker": turn.speaker,
        "room": turn.room,
        "recorded_at": recorded_at,
        "pending": True,
        "pinned": lasting(turn),
        "reply": None,
    }


def told_of(row: Row[Any]) -> Turn:
    """A turn as tickets tell it: what is about to go gives no title."""
    return replace(turn_of(row), title=None) if row.going else turn_of(row)


def turn_of(row: Row[Any]) -> Turn:
    return Turn(
        conversation=Conversation(
            platform=row.platform, workspace=row.workspace, channel=row.channel, thread=row.thread
        ),
        ticket=row.ticket,
        message=row.message,
        author=row.author,
        role=Role(row.role),
        text=row.text,
        said_at=row.said_at.astimezone(timezone(timedelta(minutes=row.said_offset))),
        visibility=Visibility(row.visibility),
        requester=row.requester,
        revision=row.revision,
        title=row.title,
        status=row.status,
        assignee=row.assignee,
        derived=row.derived,
        speaker=row.speaker,
        room=row.room,
    )


def whole_episodes(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Turns with the episode that each belongs to, grouped and in time order; read them with `episodes_by_id`."""
    return (
        select(turns, episodes.c.ticket.label("episode_ticket"), episodes.c.tokens.label("episode_tokens"))
        .join(episodes, episodes.c.id == turns.c.episode_id)
        .where(*conditions)
        .order_by(turns.c.episode_id, *IN_TIME)
    )


def episodes_by_id(rows: Iterable[Row[Any]]) -> dict[str, Episode]:
    parts: dict[str, list[Row[Any]]] = {}
    for row in rows:
        parts.setdefault(row.episode_id, []).append(row)
    return {name: _episode_of(name, part) for name, part in parts.items()}


def _episode_of(name: str, rows: list[Row[Any]]) -> Episode:
    said = tuple(turn_of(row) for row in rows)
    return Episode(
        id=name,
        conversation=said[0].conversation,
        ticket=rows[0].episode_ticket,
        turns=said,
        scope=narrowest(said),
        tokens=rows[0].episode_tokens,
    )


def newest_notes(ids: Sequence[str]) -> Select[Any]:
    """The newest version of the note of each of these episodes; read them with `note_of`."""
    other = notes.alias()
    newest = select(func.max(other.c.version)).where(other.c.episode == notes.c.episode).correlate(notes)
    return select(notes).where(notes.c.episode.in_(ids), notes.c.version == newest.scalar_subquery())


def note_of(row: Row[Any]) -> Note:
    return Note(**row._mapping)


def retry_of(row: Row[Any]) -> Retry:
    return Retry(**row._mapping)


def in_order(ids: Iterable[str], found: Mapping[str, Record]) -> list[Record]:
    return [found[name] for name in dict.fromkeys(ids) if name in found]


def _offset_minutes(moment: datetime) -> int:
    offset = moment.utcoffset() or timedelta()
    return round(offset / timedelta(minutes=1))
