"""Who may read what: the whole table, said once more in plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.model import DIRECT, Scope, Viewer, Visibility
from memory.scope import may_read, narrowest
from tests.fakes.turns import turn

REQUESTER = Viewer(user="sato")
COLLEAGUE = Viewer(user="mori")
STRANGER = Viewer(user="abe")
AGENT = Viewer(user="kato", agent=True)


def scope(visibility: Visibility) -> Scope:
    return Scope(visibility=visibility, channel="it-help", requester="sato", participants=frozenset({"sato", "mori"}))


def at(viewer: Viewer, channel: str) -> Viewer:
    return Viewer(user=viewer.user, channel=channel, agent=viewer.agent)


@pytest.mark.parametrize("viewer", [REQUESTER, COLLEAGUE, STRANGER, AGENT])
@pytest.mark.parametrize("channel", [DIRECT, "it-help", "lunch"])
def test_what_is_for_everyone_is_seen_everywhere(viewer: Viewer, channel: str) -> None:
    assert may_read(at(viewer, channel), scope(Visibility.EVERYONE))


@pytest.mark.parametrize(
    ("viewer", "seen_in"),
    [
        (REQUESTER, {DIRECT, "it-help"}),
        (COLLEAGUE, {DIRECT, "it-help"}),
        (STRANGER, {"it-help"}),
        (AGENT, {DIRECT, "it-help"}),
    ],
)
def test_what_was_said_in_a_channel_is_seen_there_and_by_those_who_took_part(viewer: Viewer, seen_in: set[str]) -> None:
    places = {DIRECT, "it-help", "lunch"}
    assert {place for place in places if may_read(at(viewer, place), scope(Visibility.CHANNEL))} == seen_in


@pytest.mark.parametrize(
    ("viewer", "seen_in"), [(REQUESTER, {DIRECT}), (COLLEAGUE, set()), (STRANGER, set()), (AGENT, {DIRECT})]
)
def test_what_is_private_is_seen_by_its_requester_and_agents_alone_with_the_bot(
    viewer: Viewer, seen_in: set[str]
) -> None:
    places = {DIRECT, "it-help", "lunch"}
    assert {place for place in places if may_read(at(viewer, place), scope(Visibility.PRIVATE))} == seen_in


@pytest.mark.parametrize("viewer", [REQUESTER, COLLEAGUE, STRANGER, AGENT])
@pytest.mark.parametrize(
    ("visibility", "seen_in"),
    [(Visibility.EVERYONE, {"it-help"}), (Visibility.CHANNEL, {"it-help"}), (Visibility.PRIVATE, set())],
)
def test_a_confined_viewer_sees_what_was_said_there_and_nothing_else(
    viewer: Viewer, visibility: Visibility, seen_in: set[str]
) -> None:
    if visibility is Visibility.PRIVATE and viewer is REQUESTER:
        seen_in = {DIRECT}
    confined = replace(viewer, confined=True)
    places = {DIRECT, "it-help", "lunch"}
    assert {place for place in places if may_read(replace(confined, channel=place), scope(visibility))} == seen_in


def test_the_bots_own_words_narrow_nothing_that_people_said() -> None:
    answer = turn(2, author="helpdesk", visibility=Visibility.PRIVATE, derived=True)
    assert narrowest([turn(1, visibility=Visibility.EVERYONE), answer]).visibility is Visibility.EVERYONE
    assert narrowest([answer]).visibility is Visibility.PRIVATE


def test_the_narrowest_turn_decides_the_scope_of_the_whole() -> None:
    turns = [
        turn(1, author="sato", visibility=Visibility.EVERYONE),
        turn(2, author="kato", visibility=Visibility.PRIVATE, requester="mori"),
        turn(3, author="mori", visibility=Visibility.CHANNEL),
    ]
    assert narrowest(turns) == Scope(
        visibility=Visibility.PRIVATE,
        channel="it-help",
        requester="mori",
        participants=frozenset({"sato", "kato", "mori"}),
    )


def test_nothing_has_a_scope_without_a_source() -> None:
    with pytest.raises(ValueError, match="at least one turn"):
        narrowest([])


def test_the_name_that_all_direct_messages_share_opens_nothing() -> None:
    said_to_bot = Scope(
        visibility=Visibility.CHANNEL, channel=DIRECT, requester="sato", participants=frozenset({"sato"})
    )
    assert may_read(at(REQUESTER, DIRECT), said_to_bot)
    assert not may_read(at(STRANGER, DIRECT), said_to_bot)
