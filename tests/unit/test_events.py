"""Facts gather into the same events however they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.facts import Event, Fact
from memory.model import Turn, Visibility
from memory.remember.events import MOST_FACTS, belong_together, event_of, happening_of, merged
from memory.remember.gatherer import Gatherer
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.facts import fact, link
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch, episode, flushed


def said(ticket: str, *, days: float = 0, user: str = "sato", visibility: Visibility = Visibility.EVERYONE) -> Turn:
    return turn(
        1,
        "words",
        thread=ticket,
        ticket=ticket,
        minutes=days * 1440,
        author=user,
        requester=user,
        visibility=visibility,
    )


def told(of: Turn, value: str, *, keywords: Sequence[str] = (), people: Sequence[str] = ()) -> Fact:
    """`value` of the ticket's own subject, so that nothing is shared by chance."""
    made = fact(of, value, subject=f"matter {of.ticket}", episode=str(of.ticket))
    return replace(made, text=f"{value}.", keywords=tuple(keywords), people=tuple(people))


def together(one: Sequence[Fact], other: Sequence[Fact], *, linked: bool = False, common: Sequence[str] = ()) -> bool:
    pairs = {frozenset((one[0].episode, other[0].episode))} if linked else set()
    tickets = {each.episode: each.episode for each in (*one, *other)}
    here, there = happening_of(one, tickets), happening_of(other, tickets)
    found = belong_together(here, there, common=common, linked=pairs)
    assert belong_together(there, here, common=common, linked=pairs) is found
    return found


ONE = told(said("INC-1"), "QX-7713 stops the till", keywords=["till"], people=["mori"])


@pytest.mark.parametrize(
    ("other", "linked", "found"),
    [
        pytest.param(told(said("INC-1", days=2), "it goes on"), False, True, id="same ticket"),
        pytest.param(told(said("INC-1", days=9), "it goes on"), False, False, id="same ticket much later"),
        pytest.param(told(said("INC-2", days=2), "qx-7713 again"), False, True, id="same code"),
        pytest.param(told(said("INC-2", days=2), "as in INC-1"), False, True, id="names the ticket"),
        pytest.param(told(said("INC-2"), "the till", keywords=["Till"]), False, False, id="a keyword alone"),
        pytest.param(told(said("INC-2"), "the till", keywords=["Till"]), True, True, id="a keyword of a close note"),
        pytest.param(told(said("INC-2"), "hers", people=["Mori"]), True, True, id="a person of a close note"),
        pytest.param(told(said("INC-2"), "something"), True, False, id="close, but nothing shared"),
        pytest.param(told(said("INC-2"), "QX-7731 stops"), False, False, id="nearly the same code"),
        pytest.param(told(said("INC-2"), "since 4.1.7"), False, False, id="nothing"),
        pytest.param(
            told(said("INC-2", visibility=Visibility.PRIVATE), "QX-7713 again"), False, False, id="seen elsewhere"
        ),
    ],
)
def test_what_is_one_happening(other: Fact, linked: bool, found: bool) -> None:
    assert together([ONE], [other], linked=linked) is found


def test_what_everybody_names_joins_nothing() -> None:
    other = told(said("INC-2"), "QX-7713 again")
    assert together([ONE], [other])
    assert not together([ONE], [other], common=["qx-7713"])


def test_a_version_is_no_happening() -> None:
    assert not together([told(said("INC-1"), "on 4.1.7")], [told(said("INC-2"), "4.1.7 too")])


def test_a_full_event_takes_in_no_more() -> None:
    many = [told(said("INC-1"), f"QX-7713 stop {number}") for number in range(MOST_FACTS)]
    assert not together(many, [told(said("INC-2"), "QX-7713 again")])
    assert together(many[1:], [told(said("INC-2"), "QX-7713 again")])


def test_the_summary_tells_the_two_most_connected_facts_in_time_order() -> None:
    facts = [
        told(said("INC-1", days=0.0), "The till stops with QX-7713", keywords=["till", "certificate"]),
        replace(told(said("INC-1", days=0.1), "Lunch was late"), subject="canteen"),
        replace(
            told(said("INC-1", days=0.2), "A new certificate solved it on the till", keywords=["till", "certificate"]),
            predicate="fix",
        ),
    ]
    event = event_of(happening_of(facts, {"INC-1": "INC-1"}))
    assert event.summary == "The till stops with QX-7713. A new certificate solved it on the till."
    assert event.keywords == ("INC-1", "qx-7713", "certificate", "till")
    assert (event.first_at, event.last_at, event.version) == (NOON, NOON + timedelta(days=0.2), 1)
    assert event.facts == tuple(each.id for each in facts)


def test_a_japanese_summary_has_no_spaces_between_its_sentences() -> None:
    facts = [
        replace(told(said("INC-1"), text), predicate=text, text=text)
        for text in ("止まりました。原因は不明です。", "直りました")
    ]
    assert event_of(happening_of(facts, {})).summary in ("止まりました。直りました。", "直りました。止まりました。")


def test_how_a_ticket_stands_is_told_only_where_nothing_else_is() -> None:
    states = [
        replace(told(said("INC-1", days=day), value), subject="INC-1", predicate="status", text=f"INC-1 is {value}")
        for day, value in ((0, "open"), (1, "resolved"))
    ]
    names = {"INC-1": "INC-1"}
    assert event_of(happening_of(states, names)).summary == "INC-1 is resolved."
    better = told(said("INC-1"), "The cable was loose")
    assert event_of(happening_of([*states, better], names)).summary == "The cable was loose. INC-1 is resolved."


