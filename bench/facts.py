"""What facts cost when there are many: `python -m bench.facts [--facts 1000 --facts 100000] [--json]`.

Made-up episodes with facts, events and links are written in bulk into the default store. Then it is timed what a
question adds when association is switched on (`graph`: reading events and links, and the walk), how evidence is weighed
(`weigh`), and how the facts of one new episode are verified and stored (`verify`), each over different episodes every
time. `embedding` is that of a question by the built-in encoder, for comparison. Medians in milliseconds; a growth is
the largest memory over the smallest, at most 2 by the target, and `share`, at most .25 by it, the graph step over the
embedding.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import click
from sqlalchemy import insert

from bot.embeddings import open_encoder
from bot.wiring import system_clock
from bot.wiring_memory import facts_over
from config.loader import load_settings
from memory.facts import Event, Fact, Link
from memory.model import Conversation, Episode, Question, Role, Turn, Viewer, Visibility, derived_id
from memory.recall.connections import Connections
from memory.recall.evidence import quote_turn
from memory.recall.intent import Intent
from memory.recall.pathways import Channel
from memory.recall.pointers import pointers
from memory.recall.rerank import WEIGHTS, Scored
from memory.recall.second_look import LOOKED_AT, second_look
from memory.redaction import RedactedTurn
from memory.remember.extraction.facts import facts_of
from memory.remember.rules import RuleEnricher
from memory.remember.segments import cut
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_fact_rows import fact_row, source_rows
from memory.stores.sql_rows import row_of
from memory.stores.tables import episodes, turns
from memory.stores.tables_facts import event_facts, event_versions, events, fact_sources, facts, links

TIMES = 30
STEPS = ("graph", "weigh", "verify")
_WARM_UP = 3
_TURNS, _FACTS_A_TURN, _LINKS, _TOGETHER = 5, 2, 3, 2
_PER_EPISODE = _TURNS * _FACTS_A_TURN
_AT_ONCE = 500
_NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_ASKER = Viewer(user="asker")


def episode(number: int) -> Episode:
    """One in which five announcements are made, each of two owners."""
    place = Conversation(platform="bench", workspace="bench", channel="it", thread=f"MADE-{number}")
    drawn = random.Random(number)
    said = [
        Turn(
            conversation=place,
            ticket=place.thread,
            message=str(message),
            author=f"agent{number % 20}",
            role=Role.AGENT,
            text=" ".join(
                f"The owner of Host-{drawn.randrange(number + 50)} is Mori{drawn.randrange(90)}." for _ in "12"
            ),
            said_at=_NOW - timedelta(days=1 + number % 80, minutes=9 - message),
            visibility=Visibility.EVERYONE,
            requester=f"user{number % 50}",
        )
        for message in range(_TURNS)
    ]
    (whole,) = cut(said, silence=timedelta(hours=1), max_tokens=4000)
    return whole


def told(whole: Episode, number: int) -> list[Fact]:
    """As many facts as are counted on, made without reading the words; five episodes speak of the same things."""
    return [
        Fact(
            subject=f"Host-{number // 5}-{turn.message}-{place}",
            predicate="owner",
            value=f"Mori{number}",
            text=turn.text,
            episode=whole.id,
            turn_ids=(turn.id,),
            scope=whole.scope,
            valid_from=turn.said_at,
            precision="minute",
            dated=False,
            recorded_at=turn.said_at,
            confidence=0.7,
            made_by="bench",
        )
        for turn in whole.turns
        for place in range(_FACTS_A_TURN)
    ]


async def fill(store: SqlStore, first: int, last: int) -> None:
    """The episodes of these numbers, pairs of them with an event in common, each linked with those before it."""
    for start in range(first, last, _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, last))
        made = [episode(number) for number in numbers]
        known = {whole.id: told(whole, number) for whole, number in zip(made, numbers, strict=True)}
        happened = [
            _event([fact for whole in made[at : at + _TOGETHER] for fact in known[whole.id]])
            for at in range(0, len(made), _TOGETHER)
        ]
        every = [fact for facts in known.values() for fact in facts]
        rows = {
            episodes: [_cut_row(whole) for whole in made],
            turns: [
                {**row_of(RedactedTurn(turn), _NOW), "pending": False, "episode_id": whole.id}
                for whole in made
                for turn in whole.turns
            ],
            facts: [fact_row(fact) for fact in every],
            fact_sources: [row for fact in every for row in source_rows(fact)],
            events: [{"id": event.id, "version": 1} for event in happened],
            event_versions: [_version_row(event) for event in happened],
            event_facts: [
                {"event": event.id, "fact": name, "place": place, "member": True}
                for event in happened
                for place, name in enumerate(event.facts)
            ],
            links: [
                asdict(_link(whole, made[at - step])) for at, whole in enumerate(made) for step in range(1, _LINKS + 1)
            ],
        }
        async with store.database.writing() as connection:
            for table, values in rows.items():
                await connection.execute(insert(table), values)


def _event(made: Sequence[Fact]) -> Event:
    return Event(
        id=derived_id("event", made[0].id),
        version=1,
        summary=made[0].text,
        people=(),
        keywords=(),
        first_at=made[0].valid_from,
        last_at=made[-1].valid_from,
        facts=tuple(dict.fromkeys(fact.id for fact in made)),
        made_by="bench",
    )


def _version_row(event: Event) -> dict[str, object]:
    values = asdict(event)
    del values["facts"]
    return {"event": values.pop("id"), **values}


def _cut_row(whole: Episode) -> dict[str, object]:
    return {
        "id": whole.id,
        "conversation_id": whole.conversation.id,
        "ticket": whole.ticket,
        "tokens": whole.tokens,
        "last_at": whole.last_at,
    }


def _link(one: Episode, other: Episode) -> Link:
    return Link(episode=one.id, other=other.id, reason="bench", strength=0.6, made_by="bench", made_at=_NOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Median milliseconds at one number of facts."""

    facts: int
    graph: float
    weigh: float
    verify: float


