"""Lines from a file descriptor, without holding up the event loop or the end of the process."""

from __future__ import annotations

import asyncio
import os
import threading

_CHUNK = 65_536


class Lines:
    """Reads a descriptor line by line. Bytes that are no text become U+FFFD.

    Each read waits in a daemon thread of its own: the threads of an executor are waited for at the end of the process,
    and after Ctrl-C nobody is going to type the line that would release one. It reads the descriptor itself, because
    Python wants the lock of `sys.stdin` back at exit.
    """

    def __init__(self, descriptor: int, encoding: str) -> None:
        self._descriptor = descriptor
        self._encoding = encoding
        self._waiting = bytearray()

    async def next(self) -> str | None:
        """The next line without its line end; None at the end. Raises OSError."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            try:
                line: bytes | OSError = self._line()
            except OSError as error:
                line = error
            if not loop.is_closed():
                loop.call_soon_threadsafe(_deliver, arrived, line)

        threading.Thread(target=read, name="terminal-line", daemon=True).start()
        line = await arrived
        return line.decode(self._encoding, errors="replace").rstrip("\r\n") if line else None

    def _line(self) -> bytes:
        """Up to and with the next line end, or what is left; empty at the end."""
        searched = 0
        while (end := self._waiting.find(b"\n", searched)) < 0:
            searched = len(self._waiting)
            chunk = os.read(self._descriptor, _CHUNK)
            if not chunk:
                end = searched
                break
            self._waiting += chunk
        line = bytes(self._waiting[: end + 1])
        del self._waiting[: end + 1]
        return line


def _deliver(arrived: asyncio.Future[bytes], line: bytes | OSError) -> None:
    """Nobody waits any longer when the chat was ended meanwhile."""
    if arrived.done():
        return
    if isinstance(line, OSError):
        arrived.set_exception(line)
    else:
        arrived.set_result(line)
