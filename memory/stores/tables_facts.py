"""The tables of facts, events and links, beside those of the words they were made of."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table, Text

from memory.stores.tables import Moment, Names, Words, metadata

#: `subject_key` is the subject folded, `value_key` the value where it can be a name, else empty. `turn_ids` are part of
#: the fact's identity and stay when one of the turns goes; who may see it, and whether it lasts, is decided by
#: `fact_sources`. `episode` may be gone until the next flush.
facts = Table(
    "facts",
    metadata,
    Column("id", Words, primary_key=True),
    Column("episode", Words, nullable=False),
    Column("subject_key", Words, nullable=False),
    Column("subject", Words, nullable=False),
    Column("predicate", Words, nullable=False),
    Column("value", Words, nullable=False),
    Column("value_key", Words, nullable=False, server_default=""),
    Column("text", Words, nullable=False),
    Column("people", Names, nullable=False),
    Column("keywords", Names, nullable=False),
    Column("turn_ids", Names, nullable=False),
    Column("valid_from", Moment, nullable=False),
    Column("valid_offset", Integer, nullable=False),
    Column("valid_to", Moment),
    Column("precision", Text, nullable=False),
    Column("dated", Boolean, nullable=False),
    Column("recorded_at", Moment, nullable=False),
    Column("retired_at", Moment),
    Column("confidence", Float, nullable=False),
    Column("made_by", Words, nullable=False),
)
Index("ix_facts_group", facts.c.subject_key, facts.c.predicate)
Index("ix_facts_subject", facts.c.subject_key, facts.c.valid_from, facts.c.id)
Index("ix_facts_value", facts.c.value_key, facts.c.valid_from, facts.c.id)
Index("ix_facts_episode", facts.c.episode)

fact_sources = Table(
    "fact_sources",
    metadata,
    Column("fact", Words, ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("turn_id", Words, ForeignKey("turns.id", ondelete="CASCADE"), nullable=False),
)
Index("ix_fact_sources_turn", fact_sources.c.turn_id)

#: When a fact was retired and had not yet been made again.
fact_lapses = Table(
    "fact_lapses",
    metadata,
    Column("fact", Words, ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True),
    Column("since", Moment, primary_key=True),
    Column("until", Moment, nullable=False),
)

undos = Table(
    "undos",
    metadata,
    Column("fact", Words, ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True),
    Column("by", Words, ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True),
    Column("who", Words, nullable=False),
    Column("why", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("until", Moment),
)
Index("ix_undos_by", undos.c.by)

#: `version` is the newest one.
events = Table(
    "events",
    metadata,
    Column("id", Words, primary_key=True),
    Column("version", Integer, nullable=False),
)

event_versions = Table(
    "event_versions",
    metadata,
    Column("event", Words, ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("summary", Words, nullable=False),
    Column("people", Names, nullable=False),
    Column("keywords", Names, nullable=False),
    Column("first_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("made_by", Words, nullable=False),
)

#: What the newest version was made of. A fact that another event took over is no member any more, but it still stands
#: in the summary and so decides who may see it.
event_facts = Table(
    "event_facts",
    metadata,
    Column("event", Words, ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
    Column("fact", Words, ForeignKey("facts.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("member", Boolean, nullable=False),
)
Index("ix_event_facts_fact", event_facts.c.fact)

#: Folded keywords of the newest version, each with the event's span, so that one index answers for both.
event_keywords = Table(
    "event_keywords",
    metadata,
    Column("event", Words, ForeignKey("events.id", ondelete="CASCADE"), primary_key=True),
    Column("keyword", Words, primary_key=True),
    Column("first_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
)
Index(
    "ix_event_keywords_span",
    event_keywords.c.keyword,
    event_keywords.c.last_at,
    event_keywords.c.first_at,
    event_keywords.c.event,
)

links = Table(
    "links",
    metadata,
    Column("episode", Words, ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
    Column("other", Words, ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
    Column("reason", Words, nullable=False),
    Column("strength", Float, nullable=False),
    Column("made_by", Words, nullable=False),
    Column("made_at", Moment, nullable=False),
)
Index("ix_links_other", links.c.other)
