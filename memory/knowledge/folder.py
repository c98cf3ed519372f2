"""The files of a collection: found, bounded and read; whatever is wrong with one of them is said, and it alone is left
out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from memory.errors import FolderUnreadable

#: Longer files are dumps, not articles.
MOST_BYTES = 512 * 1024
#: More articles than any desk writes; a folder with more is most likely the wrong one.
MOST_FILES = 50_000
_ENDINGS = (".md", ".markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class BadFile:
    """A file that is not in the knowledge base, on which of its lines, counted from 1, and why. Without a `path` it is
    the whole folder."""

    collection: str
    path: str
    line: int
    reason: str

    def __str__(self) -> str:
        where = f"{self.path}, line {self.line}: " if self.path else ""
        return f"{self.collection}: {where}{self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file as it is now; `digest` changes with its content."""

    path: str
    text: str
    digest: str
    changed: datetime


def paths_in(folder: Path) -> list[str]:
    """The paths of all Markdown files below this folder, sorted, with slashes. Hidden files and folders are left out.

    Raises FolderUnreadable: what cannot be looked into has not been emptied.
    """
    found: list[str] = []

    def refuse(error: OSError) -> None:
        raise FolderUnreadable(f"The folder {error.filename} cannot be read ({error.strerror}).") from error

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        named = (name for name in files if name.lower().endswith(_ENDINGS) and not name.startswith("."))
        found.extend((Path(place) / name).relative_to(folder).as_posix() for name in named)
        if len(found) > MOST_FILES:
            raise FolderUnreadable(f"The folder {folder} has more than {MOST_FILES:,} articles; is it the right one?")
    return sorted(found)


def read(collection: str, folder: Path, paths: list[str]) -> Iterator[Written | BadFile]:
    """Each of these files, or what is wrong with it."""
    inside = folder.resolve()
    for path in paths:
        try:
            yield _read(collection, folder, inside, path)
        except OSError as error:
            yield BadFile(collection=collection, path=path, line=1, reason=f"cannot be read ({error.strerror})")
        except RuntimeError:
            # How pathlib says it before Python 3.13; since then such a link is no file.
            yield BadFile(collection=collection, path=path, line=1, reason="is a link that leads back to itself")


def _read(collection: str, folder: Path, inside: Path, path: str) -> Written | BadFile:
    if not path.isprintable():
        seen = ascii(path)[1:-1]
        return BadFile(collection=collection, path=seen, line=1, reason="has a name that cannot be shown; rename it")
    file = (folder / path).resolve()
    if not file.is_relative_to(inside):
        return BadFile(collection=collection, path=path, line=1, reason="is a link out of the folder")
    if not file.is_file():
        return BadFile(collection=collection, path=path, line=1, reason="is not a file")
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
        changed = os.fstat(opened.fileno()).st_mtime
    if len(content) > MOST_BYTES:
        return BadFile(collection=collection, path=path, line=1, reason=f"has more than {MOST_BYTES // 1024} KB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return BadFile(collection=collection, path=path, line=line, reason="is not UTF-8; save it as UTF-8")
    return Written(
        path=path,
        text=text,
        digest=sha256(content).hexdigest(),
        changed=datetime.fromtimestamp(changed, UTC),
    )
