"""Links, events and evolution cost the same however much is remembered; consolidation, and going back, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from memory.errors import EncoderUnavailable, NothingFound
from memory.index_ports import Probe, Vectors
from memory.model import KeyKind, Note, Turn, Visibility
from memory.remember.breadth import KEEPER
from memory.remember.evolver import Evolver
from memory.remember.gatherer import Gatherer
from memory.remember.keys import summary_keys_of
from memory.remember.link_reasons import Pair
from memory.remember.links import MOST_LINKS, Linked, Linker
from memory.remember.notes import Noted
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore
from memory.upkeep.consolidate import Consolidate
from memory.upkeep.rollback import Rollback
from tests.fakes.facts import fact, link
from tests.fakes.turns import turn
from tests.fakes.words import Watch, episode, flushed

ENCODER = HashingEncoder()


class Counted:
    """A port whose calls are counted, and the rows that they return."""

    def __init__(self, port: Any, cost: Counter[str]) -> None:
        self._port = port
        self._cost = cost

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def counted(*given: Any, **named: Any) -> Any:
            found = await getattr(self._port, name)(*given, **named)
            self._cost["calls"] += 1
            self._cost["rows"] += len(found) if isinstance(found, list) else 0
            return found

        return counted


class Desk:
    """A memory of tickets, each with a note and a fact, over stores that count."""

    def __init__(self, encoder: HashingEncoder = ENCODER) -> None:
        self.watch = Watch()
        self.store = InMemoryStore(clock=self.watch)
        self.index = InMemoryIndex()
        self.cost: Counter[str] = Counter()
        writing: Any = Counted(self.store.writing, self.cost)
        facts: Any = Counted(self.store.fact_writing, self.cost)
        index: Any = Counted(self.index, self.cost)
        reading: Any = Counted(self.store.facts, self.cost)
        common = {"writing": writing, "facts": facts, "index": index}
        self.linker = Linker(encoder=encoder, clock=self.watch, **common)
        self.gatherer = Gatherer(reading=reading, **common)
        self.evolver = Evolver(encoder=encoder, clock=self.watch, **common)
        self.rollback = Rollback(encoder=encoder, clock=self.watch, **common)

    async def open(self) -> None:
        await self.index.reset(await ENCODER.stamp())

    async def file(self, turns: Sequence[Turn], *, keywords: Sequence[str] = ()) -> Noted:
        """A ticket, flushed: its note is its first message."""
        name = str(turns[0].ticket)
        cut = episode(name, turns)
        await flushed(self.store, cut)
        note = Note(
            episode=name,
            version=1,
            fingerprint=cut.fingerprint,
            summary=turns[0].text,
            keywords=tuple(keywords),
            made_by="rules",
            made_at=self.watch(),
        )
        await self.store.writing.store_note(note)
        await self.store.fact_writing.store_facts(name, [fact(turns[0], turns[0].text, episode=name)], self.watch())
        noted = Noted(episode=cut, note=note)
        await self.index.put(await summary_keys_of([noted], ENCODER))
        return noted


@pytest.fixture
async def desk() -> Desk:
    found = Desk()
    await found.open()
    return found


def said(number: int, text: str, *, user: str = "sato", visibility: Visibility = Visibility.EVERYONE) -> list[Turn]:
    name = f"INC-{number}"
    return [
        turn(1, text, thread=name, ticket=name, minutes=number * 60, author=user, requester=user, visibility=visibility)
    ]


async def cost_of_one_more(tickets: int) -> list[Counter[str]]:
    """What linking, gathering and evolving one more ticket costs after so many."""
    desk = Desk()
    await desk.open()
    for number in range(tickets):
        # Each code is shared by four, so that what can be found stays the same.
        await desk.file(said(number, f"error QX-{1000 + number % (tickets // 4)} on the till", user=f"user{number}"))
    noted = await desk.file(said(tickets, "error QX-1007 on the till again", user="mori"))
    costs = []
    desk.watch.now += timedelta(days=300)
    for work in (
        desk.linker.link([noted]),
        desk.gatherer.gather([noted.episode]),
        desk.evolver.evolve([noted.episode]),
    ):
        desk.cost.clear()
        assert await work
        costs.append(Counter(desk.cost))
    return costs


async def test_one_more_ticket_costs_the_same_after_a_hundred_and_after_a_thousand() -> None:
    few, many = await cost_of_one_more(100), await cost_of_one_more(1000)
    for early, late in zip(few, many, strict=True):
        assert late["calls"] <= early["calls"]
        assert late["rows"] <= 1.5 * early["rows"]


async def test_a_note_finds_a_few_links_and_never_itself(desk: Desk) -> None:
    noted = [await desk.file(said(number, "error QX-7713 on the till")) for number in range(12)]
    await desk.linker.link(noted[-1:])
    links = await desk.store.fact_writing.links_of(["INC-11"])
    assert len(links) == MOST_LINKS
    assert {each.episode for each in links} == {"INC-11"}
    assert "INC-11" not in {each.other for each in links}


async def test_two_that_find_each_other_are_linked_once(desk: Desk) -> None:
    noted = [await desk.file(said(number, "error QX-7713 on the till")) for number in range(2)]
    assert await desk.linker.link(noted) == Linked(looked=2, links=1)
    assert (await desk.linker.link(noted)).links == 0
    assert (await desk.linker.link([noted[1]])).links == 0


async def test_what_readers_of_a_note_may_follow_comes_before_what_only_agents_see(desk: Desk) -> None:
    public = await desk.file(said(0, "QX-7713: known problem of the tills"))
    for number in range(1, 18):
        await desk.file(said(number, "error QX-7713 on the till", user=f"user{number}", visibility=Visibility.PRIVATE))
    noted = await desk.file(said(99, "error QX-7713 on the till", user="mori", visibility=Visibility.PRIVATE))
    await desk.linker.link([noted])
    found = await desk.store.fact_writing.links_of(["INC-99"])
    assert public.episode.id in {each.other for each in found}
    assert len(found) == MOST_LINKS


async def test_a_note_that_its_words_made_anew_looks_again(desk: Desk) -> None:
    old = await desk.file(said(0, "error QX-7713 on the till"))
    noted = await desk.file(said(1, "error QX-7713 on the till"))
    assert (await desk.linker.link([noted])).links == 1
    desk.watch.wait(60)
    grown = Noted(
        episode=noted.episode,
        note=Note(
            episode="INC-1", version=2, fingerprint="more", summary="canteen", made_by="rules", made_at=desk.watch()
        ),
    )
    assert await desk.linker.link([grown]) == Linked(looked=1, links=0)
    assert await desk.linker.link([old]) == Linked(looked=1, links=0)
    assert await desk.linker.link([old, grown]) == Linked()


async def test_a_note_that_waits_for_a_model_and_one_of_recalled_words_are_not_linked(desk: Desk) -> None:
    await desk.file(said(0, "error QX-7713 on the till"))
    noted = await desk.file(said(1, "error QX-7713 on the till"))
    waiting = Noted(episode=noted.episode, note=noted.note, provisional=True)
    recalled = await desk.file([turn(1, "QX-7713", thread="INC-5", ticket="INC-5", derived=True)])
    assert await desk.linker.link([waiting, recalled]) == Linked()


async def test_without_an_encoder_nothing_is_written() -> None:
    class Gone(HashingEncoder):
        async def passages(self, texts: Sequence[str]) -> Vectors:
            raise EncoderUnavailable

    desk = Desk(Gone())
    await desk.open()
    noted = [await desk.file(said(number, "error QX-7713 on the till")) for number in range(2)]
    with pytest.raises(EncoderUnavailable):
        await desk.linker.link(noted)
    assert await desk.store.fact_writing.links_of(["INC-0", "INC-1"]) == []
    await desk.store.fact_writing.store_links("INC-1", [link("INC-1", "INC-0", 0.9)])
    with pytest.raises(EncoderUnavailable):
        await desk.evolver.evolve([noted[1].episode])
    assert len(await desk.store.fact_writing.note_versions("INC-1")) == 1


async def test_a_model_words_the_reasons_that_are_new() -> None:
    class Wording:
        made_by = "small"

        def __init__(self) -> None:
            self.asked: list[Pair] = []

        async def reasons(self, pairs: Sequence[Pair]) -> dict[int, str]:
            self.asked += pairs
            return {0: "the till fails alike"}

    desk, wording = Desk(), Wording()
    await desk.open()
    linker = Linker(
        writing=desk.store.writing,
        facts=desk.store.fact_writing,
        index=desk.index,
        encoder=ENCODER,
        clock=desk.watch,
        reasons=wording,
    )
    noted = [await desk.file(said(number, "error QX-7713 on the till")) for number in range(2)]
    await linker.link(noted)
    [found] = await desk.store.fact_writing.links_of(["INC-0"])
    assert (found.reason, found.made_by) == ("the till fails alike", "small")
    assert [pair.reason for pair in wording.asked] == ["same error code QX-7713"]


# --- consolidation, a bit at a time -----------------------------------------------------------------------------------


class Looking(Linker):
    """Notes how many looked in each call."""

    looked: list[int]

    async def link(self, noted: Sequence[Noted]) -> Linked:
        found = await super().link(noted)
        self.looked.append(found.looked)
        return found


async def test_a_run_that_reached_its_bound_is_continued_by_the_next(desk: Desk) -> None:
    for number in range(120):
        await desk.file(said(number, f"nothing alike {number * 7919}"))
    linker = Looking(
        writing=desk.store.writing,
        facts=desk.store.fact_writing,
        index=desk.index,
        encoder=ENCODER,
        clock=desk.watch,
    )
    consolidate = Consolidate(
        writing=desk.store.writing, linker=linker, gatherer=desk.gatherer, evolver=desk.evolver, linked_at_once=60
    )
    looked = []
    for _ in range(3):
        linker.looked = []
        await consolidate.run()
        looked.append(linker.looked)
    assert looked == [[50, 50], [0, 0, 20], [0, 0, 0]]


# --- rollback ---------------------------------------------------------------------------------------------------------


async def test_there_is_nothing_to_go_back_to_where_there_is_no_such_version(desk: Desk) -> None:
    await desk.file(said(0, "error QX-7713"))
    for name, version in (("INC-0", 2), ("INC-0", 0), ("INC-7", 1)):
        with pytest.raises(NothingFound):
            await desk.rollback.run(name, version)


async def test_going_back_to_the_newest_version_writes_none_but_mends_the_index(desk: Desk) -> None:
    noted = await desk.file(said(0, "error QX-7713"))
    await desk.index.remove(["INC-0"])
    assert await desk.rollback.run("INC-0", 1) == noted.note
    assert await desk.store.fact_writing.note_versions("INC-0") == [noted.note]
    assert await desk.index.count(KeyKind.SUMMARY) == 1


async def test_an_episode_is_found_by_what_the_note_says_after_going_back(desk: Desk) -> None:
    noted = await desk.file(said(0, "error QX-7713"), keywords=["till"])
    second = Note(
        episode="INC-0",
        version=2,
        fingerprint="other words",
        summary="kitchen",
        made_by="rules",
        made_at=desk.watch(),
    )
    await desk.store.writing.store_note(second)
    await desk.index.put(await summary_keys_of([Noted(episode=noted.episode, note=second)], ENCODER))
    before, again = await ENCODER.question("kitchen"), await ENCODER.question("error QX-7713")
    note = await desk.rollback.run("INC-0", 1)
    assert (note.version, note.summary, note.keywords) == (3, "error QX-7713", ("till",))
    # Of the words as they are: else the next flush would write another note over it.
    assert note.fingerprint == "other words"
    [[hit]] = await desk.index.search([Probe(kind=KeyKind.SUMMARY, dense=before)], KEEPER, desk.watch(), 5)
    assert hit.score < 0.5
    [[hit]] = await desk.index.search([Probe(kind=KeyKind.SUMMARY, dense=again)], KEEPER, desk.watch(), 5)
    assert hit.score > 0.99
