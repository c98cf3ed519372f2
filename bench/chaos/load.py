"""Load with faults, from the first message to the figures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import chain, cycle
from pathlib import Path
from statistics import median
from typing import Any

from bench.chaos.crowd import Crowd
from bench.chaos.faults import HARD, SOFT, Fault, Scene
from bench.processes import resident_megabytes
from bench.slack import Bot
from bench.slack_burst import Outcome, compared
from config.slack import Transport
from tests.fakes.llm_server import Body, Content, LlmServer, computes
from tests.fakes.llm_server import serving as serving_models
from tests.fakes.slack import Slack, serving
from tests.fakes.tryout.bot_process import Folder, ended
from tests.fakes.tryout.desk import secrets_of, settings_for

#: How long the last messages may wait for their answers, and how often that is looked at.
_PATIENCE, _LOOK = 240.0, 2.0
#: Memory is read this often; it may grow so much after the first part of the time.
_READ_EVERY, GROWTH = 5.0, 1.05
#: In less time than this memory only fills, and its growth says nothing.
_SHORTEST = 600.0
#: The part of the time in which caches fill and processes are killed.
_FIRST_PART = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How much, for how long; `rate` is messages a second in all, `every` the seconds between faults."""

    seconds: float
    people: int
    rate: float
    every: float
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of it. An answer that Slack refused comes after the next one of its thread: that is told, and no limit.

    `growth` is the memory of the bot and its engine in the last tenth of the time over that right after the first
    quarter, of the same process; None where none lived through both, or in less than ten minutes.
    """

    messages: int
    outcome: Outcome
    leaked: int
    faults: Mapping[str, int]
    starts: int
    growth: float | None
    megabytes: float

    @property
    def kept(self) -> bool:
        clean = not (self.outcome.lost or self.outcome.doubled or self.leaked)
        return clean and (self.growth is None or self.growth <= GROWTH)

    def shown(self) -> dict[str, Any]:
        flat = asdict(self)
        return {**flat.pop("outcome"), **flat, "kept": self.kept}


@dataclass(slots=True)
class Memory:
    """Megabytes of each process, with the moments at which they were read."""

    read: list[tuple[float, int, float]] = field(default_factory=list)

    async def watch(self, bot: Bot) -> None:
        """Until it is cancelled."""
        while True:
            pid = bot.processes[-1].pid
            megabytes = sum(await asyncio.to_thread(resident_megabytes, pid))
            if bot.processes[-1].returncode is None:
                self.read.append((time.monotonic(), pid, megabytes))
            await asyncio.sleep(_READ_EVERY)

    def growth(self, begun: float, ended: float) -> float | None:
        if ended - begun < _SHORTEST:
            return None
        settled = begun + (ended - begun) * _FIRST_PART
        last = ended - (ended - begun) * 0.1
        survivor = self.read[-1][1] if self.read else 0
        own = [(at, size) for at, pid, size in self.read if pid == survivor]
        before = [size for at, size in own if settled <= at <= settled + (last - settled) * 0.2]
        after = [size for at, size in own if at >= last]
        return round(median(after) / median(before), 3) if before and after else None


async def measure(folder: Path, load: Load, tell: Callable[[str], None]) -> Figures:
    """Run it in `folder`. Raises DidNotStart where the bot does not come up at all."""
    async with _running(folder, load) as (scene, crowd):
        begun = time.monotonic()
        memory, faults = Memory(), dict[str, int]()
        watching = asyncio.create_task(memory.watch(scene.bot))
        breaking = asyncio.create_task(_break(scene, load, begun, faults, tell))
        try:
            await _write(crowd, load, begun)
            await breaking
            over = time.monotonic()
            await _wait(crowd)
            _tell_unanswered(crowd, load, tell)
        finally:
            for task in (watching, breaking):
                task.cancel()
            await asyncio.wait({watching, breaking})
        return Figures(
            messages=len(crowd.sent),
            outcome=compared(crowd.sent, _given(crowd.slack)),
            leaked=crowd.leaked(),
            faults=faults,
            starts=scene.bot.starts,
            growth=memory.growth(begun, over),
            megabytes=round(memory.read[-1][2], 1) if memory.read else 0.0,
        )


async def _write(crowd: Crowd, load: Load, begun: float) -> None:
    """Messages at an even pace, whatever else happens."""
    for number in range(int(load.seconds * load.rate)):
        await asyncio.sleep(max(0.0, begun + number / load.rate - time.monotonic()))
        await crowd.write()


async def _break(scene: Scene, load: Load, begun: float, faults: dict[str, int], tell: Callable[[str], None]) -> None:
    for number, fault in enumerate(_in_turn(load), start=1):
        at = begun + number * load.every
        if at > begun + load.seconds:
            return
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        tell(f"{time.monotonic() - begun:6.0f} s  {fault.__name__}")
        faults[fault.__name__] = faults.get(fault.__name__, 0) + 1
        await fault(scene)


def _in_turn(load: Load) -> Iterator[Fault]:
    """Those that end a process as long as the first part lasts, then the others round and round."""
    hard = HARD[: max(1, int(load.seconds * _FIRST_PART / load.every))]
    return chain(hard, cycle(SOFT))


async def _wait(crowd: Crowd) -> None:
    """Until each message has an answer, and then a little longer for one too many."""
    wanted = {one.turn for one in crowd.sent}
    deadline = time.monotonic() + _PATIENCE
    while wanted - {*_given(crowd.slack)} and time.monotonic() < deadline:  # noqa: ASYNC110 - looking costs much
        await asyncio.sleep(_LOOK)
    await asyncio.sleep(_LOOK)


def _tell_unanswered(crowd: Crowd, load: Load, tell: Callable[[str], None]) -> None:
    """When each of them was written, and whether the bot was ever told of it in a way that it took."""
    answered, given_up = {*_given(crowd.slack)}, str(crowd.slack.wire.lost)
    for number, one in enumerate(crowd.sent):
        if one.turn not in answered:
            why = "Slack gave it up" if one.ts in given_up else "the bot took it"
            tell(f"{number / load.rate:6.0f} s  no answer to {one.ts} in {one.channel}: {why}")


def _given(slack: Slack) -> list[str]:
    """The turns that the bot has answered, in the order in which the answers stand in each channel."""
    shown = [message for channel in list(slack.world.channels) for message in slack.answers(channel)]
    payloads = [message.get("metadata", {}).get("event_payload", {}) for message in shown]
    return [str(payload["turn"]) for payload in payloads if payload.get("part") == 0]


@asynccontextmanager
async def _running(folder: Path, load: Load) -> AsyncIterator[tuple[Scene, Crowd]]:
    """The strict Slack, a model's server and the bot."""
    async with serving() as slack, serving_models() as models:
        slack.wire.retry_delays = (0.0, 1.0, 5.0, 20.0)
        models.chat.always = well = computes(_reply)
        place = Folder(path=folder, secrets=secrets_of(slack))
        place.configure(_settings(slack, models))
        bot = Bot(slack=slack, folder=place, transport=Transport.SOCKET, port=0)
        crowd = Crowd.gathered(slack, load.people, load.seed)
        try:
            await bot.start()
            yield Scene(bot=bot, data=folder / "data", models=models, well=well), crowd
        finally:
            await asyncio.gather(*map(ended, bot.processes))


def _settings(slack: Slack, models: LlmServer) -> dict[str, Any]:
    given = settings_for(slack)
    model = {"base_url": models.base_url, "model": "small", "timeout_seconds": 5, "retries": 0, "concurrency": 8}
    often = {"every_seconds": 10}
    return {
        **given,
        "slack": {**given["slack"], "handover_channel": None},
        "models": {"assistant": model, "master": model, "enricher": model},
        "remember": {"hot_window_seconds": 20},
        "jobs": {"flush": often, "enrich_retry": often},
    }


def _reply(body: Body) -> Content:
    """What a model says that believes whatever it reads: the newest evidence is the answer. The shape is told by the
    form at the end of the instructions."""
    asked = str(body["messages"])
    if "supported" in asked:
        return {"answer": "It is the same as before.", "cited": [1, 2, 3], "supported": True}
    if "evidence" in asked:
        return {"evidence": []}
    return {"summary": "Something did not work.", "keywords": ["trouble"], "tags": ["it"], "context": "An employee."}
