"""A picture of few colours as the bytes of a PNG file (ISO/IEC 15948)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import TypeAlias

#: Red, green and blue, each from 0 to 255.
Colour: TypeAlias = tuple[int, int, int]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Eight bits a pixel, each the number of a colour; deflated, filtered, not interlaced.
_DEPTH, _BY_PALETTE, _USUAL = 8, 3, (0, 0, 0)
#: Each row says first how it was filtered: not at all.
_UNFILTERED = b"\x00"


def png(rows: Sequence[bytes], palette: Sequence[Colour]) -> bytes:
    """The file; a row has a byte for each pixel, which is the number of its colour in the palette. Rows are of one
    length, and neither they nor the palette are empty."""
    size = struct.pack(">IIBBBBB", len(rows[0]), len(rows), _DEPTH, _BY_PALETTE, *_USUAL)
    pixels = zlib.compress(b"".join(_UNFILTERED + row for row in rows), 9)
    chunks = ((b"IHDR", size), (b"PLTE", bytes(part for colour in palette for part in colour)), (b"IDAT", pixels))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in (*chunks, (b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
