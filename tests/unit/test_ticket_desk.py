"""Tickets as people work on them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from config.tickets import TicketSettings
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Resolution
from memory.errors import NotAllowed, StepRefused, TicketUnknown
from memory.model import Role, Turn, Viewer, Visibility
from memory.stores.in_memory_words import InMemoryStore
from memory.tickets import State, Step
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

NOW = NOON + timedelta(hours=1)
SATO = Actor(viewer=Viewer(user="sato"), name="佐藤", language="ja")
MORI = Actor(viewer=Viewer(user="mori"), name="Mori", language="en")
KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
SETTINGS = TicketSettings(categories={"network": ("VPN",)})


@pytest.fixture
async def store() -> InMemoryStore:
    return InMemoryStore(clock=Watch())


@pytest.fixture
def desk(store: InMemoryStore) -> TicketDesk:
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        settings=SETTINGS,
        clock=lambda: NOW,
    )


async def asked(store: InMemoryStore, text: str = "VPNにつながりません。昨日からです。", thread: str = "T1") -> Turn:
    message = turn(1, text, ticket=None, thread=thread, author="sato", visibility=Visibility.PRIVATE)
    await store.writing.record([message])
    return message


async def test_a_message_becomes_a_ticket_with_a_proposed_title_and_category(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    opened = await desk.open((await asked(store)).id, SATO)

    assert (opened.name, opened.title, opened.category) == ("HD-1", "VPNにつながりません。", "network")
    assert (opened.state, opened.requester, opened.assignee) == (State.OPEN, "sato", None)


async def test_the_same_message_is_the_same_ticket(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    first = await desk.open(message.id, SATO)

    assert await desk.open(message.id, KATO, title="Something else") == first


async def test_a_title_of_ones_own_is_taken(store: InMemoryStore, desk: TicketDesk) -> None:
    assert (await desk.open((await asked(store)).id, SATO, title="VPN (自宅)")).title == "VPN (自宅)"


async def test_nobody_makes_a_ticket_of_a_message_that_they_may_not_see(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)

    with pytest.raises(TicketUnknown):
        await desk.open(message.id, MORI)


async def test_a_support_agent_takes_it_asks_and_resolves_it_and_all_stands_in_the_conversation(
    store: InMemoryStore, desk: TicketDesk
) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    taken = await desk.step(name, Step.TAKE, KATO, key="1")
    assert (taken.state, taken.assignee) == (State.WAITING_FOR_SUPPORT, "Kato")
    waiting = await desk.ask(name, "Which network are you on?", KATO, key="2")
    assert (waiting.state, waiting.assignee) == (State.WAITING_FOR_USER, "Kato")
    answered = await desk.step(name, Step.USER_ANSWERED, SATO, key="3")
    assert answered.state is State.WAITING_FOR_SUPPORT
    done = await desk.resolve(name, Resolution(cause="old certificate", fix="renew it"), KATO, key="4")
    assert (done.state, done.assignee) == (State.RESOLVED, "Kato")

    words = await store.reading.named(name, KATO.viewer, NOW + timedelta(days=1))
    assert [(one.said_by, one.role, one.text) for one in words] == [
        ("sato", Role.REQUESTER, "VPNにつながりません。昨日からです。"),
        ("佐藤", Role.REQUESTER, "チケットを作成しました: VPNにつながりません。"),
        ("Kato", Role.AGENT, "Kato takes HD-1."),
        ("Kato", Role.AGENT, "Which network are you on?"),
        ("佐藤", Role.REQUESTER, "HD-1 に 佐藤 から返事がありました。"),
        ("Kato", Role.AGENT, "HD-1 is resolved.\nCause: old certificate\nFix: renew it"),
    ]
    assert {one.visibility for one in words} == {Visibility.PRIVATE}


async def test_an_act_that_is_told_twice_is_done_once(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name
    first = await desk.resolve(name, Resolution(fix="restart"), KATO, key="click")

    assert await desk.resolve(name, Resolution(fix="restart"), KATO, key="click") == first
    assert len(await store.reading.named(name, KATO.viewer, NOW + timedelta(days=1))) == 3


@pytest.mark.parametrize("step", [Step.TAKE, Step.ASK_USER, Step.HAND_BACK])
async def test_only_support_agents_take_the_steps_of_support(
    store: InMemoryStore, desk: TicketDesk, step: Step
) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    with pytest.raises(NotAllowed):
        await desk.ask(name, "…", SATO, key="1") if step is Step.ASK_USER else await desk.step(
            name, step, SATO, key="1"
        )


async def test_a_requester_closes_and_reopens_an_own_ticket(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    assert (await desk.step(name, Step.CLOSE, SATO, key="1")).state is State.CLOSED
    with pytest.raises(StepRefused):
        await desk.step(name, Step.CLOSE, SATO, key="2")
    assert (await desk.step(name, Step.REOPEN, SATO, key="3")).state is State.REOPENED


async def test_somebody_elses_ticket_is_not_there(store: InMemoryStore, desk: TicketDesk) -> None:
    name = (await desk.open((await asked(store)).id, SATO)).name

    with pytest.raises(TicketUnknown):
        await desk.step(name, Step.CLOSE, MORI, key="1")


async def test_a_conversation_is_held_from_taking_to_handing_back(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    name = (await desk.open(message.id, SATO)).name
    place = message.conversation.id

    assert await desk.held(place, SATO) is None
    await desk.step(name, Step.TAKE, KATO, key="1")
    held = await desk.held(place, SATO)
    assert held is not None
    assert held.name == name
    handed_back = await desk.step(name, Step.HAND_BACK, KATO, key="2")
    assert (handed_back.state, handed_back.assignee) == (State.OPEN, None)
    assert await desk.held(place, SATO) is None


async def test_a_settled_ticket_holds_nobody_up(store: InMemoryStore, desk: TicketDesk) -> None:
    message = await asked(store)
    name = (await desk.open(message.id, SATO)).name
    await desk.step(name, Step.TAKE, KATO, key="1")
    await desk.resolve(name, Resolution(), KATO, key="2")

    assert await desk.held(message.conversation.id, SATO) is None
