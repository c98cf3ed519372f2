"""The file of a backup: a ZIP with each table's rows as lines of JSON, and a manifest with the digest of each part.

It knows no database. What stands in it is the same whichever database it was taken from, so that it can be put into
another one. While it is written it has another name; it gets its own when it is whole and on the disk.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from memory.errors import BackupFailed, BackupNewer, BackupUnusable, WrongUse

#: Of the file as it is laid out; the schema of what stands in it has a revision of its own.
FORMAT = 1
_MANIFEST = "manifest.json"
_LONGEST_MANIFEST = 4 * 1024 * 1024
#: A row with the longest message and all that is made of it is far shorter.
_LONGEST_LINE = 64 * 1024 * 1024

Row = dict[str, Any]


class Kind(StrEnum):
    """What a column holds, in every database."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    MOMENT = "moment"
    BYTES = "bytes"


#: What JSON has no word for: moments as ISO 8601 in UTC, bytes in base64.
_ENCODE: Mapping[Kind, Callable[[Any], str]] = {
    Kind.MOMENT: datetime.isoformat,
    Kind.BYTES: lambda value: b64encode(value).decode("ascii"),
}
_DECODE: Mapping[Kind, Callable[[str], Any]] = {
    Kind.MOMENT: datetime.fromisoformat,
    Kind.BYTES: lambda value: b64decode(value, validate=True),
}


class Strict(BaseModel):
    """Nothing in a manifest is passed over."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Part(Strict):
    """The rows of one table: its columns in their order, how many rows there are, and the digest (hex) of its lines."""

    name: str
    columns: Mapping[str, Kind]
    rows: int = Field(ge=0)
    sha256: str

    @property
    def file(self) -> str:
        return f"rows/{self.name}.jsonl"


class Manifest(Strict):
    """What a backup is: of which `revision` of the schema, of which kind of `database`, made when and by which version
    of the program. `audited` is the number and digest of the last entry of its audit log, as `helpdesk audit verify`
    writes them; None without any. The tables stand in an order in which each comes after those that it refers to."""

    format: int
    program: str
    revision: str
    database: str
    made_at: AwareDatetime
    audited: str | None
    tables: tuple[Part, ...]

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.tables)

    def rows_of(self, table: str) -> int:
        return sum(part.rows for part in self.tables if part.name == table)


# --- writing ----------------------------------------------------------------------------------------------------------


class ArchiveWriter:
    """Takes the rows of one table after the other. Raises BackupFailed."""

    def __init__(self, path: Path, beside: Path, file: IO[bytes]) -> None:
        self._path = path
        self._beside = beside
        self._file = file
        self._zipped = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self._begun: IO[bytes] | None = None

    def table(self, name: str, columns: Mapping[str, Kind]) -> TableWriter:
        """The part of this table, to be closed before the next one is begun."""
        part = Part(name=name, columns=columns, rows=0, sha256="")
        with _written(self._path):
            self._begun = self._zipped.open(part.file, "w", force_zip64=True)
        return TableWriter(self._path, self._begun, part)

    def seal(self, manifest: Manifest) -> None:
        """End the archive with its manifest, and give it its name once it is on the disk."""
        with _written(self._path):
            self._zipped.writestr(_MANIFEST, manifest.model_dump_json(indent=1))
            self._zipped.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._beside.replace(self._path)
            _name_kept(self._path.parent)

    def abandon(self) -> None:
        """Close what is open, whatever becomes of it."""
        for one in (self._begun, self._zipped, self._file):
            with suppress(OSError):
                if one is not None:
                    one.close()


class TableWriter:
    """Takes the rows of one table. Raises BackupFailed."""

    def __init__(self, path: Path, file: IO[bytes], part: Part) -> None:
        self._path = path
        self._part = part
        self._file = file
        self._encode = {name: _ENCODE[kind] for name, kind in part.columns.items() if kind in _ENCODE}
        self._digest = sha256()
        self._rows = 0

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        """Rows with their values in the order of the columns."""
        lines = b"".join(map(self._line, rows))
        self._digest.update(lines)
        self._rows += len(rows)
        with _written(self._path):
            self._file.write(lines)

    def close(self) -> Part:
        with _written(self._path):
            self._file.close()
        return self._part.model_copy(update={"rows": self._rows, "sha256": self._digest.hexdigest()})

    def _line(self, row: Sequence[Any]) -> bytes:
        values = dict(zip(self._part.columns, row, strict=True))
        for name, encode in self._encode.items():
            if values[name] is not None:
                values[name] = encode(values[name])
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@contextmanager
def writing(path: Path) -> Iterator[ArchiveWriter]:
    """A new archive that only its user may read; without `seal` nothing is left of it. Raises BackupFailed, and
    WrongUse where there is such a file already."""
    if os.path.lexists(path):
        raise WrongUse(f"{path} is there already; name another file.")
    with _written(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    beside = Path(name)
    writer = ArchiveWriter(path, beside, os.fdopen(descriptor, "wb"))
    try:
        yield writer
    finally:
        writer.abandon()
        beside.unlink(missing_ok=True)


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupFailed(
            f"The backup {path} cannot be written ({error.strerror}); make space there, or name another place."
        ) from error


def _name_kept(folder: Path) -> None:
    """A name is on the disk when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- reading ----------------------------------------------------------------------------------------------------------


