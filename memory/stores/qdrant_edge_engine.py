"""Qdrant's engine in a process of its own.

The engine holds Python's interpreter lock through each of its calls, from a search to a clean-up of minutes, so inside
the bot it would stop everything else. Apart, a wait for it can be given up, and when damaged files bring it down, the
bot lives on. It searches from end to end, without a graph: under the filter of who may see what, a graph missed
neighbours.
"""

from __future__ import annotations

import fcntl
import math
import os
import shutil
import signal
import sys
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from memory.errors import HelpdeskError, IndexDamaged, IndexInUse, IndexUnavailable
from memory.stores.qdrant_edge_shard import KindShard
from memory.stores.qdrant_edge_state import State, read_state, write_state
from memory.stores.qdrant_edge_wire import Call, Found, Reply, Stamp, StoredKey, Want, packed, read
from memory.stores.qdrant_filters import EPISODE, KINDS, SAID_AT, Conditions, Is, Reach, without_time

#: The process of a bot that was killed lets go of the folder when it notices; a new one waits that long.
_LOCK_SECONDS = 3.0
#: What the engine says about files that it cannot read.
_DAMAGE = ("decode", "deserialize", "corrupt", "malformed", "decompress", "failed to load")
#: The engine's own files, in the folder, by kind.
_SHARD = "shard"
#: How rare a term is where there are no keys: ln(1 + (0 - 0 + .5) / (0 + .5)).
_OF_NOTHING = math.log(2)


