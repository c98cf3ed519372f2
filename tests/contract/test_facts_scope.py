"""Every read of facts, on every backend, gives exactly what `memory.scope.may_read` allows: random worlds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.facts import Event, Fact, Link, Telling
from memory.model import Turn, Viewer
from memory.scope import narrowest
from tests.contract.test_words_scope import LINES, VIEWERS, Line, World, build
from tests.fakes.facts import event, fact, link
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, note, opened

EVERYTHING = 100
SUBJECTS = ("vpn", "プリンタ")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A fact to be: which of an episode's turns say it, on what, and from when to when it is held."""

    turns: tuple[int, ...]
    subject: int
    recorded: int
    retired: int | None


STATEMENTS = st.builds(
    Statement,
    turns=st.lists(st.integers(0, 8), min_size=1, max_size=2, unique=True).map(tuple),
    subject=st.integers(0, len(SUBJECTS) - 1),
    recorded=st.integers(0, 6),
    retired=st.none() | st.integers(0, 6),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A world with facts, and what may be read of them, worked out from the pure function alone."""

    world: World
    facts: Sequence[Fact]
    events: Sequence[Event]
    links: Sequence[Link]

    def turns(self, ids: Iterable[str]) -> list[Turn]:
        return [turn for turn in self.world.turns if turn.id in set(ids)]

    def may(self, viewer: Viewer, *facts: Fact) -> bool:
        said = [turn for each in facts for turn in self.turns(each.turn_ids)]
        return all(self.world.may(viewer, turn) for turn in said)

    def seen(self, viewer: Viewer, known_at: datetime) -> list[Fact]:
        held = [
            each
            for each in self.facts
            if each.recorded_at <= known_at and (each.retired_at is None or each.retired_at > known_at)
        ]
        return sorted((each for each in held if self.may(viewer, each)), key=_validity)

    def tellings(self, viewer: Viewer) -> list[Telling]:
        by_id = {each.id: each for each in self.facts}
        seen = [each for each in self.events if self.may(viewer, *(by_id[name] for name in each.facts))]
        told = {
            Telling(event=each.id, turn=turn, episode=by_id[name].episode)
            for each in seen
            for name in each.facts
            for turn in by_id[name].turn_ids
        }
        return sorted(told, key=lambda one: (one.event, one.turn))


def _validity(fact: Fact) -> tuple[datetime, str]:
    return fact.valid_from, fact.id


async def build_facts(store: Store, lines: Sequence[Line], statements: Sequence[Statement]) -> Known:
    world = await build(store, lines)
    facts: dict[str, Fact] = {}
    for number, statement in enumerate(statements):
        if made := _fact(world, number, statement):
            facts[made.id] = made
    for whole in world.episodes:
        ours = [each for each in facts.values() if each.episode == whole.id]
        await store.fact_writing.store_facts(whole.id, ours, NOON)
        for minute in range(7):
            held = [each for each in ours if each.retired_at is None or each.retired_at > _at(minute)]
            await store.fact_writing.store_facts(whole.id, held, _at(minute))
    events = [
        event(f"{whole.id}-event", ours)
        for whole in world.episodes
        if (ours := [each for each in facts.values() if each.episode == whole.id])
    ]
    for each in events:
        await store.fact_writing.store_event(each)
    links = [link(one.id, other.id) for one, other in combinations(world.episodes, 2)]
    for whole in world.episodes:
        await store.fact_writing.store_links(whole.id, [each for each in links if each.episode == whole.id])
    return Known(world=world, facts=list(facts.values()), events=events, links=links)


def _fact(world: World, number: int, statement: Statement) -> Fact | None:
    """Of turns of one episode, by their numbers as far as there are so many; the bot's own state nothing."""
    whole = world.episodes[statement.turns[0] % len(world.episodes)]
    told = [turn for turn in whole.turns if not turn.derived]
    if not told:
        return None
    turns = list(dict.fromkeys(told[place % len(told)] for place in statement.turns))
    made = fact(
        turns, str(number), subject=SUBJECTS[statement.subject], episode=whole.id, recorded=_at(statement.recorded)
    )
    retired = None if statement.retired is None else _at(statement.retired)
    return replace(made, scope=narrowest(turns), retired_at=retired)


def _at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


# Shrinking would write worlds for minutes, and so few lines can be read as they are.
@settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    lines=st.lists(LINES, min_size=1, max_size=7),
    statements=st.lists(STATEMENTS, min_size=1, max_size=6),
    viewers=st.lists(VIEWERS, min_size=2, max_size=3, unique=True),
    minute=st.integers(-1, 7),
)
async def test_every_read_gives_what_may_be_read_and_nothing_else(
    store: Store, lines: list[Line], statements: list[Statement], viewers: list[Viewer], minute: int
) -> None:
    known = await build_facts(store, lines, statements)
    for viewer in viewers:
        await _compare_facts(store, known, viewer, _at(minute))
        await _compare_the_rest(store, known, viewer)
    await _forget(store, known)


async def _compare_facts(store: Store, known: Known, viewer: Viewer, known_at: datetime) -> None:
    seen, ids = known.seen(viewer, known_at), [each.id for each in known.facts]
    found = await store.facts.facts(ids, viewer, known_at)
    assert found == sorted(seen, key=lambda each: ids.index(each.id))
    assert [each.id for each in found] == [name for name in ids if name in {each.id for each in seen}]
    for turn in known.world.turns:
        here = [each for each in seen if turn.id in each.turn_ids]
        assert await store.facts.of_turns([turn.id], viewer, known_at) == here
    for subject in SUBJECTS:
        groups = [each.group for each in known.facts if each.subject == subject]
        here = [each for each in seen if each.subject == subject]
        assert await store.facts.on(groups, viewer, known_at) == here
        assert await store.facts.about([subject], viewer, known_at, EVERYTHING) == here[::-1]
    values = [each.value for each in known.facts]
    assert await store.facts.naming(values, viewer, known_at, EVERYTHING) == seen[::-1]
    assert await store.facts.about(SUBJECTS, viewer, known_at, 2) == seen[::-1][:2]


async def _compare_the_rest(store: Store, known: Known, viewer: Viewer) -> None:
    ids = [whole.id for whole in known.world.episodes]
    assert await store.facts.tellings(ids, viewer, EVERYTHING) == known.tellings(viewer)
    visible = {whole.id for whole in known.world.seen_episodes(viewer, NOON + timedelta(days=1))}
    linked = await store.facts.links(ids, viewer, EVERYTHING)
    assert {(each.episode, each.other) for each in linked} == {
        (each.episode, each.other) for each in known.links if {each.episode, each.other} <= visible
    }
    for name in ids:
        assert await store.facts.note_versions(name, viewer) == [note(name)] * (name in visible)


async def _forget(store: Store, known: Known) -> None:
    """The next example finds no facts of this one, whatever subjects it asks for; nothing dangles either."""
    await store.writing.erase([whole.id for whole in known.world.episodes])
    assert await store.fact_writing.counts() == {"facts": 0, "events": 0, "links": 0, "undos": 0}
