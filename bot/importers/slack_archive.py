"""A Slack export as files in folders, whether it is still a zip or already unpacked."""

from __future__ import annotations

import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memory.errors import InputRefused

#: A day of one channel is far smaller; a larger one is a zip bomb or no export.
_LARGEST_FILE = 256 * 1024 * 1024
#: Any of these tells which conversations there are and who may read them.
LISTS = ("channels.json", "groups.json", "mpims.json", "dms.json")


class _Files(Protocol):
    """Files by their path inside the export."""

    def names(self) -> list[str]: ...

    def content(self, name: str) -> bytes:
        """Raises ValueError with the reason when the file cannot be read."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folder:
    root: Path

    def names(self) -> list[str]:
        return [path.relative_to(self.root).as_posix() for path in self.root.rglob("*.json")]

    def content(self, name: str) -> bytes:
        path = self.root / name
        try:
            if path.stat().st_size > _LARGEST_FILE:
                raise ValueError("is too large for one day of messages")
            return path.read_bytes()
        except OSError as error:
            raise ValueError(f"cannot be read ({error.strerror})") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Zip:
    archive: zipfile.ZipFile

    def names(self) -> list[str]:
        return [name for name in self.archive.namelist() if name.endswith(".json") and not name.startswith("__MACOSX/")]

    def content(self, name: str) -> bytes:
        if self.archive.getinfo(name).file_size > _LARGEST_FILE:
            raise ValueError("is too large for one day of messages")
        try:
            return self.archive.read(name)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise ValueError("is damaged inside the zip; fetch the zip again") from error
        except RuntimeError as error:  # NotImplementedError among them
            # By these zipfile says that a password is needed, and that it does not know the way of packing.
            raise ValueError("is encrypted or packed in a rare way; unpack the zip and import the folder") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An open export. `days` are the day files of each folder, oldest first; folder names are in NFC."""

    path: Path
    files: _Files
    lists: Mapping[str, str]
    days: Mapping[str, tuple[str, ...]]

    def content(self, name: str) -> bytes:
        """Raises ValueError with the reason when the file cannot be read."""
        return self.files.content(name)


@contextmanager
def opened_export(path: Path) -> Iterator[Export]:
    """The export in a folder or a zip. Raises InputRefused when it is none, or cut off."""
    if path.is_dir():
        yield _export(path, _Folder(root=path))
        return
    try:
        archive = zipfile.ZipFile(path, metadata_encoding="utf-8")
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise InputRefused(f"{path} is not a whole zip file; was the download cut off? Fetch it again.") from error
    except OSError as error:
        raise InputRefused(f"{path} cannot be read ({error.strerror}); check the path.") from error
    with archive:
        yield _export(path, _Zip(archive=archive))


def _export(path: Path, files: _Files) -> Export:
    names = files.names()
    tops = sorted((name for name in names if name.rpartition("/")[2] in LISTS), key=lambda name: name.count("/"))
    if not tops:
        raise InputRefused(f"{path} is not a Slack export: none of {', '.join(LISTS)} is in it.")
    top = tops[0].rpartition("/")[0]
    prefix = f"{top}/" if top else ""
    inside = {name.removeprefix(prefix): name for name in names if name.startswith(prefix)}
    days: dict[str, list[str]] = defaultdict(list)
    for short in sorted(inside):
        folder, slash, _ = short.partition("/")
        if slash:
            days[unicodedata.normalize("NFC", folder)].append(inside[short])
    lists = {short: name for short, name in inside.items() if "/" not in short}
    return Export(path=path, files=files, lists=lists, days={name: tuple(found) for name, found in days.items()})
