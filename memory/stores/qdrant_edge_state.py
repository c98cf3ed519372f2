"""What is known about the engine's folder, in a small file beside its files, written as a whole or not at all."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from memory.errors import IndexDamaged, IndexOutdated
from memory.stores.qdrant_edge_wire import Stamp
from memory.stores.qdrant_filters import KINDS

#: To be raised whenever keys are stored or filtered in another way: a folder of another layout has to be rebuilt.
LAYOUT = 5
_NAME = "index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The encoder; the kinds of key that there are, and those of them that have vectors; and how many keys must be
    there at least: the engine does not notice when files are missing."""

    stamp: Stamp | None = None
    there: tuple[str, ...] = ()
    embedded: tuple[str, ...] = ()
    at_least: int = 0


def read_state(folder: Path) -> State | None:
    """None when there is none. Raises IndexOutdated for a folder that another version laid out, or for other kinds of
    keys, and IndexDamaged when it cannot be read."""
    try:
        said = json.loads((folder / _NAME).read_text("utf-8"))
        if (said.get("layout"), said.get("kinds")) != (LAYOUT, [*KINDS]):
            raise IndexOutdated
        stamp = Stamp(**said["stamp"]) if said["stamp"] else None
        there, embedded = tuple(said["there"]), tuple(said["embedded"])
        return State(stamp=stamp, there=there, embedded=embedded, at_least=int(said["at_least"]))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise IndexDamaged from error


def may_have_keys(folder: Path) -> bool:
    """Whether keys were ever noted in this folder, by whichever version; also where what was noted cannot be read."""
    try:
        said = json.loads((folder / _NAME).read_text("utf-8"))
        return int(said["at_least"]) > 0
    except FileNotFoundError:
        return False
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return True


def write_state(folder: Path, state: State | None) -> None:
    """Replace what is noted; None leaves nothing."""
    path = folder / _NAME
    if state is None:
        path.unlink(missing_ok=True)
    else:
        beside = path.with_suffix(".tmp")
        with beside.open("w", encoding="utf-8") as file:
            json.dump({"layout": LAYOUT, "kinds": KINDS, **asdict(state)}, file)
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
