"""The benches, made small: what they count and how, never how fast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from bench import flush, tickets
from bench.__main__ import TARGETS, Target, lines, table
from bench.made_history import MadeHistory, fill, made_history
from bench.question import Asked, figures, questions, summed
from bench.stopwatches import Waits, Watched
from bot.opening import INDEX
from bot.wiring import system_clock
from memory.model import KeyKind
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import open_store
from memory.tickets import Ticket


def reading(*moments: float) -> Callable[[], float]:
    """A clock that shows these moments, one after the other."""
    return iter(moments).__next__


def test_what_runs_at_the_same_time_counts_once() -> None:
    waits = Waits(reading(3.0, 5.0, 9.0))  # the ends of 1 to 3, 2 to 5, 7 to 9
    for part, start in (("search", 1.0), ("idf", 2.0), ("sql", 7.0)):
        waits.note(part, start)
    assert waits.seconds("search", "idf") == 4.0
    assert waits.seconds("sql") == 2.0
    assert waits.seconds() == 6.0
    assert waits.seconds("embedding") == 0.0


async def test_a_watched_port_answers_as_before_and_its_failures_are_waited_for_too() -> None:
    class Port:
        async def double(self, number: int) -> int:
            if number < 0:
                raise LookupError
            return 2 * number

    waits = Waits(reading(1.0, 2.0, 4.0, 7.0))
    port = Watched(Port(), waits, lambda name: f"port {name}")
    assert await port.double(4) == 8
    with pytest.raises(LookupError):
        await port.double(-1)
    assert waits.seconds("port double") == 4.0


async def test_a_made_history_is_the_same_at_every_run_and_is_laid_out_like_a_real_one() -> None:
    first, again = await made_history(HashingEncoder(), 12), await made_history(HashingEncoder(), 12)
    for number in range(20):
        ticket = first.ticket(number)
        keys, turns = ticket.keys, [turn for turn in ticket.episode.turns if not turn.derived]
        assert [turn.text for turn in ticket.episode.turns] == [
            turn.text for turn in again.ticket(number).episode.turns
        ]
        assert len(keys) == 3 * len(turns) + 1
        assert {key.kind for key in keys if key.dense is not None} == {KeyKind.TURN, KeyKind.SUMMARY}
        assert {key.pointer.turn for key in keys} == {turn.id for turn in turns} | {None}
        assert all(list(key.terms.ids) == sorted(set(key.terms.ids)) for key in keys)


async def test_a_filled_folder_grows_to_a_size_and_is_left_alone_when_it_has_it(tmp_path: Path) -> None:
    encoder = HashingEncoder()
    history = await made_history(encoder, 12)
    small = await fill(tmp_path, 40, history, encoder)
    large = await fill(tmp_path, 90, history, encoder)
    assert 40 <= small < 90 <= large
    assert await fill(tmp_path, 60, history, encoder) == large
    await _holds_what_was_made(tmp_path, history)


async def _holds_what_was_made(folder: Path, history: MadeHistory) -> None:
    url = f"sqlite:///{folder / 'helpdesk.db'}"
    async with open_store(url, busy_seconds=5, clock=system_clock) as store, open_edge_index(folder / INDEX) as index:
        counts = await store.writing.counts()
        made = [history.ticket(number) for number in range(counts["episodes"])]
        assert counts["turns"] == sum(len(ticket.episode.turns) for ticket in made)
        assert counts["pending"] == 0
        for kind in KeyKind:
            assert await index.count(kind) == sum(key.kind is kind for ticket in made for key in ticket.keys)


def test_every_question_is_asked_once_and_half_of_them_in_japanese() -> None:
    texts = [question.text for question in questions(system_clock(), 44)]
    assert len(set(texts)) == len(texts) == 44
    assert 15 < sum(not text.isascii() for text in texts) < 35


def test_the_share_is_that_of_the_usual_question_and_growth_that_of_the_rest() -> None:
    def size(keys: int, rest: float) -> list[Asked]:
        parts = dict.fromkeys(("index", "search", "idf", "sql", "python"), 0.0)
        return [Asked(whole=10 + rest, rest=rest, parts={**parts, "embedding": 10.0}) for _ in range(3)]

    told = figures([summed(10_000, size(10_000, 10)), summed(100_000, size(100_000, 30))])
    assert (told["share_10k"], told["share_100k"], told["growth"]) == (0.5, 0.25, 3.0)


async def test_lists_of_tickets_find_as_much_among_few_as_among_many(tmp_path: Path) -> None:
    async with open_store(f"sqlite:///{tmp_path / 'few.db'}", busy_seconds=5, clock=system_clock) as store:
        await tickets.fill(store, 100)
        found = {name: await read(store) for name, read in tickets.READS.items()}
    assert {name: len(cast(list[Ticket], each)) for name, each in found.items()} == {
        "listed": 20,
        "open": 20,
        "mine": 4,
        "named": 2,
    }


def test_a_flush_is_measured_over_whole_tickets() -> None:
    turns = flush.some_tickets(3, system_clock())
    assert len({turn.ticket for turn in turns}) == 3
    assert all("1" in {turn.message for turn in turns if turn.ticket == name} for name in {t.ticket for t in turns})


def test_a_figure_is_kept_missed_or_only_told() -> None:
    assert Target(bench="b", figure="f", at_most=2.0).kept(2.0)
    assert not Target(bench="b", figure="f", at_most=2.0).kept(2.1)
    assert not Target(bench="b", figure="f", at_least=0.5).kept(0.4)
    assert Target(bench="b", figure="f").kept(9.0) is None


def test_the_table_has_a_line_for_each_figure_with_a_limit() -> None:
    benches = {target.bench for target in TARGETS}
    values = {name: {target.figure: 1.0 for target in TARGETS if target.bench == name} for name in benches}
    told = table(lines(values)).splitlines()
    assert len(told) == len(TARGETS)
    assert sum(line.endswith(("kept", "MISSED")) for line in told) == sum(bool(target.limit) for target in TARGETS)
