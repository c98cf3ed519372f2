"""How long the index takes for one question as it grows, how fast it is written, and how much memory it holds.

    python -m bench.index_scale [--keys 10000 --keys 100000 --keys 1000000] [--seconds 900] [--folder DIR] [--json]

The keys are made up: the kinds in the proportions of real ones (a turn has three, and an episode of ten turns one
more), clustered vectors of 384 numbers, and words by the law of Zipf. The question is what recall asks: words in four
kinds, an exact entity in two, meaning in two kinds and two languages, and the rarity of each word. Whoever asks may see
a fifth of all keys. One index grows from size to size, and no more keys are written when the time is up.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles

import click
import numpy as np

from memory.index_ports import EncoderStamp, Key, Pointer, Probe, Terms, Vector
from memory.model import DIRECT, KeyKind, Scope, Viewer, Visibility, derived_id
from memory.stores.qdrant_edge import EdgeIndex
from memory.stores.qdrant_edge_process import EdgeProcess

SIZE = 384
STAMP = EncoderStamp(name="bench", size=SIZE, fingerprint="0000")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ASKER = Viewer(user="u1", channel=DIRECT)
LIMIT = 120
QUESTIONS = 40
#: Words in a text of each kind, and its share of a run of 31 keys.
WORDS_IN = {KeyKind.TURN: 12, KeyKind.WINDOW: 30, KeyKind.WIDE: 60, KeyKind.SUMMARY: 100}
RUN = [*([KeyKind.TURN, KeyKind.WINDOW, KeyKind.WIDE] * 10), KeyKind.SUMMARY]
EMBEDDED = (KeyKind.TURN, KeyKind.SUMMARY)
VOCABULARY = 50_000
CLUSTERS = 2_000
PEOPLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One size: milliseconds of a question, keys written a second, megabytes of both processes."""

    keys: int
    p50: float
    p95: float
    written_per_second: float
    engine_megabytes: float
    bot_megabytes: float


