"""Forgetting a person, on every backend of the words: nothing that the person wrote is left to anybody."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.wiring_memory import forget_from
from memory.acts import TakenAct
from memory.errors import StoreUnavailable
from memory.feedback import Feedback, Tally
from memory.index_ports import Probe
from memory.model import DIRECT, Episode, KeyKind, Role, Turn, Viewer, Visibility, reply_message
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.sql import SqlStore
from memory.stores.tables import metadata
from memory.text.sparse import question_terms
from memory.tickets import TicketFilter
from memory.upkeep.forget import Forget, Forgotten
from memory.upkeep.withdraw import Withdraw
from tests.fakes.facts import event, fact, link
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store

#: In everything that Sato wrote, and in nothing that anybody else did.
SECRET = "ZX-7731"
LATER = NOON + timedelta(days=300)
AGENT = Viewer(user="kato", agent=True)
VIEWERS = [
    Viewer(user=user, channel=channel, agent=agent, confined=confined)
    for user, channel, agent, confined in product(
        ("sato", "mori", "kato"), (DIRECT, "it-help"), (False, True), (False, True)
    )
]

ASKED = turn(1, f"The printer shows {SECRET} since today", title=f"{SECRET} on the printer", status="open")
REPLY = turn(reply_message("1"), f"{SECRET} is not known", author="helpdesk", role=Role.BOT, derived=True, minutes=1)
HELPED = turn(2, "Please restart the printer", author="kato", role=Role.AGENT, status="resolved", minutes=2)
THANKED = turn(3, f"{SECRET} is gone, thanks", minutes=3)
PRIVATE = turn(1, f"{SECRET} is my password", thread="dm-1", ticket=None, channel=DIRECT, visibility=Visibility.PRIVATE)
MORIS = turn(1, "My screen flickers", thread="INC-2", ticket="INC-2", author="mori", requester="mori")
TO_MORI = turn(
    reply_message("1"),
    "Flickering is not known",
    thread="INC-2",
    ticket="INC-2",
    author="helpdesk",
    requester="mori",
    role=Role.BOT,
    derived=True,
    minutes=1,
)
#: Sato cannot read it again, who is no agent.
FOR_MORI = turn(
    2,
    f"With {SECRET} mine did too",
    thread="INC-2",
    ticket="INC-2",
    requester="mori",
    visibility=Visibility.PRIVATE,
    minutes=2,
)
WAITING = turn(1, f"{SECRET} is back", thread="INC-3", ticket="INC-3", minutes=9)
SATOS = [ASKED, THANKED, PRIVATE, FOR_MORI, WAITING]
OTHERS = [HELPED, MORIS, TO_MORI]
ALL = [*SATOS, *OTHERS, REPLY]


@pytest.fixture(params=BACKENDS)
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path, index=InMemoryIndex()) as house:
        yield house


async def fill(house: Remembering) -> list[str]:
    """Everything is said, most of it flushed, and something is made of it; the ids of the episodes."""
    store = house.app.store
    await store.writing.record([replace(THANKED, text=f"{SECRET} is gon, thanks")])
    await house.remember(ASKED, REPLY, HELPED, THANKED, PRIVATE, MORIS, TO_MORI, FOR_MORI)
    await store.mailbox.receive(WAITING)
    episodes = await store.writing.episodes_after(None, 10)
    printer, screen = episode_of(ASKED, episodes), episode_of(MORIS, episodes)
    made = [fact([ASKED, HELPED], SECRET, episode=printer), fact([HELPED], "restart", episode=printer)]
    await store.fact_writing.store_facts(printer, made, NOON)
    await store.fact_writing.store_event(replace(event("E1", made), summary=f"{SECRET} and a restart"))
    await store.fact_writing.store_links(screen, [replace(link(screen, printer), reason=f"both have {SECRET}")])
    return [episode.id for episode in episodes]


def episode_of(said: Turn, episodes: list[Episode]) -> str:
    return next(episode.id for episode in episodes if said.id in {turn.id for turn in episode.turns})


def sound(house: Remembering) -> Withdraw:
    return Withdraw(house.app.store.mailbox, house.app.index, house.app.store.feedback)


def forget(house: Remembering, withdraw: Callable[[*tuple[str, ...]], Awaitable[None]] | None = None) -> Forget:
    return forget_from(house.app.store, withdraw or sound(house), house.app.clock)


async def read(store: Store, viewer: Viewer, episodes: list[str]) -> dict[str, str]:
    """What each way of reading gives this viewer, as it would be printed."""
    ids, places = [said.id for said in ALL], {said.conversation.id for said in ALL}
    reading, facts, personal = store.reading, store.facts, store.personal
    found: dict[str, object] = {
        "turns": await reading.turns(ids, viewer, LATER),
        "recent": [await reading.recent(place, viewer, LATER, 50) for place in places],
        "live": [await reading.live(place, viewer, LATER, 50) for place in places],
        "named": [await reading.named(name, viewer, LATER) for name in ("INC-1", "INC-2", "INC-3", "dm-1")],
        "tickets": await reading.tickets(["INC-1", "INC-2", "INC-3"], viewer, LATER),
        "episodes": await reading.episodes(episodes, viewer, LATER),
        "notes": await reading.notes(episodes, viewer),
        "versions": [await facts.note_versions(name, viewer) for name in episodes],
        "facts": await facts.of_turns(ids, viewer, LATER),
        "links": await facts.links(episodes, viewer, 50),
        "tellings": await facts.tellings(episodes, viewer, 50),
        "written": await personal.written(viewer, None, 50),
    }
    return {name: repr(what) for name, what in found.items()}


async def hits(house: Remembering, words: str, viewer: Viewer) -> set[str]:
    probes = [Probe(kind=kind, terms=question_terms(words)) for kind in KeyKind]
    found = await house.app.index.search(probes, viewer, LATER, 100)
    return {hit.pointer.turn or hit.pointer.episode for each in found for hit in each}


async def stored(store: Store) -> str:
    """Every row of a database, as it would be printed; nothing for what is no database."""
    if not isinstance(store, SqlStore):
        return ""
    async with store.database.reading() as connection:
        rows = [(await connection.execute(select(table))).all() for table in metadata.sorted_tables]
    return repr(rows)


async def test_the_words_can_be_read_and_found_before(house: Remembering) -> None:
    """What the others look for in vain is there at first, wherever they look."""
    episodes = await fill(house)
    read_by_agent = await read(house.app.store, AGENT, episodes)
    # A telling is made of ids; the others are of the viewer's own.
    lacking = {name for name, what in read_by_agent.items() if SECRET not in what}
    assert lacking == {"tellings", "written"}
    read_by_sato = await read(house.app.store, Viewer(user="sato"), episodes)
    assert SECRET in read_by_sato["written"]
    assert len(await hits(house, SECRET, AGENT)) > 2


async def test_nothing_of_a_forgotten_persons_words_is_left_to_anybody(house: Remembering) -> None:
    await _forgets_everything(house)


async def test_nor_is_anything_left_in_the_index_that_is_shipped(tmp_path: Path) -> None:
    async with remembering("sqlite", tmp_path) as house:
        await _forgets_everything(house)


async def _forgets_everything(house: Remembering) -> None:
    episodes = await fill(house)
    assert await forget(house)("sato") == Forgotten(messages=5)
    for _ in range(2):
        for viewer in VIEWERS:
            read_now = await read(house.app.store, viewer, episodes)
            assert {name for name, what in read_now.items() if SECRET in what} == set(), viewer
            assert await hits(house, SECRET, viewer) == set(), viewer
        assert SECRET not in await stored(house.app.store)
        # Nor is anything left once the rest was cut, enriched and indexed anew.
        await house.remember()
        episodes = [episode.id for episode in await house.app.store.writing.episodes_after(None, 10)]


async def test_what_others_wrote_stays_and_is_found_again(house: Remembering) -> None:
    await fill(house)
    await forget(house)("sato")
    await house.remember()
    kept = await house.app.store.reading.turns([said.id for said in ALL], AGENT, LATER)
    assert [said.text for said in kept] == [said.text for said in OTHERS]
    assert HELPED.id in await hits(house, "restart", AGENT)
    assert MORIS.id in await hits(house, "flickers", AGENT)


async def test_a_second_run_finds_nothing(house: Remembering) -> None:
    await fill(house)
    await forget(house)("sato")
    assert await forget(house)("sato") == Forgotten(messages=0)
    assert await forget(house)("nobody") == Forgotten(messages=0)


async def test_a_run_that_died_at_any_step_is_done_by_the_next(house: Remembering) -> None:
    """Each dies, in turns, between a reply and its message, and between a message and the next one's reply."""
    await fill(house)
    for death in range(2 * len(SATOS) - 1):
        with pytest.raises(StoreUnavailable):
            await forget(house, dying(sound(house), after=1 + death % 2))("sato")
    assert await forget(house)("sato") == Forgotten(messages=1)
    kept = await house.app.store.reading.turns([said.id for said in ALL], AGENT, LATER)
    assert [said.id for said in kept] == [said.id for said in OTHERS]


