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
from memory.stores.qdrant_edge_state import State, read_state, write_state
from memory.stores.qdrant_edge_wire import Call, Found, Reply, Stamp, StoredKey, Want, packed, read
from memory.stores.qdrant_filters import (
    DENSE,
    EPISODE,
    KEYWORDS,
    KIND,
    KINDS,
    LANGUAGE,
    POINTER,
    SAID_AT,
    WORDS,
    Condition,
    Conditions,
    Has,
    Is,
    in_language,
)

#: The process of a bot that was killed lets go of the folder when it notices; a new one waits that long.
_LOCK_SECONDS = 3.0
#: Above any size, so that the engine's clean-up only drops what was removed and builds no graph.
_NO_GRAPH = 1_000_000_000
#: What the engine says about files that it cannot read.
_DAMAGE = ("decode", "deserialize", "corrupt", "malformed", "decompress", "failed to load")
#: The engine's own files, in the folder.
_SHARD = "shard"


class Engine:
    """One shard in a folder, and what is known about it beside it.

    Each kind of key has a sparse vector of its own, so that the engine counts a term's rarity among keys of that kind.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = State()
        self._lock: BinaryIO | None = None
        self._open_shard: qdrant.EdgeShard | None = None

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
        self._shard.update(qdrant.UpdateOperation.upsert_points([_point(key) for key in keys]))

    def settle(self) -> None:
        """Write what was put to the disk, and note how many keys there are at least."""
        self._shard.flush()
        self._note(self._count())

    def remove(self, episodes: tuple[str, ...]) -> None:
        """Remove every key of these episodes, and give back their space when there are many."""
        gone = (Is(EPISODE, episodes),)
        # Noted before it is done: a process that dies between the two must not look damaged.
        self._note(self._count() - self._count(*gone))
        self._shard.update(qdrant.UpdateOperation.delete_points_by_filter(_filter(*gone)))
        self._shard.flush()
        self._shard.optimize()

    def search(self, wants: Sequence[Want], conditions: Conditions, limit: int) -> list[list[Found]]:
        """For each its best `limit`, best first."""
        return [self._search(want, conditions, limit) for want in wants]

    def idf(self, kind: str, terms: Sequence[int]) -> dict[int, float]:
        """How the engine weighs each term: read off the score of one hit, since it tells no frequencies."""
        known = {term: self._weight(_words(kind), term) for term in terms}
        nobody_has_it = math.log(1 + (self._count(Has(_words(kind))) + 0.5) / 0.5)
        return {term: nobody_has_it if weight is None else weight for term, weight in known.items()}

    def count(self, kind: str) -> int:
        """Keys of this kind."""
        return self._count(Is(KIND, (kind,)))

    def sample(self, kind: str, language: str, limit: int) -> list[list[float]]:
        """Dense vectors of keys of a language, picked at random."""
        if self._state.stamp is None:
            return []
        wanted = _filter(Is(KIND, (kind,)), Is(LANGUAGE, (language,)), Has(DENSE))
        request = qdrant.QueryRequest(limit=limit, query=qdrant.Sample.Random, filter=wanted, with_vector=[DENSE])
        return [_vector(point, DENSE) for point in self._shard.query(request)]

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
        self._open_shard = qdrant.EdgeShard.load(str(path), _config(state.stamp))
        self._state = state
        if self._count() < state.at_least:
            raise IndexDamaged  # the engine opens without a word when some of its files are gone

    def _create(self, state: State) -> None:
        if self._open_shard is not None:
            self._open_shard.close()
        path = self._folder / _SHARD
        write_state(self._folder, None)
        shutil.rmtree(path, ignore_errors=True)
        self._open_shard = shard = qdrant.EdgeShard.create(str(path), _config(state.stamp))
        for name in KEYWORDS:
            shard.update(qdrant.UpdateOperation.create_field_index(name, qdrant.KeywordIndexParams(enable_hnsw=False)))
        shard.update(qdrant.UpdateOperation.create_field_index(SAID_AT, qdrant.IntegerIndexParams(enable_hnsw=False)))
        self._state = state
        write_state(self._folder, state)

    def _note(self, at_least: int) -> None:
        if at_least != self._state.at_least:
            self._state = replace(self._state, at_least=at_least)
            write_state(self._folder, self._state)

    def _count(self, *conditions: Condition) -> int:
        return self._shard.count(qdrant.CountRequest(filter=_filter(*conditions), exact=True))

    def _search(self, want: Want, conditions: Conditions, limit: int) -> list[Found]:
        conditions = (*conditions, *in_language(want.language))
        if want.dense is not None:
            query = qdrant.Query.Nearest(list(want.dense), using=DENSE)
            params, conditions = qdrant.SearchParams(exact=True), (*conditions, Is(KIND, (want.kind,)))
        else:
            words = qdrant.SparseVector(list(want.term_ids), list(want.term_weights))
            query, params = qdrant.Query.Nearest(words, using=_words(want.kind)), None
        request = qdrant.QueryRequest(
            limit=limit, query=query, filter=_filter(*conditions), params=params, with_payload=[POINTER]
        )
        hits = self._shard.query(request)
        return [Found(id=str(hit.id), pointer=(hit.payload or {})[POINTER], score=hit.score) for hit in hits]

    def _weight(self, name: str, term: int) -> float | None:
        query = qdrant.Query.Nearest(qdrant.SparseVector([term], [1.0]), using=name)
        hits = self._shard.query(qdrant.QueryRequest(limit=1, query=query, with_vector=[name]))
        if not hits:
            return None
        words = _vector(hits[0], name)
        return float(hits[0].score / words.values[words.indices.index(term)])


def _words(kind: str) -> str:
    return f"{WORDS}-{kind}"


def _config(stamp: Stamp | None) -> qdrant.EdgeConfig:
    dense = (
        qdrant.EdgeVectorParams(stamp.size, qdrant.Distance.Cosine, datatype=qdrant.VectorStorageDatatype.Float16)
        if stamp
        else None
    )
    words = qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf)
    return qdrant.EdgeConfig(
        vectors={DENSE: dense} if dense else None,
        sparse_vectors={_words(kind): words for kind in KINDS},
        optimizers=qdrant.EdgeOptimizersConfig(indexing_threshold=_NO_GRAPH),
        max_search_threads=2,
    )


def _point(key: StoredKey) -> qdrant.Point:
    vectors: dict[str, Any] = {}
    if key.dense is not None:
        vectors[DENSE] = key.dense
    if key.term_ids:
        vectors[_words(key.kind)] = qdrant.SparseVector(list(key.term_ids), list(key.term_weights))
    return qdrant.Point(key.id, vectors, key.payload)


def _vector(point: qdrant.ScoredPoint, name: str) -> Any:
    if not isinstance(point.vector, dict):
        raise IndexDamaged
    return point.vector[name]


def _filter(*conditions: Condition) -> qdrant.Filter:
    return qdrant.Filter(must=[_rendered(condition) for condition in conditions])


def _rendered(condition: Condition) -> Any:
    if isinstance(condition, Is):
        return qdrant.FieldCondition(condition.field, match=qdrant.MatchAny(list(condition.values)))
    if isinstance(condition, Has):
        return qdrant.HasVectorCondition(condition.vector)
    return qdrant.FieldCondition(condition.field, range=qdrant.RangeFloat(lte=float(condition.most)))


# --- the process ------------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer calls from standard input until it ends; the folder is the only argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which then closes this process in order
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
