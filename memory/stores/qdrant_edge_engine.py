"""Qdrant's engine in a process of its own.

The engine holds Python's interpreter lock through each of its calls, from a search to a clean-up of minutes, so inside
the bot it would stop everything else. Apart, a wait for it can be given up, and when damaged files bring it down, the
bot lives on. It searches exactly, without a graph: under the filter of who may see what, a graph missed neighbours.
"""

from __future__ import annotations

import fcntl
import math
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import qdrant_edge as qdrant

from memory.errors import HelpdeskError, IndexDamaged, IndexInUse, IndexUnavailable
from memory.stores.qdrant_edge_models import configuration, filter_of, point, vector_of, words_of
from memory.stores.qdrant_edge_state import State, read_state, write_state
from memory.stores.qdrant_edge_wire import Call, Found, Reply, Stamp, StoredKey, Want, packed, read
from memory.stores.qdrant_filters import (
    DENSE,
    EPISODE,
    KEYWORDS,
    KIND,
    LANGUAGE,
    POINTER,
    SAID_AT,
    Condition,
    Conditions,
    Has,
    Is,
    in_language,
    on_shelf,
    without_time,
)

#: The process of a bot that was killed lets go of the folder when it notices; a new one waits that long.
_LOCK_SECONDS = 3.0
#: What the engine says about files that it cannot read.
_DAMAGE = ("decode", "deserialize", "corrupt", "malformed", "decompress", "failed to load")
#: The engine's own files, in the folder.
_SHARD = "shard"
#: Term rarities that are remembered between two writes.
_RARITIES = 20_000
#: No term's id: those are not negative.
_NO_TERM = -1


