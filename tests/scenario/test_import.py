"""A whole import: reading, recording in batches, counting, starting again."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.importers.formats import detect, reader
from bot.importers.rows import BadRow, ReplacedRow, Row
from bot.importers.run import MOST_LISTED, ImportReport, import_turns
from memory.errors import InputRefused, StoreUnavailable
from memory.model import Turn
from memory.ports import Recorded
from tests.fakes.exports import jsonl, said, slack_folder, ticket_row, zipped

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(slots=True)
class Words:
    """A store made small: keeps the newest words of each turn; fails at the batch it is told to fail at."""

    kept: dict[str, Turn] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)
    fail_at: int | None = None

    async def record(self, turns: Sequence[Turn]) -> Recorded:
        if len(self.batches) == self.fail_at:
            raise StoreUnavailable
        self.batches.append(len(turns))
        new = sum(turn.id not in self.kept for turn in turns)
        repeated = sum(self.kept.get(turn.id) == turn for turn in turns)
        self.kept.update({turn.id: turn for turn in turns})
        return Recorded(new=new, repeated=repeated, revised=len(turns) - new - repeated)


def rows(path: Path) -> Iterator[Row]:
    return reader(detect(path))(path, default_zone=UTC, now=NOW)


async def run(path: Path, words: Words, batch: int = 200) -> ImportReport:
    return await import_turns(rows(path), words.record, progress=lambda done: None, batch=batch)


async def test_importing_twice_changes_nothing(tmp_path: Path) -> None:
    numbers = [ticket_row(str(number)) for number in range(450)]
    path = jsonl(tmp_path / "desk.jsonl", *numbers, ticket_row("7", text="said again, otherwise"))
    words = Words()
    replaced = (ReplacedRow(file="desk.jsonl", line=8, message="INC-1/7", by=451),)
    assert await run(path, words) == ImportReport(new=450, replaced=replaced)
    before = dict(words.kept)
    assert await run(path, words) == ImportReport(repeated=450, replaced=replaced)
    assert words.kept == before
    assert words.batches == [199, 200, 51] * 2


async def test_a_slack_export_imports_like_any_other(tmp_path: Path) -> None:
    folder = slack_folder(tmp_path / "Acme", {"general/2026-03-02.json": [said("U1", n, f"m{n}") for n in range(3)]})
    words = Words()
    assert await run(folder, words) == ImportReport(new=3)
    assert await run(zipped(folder, tmp_path / "Acme.zip"), words) == ImportReport(repeated=3)


async def test_changed_words_are_a_revision_and_added_rows_are_new(tmp_path: Path) -> None:
    words = Words()
    await run(jsonl(tmp_path / "desk.jsonl", ticket_row("1"), ticket_row("2")), words)
    longer = jsonl(tmp_path / "desk.jsonl", ticket_row("1", text="other"), ticket_row("2"), ticket_row("3"))
    assert await run(longer, words) == ImportReport(new=1, repeated=1, revised=1)


async def test_an_import_that_broke_off_goes_on_from_there(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "desk.jsonl", *(ticket_row(str(number)) for number in range(50)))
    words = Words(fail_at=3)
    with pytest.raises(StoreUnavailable):
        await run(path, words, batch=10)
    assert len(words.kept) == 30
    words.fail_at = None
    assert await run(path, words, batch=10) == ImportReport(new=20, repeated=30)


async def test_bad_rows_are_listed_beside_what_was_imported(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "desk.jsonl", ticket_row("1"), ticket_row("2", role="boss"), ticket_row("3", at="?"))
    report = await run(path, Words())
    assert (report.new, [(row.line, row.field) for row in report.bad]) == (1, [(2, "role"), (3, "at")])


async def test_a_batch_of_nothing_but_bad_rows_is_not_recorded(tmp_path: Path) -> None:
    words = Words()
    await run(jsonl(tmp_path / "desk.jsonl", ticket_row(role="boss")), words)
    assert words.batches == []


async def test_of_very_many_bad_rows_a_thousand_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "desk.jsonl"
    path.write_text("{\n" * (MOST_LISTED + 234))
    report = await run(path, Words())
    assert (len(report.bad), report.unlisted, report.rows) == (1000, 234, 1234)
    assert report.bad[-1].line == 1000


async def test_of_very_many_replaced_rows_a_thousand_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    versions = [ticket_row("1", text=f"version {number}") for number in range(MOST_LISTED + 6)]
    report = await run(jsonl(tmp_path / "desk.jsonl", *versions), Words())
    assert (report.new, len(report.replaced), report.unlisted_replaced, report.rows) == (1, 1000, 5, 1006)
    assert report.replaced[-1].line == 1000


async def test_progress_counts_rows_to_the_last(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "desk.jsonl", *(ticket_row(str(number)) for number in range(25)), ticket_row(role="boss"))
    heard: list[int] = []
    await import_turns(rows(path), Words().record, progress=heard.append, batch=10)
    assert heard == [10, 20, 26]


async def test_reading_happens_off_the_event_loop() -> None:
    readers: set[int] = set()

    def reading() -> Iterator[Turn | BadRow]:
        readers.add(threading.get_ident())
        yield BadRow(file="x", line=1, reason="is bad")

    await import_turns(reading(), Words().record, progress=lambda done: None)
    assert threading.get_ident() not in readers


async def test_a_source_that_cannot_be_read_raises_its_error(tmp_path: Path) -> None:
    path = tmp_path / "desk.jsonl"
    path.write_text('[{"ticket": 1}]')
    with pytest.raises(InputRefused, match="JSON array"):
        await run(path, Words())
