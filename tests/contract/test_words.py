"""The ports `Reading` and `Writing`, on every backend: what is recorded and how it is read again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from memory.errors import InputRefused
from memory.model import Role, Turn, Viewer, Visibility
from memory.ports import Recorded, TicketState
from tests.fakes.turns import NOON, conversation, ticket_turns, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, opened

AGENT = Viewer(user="kato", agent=True)
EVERYBODY = Viewer(user="mori", channel="it-help")
LATER = NOON + timedelta(days=365)
HERE = conversation().id


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path, watch: Watch) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, watch) as store:
        yield store


async def kept(store: Store, limit: int = 100) -> list[Turn]:
    return await store.reading.recent(HERE, AGENT, LATER, limit)


# --- recording --------------------------------------------------------------------------------------------------------


async def test_a_turn_comes_back_as_it_was(store: Store) -> None:
    said = Turn(
        conversation=conversation(),
        ticket="INC-1",
        message="7",
        author="kato",
        role=Role.AGENT,
        text="再起動しました。\n\t\u202eRTL 🎉",
        said_at=NOON,
        visibility=Visibility.CHANNEL,
        requester="sato",
        title="VPN",
        status="closed",
        assignee="kato",
        derived=True,
    )
    assert await store.writing.record([said]) == Recorded(new=1)
    assert await kept(store) == [said]


@pytest.mark.parametrize("offset", [timedelta(0), timedelta(hours=9), timedelta(hours=-3, minutes=-30)])
async def test_a_time_keeps_its_microseconds_and_the_offset_of_its_author(store: Store, offset: timedelta) -> None:
    said_at = datetime(2026, 3, 1, 0, 30, 15, 123457, tzinfo=timezone(offset))
    await store.writing.record([turn(said_at=said_at)])
    [found] = await kept(store)
    assert found.said_at == said_at
    assert found.said_at.utcoffset() == offset


async def test_order_is_by_moment_and_not_by_the_time_on_the_wall(store: Store) -> None:
    tokyo, lima = timezone(timedelta(hours=9)), timezone(timedelta(hours=-5))
    first = turn(1, said_at=datetime(2026, 3, 2, 8, 0, tzinfo=tokyo))
    second = turn(2, said_at=datetime(2026, 3, 1, 23, 0, 0, 1, tzinfo=UTC))
    third = turn(3, said_at=datetime(2026, 3, 1, 18, 1, tzinfo=lima))
    await store.writing.record([third, first, second])
    assert [found.message for found in await kept(store)] == ["1", "2", "3"]


async def test_what_was_said_at_the_same_moment_stays_in_the_order_of_arrival(store: Store) -> None:
    for message in ("b", "c", "a"):
        await store.writing.record([turn(message)])
    assert [found.message for found in await kept(store)] == ["b", "c", "a"]


async def test_the_same_message_again_changes_nothing(store: Store) -> None:
    await store.writing.record([turn(1, "first")])
    assert await store.writing.record([turn(1, "first")]) == Recorded(repeated=1)
    assert await kept(store) == [turn(1, "first")]


async def test_the_same_message_told_with_another_time_is_a_repeat(store: Store) -> None:
    await store.writing.record([turn(1)])
    assert await store.writing.record([turn(1, minutes=90)]) == Recorded(repeated=1)
    assert [found.said_at for found in await kept(store)] == [NOON]


async def test_the_same_id_in_another_thread_is_another_turn(store: Store) -> None:
    assert await store.writing.record([turn(1, thread="A"), turn(1, thread="B")]) == Recorded(new=2)


@pytest.mark.parametrize(
    "edited",
    [
        turn(1, "other words"),
        turn(1, status="closed"),
        turn(1, title="VPN"),
        replace(turn(1), assignee="kato"),
        turn(1, visibility=Visibility.PRIVATE),
        turn(1, requester="mori"),
        turn(1, derived=True),
    ],
)
async def test_other_words_state_or_readers_are_a_revision(store: Store, edited: Turn) -> None:
    await store.writing.record([turn(1)])
    assert await store.writing.record([edited]) == Recorded(revised=1)
    assert await kept(store) == [replace(edited, revision=2)]


async def test_a_late_copy_of_an_older_version_undoes_nothing(store: Store) -> None:
    for text in ("first", "second", "third"):
        await store.writing.record([turn(1, text)])
    assert await store.writing.record([turn(1, "second"), turn(1, "first")]) == Recorded(repeated=2)
    assert await kept(store) == [turn(1, "third", revision=3)]


async def test_one_delivery_may_hold_a_message_in_several_versions(store: Store) -> None:
    delivery = [turn(1, "first"), turn(2), turn(1, "second"), turn(2), turn(1, "first")]
    assert await store.writing.record(delivery) == Recorded(new=2, revised=1, repeated=2)
    assert [(found.message, found.text, found.revision) for found in await kept(store)] == [
        ("1", "second", 2),
        ("2", "hello", 1),
    ]


async def test_nothing_to_record_is_no_error(store: Store) -> None:
    assert await store.writing.record([]) == Recorded()


async def test_many_writers_at_once_each_get_their_own_answer(store: Store) -> None:
    await store.writing.record([turn(n) for n in range(0, 60, 3)])
    answers = await asyncio.gather(
        *(store.writing.record([turn(n), turn(f"other-{n}")]) for n in range(60)),
        *(store.writing.record([turn("shared")]) for _ in range(5)),
    )
    own = [Recorded(new=1, repeated=1) if n % 3 == 0 else Recorded(new=2) for n in range(60)]
    assert list(answers[:60]) == own
    assert sorted(answer.new for answer in answers[60:]) == [0, 0, 0, 0, 1]
    assert (await store.writing.counts())["turns"] == 121


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("", ""),
        ("  \n", "  \n"),
        ("a\x00b", "a\ufffdb"),
        ("half \ud83d a smile", "half \ufffd a smile"),
        ("\x01\x1b[31m\x7f", "\x01\x1b[31m\x7f"),
        ("あ" * 200_000, "あ" * 200_000),
        ("'; DROP TABLE turns; --%s :name", "'; DROP TABLE turns; --%s :name"),
    ],
)
async def test_any_text_can_be_recorded(store: Store, written: str, read: str) -> None:
    assert await store.writing.record([turn(1, written)]) == Recorded(new=1)
    assert await store.writing.record([turn(1, written)]) == Recorded(repeated=1)
    assert [found.text for found in await kept(store)] == [read]


async def test_ids_that_no_database_can_hold_are_cleaned_too(store: Store) -> None:
    odd = turn("1\x00", thread="T\ud800", ticket="INC\x00-1", author="s\udfff")
    assert await store.writing.record([odd, odd]) == Recorded(new=1, repeated=1)
    clean = turn("1\ufffd", thread="T\ufffd", ticket="INC\ufffd-1", author="s\ufffd")
    assert await store.reading.turns([clean.id], AGENT, LATER) == [clean]
    assert await store.reading.named("INC\x00-1/1\ud800", AGENT, LATER) == [clean]


async def test_one_impossible_time_is_refused_and_hurts_no_other_writer(store: Store) -> None:
    impossible = turn(1, said_at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))))
    refused, written = await asyncio.gather(
        store.writing.record([turn(3), impossible]), store.writing.record([turn(2)]), return_exceptions=True
    )
    assert isinstance(refused, InputRefused)
    assert written == Recorded(new=1)
    assert [found.message for found in await kept(store)] == ["2"]


# --- reading ----------------------------------------------------------------------------------------------------------


async def test_recent_is_the_last_turns_up_to_a_moment_oldest_first(store: Store) -> None:
    await store.writing.record([*ticket_turns(6), turn(1, thread="elsewhere")])
    at_five = NOON + timedelta(minutes=5)
    assert await store.reading.recent(HERE, AGENT, at_five, 2) == ticket_turns(6)[3:5]
    assert await store.reading.recent(HERE, AGENT, at_five - timedelta(microseconds=1), 1) == ticket_turns(6)[3:4]


@pytest.mark.parametrize("limit", [0, -1])
async def test_no_room_means_no_turns(store: Store, limit: int) -> None:
    await store.writing.record(ticket_turns(2))
    assert await store.reading.recent(HERE, AGENT, LATER, limit) == []
    assert await store.reading.live(HERE, AGENT, LATER, limit) == []


async def test_live_is_what_no_flush_has_taken_up(store: Store) -> None:
    said = ticket_turns(4)
    await store.writing.record(said)
    await store.writing.store_episodes(HERE, [episode("E", said)])
    assert await store.reading.live(HERE, AGENT, LATER, 3) == said[1:]
    await store.writing.mark_flushed([episode("E", said[:3])])
    assert await store.reading.live(HERE, AGENT, LATER, 3) == said[3:]
    await store.writing.record([replace(said[0], text="edited")])
    assert await store.reading.live(HERE, AGENT, LATER, 3) == [replace(said[0], text="edited", revision=2), said[3]]


async def test_turns_come_in_the_order_asked_for_without_the_unknown_and_the_later(store: Store) -> None:
    said = ticket_turns(3)
    await store.writing.record(said)
    asked = [said[2].id, "unknown", said[0].id, said[1].id, said[0].id]
    assert await store.reading.turns(asked, AGENT, said[1].said_at) == [said[0], said[1]]


async def test_episodes_come_whole_in_the_order_asked_for_and_end_at_the_moment(store: Store) -> None:
    said = ticket_turns(5)
    await store.writing.record(said)
    first, second = episode("A", said[:3], tokens=33), episode("B", said[3:], tokens=22)
    await store.writing.store_episodes(HERE, [first, second])
    assert await store.reading.episodes(["B", "unknown", "A", "B"], AGENT, LATER) == [second, first]
    cut = await store.reading.episodes(["B", "A"], AGENT, said[1].said_at)
    assert cut == [replace(first, turns=tuple(said[:2]))]


async def test_more_ids_than_fit_into_one_statement_are_answered(store: Store) -> None:
    said = ticket_turns(2)
    await store.writing.record(said)
    many = [said[1].id, *(f"unknown-{n}" for n in range(11_000)), said[0].id]
    assert await store.reading.turns(many, AGENT, LATER) == [said[1], said[0]]


@pytest.mark.parametrize("ref", ["INC-1007", "inc-1007", "ＩＮＣ－１００７", " Inc-1007 "])
async def test_a_ticket_is_found_by_its_name_however_it_is_written(store: Store, ref: str) -> None:
    said = ticket_turns(2, thread="INC-1007")
    await store.writing.record([*reversed(said), *ticket_turns(2, thread="INC-10")])
    assert await store.reading.named(ref, AGENT, LATER) == said


@pytest.mark.parametrize("ref", ["INC-1007/M-3", "inc-1007/m-3"])
async def test_a_turn_is_found_by_ticket_and_message(store: Store, ref: str) -> None:
    await store.writing.record([turn(f"M-{n}", thread="C1", ticket="INC-1007", minutes=n) for n in range(1, 5)])
    assert [found.ref for found in await store.reading.named(ref, AGENT, LATER)] == ["INC-1007/M-3"]


async def test_a_thread_without_a_ticket_is_found_by_its_own_name_even_with_a_slash(store: Store) -> None:
    said = turn("x", thread="ops/2024/7", ticket=None)
    await store.writing.record([said])
    assert await store.reading.named("OPS/2024/7", AGENT, LATER) == [said]
    assert await store.reading.named("ops/2024/7/x", AGENT, LATER) == [said]


@pytest.mark.parametrize("ref", ["INC-9", "INC-1/9", "", "/", "INC-1/", "%", "INC_1"])
async def test_a_name_that_nothing_has_finds_nothing(store: Store, ref: str) -> None:
    await store.writing.record(ticket_turns(2))
    assert await store.reading.named(ref, AGENT, LATER) == []


async def test_a_ticket_stands_as_it_was_last_told_up_to_the_moment(store: Store) -> None:
    said = [
        turn(1, title="VPN", status="open"),
        turn(2, minutes=10, author="kato"),
        replace(turn(3, minutes=20, status="open"), assignee="kato"),
        turn(4, minutes=30, status="closed"),
        turn(5, minutes=40, status="closed"),
    ]
    await store.writing.record([*said, turn(1, thread="chat", ticket=None, title="no ticket")])

    async def state_at(minutes: float) -> list[TicketState]:
        return await store.reading.tickets(["INC-9", "inc-1", "chat"], AGENT, NOON + timedelta(minutes=minutes))

    opened_state = TicketState(
        ticket="INC-1",
        title="VPN",
        status="open",
        assignee=None,
        requester="sato",
        opened_at=NOON,
        changed_at=NOON,
    )
    assert await state_at(-1) == []
    assert await state_at(15) == [opened_state]
    taken = replace(opened_state, assignee="kato", changed_at=NOON + timedelta(minutes=20))
    assert await state_at(20) == [taken]
    assert await state_at(60) == [replace(taken, status="closed", changed_at=NOON + timedelta(minutes=30))]


async def test_the_name_of_an_author_is_kept_and_another_name_is_no_other_version(store: Store) -> None:
    said = replace(turn(1), author="U1", requester="U1", speaker="佐藤")
    await store.writing.record([said])
    assert (await store.writing.record([replace(said, speaker="佐藤 彩")])).repeated == 1
    [kept] = await store.reading.turns([said.id], Viewer(user="U1"), LATER)
    assert (kept.author, kept.speaker, kept.said_by) == ("U1", "佐藤", "佐藤")
    assert (await store.writing.record([replace(said, text="edited", speaker="佐藤 彩")])).revised == 1
    [kept] = await store.reading.turns([said.id], Viewer(user="U1"), LATER)
    assert kept.said_by == "佐藤 彩"


# --- as it was --------------------------------------------------------------------------------------------------------


async def test_a_turn_is_read_in_the_words_of_then(store: Store) -> None:
    first, second, other = turn(1, "first"), turn(1, "second", minutes=60), turn(2, "other", minutes=30)
    await store.writing.record([first, other])
    await store.writing.record([second])
    third = replace(turn(1, "third", minutes=120), title="now")
    await store.writing.record([third])

    async def at(minutes: float) -> list[tuple[str, int]]:
        ids = [other.id, first.id, first.id, "unknown"]
        found = await store.reading.as_of(ids, EVERYBODY, NOON + timedelta(minutes=minutes))
        return [(one.text, one.revision) for one in found]

    assert await at(-1) == []
    assert await at(0) == [("first", 1)]
    assert await at(59) == [("other", 1), ("first", 1)]
    assert await at(60) == [("other", 1), ("second", 2)]
    assert await at(999) == [("other", 1), ("third", 3)]
    [found] = await store.reading.as_of([first.id], EVERYBODY, NOON)
    assert (found.said_at, found.title, found.conversation) == (NOON, None, first.conversation)


@pytest.mark.parametrize("widened", [True, False])
async def test_words_that_were_for_others_are_not_read(store: Store, widened: bool) -> None:
    """Neither those that were private, nor those of a turn that is now."""
    kinds = (Visibility.PRIVATE, Visibility.EVERYONE) if widened else (Visibility.EVERYONE, Visibility.PRIVATE)
    for number, visibility in enumerate(kinds):
        await store.writing.record([turn(1, f"words {number}", visibility=visibility, minutes=number * 60)])
    assert await store.reading.as_of([turn(1).id], EVERYBODY, NOON) == []
    now = await store.reading.as_of([turn(1).id], EVERYBODY, NOON + timedelta(hours=2))
    assert [one.text for one in now] == (["words 1"] if widened else [])
