"""How long people in Slack wait for a sign, whether each message is answered once, and what the adapter costs.

    python -m bench.slack [--transport socket --transport http] [--rounds 100] [--json]

The strict Slack of the tests runs here, `helpdesk run` in a process of its own, without a model, with the demo's
tickets remembered. 50 messages are sent at once, in 20 threads: half of them direct, half mentions in two channels.
Twice more the same, with the connection moved and then broken off between the messages (Socket Mode), and with the
process killed when some are answered and started again. Slack's pauses before it tells an event again are seconds here,
not minutes.
"""

from __future__ import annotations

import asyncio
import json
import socket
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import click

from bench.question import questions
from bench.slack_burst import MESSAGES, THREADS, Outcome, Sent, answered, burst, outcome, say, signs
from bench.slack_cost import cost
from config.slack import Transport
from tests.fakes.slack import Slack, serving
from tests.fakes.tryout.bot_process import Folder, ended
from tests.fakes.tryout.desk import ready, secrets_of, settings_for
from tests.fakes.tryout.museum import history

#: A tenth of the three seconds that Slack gives an app.
LIMIT_MS = 300.0
COST_MS = 5.0
_SECONDS = 120.0
_RETRIES = (0.0, 1.0, 5.0)


@dataclass(slots=True)
class Bot:
    """The bot's process on one transport, which can be killed and started again."""

    slack: Slack
    folder: Folder
    transport: Transport
    port: int
    starts: int = 0
    processes: list[Process] = field(default_factory=list)

    async def start(self) -> None:
        process = await self.folder.start("run")
        self.processes.append(process)
        self.starts += 1
        await ready(self.folder, process, self._listening())

    async def _listening(self) -> None:
        if self.transport is Transport.SOCKET:
            await self.slack.connected(self.slack.links.opened + 1, _SECONDS)
            return
        async with asyncio.timeout(_SECONDS):
            while not await self._answers():  # noqa: ASYNC110 - another process comes up
                await asyncio.sleep(0.1)

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return await self.slack.verify_url()

    async def kill(self) -> None:
        self.processes[-1].kill()
        await self.processes[-1].wait()


@asynccontextmanager
async def running(data: Folder, transport: Transport) -> AsyncIterator[Bot]:
    """The strict Slack with the bot in it, which has answered once."""
    async with serving() as slack:
        slack.wire.retry_delays = _RETRIES
        folder, port = Folder(path=data.path, secrets=secrets_of(slack)), _free_port()
        folder.configure(_settings(slack, transport, port))
        if transport is Transport.HTTP:
            slack.wire.request_url = f"http://127.0.0.1:{port}/slack/events"
        bot = Bot(slack=slack, folder=folder, transport=transport, port=port)
        try:
            await bot.start()
            await answered(slack, await say(slack, ["Wi-Fi?", "VPN?"]))
            yield bot
        finally:
            await asyncio.gather(*map(ended, bot.processes))


def _settings(slack: Slack, transport: Transport, port: int) -> dict[str, Any]:
    given = settings_for(slack)
    way = {"transport": transport.value, "signing_secret": "${SLACK_SIGNING_SECRET}", "handover_channel": None}
    # Four people stand for many.
    limits = {"person_messages_a_minute": 1000, "channel_messages_a_minute": 10_000}
    return {**given, "web": {"port": port}, "limits": limits, "slack": {**given["slack"], **way}}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def at_once(bot: Bot, texts: Sequence[str]) -> dict[str, Any]:
    """Milliseconds until the acknowledgement and until the first sign, and what came of the messages."""
    before = len(bot.slack.acks)
    sent = await burst(bot.slack, texts)
    result = await outcome(bot.slack, sent)
    delays = [ack.delay for ack in bot.slack.acks[before:] if ack.kind == "events_api"]
    waits = {
        "acknowledged": [float("inf") if delay is None else delay for delay in delays],
        "sign": signs(bot.slack, sent),
    }
    return {**_spread(waits), **asdict(result)}


def _spread(waits: Mapping[str, Sequence[float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, seconds in waits.items():
        milliseconds = [each * 1000 for each in seconds]
        found[f"{name}_p50_ms"] = round(median(milliseconds), 1)
        found[f"{name}_p95_ms"] = round(quantiles(milliseconds, n=20)[-1], 1)
    return found


async def reconnected(bot: Bot, texts: Sequence[str]) -> Outcome:
    """The connection is moved between the messages, and a later one breaks."""
    slack, third = bot.slack, len(texts) // 3
    roots = await say(slack, texts[:THREADS])
    await slack.disconnect()
    more = await say(slack, texts[THREADS : THREADS + third], roots)
    opened = slack.links.opened
    slack.break_sockets()
    rest = await say(slack, texts[THREADS + third :], roots)
    await slack.connected(opened + 1, _SECONDS)
    return await outcome(slack, [*roots, *more, *rest])


async def restarted(bot: Bot, texts: Sequence[str]) -> Outcome:
    """The process is killed when a fifth is answered, and the next one takes over."""
    sent: list[Sent] = await burst(bot.slack, texts)
    await answered(bot.slack, sent, len(texts) // 5)
    await bot.kill()
    await bot.start()
    return await outcome(bot.slack, sent)


async def measure(transports: Sequence[Transport], rounds: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="helpdesk-bench-") as temporary:
        folder = Folder(path=Path(temporary))
        folder.configure({"retention": {"days": 3650}})
        tickets = folder.path / "tickets.jsonl"
        tickets.write_text(history(datetime.now(UTC)), encoding="utf-8")
        await folder.done("import", str(tickets))
        texts = [question.text for question in questions(datetime.now(UTC), MESSAGES)]
        for transport in transports:
            async with running(folder, transport) as bot:
                found[transport.value] = await at_once(bot, texts)
                if transport is Transport.SOCKET:
                    found[transport.value]["reconnected"] = asdict(await reconnected(bot, texts))
                found[transport.value]["restarted"] = asdict(await restarted(bot, texts))
            found[transport.value]["cost"] = await cost(folder.path, transport, rounds)
    return {"limits": {"sign_ms": LIMIT_MS, "acknowledged_ms": LIMIT_MS, "own_ms": COST_MS}, **found, **judged(found)}


def judged(found: Mapping[str, Any]) -> dict[str, Any]:
    """Which limits were missed, by name; a message lost, doubled or out of order misses one, too."""
    missed = [f"{way}: {what}" for way, figures in found.items() for what in _missed(figures)]
    return {"missed": missed, "kept": not missed}


def _missed(figures: Mapping[str, Any]) -> list[str]:
    times = [f"{name}_p95_ms" for name in ("acknowledged", "sign") if figures[f"{name}_p95_ms"] > LIMIT_MS]
    cases = {"at once": figures, **{name: figures[name] for name in ("reconnected", "restarted") if name in figures}}
    counts = [f"{case}: {name}" for case, one in cases.items() for name in Outcome.__slots__ if one[name]]
    return [*times, *counts, *(["own_ms"] if figures["cost"]["own_ms"] > COST_MS else [])]


@click.command(help=__doc__)
@click.option("--transport", "transports", multiple=True, type=click.Choice([each.value for each in Transport]))
@click.option("--rounds", default=100, help="Questions by which the adapter's cost is measured.")
@click.option("--json", "as_json", is_flag=True, help="One line; indented without it.")
def main(transports: tuple[str, ...], rounds: int, as_json: bool) -> None:
    chosen = [Transport(name) for name in transports] or list(Transport)
    click.echo(json.dumps(asyncio.run(measure(chosen, rounds)), indent=None if as_json else 1))


if __name__ == "__main__":
    main()
