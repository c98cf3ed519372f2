"""The way through Teams: `python -m bench.teams [--json]`.

Told are how long Teams waits until a message is on the disk while answers take a minute (`taken_p95_ms`), whether of
fifty messages at once each gets one answer (`lost`, `doubled`), and what the way through Teams adds to a question
(`own_ms`): the same questions through the whole adapter, until the answer reaches the strict Teams, and to the desk
itself, in turn. One process holds both and the strict Teams; recall answers at once, and the words are in a database on
the disk.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

from bot.logs import log_to_file
from bot.wiring import assembled, system_clock
from config.loader import load_settings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.ports import Send
from handlers.spoken import Spoken
from memory.model import Conversation, Turn
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.sql import open_store
from tests.fakes.slack_place import Answering
from tests.fakes.small_application import deciding
from tests.fakes.teams import serving
from tests.fakes.teams.server import AYA, in_channel, personal, place_of
from tests.fakes.teams_place import Place, settings_of

#: What is promised: Teams waits for 15 seconds, people for less.
TAKEN_LIMIT_MS, OWN_LIMIT_MS = 200.0, 5.0
MESSAGES, ROUNDS = 50, 100
_WARM_UP = 10
_TEXT = "VPNが切れます。再起動しても同じで、エラーは E-4711 です。"


async def measured(folder: Path) -> dict[str, float]:
    """All figures, in milliseconds or counted; three folders are there for them."""
    async with _place(folder / "slow") as place:
        taken = await _taken(place)
    async with _place(folder / "burst") as place:
        lost, doubled = await _burst(place)
    async with _place(folder / "cost") as place:
        pairs = await _pairs(place)
    return {
        "taken_p50_ms": round(median(taken) * 1000, 2),
        "taken_p95_ms": round(quantiles(taken, n=20)[-1] * 1000, 2),
        "lost": lost,
        "doubled": doubled,
        **{name: round(median(pair[name] for pair in pairs) * 1000, 2) for name in pairs[0]},
    }


async def _taken(place: Place) -> list[float]:
    """Seconds until each message was taken, with more and more of them waiting for the model."""
    place.answers.seconds = 60.0
    async with place.running():
        found = []
        for number in range(MESSAGES):
            began = time.perf_counter()
            await place.teams.say(AYA, in_channel(), f"{_TEXT} {number}", mention=True)
            found.append(time.perf_counter() - began)
        # Nobody waits for the minute to be over.
        lanes = [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
        for task in lanes:
            task.cancel()
        await asyncio.wait(lanes)
    return found


async def _burst(place: Place) -> tuple[int, int]:
    """How many of fifty messages at once got no answer, and how many more than one."""
    place.answers.seconds = 0.2
    async with place.running():
        asked = await asyncio.gather(
            *(place.teams.say(AYA, in_channel(), f"{_TEXT} {n}", mention=True) for n in range(MESSAGES))
        )
        await place.replied()
    answers = Counter(message.conversation.rpartition("=")[2] for message in place.teams.messages)
    return sum(not answers[one] for one in asked), sum(answers[one] > 1 for one in asked)


async def _pairs(place: Place) -> list[dict[str, float]]:
    async with place.running():
        return [await _pair(place, number) for number in range(ROUNDS)][_WARM_UP:]


async def _pair(place: Place, number: int) -> dict[str, float]:
    """Seconds of one question through Teams and of one to the desk. Processor time is that of everything until all is
    done, the strict Teams's included."""
    began = time.process_time()
    whole = await _through_teams(place, number)
    between = time.process_time()
    desk = await _through_desk(place.app.desk, number)
    ended = time.process_time()
    return {
        "whole_ms": whole,
        "desk_ms": desk,
        "own_ms": whole - desk,
        "own_processor_ms": (between - began) - (ended - between),
    }


async def _through_teams(place: Place, number: int) -> float:
    where, before = personal(AYA), len(place.teams.messages)
    began = time.perf_counter()
    saying = asyncio.create_task(place.teams.say(AYA, where, f"{_TEXT} {number}"))
    await place.teams.answered(place_of(where), count=before + 1)
    spent = place.teams.arrived - began
    await saying
    await place.replied()
    return spent


async def _through_desk(desk: Desk, number: int) -> float:
    began = time.perf_counter()
    incoming = IncomingMessage(
        conversation=Conversation(platform="bench", workspace="w", channel="dm", thread="t"),
        message=str(number),
        author=AYA,
        text=f"{_TEXT} {number}",
        said_at=datetime.now(UTC),
    )
    turn = await desk.receive(incoming)
    assert isinstance(turn, Turn)
    sent = asyncio.Event()

    @asynccontextmanager
    async def outlet() -> AsyncIterator[Send]:
        async def send(reply: OutgoingReply) -> None:
            sent.set()

        yield send

    handling = asyncio.create_task(desk.handle(turn, outlet()))
    await sent.wait()
    spent = time.perf_counter() - began
    await handling
    return spent


@asynccontextmanager
async def _place(folder: Path) -> AsyncIterator[Place]:
    settings = load_settings(None, {})
    log_to_file(settings.log, folder)
    async with AsyncExitStack() as stack:
        teams = await stack.enter_async_context(serving())
        url = f"sqlite:///{folder}/words.db"
        store = await stack.enter_async_context(
            open_store(url, busy_seconds=settings.store.busy_seconds, clock=system_clock)
        )
        app = assembled(
            settings, folder, system_clock, store=store, index=InMemoryIndex(), encoder=HashingEncoder(), models={}
        )
        answers = Answering()
        desk = Desk(
            recall=answers,
            recorder=store.writing,
            mailbox=store.mailbox,
            reading=store.reading,
            claims=Claims(store.leases, system_clock),
            access=settings.access,
            bot=settings.bot,
            knowledge=settings.knowledge,
            clock=system_clock,
            answered=app.metrics.answered,
            redactor=store.redactor,
            spoken=Spoken(reading=store.reading, personal=store.personal, default=app.settings.bot.language.value),
        )
        yield Place(teams=teams, answers=answers, app=deciding(app, desk=desk), settings=settings_of(teams))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="helpdesk-bench-") as folder:
        for name in ("slow", "burst", "cost"):
            (Path(folder) / name).mkdir()
        figures = asyncio.run(measured(Path(folder)))
    if "--json" not in sys.argv:
        for name, value in figures.items():
            sys.stdout.write(f"{name:14} {value:10.2f}\n")
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
