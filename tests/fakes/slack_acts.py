"""What tests of clicks, commands and forms look at, and payloads that nobody's client would send."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from tests.fakes.slack import KEN, Slack
from tests.fakes.slack.events import action_ts, interaction
from tests.fakes.slack.gestures import interactive
from tests.fakes.slack.wire import Acknowledged

#: Where the support team is told that somebody wants a person.
SUPPORT = "C0SUPPORT"


def with_support(slack: Slack) -> None:
    """Add the support team's channel, with Ken and the bot in it."""
    slack.add_channel(SUPPORT, "support", KEN, slack.me, kind="private")


async def whispered(slack: Slack, user: str, count: int = 1, channel: str | None = None) -> list[str]:
    """Wait for so many messages that only this person sees; their words, oldest first."""
    await slack.until(lambda: len(slack.ephemerals(user, channel)) >= count)
    return [str(message["text"]) for message in slack.ephemerals(user, channel)]


async def posted(slack: Slack, channel: str, count: int = 1) -> list[dict[str, Any]]:
    """Wait for so many messages of the bot in a channel, in threads or not."""
    await slack.until(lambda: len(slack.answers(channel)) >= count)
    return slack.answers(channel)


def _under_way() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == "lane"]


async def idle(seconds: float = 10.0) -> None:
    """Wait until the bot has nothing under way; raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while lanes := _under_way():
            await asyncio.wait(lanes)


async def die(slack: Slack) -> None:
    """The process is cut off in the call that a fault holds up."""
    for _ in range(1000):
        if not slack.api.faults.coming:
            break
        await asyncio.sleep(0.01)
    assert not slack.api.faults.coming, "the call was never made"
    cut_off = _under_way()
    for task in cut_off:
        task.cancel()
    await asyncio.wait(cut_off)


def pressable(blocks: Any) -> Iterator[str]:
    """The names of what can be pressed."""
    for _, element in interactive(blocks):
        if "action_id" in element:
            yield str(element["action_id"])


async def forged(
    slack: Slack,
    user: str,
    action_id: str,
    value: str,
    *,
    channel: str,
    ts: str,
    thread: str,
    response_url: str | None = None,
) -> Acknowledged:
    """A click on a button that is not there, or with another value, or by somebody who does not see it."""
    payload = interaction(
        slack.world,
        slack.world.people[user],
        "block_actions",
        container={"type": "message", "message_ts": ts, "channel_id": channel, "thread_ts": thread},
        channel={"id": channel, "name": "directmessage"},
        response_url=response_url or slack.hook(user, channel, ts, thread),
        actions=[{"type": "button", "action_id": action_id, "value": value, "action_ts": action_ts()}],
    )
    return await slack.wire.deliver("interactive", payload)
