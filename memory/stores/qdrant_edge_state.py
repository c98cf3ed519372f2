"""What is known about the engine's folder, in a small file beside its files, written as a whole or not at all."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from memory.errors import IndexDamaged
from memory.stores.qdrant_edge_wire import Stamp

_NAME = "index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The encoder, and how many keys must be there at least: the engine does not notice when files are missing."""

    stamp: Stamp | None = None
    at_least: int = 0


def read_state(folder: Path) -> State | None:
    """None when there is none. Raises IndexDamaged when it cannot be read."""
    try:
        said = json.loads((folder / _NAME).read_text("utf-8"))
        stamp = Stamp(**said["stamp"]) if said["stamp"] else None
        return State(stamp=stamp, at_least=int(said["at_least"]))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise IndexDamaged from error


def write_state(folder: Path, state: State | None) -> None:
    """Replace what is noted; None leaves nothing."""
    path = folder / _NAME
    if state is None:
        path.unlink(missing_ok=True)
    else:
        beside = path.with_suffix(".tmp")
        with beside.open("w", encoding="utf-8") as file:
            json.dump({"stamp": state.stamp and asdict(state.stamp), "at_least": state.at_least}, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    _sync(folder)


def _sync(folder: Path) -> None:
    """Names are durable only when their folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