async def test_while_somebody_is_forgotten_no_title_of_theirs_is_told(house: Remembering) -> None:
    """Also where the process has died, and what gave the title would have been the last to go."""
    await fill(house)
    tickets = house.app.store.tickets

    async def died(*_: str) -> None:
        raise StoreUnavailable

    async def told() -> dict[str, str]:
        return {one.name: one.title for one in await tickets.listed(AGENT, TicketFilter(), None, 10)}

    assert (await told())["INC-1"] == f"{SECRET} on the printer"
    with pytest.raises(StoreUnavailable):
        await forget(house, died)("sato")
    assert await told() == {"INC-1": "INC-1", "INC-2": "My screen flickers", "INC-3": "INC-3"}
    [moris] = await house.app.store.reading.turns([MORIS.id], AGENT, LATER)
    with pytest.raises(StoreUnavailable):
        await forget(house, died).messages([moris], ["INC-2"], "kato")
    assert (await told())["INC-2"] == "INC-2"


def dying(withdraw: Withdraw, *, after: int) -> Callable[[*tuple[str, ...]], Awaitable[None]]:
    """Takes so many turns back that were there or not, and the next not any more."""

    async def once(*turns: str) -> None:
        await withdraw(*turns[:after])
        if len(turns) > after:
            raise StoreUnavailable

    return once


