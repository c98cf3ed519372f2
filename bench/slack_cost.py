"""What the way through Slack adds to a question: the same questions through the whole adapter, and to the desk itself.

One process holds both and the strict Slack; recall answers at once, and the words are in a database on the disk.
Counted is from the moment in which Slack sends the event to the one in which the answer reaches it, one at a time: a
mention, which Slack tells twice, and a question to the desk in turn, so that other work on the machine meets both. What
Slack's own calls take that come back before the answer is sent is measured by itself and taken off; the call with the
answer is not. Processor time is that of everything until all is done, the strict Slack's included.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from slack_sdk.web.async_client import AsyncWebClient

from bot.logs import log_to_file
from bot.wiring import assembled, system_clock
from config.loader import load_settings
from config.slack import Transport
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.ports import Send
from handlers.spoken import Spoken
from memory.model import Conversation, Turn, Visibility
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.sql import SqlStore, open_store
from tests.fakes.slack import AYA, HELPDESK, TEAM, Slack, serving
from tests.fakes.slack_place import Answering, Place, settings_of
from tests.fakes.small_application import deciding

_WARM_UP = 10
TEXT = "VPNが切れます。再起動しても同じで、エラーは E-4711 です。"


async def cost(folder: Path, transport: Transport, rounds: int) -> dict[str, float]:
    """Medians in milliseconds; `own` is what the way through Slack adds to a pair's other question."""
    async with _place(folder, transport) as place, place.running():
        client = AsyncWebClient(token=place.slack.bot_token, base_url=place.slack.api_url)
        pairs = [await _pair(place, client, number) for number in range(_WARM_UP + rounds)][_WARM_UP:]
    return {name: round(median(pair[name] for pair in pairs) * 1000, 2) for name in pairs[0]}


async def _pair(place: Place, client: AsyncWebClient, number: int) -> dict[str, float]:
    """Seconds of one question through Slack and one to the desk."""
    began = time.process_time()
    whole, calls = await _through_slack(place)
    between = time.process_time()
    desk = await _through_desk(place.app.desk, number)
    ended = time.process_time()
    on_the_way = calls * await _timed(client.auth_test)
    return {
        "whole_ms": whole,
        "desk_ms": desk,
        "slack_calls_ms": on_the_way,
        "own_ms": whole - desk - on_the_way,
        "own_processor_ms": (between - began) - (ended - between),
    }


async def _through_slack(place: Place) -> tuple[float, int]:
    """Seconds until the answer reached Slack, and the calls that had to come back before it was sent."""
    slack, before = place.slack, len(place.slack.api.calls)
    at = time.monotonic()
    asked = await slack.say(AYA, HELPDESK, TEXT, mention=True)
    await slack.answered(HELPDESK, asked)
    made = slack.api.calls[before:]
    [place_of_answer] = [number for number, call in enumerate(made) if call.method == "chat.postMessage"]
    await slack.until(lambda: not slack.reactions(HELPDESK, asked))
    await slack.settled()
    await _idle()
    return made[place_of_answer].at - at, place_of_answer


async def _idle() -> None:
    while under_way := [task for task in asyncio.all_tasks() if task.get_name() == "lane"]:
        await asyncio.wait(under_way)


async def _through_desk(desk: Desk, number: int) -> float:
    place = Conversation(platform="bench", workspace=TEAM, channel=HELPDESK, thread=str(number))
    message = IncomingMessage(
        conversation=place,
        message=str(number),
        author=AYA,
        text=TEXT,
        said_at=datetime.now(UTC),
        visibility=Visibility.EVERYONE,
    )
    sent: list[float] = []

    @asynccontextmanager
    async def outlet() -> AsyncIterator[Send]:
        async def send(_reply: OutgoingReply) -> None:
            sent.append(time.monotonic())

        yield send

    at = time.monotonic()
    received = await desk.receive(message)
    if not isinstance(received, Turn):
        raise TypeError("the desk did not take the question")
    await desk.handle(received, outlet())
    return sent[0] - at


async def _timed(call: Callable[[], Awaitable[object]]) -> float:
    at = time.monotonic()
    await call()
    return time.monotonic() - at


@asynccontextmanager
async def _place(folder: Path, transport: Transport) -> AsyncIterator[Place]:
    async with AsyncExitStack() as stack:
        slack: Slack = await stack.enter_async_context(serving())
        settings = load_settings(None, {})
        log_to_file(settings.log, folder)
        url = f"sqlite:///{folder / f'{transport.value}.db'}"
        store = await stack.enter_async_context(open_store(url, busy_seconds=10, clock=system_clock))
        app = assembled(
            settings, folder, system_clock,
            store=store, index=InMemoryIndex(), encoder=HashingEncoder(), models={},
        )  # fmt: skip
        answers = Answering()
        desk = _desk(store, answers)
        yield Place(slack=slack, answers=answers, app=deciding(app, desk=desk), settings=settings_of(slack, transport))


def _desk(store: SqlStore, answers: Answering) -> Desk:
    settings = load_settings(None, {})
    return Desk(
        recall=answers,
        recorder=store.writing,
        mailbox=store.mailbox,
        reading=store.reading,
        claims=Claims(store.leases, system_clock),
        access=settings.access,
        bot=settings.bot,
        knowledge=settings.knowledge,
        clock=system_clock,
        answered=lambda _: None,
        redactor=store.redactor,
        spoken=Spoken(reading=store.reading, personal=store.personal, default=settings.bot.language.value),
    )
