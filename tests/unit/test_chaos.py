"""What counts as a leak, as memory that grows, and as a payload that was changed: the judges of `make chaos` judge."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from bench.chaos.crowd import Crowd
from bench.chaos.fuzz import changed, damaged, slack_bodies, teams_bodies
from bench.chaos.load import Memory
from tests.fakes.slack import HELPDESK, Slack, serving


@pytest.fixture
async def crowd() -> AsyncIterator[Crowd]:
    async with serving() as slack:
        yield Crowd.gathered(slack, 3, seed=1)


def by_the_bot(slack: Slack, channel: str, text: str) -> None:
    about = {"type": "message", "user": slack.me, "bot_id": slack.world.me.bot_id}
    slack.world.keep(channel, {**about, "text": "words", "blocks": [{"text": text}], "ts": slack.world.ts()})


async def test_who_is_told_their_own_words_is_told_nothing_of_others(crowd: Crowd) -> None:
    by_the_bot(crowd.slack, crowd.slack.dm("U1P1"), "You wrote LK1-77.")
    by_the_bot(crowd.slack, HELPDESK, "The printer is fixed.")
    assert crowd.leaked() == 0


@pytest.mark.parametrize("where", ["D1P0", HELPDESK])
async def test_words_of_another_in_a_channel_or_in_somebody_elses_messages_are_a_leak(crowd: Crowd, where: str) -> None:
    by_the_bot(crowd.slack, where, "Somebody wrote LK1-77.")
    assert crowd.leaked() == 1


async def test_the_same_seed_writes_the_same_messages() -> None:
    said = []
    for _ in range(2):
        async with serving() as slack:
            crowd = Crowd.gathered(slack, 5, seed=4)
            for _ in range(20):
                await crowd.write()
            said.append([message["text"] for channel in slack.world.channels for message in slack.messages(channel)])
    assert said[0] == said[1]
    assert len(said[0]) == 20


def test_memory_is_compared_within_one_process() -> None:
    """The other one was large, and is no more."""
    read = [(float(at), 1 if at < 200 else 2, 900.0 if at < 200 else 100.0 + at / 100) for at in range(0, 1201, 5)]
    growth = Memory(read=read).growth(0.0, 1200.0)
    # From 300 s to 456 s 103.8 in the middle, from 1080 s on 111.4.
    assert growth == pytest.approx(111.4 / 103.8, abs=0.002)


def test_of_a_short_time_or_of_a_young_process_no_growth_is_told() -> None:
    assert Memory(read=[(0.0, 1, 100.0), (500.0, 1, 200.0)]).growth(0.0, 500.0) is None
    assert Memory(read=[(0.0, 1, 100.0), (1200.0, 2, 200.0)]).growth(0.0, 1200.0) is None
    assert Memory().growth(0.0, 1200.0) is None


def test_changed_payloads_and_files_are_others_and_the_originals_stay() -> None:
    for body in [*slack_bodies(), *teams_bodies()]:
        before = repr(body)
        assert sum(repr(changed(body, random.Random(number))) != before for number in range(20)) > 15
        assert repr(body) == before
    text = "a: 1\nb: 2\nc: 3"
    assert sum(damaged(text, random.Random(number)) != text for number in range(20)) > 15