async def test_late_deliveries_bring_nothing_back_neither_words_nor_reply(house: Remembering) -> None:
    await fill(house)
    await forget(house)("sato")
    await house.app.store.writing.record([*SATOS, REPLY, replace(ASKED, text=f"{SECRET}, edited")])
    assert (await house.app.store.mailbox.receive(WAITING)).repeated == 1
    assert await house.app.store.reading.turns([said.id for said in (*SATOS, REPLY)], AGENT, LATER) == []


async def test_a_reply_that_was_owed_is_owed_no_longer(house: Remembering) -> None:
    await fill(house)
    assert await house.app.store.mailbox.waits(WAITING.id)
    await forget(house)("sato")
    assert not await house.app.store.mailbox.waits(WAITING.id)
    assert await house.app.store.mailbox.waiting("import", 10) == []


async def test_what_the_person_said_of_answers_goes_and_what_others_said_stays(house: Remembering) -> None:
    feedback = house.app.store.feedback
    for author in ("sato", "mori"):
        await feedback.give(Feedback(turn=ASKED.id, author=author, helpful=author == "sato", at=NOON))
    await forget(house)("sato")
    assert await feedback.tally(NOON) == Tally(unhelpful=1)


async def test_what_the_person_did_and_what_was_written_in_forms_goes_and_is_not_done(house: Remembering) -> None:
    acts = house.app.store.acts
    for person in ("sato", "mori"):
        words = {"note": SECRET if person == "sato" else "flickers"}
        act = TakenAct(id=person, platform="slack", workspace="T1", person=person, at=NOON, fields={}, words=words)
        await acts.take(act, "here", 60)
    await forget(house)("sato")
    assert SECRET not in await stored(house.app.store)
    assert [act.person for act in await acts.claim("slack", "here", NOON, 60, 10)] == ["mori"]


async def test_an_act_is_kept_until_all_else_is_forgotten(house: Remembering) -> None:
    """Where the process dies before, it is the act by which the person asked for it that has the rest forgotten."""
    await fill(house)
    acts = house.app.store.acts
    await acts.take(TakenAct(id="A1", platform="slack", workspace="T1", person="sato", at=NOON, fields={}), "here", 60)
    with pytest.raises(StoreUnavailable):
        await forget(house, dying(sound(house), after=1))("sato")
    assert len(await acts.claim("slack", "here", NOON, 60, 10)) == 1
    await forget(house)("sato")
    assert await acts.claim("slack", "here", NOON, 60, 10) == []


async def test_more_than_one_page_is_forgotten_and_nobody_of_a_similar_name(house: Remembering) -> None:
    said = [turn(number, thread=f"T{number % 7}", ticket=None) for number in range(230)]
    similar = [turn(1, thread=f"S{number}", author=name) for number, name in enumerate(("Sato", "sato2", "sat"))]
    await house.app.store.writing.record([*said, *similar])
    assert await forget(house)("sato") == Forgotten(messages=230)
    assert (await house.app.store.writing.counts())["turns"] == 3
