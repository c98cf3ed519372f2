"""Text files that come with a message are read into it; of others the name is kept, and the person is told."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

from handlers.changes import Changes
from handlers.characters import one_line
from handlers.wording_actions import Actions
from memory.model import Turn
from memory.text.encodings import decoded

#: Characters of a file that are read into its message, and files of a message that are read.
LONGEST = 8_000
MOST = 5
#: Bytes that are read at most: a character of UTF-8 has up to four.
MOST_BYTES = LONGEST * 4
#: How long fetching one may take.
SECONDS = 10.0
_NAME = 60
_TEXTS = ("text/", "application/json", "application/xml", "application/x-yaml", "application/yaml")
#: Ends of names of what helpdesks get sent; platforms often tell no type of it, or that it is any bytes.
_ENDS = (".txt", ".log", ".csv", ".tsv", ".md", ".json", ".xml", ".html", ".htm", ".yaml", ".yml", ".ini", ".cfg")
_ENDS_OF_SCRIPTS = (".conf", ".reg", ".ps1", ".bat", ".cmd", ".sh", ".py", ".sql")
_MARK = re.compile(r"(\[file: [^\]\n]+\])\s*")
_NAMED = re.compile(r"\[file: ([^\]\n]+)\](?!\n)")


class Unread(StrEnum):
    """Why a file was not read, or not all of it."""

    CUT = "cut"
    KIND = "kind"
    ENCODING = "encoding"
    GONE = "gone"
    LOGIN = "login"
    MANY = "many"
    DIED = "died"


#: The names of the files that were not read, or not all of them, by why.
Unreads: TypeAlias = Mapping[Unread, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What was in a file, as far as it was read, and why it was not, or not all of it."""

    text: str = ""
    unread: Unread | None = None


class File(Protocol):
    """A file of a message, as a platform tells of it."""

    @property
    def name(self) -> str: ...
    @property
    def mimetype(self) -> str: ...


_File = TypeVar("_File", bound=File)


class Stream(Protocol):
    """The body of an HTTP answer."""

    async def read(self, n: int) -> bytes: ...


async def read_into(
    turn: Turn,
    files: Sequence[_File],
    fetch: Callable[[_File], Awaitable[Contents]],
    changes: Changes,
) -> Unreads:
    """Read the text files of a message into its turn; those that were not read, or not all of them.

    `fetch` does not raise. Raises StoreUnavailable.
    """
    texts = [file for file in files if _may_be_text(file)]
    found = await asyncio.gather(*(fetch(file) for file in texts[:MOST]))
    read = [*_fitting(zip(texts, found, strict=False), changes.longest - len(turn.text))]
    if added := [f"[file: {file.name}]\n{one.text}" for file, one in read if one.text]:
        await changes.edited(turn.conversation, turn.message, turn.author, "\n".join([turn.text, *added]))
    why: dict[Unread, list[str]] = {
        Unread.KIND: [file.name for file in files if file not in texts],
        Unread.MANY: [file.name for file in texts[MOST:]],
    }
    for file, one in read:
        if one.unread is not None:
            why.setdefault(one.unread, []).append(file.name)
    return why


def unread_of(turn: Turn) -> Unreads:
    """The files that were to be read into this message when the process died."""
    names = [match[1] for match in _NAMED.finditer(turn.text)]
    read = {
        line.removeprefix("[file: ").removesuffix("]") for line in turn.text.split("\n") if line.startswith("[file")
    }
    return {Unread.DIED: [name for name in names if name not in read]}


def unread_sentences(unread: Unreads, said: Actions) -> tuple[str, ...]:
    """A sentence for each reason for which files were not read, in the words of the answer above it."""
    return tuple(
        said.unread[reason].format(names=said.separator.join(one_line(name, _NAME) for name in names), limit=LONGEST)
        for reason, names in unread.items()
        if names
    )


def without_files(text: str) -> str:
    """What the person wrote, without the names of files and what was read of them: it tells the person's language."""
    return _NAMED.sub("", text.partition("\n[file: ")[0])


def files_in(text: str) -> str:
    """What was read of the files of a message, and not written by the person."""
    return text.partition("\n[file: ")[2]


def names_of_files(text: str) -> list[str]:
    """The names of the files that came with a message, as its turn says them."""
    return _NAMED.findall(text.partition("\n[file: ")[0])


def named_once(text: str) -> str:
    """The words of a message as people are shown them: the name of a file that was read stands where its text begins,
    and not before it, too."""
    left = Counter(_MARK.findall(text))

    def shown(mark: re.Match[str]) -> str:
        left[mark[1]] -= 1
        return "" if left[mark[1]] else mark[0]

    return _MARK.sub(shown, text)


def _fitting(found: Iterator[tuple[_File, Contents]], room: int) -> Iterator[tuple[_File, Contents]]:
    """As much of the texts as the message has room for: one that grew too long would be lost as a whole."""
    for file, one in found:
        room -= len(f"\n[file: {file.name}]\n")
        text = one.text[: max(room, 0)]
        room -= len(text)
        yield file, one if text == one.text else replace(one, text=text, unread=Unread.CUT)


def _may_be_text(file: File) -> bool:
    """Whether a file is worth fetching: its type says so, or its name."""
    return file.mimetype.startswith(_TEXTS) or file.name.lower().endswith(_ENDS + _ENDS_OF_SCRIPTS)


async def read_bytes(stream: Stream) -> bytes:
    """What comes, as far as it is read: one byte more than is read of a file tells that there is more."""
    content = b""
    while len(content) <= MOST_BYTES and (some := await stream.read(MOST_BYTES + 1 - len(content))):
        content += some
    return content


def contents_of(content: bytes) -> Contents:
    """The text of a file, as far as `read_bytes` read it."""
    whole = len(content) <= MOST_BYTES
    found = decoded(content[:MOST_BYTES], whole=whole)
    if found is None:
        return Contents(unread=Unread.ENCODING)
    text = found[0].strip()
    cut = len(text) > LONGEST or not whole
    return Contents(text=text[:LONGEST], unread=Unread.CUT if cut else None)