def test_a_fact_that_holds_since_long_ago_does_not_stretch_the_event() -> None:
    old = replace(ONE, valid_from=NOON - timedelta(days=900))
    assert event_of(happening_of([old, ONE], {})).first_at == NOON
    yesterday = replace(ONE, valid_from=NOON - timedelta(days=1))
    assert event_of(happening_of([yesterday, ONE], {})).first_at == NOON - timedelta(days=1)


def test_merging_has_no_order() -> None:
    parts = [happening_of([told(said(f"INC-{n}", days=n), f"QX-{n}")], {f"INC-{n}": f"INC-{n}"}) for n in range(3)]
    events = {event_of(merged(merged(a, b), c)) for a, b, c in permutations(parts)}
    assert len(events) == 1


# --- gathering --------------------------------------------------------------------------------------------------------

#: (ticket, day, text): a chain that hangs together only through its middle, and others that do not.
TRAFFIC = [
    ("INC-1", 0, "QX-7713 on the till"),
    ("INC-2", 5, "QX-7713 and ra-tym-01"),
    ("INC-3", 10, "ra-tym-01 is slow"),
    ("INC-4", 30, "QX-7713 once more"),
    ("INC-5", 5, "the canteen"),
]


class World:
    """A store with one fact a ticket, gathered a ticket at a time."""

    def __init__(self) -> None:
        self.store = InMemoryStore(clock=Watch())
        self.gatherer = Gatherer(
            writing=self.store.writing,
            facts=self.store.fact_writing,
            reading=self.store.facts,
            index=InMemoryIndex(),
        )

    async def tell(self, ticket: str, day: float, text: str) -> None:
        of = said(ticket, days=day)
        await flushed(self.store, episode(ticket, [of]))
        await self.store.fact_writing.store_facts(ticket, [told(of, text)], NOON)

    async def gather(self, *tickets: str) -> int:
        written = 0
        for ticket in tickets:
            written += await self.gatherer.gather(await self.store.writing.episodes_of([ticket]))
        return written

    async def events(self) -> list[Event]:
        facts = await self.store.fact_writing.facts_of([name for name, *_ in TRAFFIC])
        return await self.store.fact_writing.events_of([each.id for each in facts])


@given(st.permutations(range(len(TRAFFIC))))
@settings(max_examples=40, deadline=None)
async def test_the_same_facts_make_the_same_events_in_whatever_order_they_come(order: list[int]) -> None:
    world = World()
    for place in order:
        await world.tell(*TRAFFIC[place])
        await world.gather(TRAFFIC[place][0])
    found = {
        frozenset(set(event.keywords) & {"INC-1", "INC-2", "INC-3", "INC-4", "INC-5"}) for event in await world.events()
    }
    assert found == {frozenset(("INC-1", "INC-2", "INC-3")), frozenset(("INC-4",)), frozenset(("INC-5",))}
    first = told(said("INC-1"), "QX-7713 on the till")
    [whole] = [event for event in await world.events() if len(event.facts) == 3]
    assert whole == replace(
        event_of(
            happening_of(
                [told(said(name, days=day), text) for name, day, text in TRAFFIC[:3]], {n: n for n, _, _ in TRAFFIC}
            )
        ),
        version=whole.version,
    )
    assert whole.facts[0] == first.id
    assert await world.gather(*(ticket for ticket, _, _ in TRAFFIC)) == 0


async def test_an_event_grows_as_a_new_version() -> None:
    world = World()
    await world.tell(*TRAFFIC[0])
    await world.gather("INC-1")
    [young] = await world.events()
    await world.tell(*TRAFFIC[1])
    await world.gather("INC-2")
    [grown] = await world.events()
    assert (young.version, grown.version, grown.id) == (1, 2, young.id)
    assert set(young.facts) < set(grown.facts)


async def test_notes_that_are_closely_linked_share_an_event_by_a_keyword() -> None:
    world = World()
    for ticket in ("INC-1", "INC-2"):
        of = said(ticket)
        await flushed(world.store, episode(ticket, [of]))
        await world.store.fact_writing.store_facts(ticket, [told(of, f"till {ticket[-1]}", keywords=["till"])], NOON)
    await world.gather("INC-1", "INC-2")
    assert len(await world.events()) == 2
    world = World()
    for ticket in ("INC-1", "INC-2"):
        of = said(ticket)
        await flushed(world.store, episode(ticket, [of]))
        await world.store.fact_writing.store_facts(ticket, [told(of, f"till {ticket[-1]}", keywords=["till"])], NOON)
    await world.store.fact_writing.store_links("INC-2", [link("INC-2", "INC-1", 0.8)])
    await world.gather("INC-1", "INC-2")
    assert len(await world.events()) == 1


async def test_an_event_is_made_again_when_its_facts_changed() -> None:
    world = World()
    for place in (0, 1):
        await world.tell(*TRAFFIC[place])
    await world.gather("INC-1", "INC-2")
    await world.store.fact_writing.store_facts("INC-1", [], NOON + timedelta(days=20))
    assert await world.gather("INC-1", "INC-2") == 1
    [event] = await world.events()
    assert event.keywords == ("INC-2", "qx-7713", "ra-tym-01")
    assert "till" not in event.summary
    assert await world.gather("INC-1", "INC-2") == 0
