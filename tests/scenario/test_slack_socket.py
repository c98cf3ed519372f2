"""The connection to Slack: whatever happens to it, there is another one, and nothing is lost or told twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from aiohttp import ClientSession
from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp

from bot.slack_client import client_of
from bot.slack_line import Line
from bot.slack_socket import Connection, Keeper, Pace, connected, opened, pause_after
from config.slack import SlackSettings
from memory.errors import PlatformRefused, PlatformUnavailable
from tests.fakes.slack import AYA, HELPDESK, Slack, serving

QUICK = Pace(
    ping=5.0,
    opening=2.0,
    draining=2.0,
    closing=0.2,
    steady=0.0,
    shortest_pause=0.02,
    longest_pause=0.1,
    pause_when_refused=0.05,
)
WATCHFUL = replace(QUICK, ping=0.4)


@dataclass(slots=True)
class Ear:
    """A small app that writes down what it is told, and how its connection stands."""

    slack: Slack
    settings: SlackSettings
    told: list[str] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    reports: list[Connection] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def listening(self, pace: Pace = QUICK) -> AsyncIterator[None]:
        async with connected(self.settings, self.app(), report=self.report, pace=pace):
            await self.slack.connected()
            yield

    def app(self) -> AsyncApp:
        client = client_of(self.settings, self.slack.bot_token)
        bolt = AsyncApp(client=client, process_before_response=True, ignoring_self_events_enabled=False)
        bolt.event("message")(self.hear)
        return bolt

    async def hear(self, event: Mapping[str, Any]) -> None:
        self.began.set()
        await self.go.wait()
        self.told.append(str(event["text"]))

    def report(self, connection: Connection) -> None:
        self.reports.append(connection)
        self.changed.set()

    async def reported(self, condition: Callable[[Connection], bool]) -> Connection:
        """Waits for such a report."""
        async with asyncio.timeout(10):
            while True:
                if found := [report for report in self.reports if condition(report)]:
                    return found[0]
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
async def ear() -> AsyncIterator[Ear]:
    async with serving() as slack:
        slack.wire.retry_delays = (0.1, 0.3, 1.0)
        slack.wire.ack_limit = 2.0
        settings = SlackSettings(
            bot_token=SecretStr(slack.bot_token), app_token=SecretStr(slack.app_token), api_url=slack.api_url
        )
        ear = Ear(slack=slack, settings=settings)
        ear.go.set()
        yield ear


async def refresh(slack: Slack) -> None:
    await slack.disconnect("refresh_requested")


async def warning(slack: Slack) -> None:
    await slack.disconnect("warning")


async def close(slack: Slack) -> None:
    await slack.close_sockets()


async def break_off(slack: Slack) -> None:
    slack.break_sockets()


async def deafen(slack: Slack) -> None:
    slack.deafen()


@pytest.mark.parametrize("happens", [refresh, warning, close, break_off, deafen])
async def test_whatever_happens_to_the_connection_no_message_is_lost_or_told_twice(
    ear: Ear, happens: Callable[[Slack], Awaitable[None]]
) -> None:
    async with ear.listening(WATCHFUL):
        await ear.slack.say(AYA, HELPDESK, "before")
        await ear.slack.settled()
        await happens(ear.slack)
        await ear.slack.say(AYA, HELPDESK, "meanwhile")
        await ear.slack.connected(2)
        await ear.slack.say(AYA, HELPDESK, "after")
        await ear.slack.settled()
    assert sorted(ear.told) == ["after", "before", "meanwhile"]
    assert ear.slack.wire.lost == []


async def test_what_is_under_way_is_acknowledged_before_the_old_connection_goes(ear: Ear) -> None:
    ear.go.clear()
    ear.slack.links.goodbye = 60.0
    async with ear.listening():
        await ear.slack.say(AYA, HELPDESK, "slow")
        await ear.began.wait()
        await ear.slack.disconnect()
        await ear.slack.connected(2)
        # So that a connection that goes at once is gone.
        await asyncio.sleep(0.2)
        ear.go.set()
        await ear.slack.settled()
    assert ear.told == ["slow"]
    assert [(ack.attempt, ack.ok) for ack in ear.slack.acks] == [(0, True)]


async def test_a_planned_change_is_no_outage(ear: Ear) -> None:
    async with ear.listening():
        await ear.slack.disconnect()
        found = await ear.reported(lambda report: report.reconnects == 1)
        await ear.slack.until(lambda: len(ear.slack.links.live) == 1)
    assert found.connected
    assert [report.connected for report in ear.reports] == [True, True]


async def test_a_connection_over_which_nothing_comes_is_replaced_though_it_answers_pings(ear: Ear) -> None:
    ear.settings = ear.settings.model_copy(update={"silence_minutes": 1 / 60})
    async with ear.listening():
        await ear.slack.connected(2)
        await ear.slack.until(lambda: len(ear.slack.links.live) == 1)
        await ear.slack.say(AYA, HELPDESK, "still there?")
        await ear.slack.settled()
    assert ear.told == ["still there?"]


async def test_slack_that_cannot_be_reached_is_reported_in_words_and_tried_until_it_can(ear: Ear) -> None:
    async with ear.listening():
        ear.slack.fail("apps.connections.open", times=4, status=500)
        ear.slack.break_sockets()
        lost = await ear.reported(lambda report: not report.connected)
        back = await ear.reported(lambda report: report.reconnects == 1)
    assert "no connection to Slack" in lost.why
    assert lost.heard <= lost.since
    assert (back.connected, back.why) == (True, "")
    assert len(ear.slack.calls("apps.connections.open")) == 1 + 4 + 1


async def test_a_failed_handshake_is_tried_again_at_a_new_address(ear: Ear) -> None:
    async with ear.listening():
        ear.slack.links.turned_away = 2
        ear.slack.break_sockets()
        await ear.slack.connected(2)
    assert len(ear.slack.calls("apps.connections.open")) == 1 + 3
    assert ear.slack.links.tickets == set()


async def test_a_token_that_is_revoked_while_it_runs_is_reported_and_not_hammered(ear: Ear) -> None:
    patient = replace(QUICK, pause_when_refused=3600.0)
    async with ear.listening(patient):
        ear.slack.revoke(ear.slack.app_token)
        ear.slack.break_sockets()
        lost = await ear.reported(lambda report: not report.connected)
        await asyncio.sleep(0.5)
        assert len(ear.slack.calls("apps.connections.open")) == 2
    assert "slack.app_token" in lost.why
    assert "token_revoked" in lost.why
    assert ear.slack.app_token not in lost.why


async def test_a_token_that_is_good_again_is_taken(ear: Ear) -> None:
    async with ear.listening():
        ear.slack.revoke(ear.slack.app_token)
        ear.slack.break_sockets()
        await ear.reported(lambda report: not report.connected)
        ear.slack.api.revoked.clear()
        await ear.reported(lambda report: report.reconnects == 1)


async def test_ending_takes_no_longer_because_slack_is_deaf(ear: Ear) -> None:
    patient = Pace(ping=60.0, closing=0.1, draining=0.1)
    async with asyncio.timeout(5), ear.listening(patient):
        ear.slack.deafen()
    await ear.slack.until(lambda: ear.slack.links.live == [])


async def test_a_watch_that_fails_itself_is_reported(ear: Ear) -> None:
    async with ClientSession() as session:
        lines = [await opened(session, ear.app(), ear.slack.app_token, QUICK)]

        async def open_line() -> Line:
            return lines.pop()

        keeper = Keeper(open_line, silence=60, report=ear.report, pace=QUICK)
        await keeper.begin()
        ear.slack.break_sockets()
        lost = await ear.reported(lambda report: not report.connected)
        await keeper.end()
    assert "start the bot again" in lost.why


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"status": 500}, PlatformUnavailable),
        ({"error": "internal_error"}, PlatformUnavailable),
        ({"drop": "before"}, PlatformUnavailable),
        ({"garbled": True}, PlatformUnavailable),
        ({"error": "invalid_auth"}, PlatformRefused),
    ],
)
async def test_without_a_first_connection_the_start_fails_with_a_reason(
    ear: Ear, fault: Mapping[str, Any], error: type[Exception]
) -> None:
    ear.slack.fail("apps.connections.open", **fault)
    with pytest.raises(error):
        async with ear.listening():
            pass


def test_pauses_grow_to_a_minute_and_are_never_all_the_same() -> None:
    pace = Pace(shortest_pause=1.0, longest_pause=60.0)
    assert pause_after(0, pace) == 0.0
    for failures, longest in ((1, 1.0), (2, 2.0), (5, 16.0), (6, 32.0), (7, 60.0), (10_000, 60.0)):
        pauses = {pause_after(failures, pace) for _ in range(50)}
        assert longest / 2 <= min(pauses) <= max(pauses) <= longest
        assert len(pauses) > 1