class Archive:
    """A backup that is read. Raises BackupUnusable for whatever is not as it was written."""

    def __init__(self, path: Path, zipped: zipfile.ZipFile, manifest: Manifest) -> None:
        self._path = path
        self._zipped = zipped
        self.manifest = manifest

    def lines(self, part: Part) -> Iterator[bytes]:
        """The lines of a table; it has failed if it ends before they are all there, each as it was written."""
        digest, count = sha256(), 0
        with _readable(self._path), self._zipped.open(part.file) as file:
            while line := file.readline(_LONGEST_LINE):
                digest.update(line)
                count += 1
                yield line
        if (count, digest.hexdigest()) != (part.rows, part.sha256):
            raise BackupUnusable(f"{self._path} is not as it was written (table {part.name}); take another backup.")

    def rows(self, part: Part) -> Iterator[Row]:
        """The rows of a table, with the values that they had in the database."""
        decode = {name: _DECODE[kind] for name, kind in part.columns.items() if kind in _DECODE}
        for line in self.lines(part):
            with _readable(self._path):
                yield _row(line, part, decode)


def _row(line: bytes, part: Part, decode: Mapping[str, Callable[[str], Any]]) -> Row:
    row: Row = json.loads(line)
    if row.keys() != part.columns.keys():
        raise ValueError("a row has the columns of its table")
    for name, of_text in decode.items():
        if row[name] is not None:
            row[name] = of_text(row[name])
    return row


@contextmanager
def reading(path: Path) -> Iterator[Archive]:
    """The backup in this file. Raises BackupUnusable, and BackupNewer for one that this program cannot know."""
    with _readable(path):
        zipped = zipfile.ZipFile(path)
    with zipped:
        with _readable(path):
            manifest = _manifest(zipped)
        yield Archive(path, zipped, manifest)


def _manifest(zipped: zipfile.ZipFile) -> Manifest:
    with zipped.open(_MANIFEST) as file:
        content = json.loads(file.read(_LONGEST_MANIFEST))
    if int(content["format"]) > FORMAT:
        raise newer(str(content.get("program", "")))
    return Manifest.model_validate(content)


def newer(program: str) -> BackupNewer:
    """That the backup was made by this newer version of the program."""
    return BackupNewer(
        f"The backup was made by version {program or 'unknown'}, which is newer than this one; install that version, "
        "or a later one, and restore with it. Nothing was changed."
    )


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupUnusable(f"{path} cannot be read ({error.strerror}); nothing was changed.") from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValidationError,
        ValueError,
        TypeError,
        KeyError,
        # What a ZIP of another kind is: encrypted, or compressed in a way that nobody here knows.
        RuntimeError,
    ) as error:
        raise BackupUnusable(f"{path} is no whole backup; nothing was changed, take another one.") from error