class Made:
    """Made-up keys and questions, the same at every run."""

    def __init__(self) -> None:
        self._drawn = np.random.default_rng(1)
        self._centres = self._drawn.standard_normal((CLUSTERS, SIZE)).astype(np.float32)
        shares = 1 / np.arange(1, VOCABULARY + 1) ** 1.05
        self._shares = np.cumsum(shares / shares.sum())

    def vector(self) -> Vector:
        """A unit vector near one of the clusters."""
        row = self._centres[self._drawn.integers(CLUSTERS)] + 0.8 * self._drawn.standard_normal(SIZE)
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)

    def terms(self, count: int) -> Terms:
        """Words by Zipf's law, each once, of weight 1."""
        ids = sorted(set(np.searchsorted(self._shares, self._drawn.random(count)).tolist()))
        return Terms(ids=tuple(ids), weights=(1.0,) * len(ids))

    def keys(self, first: int, count: int) -> Iterator[Key]:
        for number in range(first, first + count):
            kind = RUN[number % len(RUN)]
            yield Key(
                id=derived_id("bench", str(number)),
                kind=kind,
                pointer=self._pointer(number),
                scope=self._scope(),
                dense=self.vector() if kind in EMBEDDED else None,
                terms=self.terms(WORDS_IN[kind]),
            )

    def question(self) -> list[Probe]:
        words, exact = self.terms(9), Terms(ids=(VOCABULARY - 1,), weights=(1.0,))
        dense = self.vector()
        return [
            *(Probe(kind=kind, terms=words) for kind in KeyKind),
            *(Probe(kind=kind, terms=exact) for kind in EMBEDDED),
            *(Probe(kind=kind, dense=dense, language=language) for kind in EMBEDDED for language in ("ja", "en")),
        ]

    def _pointer(self, number: int) -> Pointer:
        return Pointer(
            episode=derived_id("episode", str(number // len(RUN))),
            turn=derived_id("turn", str(number // 3)),
            position=number % 10,
            length=10,
            speaker=self._person(),
            requester=self._person(),
            language="ja" if number % 2 else "en",
            said_at=NOON - timedelta(minutes=number),
        )

    def _scope(self) -> Scope:
        """One in five may be seen by everyone; of the rest people see what they took part in."""
        widest = self._drawn.random() < 0.2
        people = [self._person() for _ in range(3)]
        visibility = Visibility.EVERYONE if widest else Visibility.CHANNEL
        return Scope(visibility=visibility, channel="c1", requester=people[0], participants=frozenset(people))

    def _person(self) -> str:
        return f"u{self._drawn.integers(PEOPLE)}"


async def grow(folder: Path, sizes: Sequence[int], seconds: float) -> list[Measured]:
    """Measure at each size until the time is up."""
    made, process, ends = Made(), EdgeProcess(folder), time.monotonic() + seconds
    measured: list[Measured] = []
    try:
        await process.open()
        index = EdgeIndex(process, None)
        await index.reset(STAMP)
        there = 0
        for size in sizes:
            rate = await written(index, made, there, size - there, ends)
            there = sum([await index.count(kind) for kind in KeyKind])
            if there < size:
                click.echo(f"The time was up at {there:,} keys.", err=True)
                break
            measured.append(await asked(index, process, made, size, rate))
    finally:
        await process.aclose()
    return measured


async def written(index: EdgeIndex, made: Made, first: int, count: int, ends: float) -> float:
    """Keys written a second, without the time it takes to make them up."""
    spent = 0.0
    for start in range(first, first + count, 1000):
        if time.monotonic() > ends:
            break
        keys = list(made.keys(start, min(1000, first + count - start)))
        began = time.perf_counter()
        await index.put(keys)
        spent += time.perf_counter() - began
    return count / spent if spent else 0.0


async def asked(index: EdgeIndex, process: EdgeProcess, made: Made, size: int, rate: float) -> Measured:
    waits = []
    for number in range(QUESTIONS + 3):
        probes = made.question()
        began = time.perf_counter()
        await asyncio.gather(
            index.search(probes, ASKER, NOON, LIMIT),
            *(index.idf(probe.kind, probe.terms.ids) for probe in probes if probe.terms),
        )
        if number >= 3:  # the first ones read the files
            waits.append((time.perf_counter() - began) * 1000)
    return Measured(
        keys=size,
        p50=round(median(waits), 1),
        p95=round(quantiles(waits, n=20)[-1], 1),
        written_per_second=round(rate),
        engine_megabytes=resident(process.pid),
        bot_megabytes=resident(None),
    )


def resident(pid: int | None) -> float:
    """Resident memory of a process, or of this one."""
    said = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid or os.getpid())], capture_output=True, text=True, check=True
    )
    return round(int(said.stdout) / 1024, 1)


def report(measured: Sequence[Measured]) -> dict[str, object]:
    """One object; `growth` is the median at the largest size over that at the smallest."""
    rows = [{name: getattr(one, name) for name in Measured.__slots__} for one in measured]
    growth = round(measured[-1].p50 / measured[0].p50, 1) if measured else None
    return {"probes": len(Made().question()), "limit": LIMIT, "sizes": rows, "growth": growth}


@click.command(help=__doc__)
@click.option("--keys", "sizes", multiple=True, type=click.IntRange(100), default=(10_000, 100_000))
@click.option("--seconds", default=900.0, help="No more keys are written after this.")
@click.option(
    "--folder", type=click.Path(path_type=Path), help="Where the index is made; a temporary folder if not given."
)
@click.option("--json", "as_json", is_flag=True)
def main(sizes: tuple[int, ...], seconds: float, folder: Path | None, as_json: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = (folder or Path(temporary)) / "index"
        said = report(asyncio.run(grow(place, sorted(sizes), seconds)))
    click.echo(json.dumps(said, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