async def time_at(store: SqlStore, count: int) -> Size:
    """Every step, `TIMES` times, each time with other episodes."""
    settings, drawn = load_settings(None, {}), random.Random(count)
    question = Question(text="Who is the owner of the plotter?", viewer=_ASKER, now=_NOW)
    connections = Connections(reading=store.reading, facts=store.facts, settings=settings.recall.graph)
    weighing, rules = facts_over(settings, store.reading, store.facts), RuleEnricher()
    there = count // _PER_EPISODE

    def some() -> list[Episode]:
        return [episode(drawn.randrange(there)) for _ in range(LOOKED_AT // _TURNS)]

    async def graph(found: Sequence[Episode]) -> None:
        best = [one for whole in found for one in pointers(whole)]
        scored = [
            Scored(pointer=one, score=2.0 - place / LOOKED_AT, parts={}, shipped={}) for place, one in enumerate(best)
        ]
        texts = {turn.id: turn.text for whole in found for turn in whole.turns}
        connected = await connections.around(question, scored, settings.recall.graph.turns - LOOKED_AT)
        second_look(scored, texts, Intent(), frozenset({Channel.ASKS}), connected, settings.recall.graph, WEIGHTS)

    async def weigh(found: Sequence[Episode]) -> None:
        await weighing.weigh(question, [quote_turn(turn, whole, 0.8) for whole in found[:4] for turn in whole.turns])

    async def verify(found: Sequence[Episode]) -> None:
        whole = found[0]
        made = facts_of(whole, await rules.enrich(whole))
        await store.fact_writing.store_facts(whole.id, made, system_clock())

    return Size(
        facts=count,
        graph=await _milliseconds(graph, some),
        weigh=await _milliseconds(weigh, some),
        verify=await _milliseconds(verify, some),
    )


async def _milliseconds(
    step: Callable[[Sequence[Episode]], Awaitable[None]], some: Callable[[], Sequence[Episode]]
) -> float:
    waits = []
    for _ in range(TIMES + _WARM_UP):
        found = some()
        start = time.perf_counter()
        await step(found)
        waits.append((time.perf_counter() - start) * 1000)
    return round(median(waits[_WARM_UP:]), 2)


async def measure(folder: Path, sizes: Sequence[int]) -> list[Size]:
    """From size to size, in one database that grows."""
    async with open_store(f"sqlite:///{folder / 'helpdesk.db'}", busy_seconds=60, clock=system_clock) as store:
        measured, there = [], 0
        for size in sizes:
            await fill(store, there, size // _PER_EPISODE)
            there = size // _PER_EPISODE
            measured.append(await time_at(store, size))
        return measured


async def embedding() -> float:
    """Milliseconds that the built-in encoder takes for a question."""
    async with open_encoder(load_settings(None, {}).embeddings) as encoder:

        async def embed(found: Sequence[Episode]) -> None:
            await encoder.question(found[0].turns[0].text)

        numbers = iter(range(TIMES + _WARM_UP))
        return await _milliseconds(embed, lambda: [episode(next(numbers))])


def figures(measured: Sequence[Size], embedding_ms: float) -> dict[str, object]:
    """One object; `share` is the graph step at the largest size over the embedding."""
    small, large = measured[0], measured[-1]
    growth = {f"{step}_growth": round(getattr(large, step) / getattr(small, step), 2) for step in STEPS}
    share = round(large.graph / embedding_ms, 2)
    return {**growth, "share": share, "embedding_ms": embedding_ms, "sizes": [asdict(size) for size in measured]}


@click.command(help=__doc__)
@click.option("--facts", "sizes", multiple=True, type=click.IntRange(1000), default=(1_000, 100_000))
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def main(sizes: tuple[int, ...], as_json: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        told = figures(asyncio.run(measure(Path(folder), sorted(sizes))), asyncio.run(embedding()))
    click.echo(json.dumps(told, indent=None if as_json else 2))


if __name__ == "__main__":
    main()
