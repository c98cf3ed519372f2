"""The case that memory systems are compared with, under three policies: `python -m bench.policies`.

Somebody owns the plotter from 1 September, somebody else from 15 September. It is asked who owns it now and who owned
it on 10 September: with both messages found, with the one that matters missing from the search, and with a model that
picks the wrong direction. The messages go through the real write path and the facts through the real weighing; a reader
takes the newest statement that it is shown (the oldest, where the model picks the wrong direction). Prints a Markdown
table.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.wiring_memory import flush_over
from config.loader import load_settings
from memory.answers import Evidence
from memory.model import Conversation, Question, Role, Turn, Viewer, Visibility
from memory.recall.evidence import quote_turn
from memory.recall.facts import Facts
from memory.remember.timeline import Policy
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
THEN = datetime(2026, 9, 10, 23, tzinfo=UTC)
OLD, NEW = "Tanaka", "Suzuki"
FIRST, SECOND = f"The owner of the plotter is {OLD}.", f"From 15 September the owner of the plotter is {NEW}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What goes wrong: `missing` leaves the message that matters out of what is found; `reversed_` has the model take
    the older for the newer, when it writes and when it reads."""

    name: str
    missing: bool = False
    reversed_: bool = False


CONDITIONS = (
    Condition(name="both messages found"),
    Condition(name="one message missing from the search", missing=True),
    Condition(name="the model picks the wrong direction", reversed_=True),
)


def messages(condition: Condition, policy: Policy) -> list[Turn]:
    """The two messages. Where a model decides what replaces what, the wrong direction is the older one written last;
    where dates decide there is nothing that a model could pick."""
    last = condition.reversed_ and policy is Policy.OVERWRITE
    told = [
        (FIRST, datetime(2026, 9, 20 if last else 1, 9, tzinfo=UTC)),
        (SECOND, datetime(2026, 9, 12, 9, tzinfo=UTC)),
    ]
    return [_turn(number, text, when) for number, (text, when) in enumerate(told, start=1)]


def _turn(number: int, text: str, when: datetime) -> Turn:
    name = f"INC-{number}"
    return Turn(
        conversation=Conversation(platform="import", workspace="bench", channel="it", thread=name),
        ticket=name,
        message="1",
        author="okabe",
        role=Role.AGENT,
        text=text,
        said_at=when,
        visibility=Visibility.EVERYONE,
        requester="okabe",
    )


async def answer(policy: Policy, condition: Condition, asked: datetime) -> str:
    """Whom a reader names who is asked for the state at `asked`."""
    store, index, settings = InMemoryStore(clock=lambda: NOW), InMemoryIndex(), load_settings(None, {})
    encoder = HashingEncoder()
    await index.reset(await encoder.stamp())
    await store.writing.record(messages(condition, policy))
    flush = flush_over(settings, lambda: NOW, store=store, index=index, encoder=encoder, models={})
    await flush.run(idle_before=NOW + timedelta(days=1))
    single = frozenset(name for name, predicate in settings.remember.predicates.items() if predicate.single)
    facts = Facts(reading=store.reading, facts=store.facts, single=single, policy=policy)
    question = Question(text="Who owns the plotter?", viewer=Viewer(user="sato"), now=NOW, as_of=asked)
    found = [
        quote_turn(turn, episode, 0.9)
        for episode in await store.writing.episodes_after(None, 10)
        for turn in episode.turns
        if not (condition.missing and (NEW if asked == NOW else OLD) in turn.text)
    ]
    weighed = await facts.weigh(question, found)
    return _read(weighed.evidence, oldest=condition.reversed_)


def _read(evidence: Sequence[Evidence], *, oldest: bool) -> str:
    """The name in the newest statement, or in the oldest."""
    in_time = sorted(evidence, key=lambda one: NEW in one.quote)
    if not in_time:
        return "nobody"
    return OLD if OLD in in_time[0 if oldest else -1].quote else NEW


async def table() -> list[str]:
    """The rows of the table."""
    rows = ["| | asked | " + " | ".join(f"`{policy}`" for policy in Policy) + " |", "|---|---|" + "---|" * len(Policy)]
    for condition in CONDITIONS:
        for asked, right, name in ((NOW, NEW, "now"), (THEN, OLD, "for 10 September")):
            given = [await answer(policy, condition, asked) for policy in Policy]
            cells = (f"{one}, right" if one == right else f"**{one}, wrong**" for one in given)
            rows.append(f"| {condition.name} | {name} | {' | '.join(cells)} |")
    return rows


def main() -> None:
    """The command line."""
    sys.stdout.write("\n".join(asyncio.run(table())) + "\n")


if __name__ == "__main__":
    main()