class Engine:
    """A shard for each kind of key that there is, in a folder, and what is known about them beside them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = State()
        self._lock: BinaryIO | None = None
        self._shards: dict[str, KindShard] = {}
        self._unsettled: set[str] = set()
        self._newest = 0

    def open(self) -> Stamp | None:
        """Load what is there, or start an empty index of words. Returns the stamp.

        Raises IndexInUse and IndexDamaged.
        """
        self._take_folder()
        state = read_state(self._folder)
        if state is None:  # new, or a reset that was cut short
            self._create(State())
        else:
            self._load(state)
        return self._state.stamp

    def reset(self, stamp: Stamp) -> None:
        """Empty everything; a process that dies meanwhile leaves a new index."""
        self._create(State(stamp=stamp))

    def put(self, keys: Sequence[StoredKey]) -> None:
        """Take keys in, those of a kind together; they are on the disk after `settle`."""
        self._newest = max(self._newest, *(key.payload[SAID_AT] for key in keys))
        for kind, group in groupby(keys, key=lambda key: key.kind):
            some = list(group)
            self._unsettled.add(kind)
            self._shard_for(kind, some).put(some)

    def settle(self) -> None:
        """Write what was put to the disk, and note how many keys there are at least."""
        for kind in self._unsettled:
            self._shards[kind].flush()
        self._unsettled.clear()
        self._note(at_least=self._count())

    def remove(self, episodes: tuple[str, ...]) -> None:
        """Remove every key of these episodes, and give back their space when there are many."""
        gone = Is(EPISODE, episodes)
        having = {kind: held for kind, shard in self._shards.items() if (held := shard.count(gone))}
        if not having:
            return  # a new episode has none, and need not wait for the disk
        # Noted before it is done: a process that dies between the two must not look damaged.
        self._note(at_least=self._count() - sum(having.values()))
        for kind in having:
            self._shards[kind].remove(gone)

    def search(self, wants: Sequence[Want], conditions: Mapping[Reach, Conditions], limit: int) -> list[Found]:
        """For each its best `limit`, best first."""
        binding = {reach: without_time(some, self._newest) for reach, some in conditions.items()}
        return [self._found(want, binding, limit) for want in wants]

    def idf(self, kind: str, terms: Sequence[int]) -> dict[int, float]:
        """How rare each term is among keys of a kind."""
        shard = self._shards.get(kind)
        return shard.idf(terms) if shard else dict.fromkeys(terms, _OF_NOTHING)

    def count(self, kind: str) -> int:
        """Keys of this kind."""
        return self._shards[kind].count() if kind in self._shards else 0

    def sample(self, kind: str, language: str, limit: int) -> list[array[float]]:
        """Dense vectors of keys of a language, picked at random."""
        return self._shards[kind].sample(language, limit) if kind in self._shards else []

    def page(self, kind: str, start: str | None, limit: int) -> tuple[dict[str, str], str | None]:
        """Packed pointers of keys of a kind by id, from an id on, and where the next page begins."""
        return self._shards[kind].page(start, limit) if kind in self._shards else ({}, None)

    def known(self, kind: str, keys: Sequence[str]) -> list[str]:
        """Those of these ids that are keys of a kind."""
        return self._shards[kind].known(keys) if kind in self._shards else []

    def close(self) -> None:
        """Write down what is not yet, and let go of the folder. The shards are left to the end of the process."""
        if self._unsettled:
            self.settle()
        if self._lock is not None:
            self._lock.close()

    def _found(self, want: Want, conditions: Mapping[Reach, Conditions], limit: int) -> Found:
        if want.kind not in self._shards:
            return Found(ids=[], pointers=[], scores=[])
        return self._shards[want.kind].search(want, conditions, limit)

    def _shard_for(self, kind: str, keys: Sequence[StoredKey]) -> KindShard:
        """The shard of a kind, made with its first key, and with room for vectors from its first vector on."""
        stamp = self._state.stamp
        size = stamp.size if stamp and any(key.dense is not None for key in keys) else None
        if kind not in self._shards:
            self._shards[kind] = KindShard.create(self._place(kind), size)
            self._note(there=(*self._state.there, kind))
        elif size and kind not in self._state.embedded:
            self._shards[kind].make_room(size)
        if size and kind not in self._state.embedded:
            self._note(embedded=(*self._state.embedded, kind))
        return self._shards[kind]

    def _take_folder(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = (self._folder / "lock").open("wb")
        patience = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() > patience:
                    raise IndexInUse from error
                time.sleep(0.05)
            else:
                self._lock = lock
                return

    def _load(self, state: State) -> None:
        if not all(self._place(kind).is_dir() for kind in state.there):
            raise IndexDamaged
        for kind in KINDS:
            if kind not in state.there:  # perhaps begun by a process that died; nothing of it was acknowledged
                shutil.rmtree(self._place(kind), ignore_errors=True)
                continue
            self._shards[kind] = KindShard.load(self._place(kind), meant=kind in state.embedded)
        self._state = state
        if self._count() < state.at_least:
            raise IndexDamaged  # the engine opens without a word when some of its files are gone
        self._newest = max((shard.newest() for shard in self._shards.values()), default=0)

    def _create(self, state: State) -> None:
        while self._shards:
            self._shards.popitem()[1].close()
        self._unsettled.clear()
        write_state(self._folder, None)
        shutil.rmtree(self._folder / _SHARD, ignore_errors=True)
        self._newest = 0
        self._state = state
        write_state(self._folder, state)

    def _place(self, kind: str) -> Path:
        return self._folder / _SHARD / kind

    def _note(self, **changed: Any) -> None:
        state = replace(self._state, **changed)
        if state != self._state:
            self._state = state
            write_state(self._folder, state)

    def _count(self) -> int:
        return sum(shard.count() for shard in self._shards.values())


# --- the process ------------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer calls from standard input until it ends; the folder is the only argument."""
    for wish in (signal.SIGINT, signal.SIGTERM):  # they are for the bot, which then ends this process in order
        signal.signal(wish, signal.SIG_IGN)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not come between replies
    engine = Engine(Path(sys.argv[1]))
    while (call := read(sys.stdin.buffer)) is not None:
        with suppress(BrokenPipeError):
            replies.write(packed(_answer(engine, call)))
            replies.flush()
    engine.close()
    os._exit(0)  # what is written is on the disk, and the engine would take long to take itself apart


def _answer(engine: Engine, call: Call) -> Reply:
    method: Callable[..., Any] = getattr(engine, call.method)
    try:
        return Reply(number=call.number, value=method(*call.arguments))
    except HelpdeskError as error:
        return _failure(call, type(error), str(error))
    except OSError as error:
        return _failure(call, IndexUnavailable, f"The search index cannot be read or written: {error}.")
    except Exception as error:  # the engine has no errors of its own
        damaged = call.method == "open" or any(word in str(error).lower() for word in _DAMAGE)
        kind = IndexDamaged if damaged else IndexUnavailable
        return _failure(call, kind, str(kind()), engine=str(error))


def _failure(call: Call, kind: type[HelpdeskError], words: str, engine: str = "") -> Reply:
    return Reply(number=call.number, error=(kind.__name__, words), engine=engine)
