"""One connection, on which requests are written as bytes, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

#: Far longer than an answer takes, far shorter than a connection is kept.
_SECONDS = 10.0

_NEXT = b"GET /healthz HTTP/1.1\r\nHost: bot\r\n\r\n"


def posted(path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """A request as it goes over the wire."""
    told = {"Host": "bot", "Content-Length": str(len(body)), **headers}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def on_one_connection(address: str, first: bytes) -> tuple[int | None, int | None]:
    """The status of this request, and of one for /healthz after it on the same connection; None where the connection
    was ended instead. TimeoutError where neither comes."""
    parts = urlsplit(address)
    async with asyncio.timeout(_SECONDS):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            writer.write(first)
            answered = await _status(reader)
            writer.write(_NEXT)
            return answered, await _status(reader)
        finally:
            writer.close()


async def _status(reader: asyncio.StreamReader) -> int | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    [length] = [line.partition(":")[2] for line in head.lower().split("\r\n") if line.startswith("content-length:")]
    await reader.readexactly(int(length))
    return int(head.split()[1])
