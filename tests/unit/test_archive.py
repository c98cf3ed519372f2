"""The file of a backup: whole and as it was written, or refused; and under its name only when it is whole."""

from __future__ import annotations

import json
import os
import random
import resource
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memory.errors import BackupFailed, BackupNewer, BackupUnusable, WrongUse
from memory.stores.archive import FORMAT, Kind, Manifest, Part, reading, writing

NOON = datetime(2026, 11, 20, 12, 0, 0, 5, tzinfo=UTC)
COLUMNS = {
    "id": Kind.TEXT,
    "at": Kind.MOMENT,
    "sealed": Kind.BYTES,
    "seq": Kind.INTEGER,
    "share": Kind.NUMBER,
    "gone": Kind.FLAG,
}
ROWS = [("接続\n\u2028😢", NOON, b"\x00\xff", 2**53 + 1, 0.1, True), ("b", None, None, None, None, None)]


def manifest(parts: Sequence[Part], **other: Any) -> Manifest:
    values: dict[str, Any] = {
        "format": FORMAT,
        "program": "0.1.0",
        "revision": "0027",
        "database": "sqlite",
        "made_at": NOON,
        "audited": None,
        "tables": tuple(parts),
    }
    return Manifest(**values | other)


def write(path: Path, rows: Sequence[Sequence[object]] = ROWS, **other: Any) -> Manifest:
    with writing(path) as archive:
        table = archive.table("turns", COLUMNS)
        table.add(rows[:1])
        table.add(rows[1:])
        made = manifest([table.close()], **other)
        archive.seal(made)
    return made


def read(path: Path) -> tuple[Manifest, list[tuple[object, ...]]]:
    with reading(path) as archive:
        rows = [tuple(row.values()) for part in archive.manifest.tables for row in archive.rows(part)]
        return archive.manifest, rows


def with_manifest(path: Path, **other: Any) -> None:
    """The same archive, whose manifest says something else."""
    with zipfile.ZipFile(path) as old:
        files: Mapping[str, bytes] = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w") as new:
        for name, content in files.items():
            changed = json.dumps(json.loads(content) | other).encode() if name == "manifest.json" else content
            new.writestr(name, changed)


def test_what_was_written_is_read_with_its_types(tmp_path: Path) -> None:
    made = write(tmp_path / "b.zip")
    assert (made.rows, made.rows_of("turns"), made.rows_of("notes")) == (2, 2, 0)
    assert read(tmp_path / "b.zip") == (made, ROWS)


def test_a_moment_is_the_same_in_whatever_zone_it_was_given(tmp_path: Path) -> None:
    with writing(tmp_path / "b.zip") as archive:
        table = archive.table("moves", {"at": Kind.MOMENT})
        table.add([(NOON.astimezone(timezone(timedelta(hours=9))),)])
        archive.seal(manifest([table.close()]))
    assert read(tmp_path / "b.zip")[1] == [(NOON,)]


def test_only_its_owner_may_read_it_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "b.zip")
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["b.zip"]


def test_without_a_seal_nothing_is_left(tmp_path: Path) -> None:
    with writing(tmp_path / "b.zip") as archive:
        archive.table("turns", COLUMNS).add(ROWS)
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "b.zip").symlink_to("nowhere")
    with pytest.raises(WrongUse, match="there already"):
        write(tmp_path / "b.zip")
    assert os.listdir(tmp_path) == ["b.zip"]


def test_a_place_that_takes_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BackupFailed, match="No such file or directory"):
        write(tmp_path / "nowhere" / "b.zip")


@contextmanager
def short_files(size: int) -> Iterator[None]:
    """No file may grow past `size` bytes, which is a full disk as a process sees it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 100, 60_000])
def test_a_full_disk_is_said_and_leaves_nothing(size: int, tmp_path: Path) -> None:
    long = random.Random(1).randbytes(100_000).hex()
    with short_files(size), pytest.raises(BackupFailed, match="make space"):
        write(tmp_path / "b.zip", [(long, *ROWS[0][1:])])
    assert os.listdir(tmp_path) == []


def test_of_every_byte_that_is_another_one_it_is_noticed_or_nothing_depends_on_it(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    made, content = write(path), path.read_bytes()
    noticed = 0
    for place, byte in enumerate(content):
        path.write_bytes(content[:place] + bytes([byte ^ 0x20]) + content[place + 1 :])
        try:
            assert read(path) == (made, ROWS)
        except BackupUnusable:
            noticed += 1
    assert noticed > len(content) // 2


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    write(path)
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(BackupUnusable, match="nothing was changed"):
            read(path)


@pytest.mark.parametrize(
    "other",
    [
        {"tables": [{"name": "turns", "columns": COLUMNS, "rows": 2, "sha256": "0" * 64}]},
        {"tables": [{"name": "notes", "columns": COLUMNS, "rows": 0, "sha256": ""}]},
        {"made_at": "2026-11-20T12:00:00"},
        {"words": "more"},
        {"format": "many"},
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(other: Mapping[str, Any], tmp_path: Path) -> None:
    write(tmp_path / "b.zip")
    with_manifest(tmp_path / "b.zip", **other)
    with pytest.raises(BackupUnusable):
        read(tmp_path / "b.zip")


def test_rows_are_counted(tmp_path: Path) -> None:
    made = write(tmp_path / "b.zip")
    part = made.tables[0].model_dump(mode="json") | {"rows": 3}
    with_manifest(tmp_path / "b.zip", tables=[part])
    with pytest.raises(BackupUnusable, match="table turns"):
        read(tmp_path / "b.zip")


def test_a_format_of_later_says_which_version_reads_it(tmp_path: Path) -> None:
    write(tmp_path / "b.zip", program="3.2.0")
    with_manifest(tmp_path / "b.zip", format=FORMAT + 1, more="of which nobody knows yet")
    with pytest.raises(BackupNewer, match=r"version 3\.2\.0"):
        read(tmp_path / "b.zip")


def test_a_file_that_is_not_there_or_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("hello")
    for path in (tmp_path / "words.txt", tmp_path / "nowhere.zip", tmp_path):
        with pytest.raises(BackupUnusable):
            read(path)
