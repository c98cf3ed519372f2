"""The tables of known incidents: signs, which go with their turns, incidents, and who wants to hear of them."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, LargeBinary, Table, Text

from memory.stores.tables import Moment, Words, metadata

PLACE = ("platform", "workspace", "channel", "thread")


def _place() -> list[Column[object]]:
    return [Column(name, Words, nullable=False) for name in PLACE]


incident_signs = Table(
    "incident_signs",
    metadata,
    Column("turn_id", Words, ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    *_place(),
    Column("person", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("language", Text, nullable=False),
    Column("meaning", LargeBinary, nullable=False),
    Column("incident", Words),
)
Index("ix_incident_signs_at", incident_signs.c.at, incident_signs.c.turn_id)
Index("ix_incident_signs_incident", incident_signs.c.incident, incident_signs.c.at)

#: `told`: support was.
incidents = Table(
    "incidents",
    metadata,
    Column("id", Words, primary_key=True),
    Column("phase", Text, nullable=False),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("language", Text, nullable=False),
    Column("began_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("ticket", Words),
    Column("title", Words, nullable=False),
    Column("by", Words),
    Column("told", Boolean, nullable=False),
)
Index("ix_incidents_began", incidents.c.began_at, incidents.c.id)
Index("ix_incidents_phase", incidents.c.phase, incidents.c.began_at, incidents.c.id)

incident_subscribers = Table(
    "incident_subscribers",
    metadata,
    Column("incident", Words, ForeignKey("incidents.id", ondelete="CASCADE"), primary_key=True),
    Column("person", Words, primary_key=True),
    *_place(),
    Column("message", Words, nullable=False),
    Column("language", Text, nullable=False),
    Column("at", Moment, nullable=False),
)
Index("ix_incident_subscribers_person", incident_subscribers.c.person)
Index("ix_incident_subscribers_platform", incident_subscribers.c.platform, incident_subscribers.c.at)
