"""Many people write to the bot in Slack at once: what each of them waits for, and whether each gets one answer."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from handlers.slack.address import filed
from handlers.slack.records import PLATFORM
from memory.model import Conversation, turn_id
from tests.fakes.slack import AYA, BOB, GENERAL, HELPDESK, KEN, MAI, TEAM, Slack

MESSAGES, THREADS = 50, 20
_PEOPLE = (AYA, KEN, MAI, BOB)
_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message that asks something; `at` in seconds of the monotonic clock, `turn` as the bot knows it."""

    channel: str
    thread: str
    ts: str
    turn: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How many messages got no answer, and how many more than one; in how many threads answers changed places."""

    lost: int
    doubled: int
    misordered: int


async def say(slack: Slack, texts: Sequence[str], threads: Sequence[Sent] = ()) -> list[Sent]:
    """One message for each text, all at once: into `threads` in turn, or each beginning one; half of those in direct
    messages, half as mentions in two channels."""
    return [await _say(slack, number, text, threads) for number, text in enumerate(texts)]


async def _say(slack: Slack, number: int, text: str, threads: Sequence[Sent]) -> Sent:
    root = threads[number % len(threads)] if threads else None
    user = _PEOPLE[number // 2 % len(_PEOPLE)]
    channel = root.channel if root else slack.dm(user) if number % 2 else (HELPDESK, GENERAL)[number // 2 % 2]
    direct = channel.startswith("D")
    if root and direct:
        user = next(person for person in _PEOPLE if slack.dm(person) == channel)
    at = time.monotonic()
    ts = await slack.say(user, channel, text, thread=root.thread if root else None, mention=not direct)
    return sent_as(channel, root.thread if root else ts, ts, at)


def sent_as(channel: str, thread: str, ts: str, at: float = 0.0) -> Sent:
    """A message that Slack has, as the bot will know it."""
    place = Conversation(platform=PLATFORM, workspace=TEAM, channel=channel, thread=thread)
    return Sent(channel=channel, thread=thread, ts=ts, turn=turn_id(filed(place), ts), at=at)


async def burst(slack: Slack, texts: Sequence[str]) -> list[Sent]:
    """So many messages at once, in THREADS threads."""
    roots = await say(slack, texts[:THREADS])
    return [*roots, *await say(slack, texts[THREADS:], roots)]


def replies(slack: Slack, sent: Sequence[Sent]) -> list[str]:
    """The turns that the bot has answered, in the order in which the answers stand in each thread."""
    threads = dict.fromkeys((one.channel, one.thread) for one in sent)
    shown = [message for channel, thread in threads for message in slack.answers(channel, thread)]
    payloads = [message.get("metadata", {}).get("event_payload", {}) for message in shown]
    return [str(payload["turn"]) for payload in payloads if payload.get("part") == 0]


async def answered(slack: Slack, sent: Sequence[Sent], count: int | None = None, seconds: float = _SECONDS) -> None:
    """Wait until so many of them, or all, have an answer. What has none after `seconds` is left to be counted."""
    wanted = len(sent) if count is None else count
    try:
        await slack.until(lambda: len({*replies(slack, sent)}) >= wanted, seconds)
    except TimeoutError:
        return


async def outcome(slack: Slack, sent: Sequence[Sent], grace: float = 2.0, seconds: float = _SECONDS) -> Outcome:
    """What came of them, once all are answered or `seconds` are over; an answer too many has `grace` to appear."""
    await answered(slack, sent, seconds=seconds)
    await asyncio.sleep(grace)
    return compared(sent, replies(slack, sent))


def compared(sent: Sequence[Sent], given: Sequence[str]) -> Outcome:
    """What came of them; `given` are the turns that were answered, in the order in which answers stand in a thread."""
    counts = Counter(given)
    asked = {one.turn for one in sent}
    orders: dict[tuple[str, str], list[str]] = {}
    for one in sorted(sent, key=lambda each: each.ts):
        orders.setdefault((one.channel, one.thread), []).append(one.turn)
    first = list(dict.fromkeys(turn for turn in given if turn in asked))
    kept = [[turn for turn in first if turn in order] for order in orders.values()]
    wanted = [[turn for turn in order if turn in counts] for order in orders.values()]
    return Outcome(
        lost=len(asked - counts.keys()),
        doubled=sum(1 for turn in asked if counts[turn] > 1),
        misordered=sum(1 for is_so, should in zip(kept, wanted, strict=True) if is_so != should),
    )


def signs(slack: Slack, sent: Sequence[Sent]) -> list[float]:
    """Seconds until each shows a sign to who wrote it: the reaction on it, or a status in its thread. A status that is
    there already counts from the message itself."""
    reactions = {str(call.arguments["timestamp"]): call.at for call in reversed(slack.calls("reactions.add"))}
    return [
        _status(slack, one) if one.channel.startswith("D") else reactions.get(one.ts, float("inf")) - one.at
        for one in sent
    ]


def _status(slack: Slack, one: Sent) -> float:
    shown = False
    for status in slack.status_history(one.channel, one.thread):
        if status.at > one.at and (shown or status.text):
            return 0.0 if shown else status.at - one.at
        shown = bool(status.text)
    return 0.0 if shown else float("inf")
