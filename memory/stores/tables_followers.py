"""The table of who wants to hear how a ticket ends. Ids and places, no words."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table, Text

from memory.stores.tables import Moment, Words, metadata

#: `key` and `conversation_id` are the ticket's, `name` is what its follower knows it by, the rest is where that one is
#: to hear.
ticket_followers = Table(
    "ticket_followers",
    metadata,
    Column("conversation_id", Words, primary_key=True),
    Column("key", Words, primary_key=True),
    Column("person", Words, primary_key=True),
    Column("name", Words, nullable=False),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("channel", Words, nullable=False),
    Column("thread", Words, nullable=False),
    Column("language", Text, nullable=False),
    Column("at", Moment, nullable=False),
)
Index("ix_ticket_followers_platform", ticket_followers.c.platform, ticket_followers.c.at)
Index("ix_ticket_followers_person", ticket_followers.c.person)
