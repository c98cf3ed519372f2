"""Messages that are taken back together go in few steps, however many they are."""

from __future__ import annotations

from datetime import UTC, datetime

from memory.feedback import Correction
from memory.model import Viewer
from memory.stores.in_memory_words import InMemoryStore
from memory.upkeep.withdraw import Withdraw
from tests.fakes.counting_index import CountingIndex
from tests.fakes.turns import NOON, turn
from tests.fakes.words import episode

AGENT = Viewer(user="okabe", agent=True)
FAR = datetime(9999, 1, 1, tzinfo=UTC)


async def test_fifty_messages_lose_their_keys_in_one_call_and_a_hundred_and_one_in_three_more() -> None:
    said = [turn(number, thread=f"INC-{number}", ticket=f"INC-{number}") for number in range(151)]
    store, index = InMemoryStore(clock=lambda: NOON), CountingIndex()
    await store.writing.record(said)
    for one in said:
        await store.writing.store_episodes(one.conversation.id, [episode(one.id, [one])])
    withdraw = Withdraw(store.mailbox, index, store.feedback)
    await withdraw(*[one.id for one in said[:50]])
    assert index.removed == [[one.id for one in said[:50]]]
    await withdraw(*[one.id for one in said[50:]])
    assert [len(call) for call in index.removed] == [50, 50, 50, 1]
    assert await store.reading.turns([one.id for one in said], AGENT, FAR) == []


async def test_what_each_of_them_put_right_goes_with_it() -> None:
    said = [turn(1, "asked"), turn(2, "put right", minutes=1), turn(3, "stated", minutes=2)]
    store, index = InMemoryStore(clock=lambda: NOON), CountingIndex()
    await store.writing.record(said)
    await store.feedback.correct(
        Correction(turn=said[1].id, about=said[0].id, author="sato", at=NOON, stated=said[2].id)
    )
    await Withdraw(store.mailbox, index, store.feedback)(said[0].id, said[1].id)
    assert await store.reading.turns([one.id for one in said], AGENT, FAR) == []
