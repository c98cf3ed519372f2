"""What the measurement of Slack counts: messages, answers, their order, and the first sign of each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bench.slack import judged
from bench.slack_burst import MESSAGES, THREADS, Outcome, Sent, burst, outcome, signs
from tests.fakes.slack import Slack, serving


@pytest.fixture
async def slack() -> AsyncIterator[Slack]:
    async with serving() as slack:
        slack.wire.subscribed = frozenset()
        yield slack


def answer(slack: Slack, sent: Sent) -> None:
    """As the bot does it: in the thread, with what it replies to."""
    payload = {"event_type": "helpdesk_reply", "event_payload": {"turn": sent.turn, "part": 0}}
    about = {"type": "message", "user": slack.me, "bot_id": slack.world.me.bot_id, "text": "…", "metadata": payload}
    slack.world.keep(sent.channel, {**about, "ts": slack.world.ts(), "thread_ts": sent.thread})


async def sent_by(slack: Slack) -> list[Sent]:
    return await burst(slack, [f"question {number}" for number in range(MESSAGES)])


async def test_a_burst_has_as_many_messages_and_threads_as_it_says_half_of_them_direct(slack: Slack) -> None:
    sent = await sent_by(slack)
    threads = {(one.channel, one.thread) for one in sent}
    assert (len(sent), len({one.turn for one in sent}), len(threads)) == (MESSAGES, MESSAGES, THREADS)
    assert sum(channel.startswith("D") for channel, _ in threads) == THREADS // 2


async def test_answers_that_lack_that_are_too_many_and_that_changed_places_are_counted(slack: Slack) -> None:
    sent = await sent_by(slack)
    thread = [one for one in sent if one.thread == sent[0].thread]
    assert len(thread) == 3
    for one in [*reversed(thread), *(one for one in sent if one.thread != sent[0].thread)]:
        answer(slack, one)
    assert await outcome(slack, sent, grace=0) == Outcome(lost=0, doubled=0, misordered=1)
    answer(slack, sent[1])
    assert await outcome(slack, sent, grace=0) == Outcome(lost=0, doubled=1, misordered=1)


async def test_a_message_without_an_answer_is_lost_and_puts_nothing_out_of_order(slack: Slack) -> None:
    sent = await sent_by(slack)
    for one in sent[1:]:
        answer(slack, one)
    assert await outcome(slack, sent, grace=0, seconds=0.1) == Outcome(lost=1, doubled=0, misordered=0)


async def test_the_first_sign_is_the_reaction_or_the_status_from_the_message_on(slack: Slack) -> None:
    sent = await sent_by(slack)
    direct = next(one for one in sent if one.channel.startswith("D"))
    [shown] = signs(slack, [direct])
    assert shown == float("inf")
    slack.world.set_status(direct.channel, direct.thread, "works", by="call")
    [shown] = signs(slack, [direct])
    assert 0 < shown < float("inf")
    later = next(one for one in sent if one.thread == direct.thread and one is not direct)
    assert signs(slack, [later])[0] < shown


FINE: dict[str, Any] = {
    "acknowledged_p95_ms": 20.0,
    "sign_p95_ms": 100.0,
    "lost": 0,
    "doubled": 0,
    "misordered": 0,
    "restarted": {"lost": 0, "doubled": 0, "misordered": 0},
    "cost": {"own_ms": 4.0},
}


def test_what_is_within_all_limits_is_kept() -> None:
    assert judged({"socket": FINE}) == {"missed": [], "kept": True}


@pytest.mark.parametrize(
    ("worse", "missed"),
    [
        ({"sign_p95_ms": 301.0}, "http: sign_p95_ms"),
        ({"acknowledged_p95_ms": float("inf")}, "http: acknowledged_p95_ms"),
        ({"lost": 1}, "http: at once: lost"),
        ({"restarted": {"lost": 0, "doubled": 2, "misordered": 0}}, "http: restarted: doubled"),
        ({"cost": {"own_ms": 5.1}}, "http: own_ms"),
    ],
)
def test_what_is_beyond_a_limit_is_named(worse: dict[str, Any], missed: str) -> None:
    assert judged({"socket": FINE, "http": FINE | worse}) == {"missed": [missed], "kept": False}
