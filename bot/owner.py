"""A data folder has one owner at a time: the search index inside it can be open in one process only.

The owner holds a lock, which the system frees when the process ends however it ends, and listens on a socket that its
user alone can reach, so that other commands can ask it to do their work.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory.errors import StoreUnavailable

#: How long a command waits for another one to finish.
WAIT_SECONDS = 60.0
#: How often it looks.
LOOK_SECONDS = 0.05

_LOCK = "owner.lock"
_PRIVATE = "private"
_SOCKET = "owner.sock"
#: Is there while the owner is one that stays, the running bot.
_LASTING = "lasting"
#: Where the socket is, if its natural path is too long.
_ELSEWHERE = "socket-path"
#: The kernel takes 108 bytes on Linux, 104 on macOS, with the final zero.
_LONGEST_PATH = 100


@contextmanager
def owned(folder: Path) -> Iterator[bool]:
    """Try to become the owner, without waiting: True while the context is open, or False when somebody else is."""
    try:
        descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnavailable(
            f"The data folder {folder} cannot be used ({error.strerror}); set HELPDESK_DATA to another one."
        ) from error
    try:
        yield _locked(descriptor, folder)
    finally:
        os.close(descriptor)


def _locked(descriptor: int, folder: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StoreUnavailable(
            f"The data folder {folder} cannot be locked ({error.strerror}); set HELPDESK_DATA to one on a local disk."
        ) from error
    return True


def socket_of(folder: Path) -> Path | None:
    """Where the owner of this folder would be listening; None when no owner has left a trace there."""
    natural = folder / _PRIVATE / _SOCKET
    if natural.exists():
        return natural
    try:
        recorded = Path((folder / _PRIVATE / _ELSEWHERE).read_text(encoding="utf-8"))
    except OSError:
        return None
    return recorded if _is_ours(recorded) else None


def _is_ours(path: Path) -> bool:
    """A socket in a place that others can write to might not be the one that was recorded."""
    try:
        place = path.parent.stat()
    except OSError:
        return False
    return path.exists() and place.st_uid == os.getuid() and not place.st_mode & 0o077


@contextmanager
def socket_place(folder: Path) -> Iterator[Path]:
    """A path for the owner's socket, in a place that only its user can enter; for whoever holds the lock.

    What a process that died has left there is removed. Raises StoreUnavailable.
    """
    private = folder / _PRIVATE
    try:
        private.mkdir(mode=0o700, exist_ok=True)
        private.chmod(0o700)
        path = _fresh(private)
    except OSError as error:
        raise StoreUnavailable(f"The owner's socket cannot be made in {private} ({error.strerror}).") from error
    try:
        yield path
    finally:
        _clean(private)


@contextmanager
def lasting_socket_place(folder: Path) -> Iterator[Path]:
    """The same for an owner that nobody should wait for: it stays until it is told to end."""
    with socket_place(folder) as path:
        (folder / _PRIVATE / _LASTING).touch(mode=0o600)
        yield path


def lasting(folder: Path) -> bool:
    """Whether the owner that listens there stays until it is told to end."""
    return (folder / _PRIVATE / _LASTING).exists()


def _fresh(private: Path) -> Path:
    _clean(private)
    natural = private / _SOCKET
    if len(os.fsencode(natural)) <= _LONGEST_PATH:
        return natural
    short = Path(tempfile.mkdtemp(prefix="helpdesk-")) / _SOCKET
    (private / _ELSEWHERE).write_text(str(short), encoding="utf-8")
    return short


def _clean(private: Path) -> None:
    recorded = private / _ELSEWHERE
    with suppress(OSError):
        elsewhere = Path(recorded.read_text(encoding="utf-8"))
        if elsewhere.name == _SOCKET and _is_private(elsewhere.parent):
            elsewhere.unlink(missing_ok=True)
            elsewhere.parent.rmdir()
    recorded.unlink(missing_ok=True)
    (private / _LASTING).unlink(missing_ok=True)
    (private / _SOCKET).unlink(missing_ok=True)


def _is_private(place: Path) -> bool:
    found = place.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


async def pause() -> None:
    """Between two looks at a folder that somebody else owns."""
    await asyncio.sleep(LOOK_SECONDS)