class Engine:
    """One shard in a folder, and what is known about it beside it.

    Each kind of key has a sparse vector of its own, so that the engine counts a term's rarity among keys of that kind.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = State()
        self._lock: BinaryIO | None = None
        self._open_shard: qdrant.EdgeShard | None = None
        self._newest = 0
        #: By (sparse vector, term); forgotten at every write. `_NO_TERM` stands for one that no key has.
        self._rarities: dict[tuple[str, int], float] = {}

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
        """Write keys into the engine's log; `settle` makes them survive a power cut too."""
        self._newest = max(self._newest, *(key.payload[SAID_AT] for key in keys))
        self._rarities.clear()
        self._shard.update(qdrant.UpdateOperation.upsert_points([point(key) for key in keys]))

    def settle(self) -> None:
        """Write what was put to the disk, and note how many keys there are at least."""
        self._shard.flush()
        self._note(self._count())

    def remove(self, episodes: tuple[str, ...]) -> None:
        """Remove every key of these episodes, and give back their space when there are many."""
        gone = (Is(EPISODE, episodes),)
        held = self._count(*gone)
        if not held:
            return  # a new episode has none, and need not wait for the disk
        # Noted before it is done: a process that dies between the two must not look damaged.
        self._note(self._count() - held)
        self._rarities.clear()
        self._shard.update(qdrant.UpdateOperation.delete_points_by_filter(filter_of(*gone)))
        self._shard.flush()
        self._shard.optimize()

    def search(self, wants: Sequence[Want], conditions: Conditions, limit: int) -> list[Found]:
        """For each its best `limit`, best first."""
        binding = without_time(conditions, self._newest)
        return [self._search(want, binding, limit) for want in wants]

    def idf(self, kind: str, terms: Sequence[int]) -> dict[int, float]:
        """How the engine weighs each term: read off the score of one hit, since it tells no frequencies."""
        name = words_of(kind)
        if len(self._rarities) > _RARITIES:
            self._rarities.clear()
        for term in terms:
            if (name, term) not in self._rarities:
                self._rarities[name, term] = self._weight(name, term) or self._rarity_of_none(name)
        return {term: self._rarities[name, term] for term in terms}

    def count(self, kind: str) -> int:
        """Keys of this kind."""
        return self._count(Is(KIND, (kind,)))

    def sample(self, kind: str, language: str, limit: int) -> list[list[float]]:
        """Dense vectors of keys of a language, picked at random."""
        if self._state.stamp is None:
            return []
        wanted = filter_of(Is(KIND, (kind,)), Is(LANGUAGE, (language,)), Has(DENSE))
        request = qdrant.QueryRequest(limit=limit, query=qdrant.Sample.Random, filter=wanted, with_vector=[DENSE])
        return [vector_of(one, DENSE) for one in self._shard.query(request)]

    def close(self) -> None:
        """Write everything down and let go of the folder."""
        if self._open_shard is not None:
            self._open_shard.flush()
            self._open_shard.close()
        if self._lock is not None:
            self._lock.close()

    @property
    def _shard(self) -> qdrant.EdgeShard:
        if self._open_shard is None:
            raise IndexUnavailable
        return self._open_shard

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
        path = self._folder / _SHARD
        if not path.is_dir():
            raise IndexDamaged
        self._open_shard = qdrant.EdgeShard.load(str(path), configuration(state.stamp))
        self._state = state
        if self._count() < state.at_least:
            raise IndexDamaged  # the engine opens without a word when some of its files are gone
        self._newest = self._newest_said()

    def _create(self, state: State) -> None:
        if self._open_shard is not None:
            self._open_shard.close()
        path = self._folder / _SHARD
        write_state(self._folder, None)
        shutil.rmtree(path, ignore_errors=True)
        self._open_shard = shard = qdrant.EdgeShard.create(str(path), configuration(state.stamp))
        for name in KEYWORDS:
            shard.update(qdrant.UpdateOperation.create_field_index(name, qdrant.KeywordIndexParams(enable_hnsw=False)))
        shard.update(qdrant.UpdateOperation.create_field_index(SAID_AT, qdrant.IntegerIndexParams(enable_hnsw=False)))
        self._newest = 0
        self._rarities.clear()
        self._state = state
        write_state(self._folder, state)

    def _note(self, at_least: int) -> None:
        if at_least != self._state.at_least:
            self._state = replace(self._state, at_least=at_least)
            write_state(self._folder, self._state)

    def _count(self, *conditions: Condition) -> int:
        return self._shard.count(qdrant.CountRequest(filter=filter_of(*conditions), exact=True))

    def _search(self, want: Want, conditions: Conditions, limit: int) -> Found:
        if want.dense is not None:
            query, params = qdrant.Query.Nearest(list(want.dense), using=DENSE), qdrant.SearchParams(exact=True)
            conditions = on_shelf(want.kind, want.language, conditions)
        else:
            words = qdrant.SparseVector(list(want.term_ids), list(want.term_weights))
            query, params = qdrant.Query.Nearest(words, using=words_of(want.kind)), None
            conditions = (*conditions, *in_language(want.language))
        request = qdrant.QueryRequest(
            limit=limit, query=query, filter=filter_of(*conditions), params=params, with_payload=[POINTER]
        )
        hits = self._shard.query(request)
        return Found(
            ids=[str(hit.id) for hit in hits],
            pointers=[(hit.payload or {})[POINTER] for hit in hits],
            scores=[hit.score for hit in hits],
        )

    def _rarity_of_none(self, name: str) -> float:
        """The IDF of a term that no key has."""
        if (name, _NO_TERM) not in self._rarities:
            self._rarities[name, _NO_TERM] = math.log(1 + (self._count(Has(name)) + 0.5) / 0.5)
        return self._rarities[name, _NO_TERM]

    def _newest_said(self) -> int:
        request = qdrant.ScrollRequest(
            limit=1, with_payload=[SAID_AT], order_by=qdrant.OrderBy(SAID_AT, qdrant.Direction.Desc)
        )
        return max(((record.payload or {})[SAID_AT] for record in self._shard.scroll(request)[0]), default=0)

    def _weight(self, name: str, term: int) -> float | None:
        query = qdrant.Query.Nearest(qdrant.SparseVector([term], [1.0]), using=name)
        hits = self._shard.query(qdrant.QueryRequest(limit=1, query=query, with_vector=[name]))
        if not hits:
            return None
        words = vector_of(hits[0], name)
        return float(hits[0].score / words.values[words.indices.index(term)])


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
        return _failure(call, kind, f"{kind()} ({error})")


def _failure(call: Call, kind: type[HelpdeskError], words: str) -> Reply:
    return Reply(number=call.number, error=(kind.__name__, words))
