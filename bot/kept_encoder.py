"""An encoder that remembers on disk what is the same every time: the centres of its languages.

Those of the encoder that is shipped are shipped with it, in `bot/centres`. A new version of it has none there until the
file that the first command writes to the data folder is copied over.
"""

from __future__ import annotations

import asyncio
import os
import zipfile
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import structlog

from memory.index_ports import Centre, Encoder, EncoderStamp, Vector, Vectors

log = structlog.get_logger()

_SHIPPED = resources.files("bot") / "centres"


class KeptEncoder:
    """The encoder `inner`, whose centres are measured once for a data folder and then read from a file there.

    Measuring them takes some seconds, which a command that answers one question does not have. The file is named after
    the encoder, so another one never reads it.
    """

    def __init__(self, inner: Encoder, folder: Path) -> None:
        self._inner = inner
        self._folder = folder
        self._measuring = asyncio.Lock()
        self._centres: Mapping[str, Centre] | None = None

    async def stamp(self) -> EncoderStamp:
        return await self._inner.stamp()

    async def passages(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.passages(texts)

    async def question(self, text: str) -> Vector:
        return await self._inner.question(text)

    async def centres(self) -> Mapping[str, Centre]:
        """From the file, or measured and written to it. Raises EncoderUnavailable."""
        async with self._measuring:
            if self._centres is None:
                stamp = await self._inner.stamp()
                path = self._folder / f"centres-{stamp.fingerprint}.npz"
                shipped = _SHIPPED / f"{stamp.name.replace('/', '-')}-{stamp.fingerprint}.npz"
                self._centres = await asyncio.to_thread(_first, shipped, path) or await self._measured(path)
            return self._centres

    async def _measured(self, path: Path) -> Mapping[str, Centre]:
        centres = await self._inner.centres()
        await asyncio.to_thread(_write, path, centres)
        return centres


def _first(*paths: Traversable) -> Mapping[str, Centre] | None:
    """What stands in the first of these files that is there and whole."""
    return next(filter(None, map(_read, paths)), None)


def _read(path: Traversable) -> Mapping[str, Centre] | None:
    """None when there is no whole file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            rows = {name: kept[name] for name in kept.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError):
        return None
    return {name: Centre(question=pair[0], passage=pair[1]) for name, pair in rows.items()} or None


def _write(path: Path, centres: Mapping[str, Centre]) -> None:
    """As a whole or not at all; a disk that is full costs only the second next time."""
    rows = {name: np.stack([one.question, one.passage]) for name, one in centres.items()}
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **rows)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        log.warning("centres_not_kept", error=type(error).__name__)
