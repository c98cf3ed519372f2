"""An encoder that keeps every passage vector on disk, so that measuring the same texts again is quick. It keeps hashes
of texts, not texts; it is for measuring only."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from memory.errors import InputRefused
from memory.index_ports import Centre, Encoder, EncoderStamp, Vector, Vectors

#: How long another measurement may hold the file.
_BUSY_SECONDS = 60.0
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (name BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
#: Names in one statement.
_AT_ONCE = 500


class CachedEncoder:
    """The encoder `inner`, whose passage vectors are looked up in `folder` first; one file an encoder."""

    def __init__(self, inner: Encoder, folder: Path) -> None:
        self._inner = inner
        self._folder = folder

    async def stamp(self) -> EncoderStamp:
        return await self._inner.stamp()

    async def centres(self) -> Mapping[str, Centre]:
        return await self._inner.centres()

    async def question(self, text: str) -> Vector:
        return await self._inner.question(text)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), size). Raises EncoderUnavailable, InputRefused when the folder cannot be used."""
        if not texts:
            return await self._inner.passages(texts)
        path = self._folder / f"{(await self._inner.stamp()).fingerprint}.db"
        names = [sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        known = await asyncio.to_thread(_read, path, list(dict.fromkeys(names)))
        missing = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
        if missing:
            vectors = await self._inner.passages(list(missing.values()))
            fresh = dict(zip(missing, vectors, strict=True))
            await asyncio.to_thread(_write, path, fresh)
            known |= fresh
        return np.stack([known[name] for name in names])


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    connection.execute(_TABLE)
    return connection


def _read(path: Path, names: Sequence[bytes]) -> dict[bytes, Vector]:
    found: dict[bytes, Vector] = {}
    try:
        connection = _open(path)
        try:
            for start in range(0, len(names), _AT_ONCE):
                some = names[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT name, vector FROM vectors WHERE name IN ({marks})", some)
                found |= {name: np.frombuffer(vector, dtype=np.float32) for name, vector in rows}
        finally:
            connection.close()
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path) from error
    return found


def _write(path: Path, fresh: Mapping[bytes, Vector]) -> None:
    rows = [(name, vector.astype(np.float32).tobytes()) for name, vector in fresh.items()]
    try:
        connection = _open(path)
        try:
            with connection:
                connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        finally:
            connection.close()
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path) from error


def _unusable(path: Path) -> InputRefused:
    return InputRefused(
        f"Vectors cannot be kept in {path}; set HELPDESK_EMBEDDING_CACHE to another folder, or to none."
    )
