"""Every read, on every backend, gives exactly what `memory.scope.may_read` allows: random worlds, random viewers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.membership import Move
from memory.model import DIRECT, Conversation, Episode, Role, Scope, Turn, Viewer, Visibility
from memory.scope import may_read
from memory.tickets import TicketFilter
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, episode, note, opened

PEOPLE = ("sato", "mori", "abe")
CHANNELS = (DIRECT, "it-help", "lunch")
EVERYTHING = 100
_worlds = count()


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One turn to be: in which conversation and episode, by whom, for whom."""

    place: int
    episode: int
    author: str
    requester: str
    visibility: Visibility
    minute: int
    flushed: bool
    derived: bool


LINES = st.builds(
    Line,
    place=st.integers(0, 2),
    episode=st.integers(0, 1),
    author=st.sampled_from(PEOPLE),
    requester=st.sampled_from(PEOPLE),
    visibility=st.sampled_from(Visibility),
    minute=st.integers(0, 6),
    flushed=st.booleans(),
    derived=st.booleans(),
)
VIEWERS = st.builds(
    Viewer,
    user=st.sampled_from(PEOPLE),
    channel=st.sampled_from(CHANNELS),
    agent=st.booleans(),
    confined=st.booleans(),
    collections=st.sampled_from([frozenset(), frozenset({"it-help"}), frozenset(CHANNELS)]),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A random world, and what may be read in it, worked out from the pure function alone."""

    turns: Sequence[Turn]
    episodes: Sequence[Episode]
    pending: frozenset[str]
    #: Who is gone from which channel, by platform, channel and person.
    gone: frozenset[tuple[str, str, str]] = frozenset()

    def seen(self, viewer: Viewer, until: datetime) -> list[Turn]:
        return [turn for turn in self.turns if turn.said_at <= until and self.may(viewer, turn)]

    def may(self, viewer: Viewer, turn: Turn) -> bool:
        here = [other for other in self.turns if other.conversation == turn.conversation]
        scope = Scope(
            visibility=turn.visibility,
            channel=turn.conversation.channel,
            requester=turn.requester,
            participants=frozenset(other.author for other in here if self._there(other)),
        )
        return may_read(viewer, scope)

    def _there(self, turn: Turn) -> bool:
        return (turn.conversation.platform, turn.conversation.channel, turn.author) not in self.gone

    def seen_episodes(self, viewer: Viewer, until: datetime) -> list[Episode]:
        found = []
        for whole in self.episodes:
            early = [turn for turn in whole.turns if turn.said_at <= until]
            seen = [turn for turn in early if self.may(viewer, turn)]
            if seen and all(turn in seen or turn.derived for turn in early):
                found.append(episode(whole.id, seen))
        return found


async def build(store: Store, lines: Sequence[Line], left: Iterable[tuple[str, str]] = ()) -> World:
    """Write the world into a workspace of its own, beside those of earlier examples. `left`: channels and people."""
    workspace = f"W{next(_worlds)}"
    turns = [_turn(workspace, number, line) for number, line in enumerate(lines)]
    gone = [
        Move(platform=f"p-{workspace}", channel=channel, member=member, gone=True, at=NOON) for channel, member in left
    ]
    await store.membership.note(gone)
    await store.writing.record(turns)
    in_time = sorted(turns, key=lambda turn: (turn.said_at, int(turn.message)))
    cut: dict[str, list[Turn]] = {}
    for turn in in_time:
        line = lines[int(turn.message)]
        cut.setdefault(f"{workspace}-{line.place}-{line.episode}", []).append(turn)
    episodes = [episode(name, members) for name, members in cut.items()]
    for part in episodes:
        await store.writing.store_episodes(part.conversation.id, [part])
        await store.writing.store_note(note(part.id))
    flushed = [turn for turn in turns if lines[int(turn.message)].flushed]
    await store.writing.mark_flushed([episode("flushed", flushed)] if flushed else [])
    pending = frozenset(turn.id for turn in turns) - {turn.id for turn in flushed}
    away = frozenset((move.platform, move.channel, move.member) for move in gone)
    return World(turns=in_time, episodes=episodes, pending=pending, gone=away)


def _turn(workspace: str, number: int, line: Line) -> Turn:
    name = f"{workspace}-{line.place}"
    return Turn(
        conversation=Conversation(
            platform=f"p-{workspace}", workspace=workspace, channel=CHANNELS[line.place], thread=name
        ),
        ticket=name,
        message=str(number),
        author=line.author,
        role=Role.REQUESTER,
        text="words",
        said_at=NOON + timedelta(minutes=line.minute),
        visibility=line.visibility,
        requester=line.requester,
        status=str(number),
        derived=line.derived,
    )


async def test_every_viewer_sees_exactly_the_turns_that_the_rule_allows(store: Store) -> None:
    """Each author in each channel, for each requester, as wide as each visibility; one author to a conversation."""
    said = [
        Turn(
            conversation=Conversation(platform="p", workspace="all", channel=channel, thread=f"{channel}-{author}"),
            ticket=None,
            message=f"{requester}-{visibility}",
            author=author,
            role=Role.REQUESTER,
            text="words",
            said_at=NOON,
            visibility=visibility,
            requester=requester,
        )
        for channel, author, requester, visibility in product(CHANNELS, PEOPLE, PEOPLE, Visibility)
    ]
    await store.writing.record(said)
    world = World(turns=said, episodes=(), pending=frozenset())
    collections: tuple[frozenset[str], ...] = (frozenset(), frozenset({"it-help"}))
    places = product(PEOPLE, CHANNELS, (False, True), (False, True), collections)
    for user, channel, agent, confined, looked_up in places:
        viewer = Viewer(user=user, channel=channel, agent=agent, confined=confined, collections=looked_up)
        found = await store.reading.turns([turn.id for turn in said], viewer, NOON)
        assert found == world.seen(viewer, NOON), viewer


# Shrinking would write worlds for minutes, and nine lines can be read as they are.
@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    lines=st.lists(LINES, min_size=1, max_size=9),
    viewers=st.lists(VIEWERS, min_size=2, max_size=3, unique=True),
    minute=st.integers(-1, 7),
    left=st.sets(st.tuples(st.sampled_from(CHANNELS), st.sampled_from(PEOPLE)), max_size=4),
)
async def test_every_read_gives_what_may_be_read_and_nothing_else(
    store: Store, lines: list[Line], viewers: list[Viewer], minute: int, left: set[tuple[str, str]]
) -> None:
    until = NOON + timedelta(minutes=minute)
    world = await build(store, lines, left)
    for viewer in viewers:
        await _compare_turns(store, world, viewer, until)
        await _compare_episodes(store, world, viewer, until)
        await _compare_ended(store, world, viewer, until)
        await _compare_written(store, world, viewer, until)
        await _compare_open(store, world, viewer, NOON + timedelta(days=1))
        await _compare_tickets(store, world, viewer, until)


async def _compare_turns(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    seen = world.seen(viewer, until)
    assert await store.reading.turns([turn.id for turn in world.turns], viewer, until) == seen
    # Of what was never revised, nothing else was so then.
    assert await store.reading.as_of([turn.id for turn in world.turns], viewer, until) == seen
    for place in {turn.conversation for turn in world.turns}:
        here = [turn for turn in seen if turn.conversation == place]
        waiting = [turn for turn in here if turn.id in world.pending]
        assert await store.reading.recent(place.id, viewer, until, EVERYTHING) == here
        assert await store.reading.recent(place.id, viewer, until, 2) == here[-2:]
        assert await store.reading.live(place.id, viewer, until, EVERYTHING) == waiting
        assert await store.reading.named(place.thread, viewer, until) == here
    for turn in world.turns[:2]:
        assert await store.reading.named(turn.ref, viewer, until) == [turn] * (turn in seen)


async def _compare_episodes(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    ids = [whole.id for whole in world.episodes]
    assert await store.reading.episodes(ids, viewer, until) == world.seen_episodes(viewer, until)
    ever = world.seen_episodes(viewer, NOON + timedelta(days=1))
    assert await store.reading.notes(ids, viewer) == {whole.id: note(whole.id) for whole in ever}


async def _compare_ended(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    """Among the episodes of every world that was made before."""
    ever = {whole.id for whole in world.seen_episodes(viewer, NOON + timedelta(days=1))}
    ended = [whole for whole in world.episodes if whole.id in ever and NOON <= whole.last_at <= until]
    newest_first = sorted(sorted(whole.id for whole in ended), key=_last(ended).__getitem__, reverse=True)
    ours = {whole.id for whole in world.episodes}
    found = await store.reading.ended(NOON, until, viewer, 10**6)
    assert [name for name in found if name in ours] == newest_first
    assert await store.reading.ended(NOON, until, viewer, 1) == found[:1]
    assert await store.reading.ended(NOON, until, viewer, 0) == []


async def _compare_written(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    """Among the episodes of every world that was made before."""
    since = NOON + timedelta(minutes=1)
    own = [turn for turn in world.seen(viewer, until) if turn.author == viewer.user and turn.said_at >= since]
    last: dict[str, datetime] = {}
    for whole in world.episodes:
        said = [turn.said_at for turn in whole.turns if turn in own]
        last |= {whole.id: max(said)} if said else {}
    found = await store.personal.wrote_in(viewer, since, until, 10**6)
    ours = {whole.id for whole in world.episodes}
    assert [name for name in found if name in ours] == sorted(sorted(last), key=last.__getitem__, reverse=True)
    assert await store.personal.wrote_in(viewer, since, until, 1) == found[:1]
    assert await store.personal.wrote_in(viewer, since, until, 0) == []


async def _compare_open(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    """Of the tickets that a list shows as the viewer's and open, the episodes that the viewer may see."""
    which = TicketFilter(requester=viewer.user, open=True)
    theirs = {one.conversation.id for one in await store.tickets.listed(viewer, which, None, 10**6)}
    seen = [turn for turn in world.seen(viewer, until) if turn.conversation.id in theirs]
    found = await store.personal.asked_open(viewer, 10**6)
    assert set(found) & {whole.id for whole in world.episodes} == {
        whole.id for whole in world.episodes if any(turn in seen for turn in whole.turns)
    }
    assert await store.personal.asked_open(viewer, 1) == found[:1]
    assert await store.personal.asked_open(viewer, 0) == []


def _last(ended: Sequence[Episode]) -> dict[str, datetime]:
    return {whole.id: whole.last_at for whole in ended}


async def _compare_tickets(store: Store, world: World, viewer: Viewer, until: datetime) -> None:
    last: dict[str, Turn] = {}
    first: dict[str, Turn] = {}
    for turn in world.seen(viewer, until):
        last[turn.conversation.thread] = turn
        first.setdefault(turn.conversation.thread, turn)
    names = sorted({turn.conversation.thread for turn in world.turns})
    found = await store.reading.tickets(names, viewer, until)
    assert [(state.ticket, state.status, state.opened_at, state.changed_at) for state in found] == [
        (name, last[name].status, first[name].said_at, last[name].said_at) for name in names if name in last
    ]


async def test_a_revision_moves_a_turn_between_readers(store: Store) -> None:
    line = Line(
        place=1,
        episode=0,
        author="sato",
        requester="sato",
        visibility=Visibility.EVERYONE,
        minute=0,
        flushed=False,
        derived=False,
    )
    world = await build(store, [line])
    hidden = replace(world.turns[0], visibility=Visibility.PRIVATE)
    await store.writing.record([hidden])
    until = NOON + timedelta(days=1)
    stranger, requester = Viewer(user="abe", channel="it-help"), Viewer(user="sato")
    assert await store.reading.turns([hidden.id], stranger, until) == []
    assert await store.reading.turns([hidden.id], requester, until) == [replace(hidden, revision=2)]
