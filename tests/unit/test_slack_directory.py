"""Who Slack's ids stand for, asked as seldom as can be."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.directory import Remembered

NOON = datetime(2026, 9, 10, 3, 0, tzinfo=UTC)


class Asked:
    """Slack, which answers when it is let, and the names that it was asked for."""

    def __init__(self, *, fails: bool = False) -> None:
        self.names: list[str] = []
        self.now = NOON
        self.go = asyncio.Event()
        self.remembered = Remembered(self._answer, "?", lambda: self.now)
        self._fails = fails

    async def _answer(self, _client: AsyncWebClient, name: str) -> str:
        self.names.append(name)
        await self.go.wait()
        if self._fails:
            raise SlackClientError("no")
        return name.lower()

    async def of(self, name: str, since: datetime | None = None) -> str:
        return await self.remembered.of(AsyncWebClient(token="xoxb-1"), "T1", name, since=since)


async def test_many_who_ask_about_one_person_at_once_ask_slack_once() -> None:
    slack = Asked()
    asking = [asyncio.create_task(slack.of(name)) for name in ("AYA", "KEN", "AYA", "AYA")]
    await asyncio.sleep(0)
    slack.go.set()
    assert await asyncio.gather(*asking) == ["aya", "ken", "aya", "aya"]
    assert sorted(slack.names) == ["AYA", "KEN"]


async def test_who_wants_it_newer_than_the_answer_under_way_asks_again() -> None:
    slack = Asked()
    first = asyncio.create_task(slack.of("AYA"))
    await asyncio.sleep(0)
    slack.now = NOON + timedelta(seconds=1)
    newer = asyncio.create_task(slack.of("AYA", since=slack.now))
    await asyncio.sleep(0)
    assert slack.names == ["AYA"]
    slack.go.set()
    assert [await first, await newer] == ["aya", "aya"]
    assert slack.names == ["AYA", "AYA"]


async def test_a_failure_is_the_answer_of_all_who_waited_for_it() -> None:
    slack = Asked(fails=True)
    asking = [asyncio.create_task(slack.of("AYA")) for _ in range(3)]
    await asyncio.sleep(0)
    slack.go.set()
    assert await asyncio.gather(*asking) == ["?", "?", "?"]
    assert slack.names == ["AYA"]


async def test_an_answer_from_a_time_to_come_is_asked_for_anew() -> None:
    """The clock was ahead when Slack said it, and has been put back since."""
    slack = Asked()
    slack.go.set()
    slack.now = NOON + timedelta(days=1)
    assert await slack.of("AYA") == "aya"
    slack.now = NOON
    assert [await slack.of("AYA"), await slack.of("AYA")] == ["aya", "aya"]
    assert slack.names == ["AYA", "AYA"]
