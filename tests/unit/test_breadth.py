"""What may be taken over from one record into another, against who may read the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import Episode, Scope, Turn, Viewer, Visibility
from memory.remember.breadth import KEEPER, as_wide, may_lend, reader_of, scope_class
from memory.scope import may_read, narrowest
from tests.fakes.turns import turn
from tests.fakes.words import episode

PEOPLE = ("sato", "mori", "abe")
CHANNELS = ("it-help", "lunch")
VIEWERS = [
    Viewer(user=user, channel=channel, agent=agent)
    for user in (*PEOPLE, "kato")
    for channel in ("dm", *CHANNELS)
    for agent in (False, True)
]


def said(thread: str, channel: str, turns: Sequence[tuple[Visibility, str, str]]) -> list[Turn]:
    return [
        turn(number, thread=thread, channel=channel, visibility=visibility, requester=requester, author=author)
        for number, (visibility, requester, author) in enumerate(turns)
    ]


conversations = st.builds(
    said,
    st.sampled_from(("one", "two")),
    st.sampled_from(CHANNELS),
    st.lists(
        st.tuples(st.sampled_from(Visibility), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)), min_size=1, max_size=3
    ),
)


def read_by(turns: Sequence[Turn], conversation: Sequence[Turn]) -> set[Viewer]:
    """Who may read every one of these turns, when everybody who wrote in the conversation took part."""
    authors = frozenset(each.author for each in conversation)
    scopes = [replace(narrowest([each]), participants=authors) for each in turns]
    return {viewer for viewer in VIEWERS if all(may_read(viewer, scope) for scope in scopes)}


@given(conversations, conversations, st.sampled_from(PEOPLE))
def test_whoever_may_read_what_is_lent_to_may_read_the_lender(
    source: list[Turn], of: list[Turn], somebody_else: str
) -> None:
    """Also when somebody else wrote in the conversation, in another episode."""
    same = source[0].conversation == of[0].conversation
    more = [replace(of[-1], message="later", author=somebody_else)]
    if may_lend(episode("A", source), episode("B", of)):
        both = [*source, *of, *more]
        assert read_by(of, both if same else [*of, *more]) <= read_by(source, both if same else source)


def told(visibility: Visibility, *, thread: str = "one", requester: str = "sato", channel: str = "it-help") -> Episode:
    return episode(
        thread, [turn(1, thread=thread, channel=channel, requester=requester, author=requester, visibility=visibility)]
    )


@pytest.mark.parametrize(
    ("source", "of", "lends", "wide"),
    [
        (told(Visibility.EVERYONE), told(Visibility.PRIVATE, thread="two", requester="mori"), True, True),
        (told(Visibility.PRIVATE), told(Visibility.EVERYONE, thread="two"), False, False),
        (told(Visibility.PRIVATE), told(Visibility.PRIVATE, thread="two"), True, True),
        (told(Visibility.PRIVATE), told(Visibility.PRIVATE, thread="two", requester="mori"), False, False),
        (told(Visibility.CHANNEL), told(Visibility.CHANNEL), True, True),
        (told(Visibility.CHANNEL), told(Visibility.CHANNEL, thread="two"), False, True),
        (told(Visibility.CHANNEL), told(Visibility.CHANNEL, thread="two", channel="lunch"), False, False),
        (told(Visibility.CHANNEL), told(Visibility.EVERYONE, thread="two"), False, False),
        (told(Visibility.CHANNEL), told(Visibility.PRIVATE, thread="two"), False, False),
    ],
)
def test_only_what_is_seen_as_widely_counts(source: Episode, of: Episode, lends: bool, wide: bool) -> None:
    assert (may_lend(source, of), as_wide(source, of)) == (lends, wide)


@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize("channel", CHANNELS)
def test_the_reader_of_a_class_reads_it_and_nothing_narrower_elsewhere(visibility: Visibility, channel: str) -> None:
    scope = Scope(visibility=visibility, channel=channel, requester="sato")
    reader = reader_of(scope)
    assert may_read(reader, scope)
    others = [
        Scope(visibility=each, channel=place, requester=user)
        for each in (Visibility.PRIVATE, Visibility.CHANNEL)
        for place in CHANNELS
        for user in PEOPLE
    ]
    assert all(scope_class(each) == scope_class(scope) for each in others if may_read(reader, each))
    assert all(may_read(KEEPER, each) for each in others)
